//! The shared state of turns: which processors compute and which wait for a turn. `turns` changes it.

use std::sync::atomic::{AtomicU32, AtomicU64};

/// Maximal number of turns.
pub(super) const MAX_TURNS: usize = 256;

/// The turns of a machine; all zero while there are none.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Turns {
    /// 1 while a processor changes what follows.
    pub(super) lock: AtomicU32,
    /// Free turns: how many, and which.
    pub(super) free: AtomicU32,
    pub(super) stack: [AtomicU32; MAX_TURNS],
    /// Begin and end of the queue. Both only grow.
    pub(super) first: AtomicU64,
    pub(super) last: AtomicU64,
    /// Number of turns, without those of processors that were let in in addition.
    pub(super) count: AtomicU32,
    /// Whether each turn belongs to a core, and to which.
    pub(super) are_cores: AtomicU32,
    pub(super) cores: [AtomicU32; MAX_TURNS],
    /// How many times a turn was taken.
    pub(super) taken: AtomicU64,
    /// The longest phase so far, in nanoseconds.
    pub(super) longest: AtomicU64,
    /// 1 while a processor takes or has all turns.
    pub(super) all: AtomicU32,
    /// 1 + the processor that checks those that have turns.
    pub(super) checker: AtomicU32,
}
