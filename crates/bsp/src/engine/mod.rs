//! What carries a machine: memory between processors, and the end of a superstep.
//!
//! A [`Processor`](crate::Processor) writes requests and messages into streams, one of each for
//! each receiver, whose memory the engine supplies. At the end of a superstep the engine sees to it that
//! all that was written can be read by its receiver, and says what all processors brought. What the
//! streams mean it does not know.
//!
//! `contract` is what every engine does, `capabilities` what some can do besides; `agreement`, `traffic` and `stop` are what engines and processors hand each
//! other. `shared` and `mpi` are the engines, neither of which knows the other.

pub(crate) mod agreement;
pub(crate) mod capabilities;
mod carrier;
pub(crate) mod contract;
pub(crate) mod mpi;
pub(crate) mod shared;
pub(crate) mod stop;
pub(crate) mod traffic;

pub(crate) use carrier::{Carried, Carrier};
