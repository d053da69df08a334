//! Memory of this process that exists whatever the program does.
//!
//! Subscribed data is read in each superstep until the subscription is cancelled, even if the program has freed
//! the memory meanwhile, as many do at their end. Memory that `malloc` has mapped separately is unmapped then,
//! and asking the system costs more than a reply. For all other memory a comparison of addresses is enough.

use std::cell::OnceCell;
use std::ffi::{c_int, c_void};
use std::ops::Range;

use super::arena::Arena;
use super::promotion::stack;

#[derive(Debug, Default)]
pub(super) struct PermanentMemory {
    /// The program's variables and its stack; determined when first needed.
    places: OnceCell<(Range<usize>, Range<usize>)>,
}

impl PermanentMemory {
    /// Whether these bytes exist now: in the arena, in the program's variables, on the heap below its end, or
    /// on the stack above its end.
    pub fn has(&self, arena: &Arena, from: usize, size: usize) -> bool {
        let (variables, stack) = self.places();
        let here = 0u8;
        let used = (&raw const here as usize).max(stack.start)..stack.end;
        let heap = variables.end..heap_end();
        self.stays(arena, from, size) || lies_in(used, from, size) || lies_in(heap, from, size)
    }

    /// Whether they exist as long as the program: in the arena, or in its variables.
    pub fn stays(&self, arena: &Arena, from: usize, size: usize) -> bool {
        let base = arena.base() as usize;
        let in_arena = lies_in(base..base + arena.size(), from, size);
        in_arena || lies_in(self.places().0.clone(), from, size)
    }

    fn places(&self) -> &(Range<usize>, Range<usize>) {
        self.places.get_or_init(|| {
            let (begin, end) = stack();
            (variables(), begin..end)
        })
    }
}

fn lies_in(range: Range<usize>, from: usize, size: usize) -> bool {
    range.start <= from && from.checked_add(size).is_some_and(|to| to <= range.end)
}

/// The end of the program's heap, which begins after its variables.
fn heap_end() -> usize {
    // SAFETY: nothing changes; the C library knows it without a system call.
    unsafe { libc::sbrk(0) as usize }
}

/// Addresses of the program's own variables: its writable segments.
fn variables() -> Range<usize> {
    let mut range = 0..0;
    // SAFETY: the function uses what is passed here only during the call.
    unsafe { libc::dl_iterate_phdr(Some(of_program), (&raw mut range).cast()) };
    range
}

/// For the first object, which is the program.
unsafe extern "C" fn of_program(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    output: *mut c_void,
) -> c_int {
    // SAFETY: `variables` calls it so; the system describes its segments.
    let (info, range) = unsafe { (&*info, &mut *output.cast::<Range<usize>>()) };
    // SAFETY: as above.
    let segments =
        unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let written = |s: &&libc::Elf64_Phdr| s.p_type == libc::PT_LOAD && s.p_flags & libc::PF_W != 0;
    if let Some(last) = segments.iter().rfind(written) {
        let begin = (info.dlpi_addr + last.p_vaddr) as usize;
        *range = begin..begin + last.p_memsz as usize;
    }
    1
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

    use super::*;

    static VARIABLE: AtomicU8 = AtomicU8::new(7);

    #[test]
    fn variables_heap_and_stack_last_and_mappings_do_not() {
        let (arena, permanent) = (Arena::new(1).unwrap(), PermanentMemory::default());
        let local = [VARIABLE.load(Relaxed); 100];
        let has = |address: *const u8, size| permanent.has(&arena, address as usize, size);
        assert!(has(VARIABLE.as_ptr(), 1));
        assert!(has(local.as_ptr(), 100));
        assert!(has(arena.base(), arena.size()) && !has(arena.base(), arena.size() + 1));
        // 64 MiB each, separately mapped.
        assert!(!has(vec![0u8; 64 << 20].as_ptr(), 1));
        assert!(!has(std::ptr::null(), 8) && !has(usize::MAX as *const u8, 8));
        let (end, begin) = (heap_end(), variables().end);
        assert!(end == begin || permanent.has(&arena, end - 8, 8));
        assert!(!permanent.has(&arena, end - 8, 9) && !permanent.has(&arena, end, 1));
    }
}
