//! BSP machines: p processors, each with memory of its own, that compute in supersteps.
//!
//! In a superstep a processor computes, writes into and reads from registered memory of others (put,
//! get), and sends messages; all of it takes effect when all processors synchronise. The rules are
//! those of BSPlib (Hill et al., *BSPlib: The BSP programming library*, Parallel Computing 24, 1998);
//! where it leaves a choice, results are the same in every run: what several processors write to one
//! place is written in the order of their numbers, then of their calls.
//!
//! Programs in Rust use a [`Machine`] and its [`Bsp`]: typed, without `unsafe`, what is misused stops the
//! machine. Below it lies [`Processor`], BSPlib as it is, with pointers, on which programs in C are built,
//! on processors that [`processes`], [`threads`] or [`mpi`] start.

mod channel;
mod chunk;
mod copies;
mod copy;
mod engine;
pub mod log;
pub mod machine;
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
mod stage;
mod start;
mod stream;
mod tags;
pub mod threads;
pub mod virtuals;

pub use machine::{Area, Bsp, Failure, Get, Machine, Part, PartMessage};
pub use misuse::{Areas, Difference, Members, Misuse, Times};
pub use objects::{Delivered, Handle, Objects};
pub use place::Place;
pub use processor::{Message, Processor, Unread};
pub use start::StartError;
