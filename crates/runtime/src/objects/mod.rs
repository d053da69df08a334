//! The C interface of PUB: the functions of `pub.h`.
//!
//! Callers have checked nothing. `start` begins and ends the machine objects; `machine` divides and
//! synchronises them, `message` and `access` move data, `collective` is made of these. A wrong call ends all
//! processors as in BSPlib: `crate::bsp` has the call, its message and the end.
//!
//! Invariants: those of `crate::bsp`.

mod access;
mod collective;
mod context;
mod machine;
mod message;
mod start;

pub use context::{before_exit, is_done_here, is_thread, processor, processors, stop};
pub use machine::meet;
pub use start::{exits_at_once, returned};
