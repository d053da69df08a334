//! MPI programs as graphs, and models of their time (DP*Graph, Laine et al. 2003; `docs/mpi.md`).
//!
//! - [`source_graph`] is the graph of a program's source; [`fill`] adds what a run shows.
//! - [`task_graph`] is the high-level graph of either kind: its tasks between synchronisation points.
//! - [`mpi_model`] is a model of a program, from its runs at several sizes; [`unused_parallelism`] bounds what a program
//!   would gain by more overlap.
//!
//! Runs are values ([`MeasuredRun`]): logs are read elsewhere. Nothing here reads files, the clock or the environment.

#![forbid(unsafe_code)]

mod error;
mod graph;
mod model;
mod source;

pub use error::Error;
pub use graph::{Observed, Roots, symbol, synchronises, task_graph, with_tasks};
pub use model::{
    MeasuredRun, MpiChange, MpiModelRequest, MpiRunTime, MpiRuns, Passed, RankSteps, RunStep, Site,
    Sites, had_whole_cores, mpi_model, unused_parallelism,
};
pub use source::{fill, source_graph};
