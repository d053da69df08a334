//! libcll: the library that is linked into measured programs.
//!
//! C includes `include/cll.h`: there, the two reads of the clock and the store of a record are inline. Here is
//! everything rare: units are numbered (`tables`), threads get blocks (`library`, `lane`) and counters
//! (`counters`), blocks are in the launcher's memory or in a file (`store`), threads and processes begin, fork
//! and end (`hooks`), and the program does not notice (`critical_section`).
//!
//! Invariants:
//! - A record is complete before the block's count includes it: what a killed process has recorded can be read.
//! - Inside a region nothing is allocated, there is no cancellation point, and `errno`, the signal mask and all
//!   descriptors of the program do not change.
//! - No thread is created, no signal handler installed.
//! - After any error the program continues.
//!
//! BSPlib for C (`include/bsp.h`) is in `bsp`, machine objects (`include/pub.h`) are in `objects`; `mpi` finds
//! and loads an MPI for them. `window` is `sync` in MPI programs.
//!
//! `crates/archive` makes the archive for programs from this crate, without global symbols other than
//! `cll_*`.

mod abi;
mod bsp;
mod clock;
mod counters;
mod critical_section;
mod entry;
mod gather;
mod hooks;
mod keep_loaded;
mod lane;
mod library;
mod log;
mod loops;
mod message;
mod mpi;
mod objects;
mod order;
mod pauses;
mod processors;
mod store;
mod switches;
mod sys;
mod tables;
mod window;
