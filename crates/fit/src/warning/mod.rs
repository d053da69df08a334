//! Warnings that a user should know before using a fit, as a sentence and as a code that never changes.

mod code;
mod constants;
mod intervals;
mod kind;
mod points;
mod prediction;
mod repetitions;
mod sentence;
mod shape;

pub use kind::Warning;
