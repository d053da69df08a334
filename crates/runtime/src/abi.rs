//! The types of `cll.h`, field by field: C and the library share them.

use std::ffi::{c_char, c_uint, c_void};
use std::sync::atomic::AtomicU32;

use cll_trace::layout::{HEADER_SIZE, field};

/// `CLL_VERSION`.
pub const VERSION: c_uint = 2;
/// Nothing is measured.
pub const IDLE: u32 = 0;
/// Measured, with the processor's own counter.
pub const FAST: u32 = 1;
/// Measured by calls of the library; also before it has started.
pub const SLOW: u32 = 2;

/// `context` of a thread without an open region.
pub const OUTSIDE: u64 = 0xFFFF_0001;
/// Bits of a context for its fork count, and that it is open.
pub const EPOCH: u64 = 0xFFFF;
/// A fork adds this to the fork count.
pub const EPOCH_STEP: u64 = 2;
/// One more surrounding region.
pub const DEEPER: u64 = 1 << 32;
/// Position of the parent's place.
pub const PARENT_SHIFT: u32 = 16;
/// Bits of the parent's place; the [`PARENT_SHIFT`] bits below are zero.
pub const PARENT: u64 = 0xFFFF_0000;

/// `struct cll_place`.
#[repr(C)]
pub struct Place {
    pub experiment: *const c_char,
    pub formula: *const c_char,
    pub file: *const c_char,
    pub function: *const c_char,
    pub line: c_uint,
    pub end_line: c_uint,
    pub nvalues: c_uint,
    pub every: c_uint,
    pub variables: *const *const c_char,
    pub ncounters: c_uint,
    pub counters: *const *const c_char,
}

/// `struct cll_unit`.
#[repr(C)]
pub struct Unit {
    pub version: c_uint,
    pub nplaces: c_uint,
    pub places: *const Place,
    pub file: *const c_char,
    pub model: *const c_char,
    pub compiler: *const c_char,
    pub base: c_uint,
    pub automatic: c_uint,
}

/// `struct cll_frame`.
#[repr(C)]
pub struct Frame {
    pub start: u64,
    pub context: u64,
}

/// `struct cll_thread`.
#[repr(C)]
pub struct Thread {
    pub next: usize,
    pub end: usize,
    pub soft: usize,
    pub used: *mut u32,
    pub context: u64,
    pub busy: usize,
    pub watch: *mut u64,
    pub away: u64,
    pub calm: u64,
    pub lane: *mut c_void,
    pub reserve: usize,
    pub switches: u64,
}

/// `struct cll_loop`.
#[repr(C)]
pub struct Loop {
    pub values: *mut u8,
    pub count: usize,
    pub position: usize,
    pub size: c_uint,
    pub number: c_uint,
    pub ordered: c_uint,
}

unsafe extern "C" {
    /// The state of the calling thread, valid until it ends.
    safe fn cll_this_thread() -> *mut Thread;
    /// `omp_get_max_threads` if there is an OpenMP runtime, otherwise 1.
    safe fn cll_openmp_threads() -> c_uint;
    fn cll_kernel_word(calm: *mut u64) -> *mut u64;
    safe static cll_flags: AtomicU32;
}

/// The gate, which every region reads.
pub fn flags() -> &'static AtomicU32 {
    &cll_flags
}

/// The calling thread's state.
pub fn this_thread() -> *mut Thread {
    cll_this_thread()
}

/// The number of threads that an OpenMP program would use; 1 without OpenMP.
pub fn openmp_threads() -> u32 {
    cll_openmp_threads().max(1)
}

/// The calling thread's word that the kernel clears when the thread was switched out, and the value to store in
/// it; `None` if there is no such word.
pub fn kernel_word() -> Option<(*mut u64, u64)> {
    let mut calm = 0;
    // SAFETY: it writes only to `calm`.
    let word = unsafe { cll_kernel_word(&mut calm) };
    (!word.is_null()).then_some((word, calm))
}

/// The inner context of a region at `place` that begins in `context`.
pub fn inside(context: u64, place: u16) -> u64 {
    let inner = (context & !PARENT) + DEEPER;
    let inner = inner - ((inner >> 24) & DEEPER);
    inner | u64::from(place) << PARENT_SHIFT
}

/// The number of regions around one that begins in `context`.
pub fn depth(context: u64) -> u32 {
    (context >> 32) as u32 & cll_trace::layout::DEPTH_MASK
}

impl Thread {
    /// Whether the thread has a block to write to.
    pub fn has_block(&self) -> bool {
        self.end != 0
    }

    /// From now on the thread writes to the block of `capacity` bytes at `block`, after its existing contents.
    ///
    /// # Safety
    /// The block must stay mapped, and must belong only to this thread until it is taken away.
    pub unsafe fn attach(&mut self, block: *mut u8, capacity: usize) {
        self.used = block.wrapping_add(field::USED).cast();
        // SAFETY: by the caller.
        let used = unsafe { self.used.read() } as usize;
        self.next = block as usize + HEADER_SIZE + used;
        self.end = block as usize + capacity;
        self.soft = self.end - self.reserve.min((capacity - HEADER_SIZE) / 2);
    }

    /// The thread has no block; it takes one when its next outermost region begins.
    pub fn detach(&mut self) {
        (self.next, self.end, self.soft) = (0, 0, 0);
    }

    /// The thread has no block, and takes one only when it has a record to write.
    pub fn starve(&mut self) {
        (self.next, self.end, self.soft) = (0, 0, usize::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_counts_up_and_stops_at_what_a_record_can_hold() {
        let once = inside(OUTSIDE, 7);
        assert_eq!((depth(once), once & EPOCH, once & PARENT), (1, 1, 7 << 16));
        let mut context = OUTSIDE;
        for place in 0..(1 << 24) + 5u32 {
            context = inside(context, place as u16);
        }
        assert_eq!(depth(context), 0xFF_FFFF);
        assert_eq!((context >> 56, context & EPOCH), (0, 1));
    }
}
