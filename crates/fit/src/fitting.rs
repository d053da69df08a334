//! From samples to constants: in intervals, in regions, or with levels.

use cll_formula::Formula;

use crate::axis::candidates;
use crate::constants::constants;
use crate::levels::level_fit;
use crate::samples::Samples;
use crate::{Data, Fit, FitError, Intervals, Options, Outliers};

/// The fit of the formula without a correction, whatever [`Options::follow`] is.
pub(crate) fn fitted(formula: &Formula, data: &Data, options: &Options) -> Result<Fit, FitError> {
    fitted_as(formula, data, options, None)
}

/// The same; if a fit of the same formula is given, with its changes between levels.
pub(crate) fn fitted_as(
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
        _ => constants(formula, data, options, (samples, &axes)),
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
