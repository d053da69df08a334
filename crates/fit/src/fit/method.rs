//! The fit of a formula: with levels, or with intervals and regions; then predictions may follow the data.

use cll_formula::Formula;

use super::with_intervals::interval_fit;
use super::with_levels::level_fit;
use crate::input::{Samples, candidates};
use crate::{Data, Fit, FitError, Intervals, Options, Outliers};

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
    let mut fit = uncorrected_fit(formula, data, options)?;
    if options.follow {
        fit.follow(data);
    }
    Ok(fit)
}

/// The fit of the formula without a correction, whatever [`Options::follow`] is.
pub(crate) fn uncorrected_fit(
    formula: &Formula,
    data: &Data,
    options: &Options,
) -> Result<Fit, FitError> {
    uncorrected_fit_like(formula, data, options, None)
}

/// The same; if a fit of the same formula is given, with its changes between levels.
pub(crate) fn uncorrected_fit_like(
    formula: &Formula,
    data: &Data,
    options: &Options,
    known: Option<&Fit>,
) -> Result<Fit, FitError> {
    check(options)?;
    let samples = Samples::new(formula, data, options)?;
    let axes = candidates(formula, data, &samples, asked_axis(options))?;
    match options.intervals {
        Intervals::Levels { max_changes } => {
            level_fit(formula, data, (options, max_changes), (samples, &axes), known)
        }
        _ => interval_fit(formula, data, options, (samples, &axes)),
    }
}

fn asked_axis(options: &Options) -> Option<&str> {
    match &options.intervals {
        Intervals::ByHand { variable, .. } => Some(variable),
        _ => options.axis.as_deref(),
    }
}

fn check(options: &Options) -> Result<(), FitError> {
    if !(options.confidence > 0.0 && options.confidence < 1.0) {
        return Err(FitError::Confidence(options.confidence));
    }
    let wrong = |what, value, expected| Err(FitError::Option { what, value, expected });
    match &options.intervals {
        Intervals::Dynamic { max_intervals: 0 } | Intervals::Greedy { max_intervals: 0, .. } => {
            return wrong("the number of intervals", 0.0, "at least 1");
        }
        Intervals::Greedy { error_threshold, .. }
            if error_threshold.is_nan() || *error_threshold <= 0.0 =>
        {
            return wrong("the error threshold", *error_threshold, "above 0, such as 0.1");
        }
        Intervals::ByHand { breaks, .. } => {
            if let Some(&value) = breaks.iter().find(|b| !b.is_finite()) {
                return wrong("a boundary", value, "a finite number");
            }
        }
        _ => {}
    }
    match options.outliers {
        Outliers::Points { limit } if limit.is_nan() || limit <= 0.0 => {
            wrong("the limit for outliers", limit, "above 0, such as 4")
        }
        _ => Ok(()),
    }
}
