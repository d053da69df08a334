//! The C face of BSPlib: the functions of `bsp.h`.
//!
//! Whoever calls has checked nothing. `typed` and `other` are the functions as C names them;
//! `typed` has them for two kinds of types, and checks what `usize` cannot hold. Behind them `start`
//! begins and ends the parallel part (`copies`: in threads), `area` and `queue` hand on to the processor, `collective`
//! is made of these.
//!
//! Invariants:
//! - What is wrong ends all processors, with a message that names function, file and line.
//! - Nothing unwinds into C: a panic ends all processors, too.
//! - No reference to the processor is held while a function of the program runs.

pub(crate) mod area;
pub(crate) mod call;
mod collective;
mod context;
pub mod copies;
mod crew;
mod ending;
pub(crate) mod environment;
pub(crate) mod number;
mod other;
mod parameters;
mod queue;
pub(crate) mod start;
pub(crate) mod stop;
mod typed;

pub use context::team;
pub use start::meet;
