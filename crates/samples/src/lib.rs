//! From a trace to data: one sample of each passage, what is left out, and the tuples of values with what was observed
//! there. Samples for other programs, too.
//!
//! [`prepare`] is the one way from a [`cll_trace::Trace`] to what is fitted.

#![forbid(unsafe_code)]

mod check;
pub mod export;
mod first_calls;
mod passages;
mod prepare;
mod rounds;
mod switched;

pub use check::check;
pub use first_calls::first_calls;
pub use prepare::{LeftOut, Policy, Prepared, Quantity, prepare};
pub use switched::can_spare;
