//! From rounds of sampling to those that were disturbed, those that can be fitted, and how uncertain that makes the times.
//!
//! A *round* is one sample of every point. [`Signs`] are observations of the machine during it.
//! [`marks`] lists the disturbances they show; [`select_rounds`] decides which rounds a fit uses,
//! and by how much their times may be wrong nevertheless.
//!
//! Why: decision 0081.

mod clusters;
mod inflation;
mod marks;
mod select_rounds;
mod shared_deviation;
mod table;

pub use clusters::{Clusters, clusters};
pub use marks::{Mark, Signs, marks};
pub use select_rounds::{PossibleError, Reason, RoundSelection, State, select_rounds};
pub use shared_deviation::SharedDeviation;
pub use table::RoundsTable;
