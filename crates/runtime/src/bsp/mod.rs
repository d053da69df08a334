//! The C interface of BSPlib: the functions of `bsp.h`.
//!
//! Callers have checked nothing. `typed` and `untyped` have the functions that C calls; `typed` has them for
//! two kinds of types, and checks what `usize` cannot represent. `start` begins and ends the parallel part
//! (`copies`: in threads), `area` and `queue` call the processor, `collective` is made of these.
//!
//! Invariants:
//! - An error ends all processors, with a message that names function, file and line.
//! - Nothing unwinds into C: a panic also ends all processors.
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
mod parameters;
mod queue;
pub(crate) mod start;
pub(crate) mod stop;
mod typed;
mod untyped;

pub use context::processors;
pub use start::meet;
