//! From a [`Fit`](crate::Fit) and values of variables to a [`Prediction`](crate::Prediction): a
//! value, its band, and whether it lies inside the data.

mod band;
mod columns;
mod combinations;
mod correction;
mod extrapolation;
mod file_check;
mod gap;
mod location;
mod measured;
mod named_values;
mod neighbours;
mod predict;
mod region_of_point;
mod single_run;
mod support;
mod wider_intervals;
mod working_set;

pub(crate) use combinations::{CachedCombinations, centre};
pub use named_values::Completed;
pub use predict::TermsAt;
pub(crate) use single_run::run_deviation;
pub use working_set::WorkingSet;
