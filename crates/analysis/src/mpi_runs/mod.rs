//! Runs of MPI programs from their logs, for the models and graphs of `cll-mpi-model`.

mod kept;
mod read;
mod unused;

pub use kept::{KeptRuns, kept_runs};
pub use read::{MpiLaunch, MpiReader};
pub use unused::unused_parallelism;
