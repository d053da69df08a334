//! The results from the graph of an MPI program, whether it is of a run or of a source: synchronisation points
//! (`sync`) and the tasks of the high-level graph (`tasks`).

mod symbol;
mod sync;
mod tasks;
mod unused;

pub use symbol::{Roots, symbol};
pub use sync::{Observed, synchronises};
pub use tasks::task_graph;
pub use tasks::with_tasks;
pub(crate) use unused::{ParallelCandidate, candidates};

#[cfg(test)]
mod tests;
