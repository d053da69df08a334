//! BSP machines: p processors with private memory that compute in supersteps.
//!
//! In a superstep a processor computes, writes to and reads from registered memory of others (put, get), and
//! sends messages. All of it takes effect when all processors synchronise. The rules are those of BSPlib (Hill
//! et al., *BSPlib: The BSP programming library*, Parallel Computing 24, 1998). Where they leave a choice,
//! results are the same in every run: if several processors write to one place, the order is that of their
//! numbers, then of their calls.
//!
//! Programs in Rust use a [`Machine`] and its [`Bsp`]: typed, without `unsafe`; misuse stops the machine. They
//! are built on [`Processor`], which is BSPlib with pointers. Programs in C use a [`Processor`] directly.
//! [`processes`], [`threads`] or [`mpi`] start processors.

mod channel;
mod chunk;
mod copy;
mod copy_tuning;
mod engine;
pub mod log;
pub mod machine;
mod maker;
mod misuse;
pub mod mpi;
mod non_temporal;
mod objects;
mod place;
mod prefetch;
pub mod processes;
mod processor;
mod registers;
mod say;
mod staging;
mod start;
mod stream;
mod tags;
pub mod threads;
pub mod virtuals;

pub use machine::{Area, Bsp, Failure, Get, Machine, Part, PartMessage};
pub use maker::Maker;
pub use misuse::{Areas, Difference, Members, Misuse, Times};
pub use objects::{Delivered, Handle, Objects};
pub use place::Place;
pub use processor::{Message, Processor, Unread};
pub use start::StartError;
