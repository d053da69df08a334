//! From measured points with their options to the samples that are fitted: checked, aggregated, weighted, along axes.

mod axis;
mod data;
mod options;
mod repetitions;
mod repetitions_together;
mod run_factors;
mod samples;

pub(crate) use axis::{Axis, NamedAxis, candidates};
pub use data::{Data, Observations, Point, RunStretch, Unit};
pub use options::{Aggregate, Intervals, Loss, Options, Outliers, Weights};
pub(crate) use repetitions::aggregate;
pub(crate) use samples::{Sample, Samples, columns, constant_name, constant_names, term_text};
