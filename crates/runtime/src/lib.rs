//! libcll: what is linked into the program that is measured.
//!
//! C sees `include/cll.h`: the two reads of the clock and the store of a record are inline
//! there. Here is what is rare: units are numbered (`tables`), threads get
//! blocks (`library`, `lane`) and what else they record (`counters`), blocks lie in the launcher's memory or in a file
//! (`store`), threads and processes begin, fork and end (`hooks`), and the
//! program notices none of it (`guard`).
//!
//! Invariants:
//! - A record is whole before the block's count says so: what a killed process has
//!   recorded can be read.
//! - On the way of a region nothing is allocated, no point of cancellation is
//!   passed, `errno`, the signal mask and all descriptors of the program stay as they are.
//! - No thread is created, no signal handler installed.
//! - Whatever goes wrong, the program goes on.
//!
//! BSPlib for C (`include/bsp.h`) is a part of its own, in `bsp`; machine objects (`include/pub.h`)
//! are another, in `objects`; `mpi` finds and loads an MPI for them. `window` is `sync` in MPI programs.
//!
//! The archive that programs are linked with is made of this crate by
//! `build/archive.rs`, which leaves no global symbol but `cll_*`.

mod abi;
mod bsp;
mod clock;
mod counters;
mod entry;
mod gather;
mod guard;
mod hooks;
mod lane;
mod library;
mod log;
mod loops;
mod message;
mod mpi;
mod objects;
mod order;
mod pauses;
mod stay;
mod store;
mod switches;
mod sys;
mod tables;
mod team;
mod window;
