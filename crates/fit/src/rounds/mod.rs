//! Rounds of sampling: which of them were disturbed, what may be fitted, and what that costs.
//!
//! A *round* is one sample of every point. What was seen of the machine during it are its
//! [`Signs`]; [`marks`] says what is wrong with it, [`judge`] which rounds a fit may use and by how much
//! their times may be off all the same.

mod clusters;
mod common;
mod inflation;
mod judge;
mod marks;
mod table;

pub use clusters::{Clusters, clusters};
pub use common::Common;
pub use judge::{Judgement, Off, Reason, State, judge};
pub use marks::{Mark, Signs, marks};
pub use table::Table;
