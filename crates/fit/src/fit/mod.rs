//! From a formula and data to a [`Fit`](crate::Fit): it chooses how constants may change,
//! leaves out or reweighs points, and puts the parts together.

mod build;
mod cleaning;
mod exponents;
mod held_out;
mod huber;
mod method;
mod with_intervals;
mod with_levels;

pub use exponents::fit_powers;
pub use held_out::{HeldOut, HeldOutPoint, hold_out};
pub use method::fit;
pub(crate) use method::{uncorrected_fit, uncorrected_fit_like};
