//! The MPI engine, with every installed MPI: the same suite, the messages when a process ends too early, which
//! MPI is used and which refused, several hosts.
//!
//! A start of mpirun costs 0.4 s, so a sentence of the contract that needs a separate launch runs with one
//! number of processors, and with one of the MPIs, in turn; with `CLL_TEST_FULL` with all of them.

mod choice;
mod failures;
mod hosts;
mod launchers;
mod suite;

pub use launchers::{cache, launcher, mpis, once};
