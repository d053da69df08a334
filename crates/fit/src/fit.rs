//! The fit: the constants, and whether predictions follow the data.

use cll_formula::Formula;

use crate::fitting::fitted;
use crate::{Data, Fit, FitError, Options};

/// Fits the constants of a formula to data by weighted linear least squares, with intervals of
/// validity along one axis: a variable, or a product or quotient of variables such as N/P
/// (segmented regression without continuity; Bellman 1961, Schwarz 1978).
///
/// A constant is in the unit of the observations per unit of its term.
///
/// # Errors
/// [`FitError`] if the data allow no fit at all. What only makes a fit worse is in
/// [`Fit::warnings`](crate::Fit::warnings).
pub fn fit(formula: &Formula, data: &Data, options: &Options) -> Result<Fit, FitError> {
    let mut fit = fitted(formula, data, options)?;
    if options.follow {
        fit.follow(data);
    }
    Ok(fit)
}
