//! From a [`Warning`](crate::Warning) to its sentence, in a file for each kind.

mod constants;
mod intervals;
mod points;
mod prediction;
mod repetitions;
mod shape;

pub(crate) use constants::constants;
pub(crate) use intervals::intervals;
pub(crate) use points::points;
pub(crate) use prediction::prediction;
pub(crate) use repetitions::repetitions;
pub(crate) use shape::shape;
