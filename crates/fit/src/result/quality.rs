//! Quality measures of a fit, and the tests of its formula.

use serde::{Deserialize, Serialize};

/// Quality measures of a fit. Errors are (measured - model)/measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Quality {
    /// Points that were fitted.
    pub points: usize,
    /// Observations at all points.
    pub observations: usize,
    /// Smallest and largest number of repetitions of a point.
    pub repetitions: (usize, usize),
    /// Number of estimated parameters: each segment of a constant counts.
    pub parameters: usize,
    /// Median of the absolute errors.
    pub median_error: f64,
    /// Their 90th percentile.
    pub p90_error: f64,
    /// The largest.
    pub largest_error: f64,
    /// Root mean square of the errors.
    pub rmse_relative: f64,
    /// Residual standard deviation over all intervals, as `Interval::sigma`.
    pub sigma: Option<f64>,
    /// Adjusted R² about the weighted mean. Never show it alone: it was 0.998 for a model that
    /// lacked a variable.
    pub r2_adjusted: Option<f64>,
    /// F test of lack of fit, with repetitions.
    pub lack_of_fit: Option<LackOfFit>,
    /// Runs test of the residuals' signs, without repetitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Runs>,
    /// Root mean square of the relative prediction errors at left-out values of the axis, one at a
    /// time, with the same intervals. `None` if the other values do not determine the constants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<f64>,
    /// The formula with one interval, if the fit has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_interval: Option<OneInterval>,
    /// Condition number of the weighted design matrix with columns scaled to length 1; the largest
    /// over the intervals.
    pub condition: f64,
    /// Bayesian information criterion, plus 3 log n for each break and twice the logarithm of the
    /// number of axes to choose from.
    pub bic: f64,
    /// Share of the observations that are spikes.
    pub spike_rate: f64,
    /// An observation above this many times its point's median is a spike. `None` without
    /// repetitions.
    pub spike_threshold: Option<f64>,
    /// Robust relative standard deviation of the repetitions, pooled over all points.
    pub repetition_spread: Option<f64>,
    /// How far single runs deviate from the aggregate of a point's repetitions. `None` without
    /// repetitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_deviation: Option<RunDeviation>,
    /// For observations that repeat exactly: the largest error of the formula, relative, 0 if only
    /// rounding is left. `None` if they vary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact_misfit: Option<f64>,
}

/// How far one run may be below and above the aggregate of all, with the fit's confidence: relative
/// with relative weights, else in the observable's unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunDeviation {
    /// Below.
    pub below: f64,
    /// Above; times deviate farther in this direction.
    pub above: f64,
}

/// The formula with one set of constants for all data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OneInterval {
    /// Root mean square of the relative errors.
    pub rmse_relative: f64,
    /// The same at left-out values, as [`Quality::left_out`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<f64>,
    /// F test of lack of fit.
    pub lack_of_fit: Option<LackOfFit>,
}

/// Runs test of the residuals' signs in the order of the axis (Wald and Wolfowitz 1940).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Runs {
    /// Number of runs of equal signs.
    pub runs: usize,
    /// Number of positive residuals.
    pub positive: usize,
    /// Number of negative residuals.
    pub negative: usize,
    /// Probability of this many runs or fewer if the formula is right.
    pub p_value: f64,
    /// Size of the error that neighbours share: root of the mean product of neighbouring residuals,
    /// relative.
    pub size: f64,
}

/// F test of lack of fit against the pure error of the repetitions (Draper and Smith, section 2.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LackOfFit {
    /// Mean square of the lack of fit divided by that of the pure error.
    pub f: f64,
    /// Probability of this ratio or a greater one if the formula is right.
    pub p_value: f64,
    /// Degrees of freedom of the lack of fit.
    pub dof_lack: f64,
    /// Degrees of freedom of the pure error.
    pub dof_pure: f64,
    /// Root mean square of what the formula misses beyond the pure error, relative.
    pub size: f64,
}
