//! Virtual processors: more of them than there are cores, each computing as if it had its own core.
//!
//! A processor computes only while it has a turn; there are as many turns as cores are used
//! (`engine/shared/turns`). While it waits for others it has none and sleeps. So its phases of computation are
//! timed separately (`phase`), and its own clock (`virtual_clock`) advances from phase to phase by the
//! recurrence of OBSP*. Here Φ is the time, W the phase, Ω the processors it has received from and itself (all
//! of them at a barrier), h the bytes:
//!
//! ```text
//! Φ[s,i] = max { Φ[s-1,j] + W[s,j] : j in Ω[s,i] } + g·max { h[s,j] : j in Ω[s,i] } + L
//! ```
//!
//! (González et al., *Call and LLAC tool*, 2003, section 2), with g and L of the requested machine ([`Costs`]).
//! Times are whole nanoseconds, so that the values in a log give the same Φ again.

mod cache;
mod costs;
mod memory;
mod phase;
mod phases;
mod virtual_clock;

pub use cache::{Memory, private_cache};
pub use costs::{Combine, CostSegment, Costs};
pub use phases::Phases;
pub use virtual_clock::Totals;

pub(crate) use phase::monotonic_ns;
pub(crate) use virtual_clock::VirtualClock;

use std::sync::Arc;

/// How virtual processors run.
#[derive(Clone, Debug)]
pub struct Virtual {
    /// Number of cores that compute at a time, at least 1.
    pub cores: usize,
    /// The cost of communication on the requested machine.
    pub costs: Arc<Costs>,
    /// Factor for the time of phases: for a machine whose processors share more, or less, than the cores used
    /// here.
    pub contention: f64,
    /// Every n-th phase of a processor runs while no other computes, to measure the effect of the others; 0:
    /// none.
    pub alone: u32,
    /// Size in bytes of a core's private cache, whose contents each processor finds as it left them; 0: it
    /// finds what the others left.
    pub cache: u64,
    /// Bytes that all processors together may use; `None`: the memory that the system has available.
    pub memory: Option<u64>,
    /// Whether to continue though the processors need more memory than there is.
    pub overcommits: bool,
    /// Called when a phase ends and when the next one begins.
    pub callbacks: Option<PhaseCallbacks>,
}

/// Callbacks about the phases of a processor, called by its thread.
#[derive(Clone, Copy, Debug)]
pub struct PhaseCallbacks {
    /// A phase has ended.
    pub stopped: fn(),
    /// The next one begins, this many virtual nanoseconds later.
    pub resumed: fn(u64),
}
