//! Which supersteps are over on a processor.
//!
//! When all have met, some are still writing what was put in the superstep that has ended. Who writes
//! to their memory at once, in the next one, must not come before that.

use std::sync::atomic::Ordering::*;

use super::atomics::AtomicU64;

/// The last superstep of a processor's of which all is written in its memory.
#[derive(Debug)]
pub(crate) struct EndedSuperstep(AtomicU64);

impl EndedSuperstep {
    /// For its processor: all of a superstep is written.
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
