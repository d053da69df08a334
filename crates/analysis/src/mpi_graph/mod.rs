//! The results from the graph of an MPI program, whether it is of a run or of a source: synchronisation points
//! (`sync`) and the tasks of the high-level graph (`tasks`).

mod symbol;
mod sync;
mod tasks;
mod unused;

pub(crate) use symbol::{Roots, symbol};
pub(crate) use sync::{Observed, synchronises};
pub use tasks::task_graph;
pub(crate) use tasks::with_tasks;
pub(crate) use unused::{Candidate, candidates};

#[cfg(test)]
mod tests;
