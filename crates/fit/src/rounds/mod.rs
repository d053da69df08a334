//! Rounds of sampling: which of them were disturbed, what may be fitted, and what that costs.
//!
//! A *round* is one sample of every point. What was seen of the machine during it are its
//! [`Signs`]; [`marks`] says what is wrong with it, [`judge`] which rounds a fit may use.

mod clusters;
mod judge;
mod marks;
mod table;

pub use clusters::{Clusters, clusters};
pub use judge::{Judgement, Reason, State, judge};
pub use marks::{Mark, Signs, marks};
pub use table::Table;
