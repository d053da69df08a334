//! The header that glibc's `malloc` writes before large memory.
//!
//! Memory that `malloc` has mapped separately begins 16 bytes after the beginning of its first page. The rest of that
//! page belongs to nobody else and may be promoted with the pages inside. The last page is never promoted: if all of
//! the memory were one mapping of the arena, `realloc` would let the system extend it, over what follows in the
//! arena.

use super::PAGE;

/// Two words before the memory: 0, and the size of all with [`OWN_PAGES`].
const HEADER: usize = 16;
const OWN_PAGES: usize = 2;
const BITS: usize = 7;

/// The beginning of the pages that `malloc` has mapped only for the memory at an address, if they reach beyond
/// `to`.
///
/// # Safety
/// There is memory at the address.
pub(super) unsafe fn begin_before(address: usize, to: usize) -> Option<usize> {
    if cfg!(not(target_env = "gnu")) || address % PAGE != HEADER {
        return None;
    }
    let begin = address - HEADER;
    // SAFETY: it is in the page in which the memory begins.
    let [zero, size] = unsafe { (begin as *const [usize; 2]).read() };
    let end = begin.checked_add(size & !BITS)?;
    (zero == 0 && size & BITS == OWN_PAGES && end % PAGE == 0 && to < end).then_some(begin)
}

#[cfg(all(test, target_env = "gnu"))]
mod tests {
    use super::*;

    #[test]
    fn large_memory_has_pages_of_its_own_and_small_has_not() {
        let begin = |size: usize, used: fn(usize, *mut libc::c_void) -> usize| {
            // SAFETY: it is freed below, and all of the header's page exists.
            unsafe {
                let memory = libc::malloc(size);
                let (from, to) = (memory as usize, memory as usize + used(size, memory));
                let begin = begin_before(from, to & !(PAGE - 1));
                libc::free(memory);
                begin.map(|begin| from - begin)
            }
        };
        // More than `malloc` ever takes from its heap.
        let large = 64 << 20;
        for size in [large, large - 16, large - 24, large + 5] {
            assert_eq!(begin(size, |size, _| size), Some(16), "{size}");
        }
        assert_eq!(begin(1000, |size, _| size), None);
        // SAFETY: the memory exists.
        let all = |_, memory| unsafe { libc::malloc_usable_size(memory) };
        assert_eq!(begin(large, all), None);
    }
}
