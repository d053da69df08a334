//! Warnings that a reader of a trace should know.

mod counters;
mod experiments;
mod kind;
mod regions;
mod runs;
mod sentence;
mod times;
mod words;

pub use kind::Warning;
pub(crate) use words::READINGS;
