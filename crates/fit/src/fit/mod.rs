//! From a formula and data to a [`Fit`](crate::Fit): it chooses how constants may change, cleans points, and puts the parts together.

mod build;
mod cleaning;
mod divided;
mod exponents;
mod huber;
mod method;

pub(crate) use build::{Chosen, build_fit};
pub(crate) use cleaning::Cleaning;
pub(crate) use divided::{constants, finite, overflow};
pub use exponents::fit_powers;
pub(crate) use huber::{weigh_by_neighbours, weigh_points_alone};
pub use method::fit;
pub(crate) use method::{fitted, fitted_as};
