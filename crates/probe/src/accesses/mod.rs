//! The accesses of a program to memory, while its experiments are passed: the program is compiled with calls before each
//! access, and linked with `probes/accesses.c`, which sends them here.

mod build;
mod header;
mod names;
mod run;

pub use build::{Built, Experiment, build};
pub use names::{Names, Place};
pub use run::{End, Recorded, record};
