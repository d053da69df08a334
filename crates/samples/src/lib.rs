//! From a trace to data for a fit: keeps one sample of each passage, applies exclusions, and groups
//! observations by values. Also exports samples for other programs.
//!
//! [`prepare`] is the only way from a [`cll_trace::Trace`] to data.

#![forbid(unsafe_code)]

mod check;
pub mod export;
mod first_calls;
mod passages;
pub mod pilot;
mod prepare;
mod rounds;
mod switched;
mod totals;

pub use check::check;
pub use first_calls::first_calls;
pub use prepare::{LeftOut, Policy, Prepared, Quantity, prepare};
pub use switched::can_spare;
pub use totals::{Total, totals};
