//! The cache that a core has by itself, as it would be had no other processor computed on the core meanwhile.
//!
//! Virtual processors take turns on a core, and each leaves its own data in the cache. On a core of its own a
//! processor would find there what it used last. If all the memory that it has written fits, that is all of it,
//! and it is brought back before the phase begins. Of more memory nobody knows what of it was used last; nothing is
//! brought back then, and the phase begins with what the others have left.

mod resident;
mod size;

pub use size::private_cache;

use resident::Resident;

use crate::prefetch::fetch;

/// Bytes that come into the cache at once.
const LINE: usize = 64;

/// Of one processor.
#[derive(Debug)]
pub(super) struct Cache {
    capacity: usize,
    /// Page faults of the process when the pages were looked for; new pages come by faults alone.
    faults: Option<i64>,
    pages: Resident,
}

impl Cache {
    /// A core has so many bytes by itself; what lies in `besides` is not the processor's alone.
    pub fn new(capacity: u64, besides: (usize, usize)) -> Cache {
        let capacity = usize::try_from(capacity).unwrap_or(usize::MAX);
        Cache { capacity, faults: None, pages: Resident::new(besides) }
    }

    /// Brings the processor's memory into the cache of the core that it computes on. Whether it fits.
    pub fn restore(&mut self) -> bool {
        let faults = page_faults();
        if self.faults != Some(faults) {
            self.pages.look(self.capacity);
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

fn page_faults() -> i64 {
    // SAFETY: all zero is a value of the structure, which the call fills.
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
        // SAFETY: ours; nothing of it is used any more.
        unsafe { libc::munmap(memory, size) };
        // As if no page had come since.
        all.faults = Some(page_faults());
        assert!(all.restore());
    }
}
