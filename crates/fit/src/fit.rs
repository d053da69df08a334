//! The fit: the constants, and whether predictions follow the data.

use cll_formula::Formula;

use crate::constants::constants;
use crate::{Data, Fit, FitError, Options};

/// Fits the constants of a formula to data by weighted linear least squares, with intervals of
/// validity along one axis: a variable, or a product or quotient of some such as N/P.
///
/// The observations keep their unit; a constant is in that unit per unit of its term. Errors are
/// data that allow no fit at all; whatever lessens a fit is a warning in it.
pub fn fit(formula: &Formula, data: &Data, options: &Options) -> Result<Fit, FitError> {
    let mut fit = constants(formula, data, options)?;
    if options.follow {
        fit.follow(data);
    }
    Ok(fit)
}
