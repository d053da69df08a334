//! From residuals and repetitions to how good a fit is: tests of the formula, errors, and formulas that are better.

mod autocorrelation;
mod dependent_repetitions;
mod exact;
mod measures;
mod noise_and_misfit;
mod other_formula;
mod precision;
mod residual_tests;
mod robust_partial_test;
mod runs_test;

pub(crate) use dependent_repetitions::dependent;
pub(crate) use measures::quality;
pub(crate) use noise_and_misfit::Assessed;
pub(crate) use other_formula::{Against, other_formula};
pub use other_formula::{Growth, growths, rare_growths};
pub use precision::{Widest, is_hopeless, is_misfit, remaining, widest_constant, width};
pub(crate) use residual_tests::{condition, dependence, lack_of_fit};
