//! Programs read before they are run, and small ones run: without a compiler, the programs are scripts and
//! files of ELF that the tests write.

#![forbid(unsafe_code)]

mod elf;
mod endings;
mod mpis;
mod programs;
mod runs;
mod traces;
