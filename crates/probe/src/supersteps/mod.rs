//! The probes of supersteps: what is launched, in rounds, and the samples.

mod launch;
mod output;
mod plan;
mod programs;
mod rounds;
mod samples;

pub(crate) use launch::log;
pub use launch::{Launched, Launches, is_there, variables};
pub use output::ProbeOutput;
pub use plan::{Launching, Sizes, launches};
pub use programs::Programs;
pub use rounds::{MAX_ROUNDS, MIN_ROUNDS, Rounds};
pub use samples::{Made, csv, is_csv, measured, seen, table};
