//! How a machine runs: memory between processors, and the end of a superstep.
//!
//! A [`Processor`](crate::Processor) writes requests and messages into streams, one of each for each receiver.
//! The engine supplies their memory. At the end of a superstep the engine makes everything that was written
//! readable by its receiver and returns what the processors agreed on. It does not know what the streams mean.
//!
//! `contract` is what every engine does, `capabilities` what only some can do. `agreement`, `traffic` and
//! `stop` are values that engines and processors exchange. `shared` and `mpi` are the engines; neither knows
//! the other.

pub(crate) mod agreement;
pub(crate) mod capabilities;
mod carrier;
pub(crate) mod contract;
pub(crate) mod mpi;
pub(crate) mod shared;
pub(crate) mod stop;
pub(crate) mod traffic;

pub(crate) use carrier::{Carried, Carrier};
