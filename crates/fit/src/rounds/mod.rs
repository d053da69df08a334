//! Rounds of sampling: which of them were disturbed, what may be fitted, and what that costs.
//!
//! A *round* is one sample of every point. What was seen of the machine during it are its
//! [`Signs`]; [`marks`] says what is wrong with it, [`select_rounds`] which rounds a fit may use and by how much
//! their times may be off all the same.

mod clusters;

mod inflation;
mod marks;
mod select_rounds;
mod shared_deviation;
mod table;

pub use clusters::{Clusters, clusters};
pub use marks::{Mark, Signs, marks};
pub use select_rounds::{Off, Reason, RoundSelection, State, select_rounds};
pub use shared_deviation::SharedDeviation;
pub use table::Table;
