//! The costs of a machine: a file that people read and write, and the numbers that cost models need.
//!
//! A [`Machine`] holds the (s, g, l) of the BSP literature ([`Classic`]) and
//! the cost of a superstep by pattern and size ([`Line`]s of [`Segment`]s).
//! [`Machine::cost`] returns the cost of a superstep with an h-relation of a given size, and lists the substitutes that
//! it used for missing data.
//!
//! All values are in seconds and bytes; only files have other units.

#![forbid(unsafe_code)]

mod communication;
mod lookup;
mod machine;
mod measured;
mod published;
mod quantity;
mod read;
mod uncertain;
mod write;

pub use communication::{Classic, Combine, Empty, Line, Pattern, Segment, Synchronisation};
pub use lookup::{Ask, ClassicCost, Cost, Missing, Substitution};
pub use machine::{Cache, Host, Machine, Origin};
pub use measured::{EmptySample, Evaluated, Explained, Measured, Sample, Setting};
pub use published::{PUBLISHED, Published};
pub use read::{Read, read};
pub use uncertain::Uncertain;
pub use write::write;
