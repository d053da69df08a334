//! Which supersteps are complete on a processor.
//!
//! After the barrier some processors are still writing the puts of the superstep that has ended. A processor
//! that writes into their memory directly, in the next superstep, must wait until they are done.

use std::sync::atomic::Ordering::*;

use super::atomics::AtomicU64;

/// The last superstep of a processor whose puts and gets are all written in its memory.
#[derive(Debug)]
pub(crate) struct EndedSuperstep(AtomicU64);

impl EndedSuperstep {
    /// Called by its processor when all of a superstep is written.
    #[inline]
    pub fn end(&self, superstep: u64) {
        self.0.store(superstep, Release);
    }

    /// Whether all of a superstep is written there.
    #[inline]
    pub fn is_over(&self, superstep: u64) -> bool {
        self.0.load(Acquire) >= superstep
    }
}

#[cfg(loom)]
impl EndedSuperstep {
    pub fn new() -> EndedSuperstep {
        EndedSuperstep(AtomicU64::new(0))
    }
}
