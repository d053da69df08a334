//! Logged calls of MPI, and the supersteps they become.

mod calls;
mod exports;
mod parts;
mod stats;
mod sums;
mod supersteps;
mod support;
mod waiting;
mod worlds;
