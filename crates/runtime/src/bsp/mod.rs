//! The C face of BSPlib: the functions of `bsp.h`.
//!
//! Whoever calls has checked nothing. `typed` and `other` are the functions as C names them;
//! `typed` has them for two kinds of types, and checks what `usize` cannot hold. Behind them `start`
//! begins and ends the parallel part, `area` and `queue` hand on to the processor, `collective`
//! is made of these.
//!
//! Invariants:
//! - What is wrong ends all processors, with a message that names function, file and line.
//! - Nothing unwinds into C: a panic ends all processors, too.
//! - No reference to the processor is held while a function of the program runs.

mod area;
mod call;
mod collective;
mod context;
mod environment;
mod number;
mod other;
mod queue;
mod start;
mod stop;
mod typed;
