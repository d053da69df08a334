//! The calls of a run for other programs: simulators, and viewers of traces (`chrome`).
//!
//! For a simulator each rank is a program: computation, messages and waits in order. Collectives are written as the messages of common algorithms (`collectives`), so that simulators need not agree with
//! an MPI on them, and collectives of some processes need no communicators.

mod chrome;
mod collectives;
mod goal;
mod groups;
mod operations;
mod otf2;
mod ranks;
mod time_independent;

pub use chrome::chrome;
pub use goal::goal;
pub use groups::Groups;
pub use operations::{Operation, SendMode};
pub use otf2::{PlaceOf, otf2};
pub use ranks::RankOperations;
pub use time_independent::time_independent;

/// The numbers of calls and messages that a program for a simulator leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// One-sided accesses and their synchronisation, except fences.
    pub one_sided: u64,
    /// Messages to and from processes outside of `MPI_COMM_WORLD`.
    pub outside: u64,
    /// Collectives of neighbours, and of two groups: the log does not name who sends to whom.
    pub collectives: u64,
}

impl LeftOut {
    /// All of it.
    pub fn all(&self) -> u64 {
        self.one_sided + self.outside + self.collectives
    }
}
