//! The accesses of a program to memory, while its experiments are passed: the program is compiled with calls before each
//! access, and linked with `probes/accesses.c`, which sends them here. Of an MPI program also its messages, which
//! `probes/messages.c` counts.
//!
//! Why: decision 0110.

mod assigned;
mod build;
mod explain;
mod follow;
mod names;
mod output;
mod ranks;
mod run;
mod wanted;

pub use build::{Built, BuiltExperiment, Mpi, build};
pub use explain::ExplainedProgram;
pub use follow::{FollowedRun, Following, Wanted, follow};
pub use names::SourceLines;
pub use wanted::wanted;
