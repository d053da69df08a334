//! Who computes and who waits for a turn, as it stands in the shared memory; `turns` changes it.

use std::sync::atomic::{AtomicU32, AtomicU64};

/// Turns at most.
pub(super) const MOST: usize = 256;

/// The turns of a machine; all zero while there are none yet.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Turns {
    /// 1 while somebody changes what follows.
    pub(super) lock: AtomicU32,
    /// Those that nobody has: how many, and which.
    pub(super) free: AtomicU32,
    pub(super) stack: [AtomicU32; MOST],
    /// Of the queue: begin and end, which only grow.
    pub(super) first: AtomicU64,
    pub(super) last: AtomicU64,
    /// Turns that there are, without those let in besides.
    pub(super) count: AtomicU32,
    /// Whether each is that of a core: which.
    pub(super) are_cores: AtomicU32,
    pub(super) cores: [AtomicU32; MOST],
    /// Times that one was taken.
    pub(super) taken: AtomicU64,
    /// The longest phase so far, nanoseconds.
    pub(super) longest: AtomicU64,
    /// 1 while a processor takes or has all of them.
    pub(super) all: AtomicU32,
    /// 1 and the processor that looks after those who have turns.
    pub(super) looks: AtomicU32,
}
