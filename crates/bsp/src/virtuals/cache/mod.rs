//! The private cache of a core, in the state it would have if no other processor had computed on the core
//! meanwhile.
//!
//! Virtual processors take turns on a core, and each leaves its own data in the cache. On its own core a
//! processor would find what it used last. If all the memory that it has written fits into the cache, all of it is read
//! before the phase begins, so that it is in the cache again. If it is more, it is not known what was used last; then
//! nothing is read, and the phase begins with the cache as the others have left it.
//!
//! Why: decision 0034.

mod owner;
mod ranges;
mod resident;
mod size;

pub use size::private_cache;

use owner::Owner;
use resident::Resident;

use crate::prefetch::fetch;

/// Size of a cache line.
const LINE: usize = 64;

/// The cache of one processor.
#[derive(Debug)]
pub(super) struct Cache {
    capacity: usize,
    /// Page faults of the process when the pages were listed; new pages come only by faults.
    faults: Option<i64>,
    pages: Resident,
    /// Whose mappings are, if others allocate memory in the process, too.
    owner: Option<Owner>,
}

impl Cache {
    /// `capacity`: bytes of a core's private cache. Memory in `besides` does not belong to the processor alone.
    pub fn new(capacity: u64, besides: (usize, usize)) -> Cache {
        let capacity = usize::try_from(capacity).unwrap_or(usize::MAX);
        Cache { capacity, faults: None, pages: Resident::new(besides), owner: None }
    }

    /// Creates the cache of a process in which others work, too, between phases. Only private memory counts, without
    /// the memory that the others have made since `before` and make while the processor has no phase.
    pub fn of_private_pages(capacity: u64, before: &Memory) -> Cache {
        let mut cache = Cache::new(capacity, (0, 0));
        let now = Memory::now();
        cache.pages.leave_out(ranges::difference(&now.pages, &before.pages));
        let new_mappings = ranges::difference(&now.mapped, &before.mapped);
        cache.pages.leave_out_more(&new_mappings, &now.mapped);
        cache.owner = Some(Owner::new(now.mapped));
        cache
    }

    /// A phase has ended: what was mapped in it is the processor's.
    pub fn leave(&mut self) {
        if let Some(owner) = &mut self.owner {
            owner.look(page_faults());
        }
    }

    /// Brings the processor's memory into the cache of its current core. Returns whether it fits.
    pub fn restore(&mut self) -> bool {
        let faults = page_faults();
        if let Some(owner) = &mut self.owner
            && let Some(new_mappings) = owner.look(faults)
        {
            self.pages.leave_out_more(&new_mappings, owner.mapped());
        }
        if self.faults != Some(faults) {
            self.pages.list(self.capacity);
            self.faults = Some(page_faults());
        }
        let fits = self.pages.size() <= self.capacity;
        if fits {
            for &(begin, end) in self.pages.ranges() {
                (begin..end).step_by(LINE).for_each(|line| fetch(line as *const u8));
            }
        }
        fits
    }
}

/// The private memory that a process may write: address ranges, ascending.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The pages that the process has touched.
    pages: Vec<(usize, usize)>,
    /// All of it.
    mapped: Vec<(usize, usize)>,
}

impl Memory {
    /// None.
    pub const NONE: Memory = Memory { pages: Vec::new(), mapped: Vec::new() };

    /// That of this process now.
    pub fn now() -> Memory {
        let mut pages = Resident::new((0, 0));
        pages.leave_out(Vec::new());
        pages.list(usize::MAX);
        Memory { pages: pages.ranges().to_vec(), mapped: resident::mapped() }
    }
}

fn page_faults() -> i64 {
    // SAFETY: all zero is a valid value of the structure, which the call fills.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage.ru_minflt + usage.ru_majflt
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_gone_does_no_harm() {
        let size = 1 << 22;
        let (access, kind) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping, written within.
        let memory = unsafe {
            let memory = libc::mmap(std::ptr::null_mut(), size, access, kind, -1, 0);
            assert_ne!(memory, libc::MAP_FAILED);
            std::ptr::write_bytes(memory.cast::<u8>(), 1, size);
            memory
        };
        let mut all = Cache::new(u64::MAX, (0, 0));
        assert!(all.restore() && all.pages.size() >= size);
        let mut little = Cache::new(4096, (0, 0));
        assert!(!little.restore());
        // SAFETY: ours; it is not used any more.
        unsafe { libc::munmap(memory, size) };
        // As if there were no new page.
        all.faults = Some(page_faults());
        assert!(all.restore());
    }
}
