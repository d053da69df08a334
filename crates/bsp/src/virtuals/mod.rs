//! Virtual processors: more of them than there are cores, each computing as if it had one to itself.
//!
//! A processor computes only while it has a turn, of which there are as many as cores are used
//! (`engine/shared/turns`); while it waits for others it has none and sleeps. So its phases of computation
//! are timed apart (`phase`), and a clock of its own (`virtual_clock`) goes from phase to phase by the
//! recurrence of OBSP*: with Φ the time, W the phase, Ω the processors it has received from and itself
//! (all of them at a barrier), h the bytes,
//!
//! ```text
//! Φ[s,i] = max { Φ[s-1,j] + W[s,j] : j in Ω[s,i] } + g·max { h[s,j] : j in Ω[s,i] } + L
//! ```
//!
//! (González et al., *Call and LLAC tool*, 2003, section 2) with g and L of the machine that is asked for
//! ([`Costs`]). Times are whole nanoseconds, so that what a log tells gives the same Φ again.

mod cache;
mod costs;
mod memory;
mod phase;
mod virtual_clock;

pub use cache::private_cache;
pub use costs::{Combine, Costs, Piece};
pub use virtual_clock::Totals;

pub(crate) use phase::monotonic_ns;
pub(crate) use virtual_clock::VirtualClock;

use std::sync::Arc;

/// How virtual processors run.
#[derive(Clone, Debug)]
pub struct Virtual {
    /// Processors of the computer that compute at a time, at least 1.
    pub cores: usize,
    /// What communication costs on the machine that is asked for.
    pub costs: Arc<Costs>,
    /// What phases are multiplied by: for a machine whose processors share more than the cores used here do,
    /// or less.
    pub contention: f64,
    /// Every how manieth phase of a processor is run while no other computes, to see what the others cost it;
    /// 0: none.
    pub alone: u32,
    /// Bytes of cache that a core has by itself, and that a processor finds as it left them; 0: it finds what
    /// the others left.
    pub cache: u64,
    /// Bytes that all processors may need together; `None`: what the system has available.
    pub memory: Option<u64>,
    /// Whether to go on though the processors need more memory than there is.
    pub overcommits: bool,
    /// Who is told when a phase ends and when the next one begins.
    pub watch: Option<Watch>,
}

/// Told of the phases of a processor, by the thread that computes them.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// A phase has ended.
    pub stopped: fn(),
    /// The next one begins, so many virtual nanoseconds later.
    pub resumed: fn(u64),
}
