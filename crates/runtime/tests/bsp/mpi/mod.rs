//! The MPI engine, with every MPI that is installed: the same suite, what is said when a process ends
//! before its time, which MPI is taken and which refused, several hosts.
//!
//! A start of mpirun costs 0.4 s, so a sentence of the contract that needs a launch of its own is played
//! with one number of processors, and with one of the MPIs, in turn; with `CLL_TEST_FULL` with all of them.

mod choice;
mod failures;
mod hosts;
mod launchers;
mod suite;

pub use launchers::{cache, launcher, mpis, once};
