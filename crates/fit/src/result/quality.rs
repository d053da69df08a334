//! How good a fit is, and the tests of its formula.

use serde::{Deserialize, Serialize};

/// How good a fit is. Errors are (measured - model)/measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// Points that were fitted.
    pub points: usize,
    /// Observations at all points.
    pub observations: usize,
    /// Fewest and most repetitions of a point.
    pub repetitions: (usize, usize),
    /// Constants that were estimated, each piece counted.
    pub parameters: usize,
    /// Median of the absolute values of the errors.
    pub median_error: f64,
    /// Their 90th percentile.
    pub p90_error: f64,
    /// The largest.
    pub largest_error: f64,
    /// Root of the mean square of the errors.
    pub rmse_relative: f64,
    /// Residual standard deviation over all intervals, as `Interval::sigma`.
    pub sigma: Option<f64>,
    /// Adjusted R², about the weighted mean. Never to be shown alone: it was 0.998 for a model
    /// that had lost a variable.
    pub r2_adjusted: Option<f64>,
    /// Whether the formula is right, judged by the repetitions.
    pub lack_of_fit: Option<LackOfFit>,
    /// Without repetitions: whether the signs of the residuals change as often as chance does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Runs>,
    /// Root of the mean square of the relative errors at values of variables that are left out, one at a
    /// time, with the intervals kept; `None` where the other values do not determine the constants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<f64>,
    /// How good the formula is with one interval, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_interval: Option<OneInterval>,
    /// Condition number of the weighted design with columns scaled to length 1, the largest over
    /// the intervals.
    pub condition: f64,
    /// Bayesian information criterion, with 3 log n for each break and twice the logarithm of the number
    /// of axes to choose from.
    pub bic: f64,
    /// Share of the observations that are spikes.
    pub spike_rate: f64,
    /// An observation above so many times its point's median is a spike. `None` without
    /// repetitions.
    pub spike_threshold: Option<f64>,
    /// Relative spread of the repetitions of a point (standard deviation, robust), pooled.
    pub repetition_spread: Option<f64>,
}

/// How good the formula is with one set of constants for all the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OneInterval {
    /// Root of the mean square of the relative errors.
    pub rmse_relative: f64,
    /// That of the errors at values that are left out, as [`Quality::left_out`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<f64>,
    /// Whether the formula is right, judged by the repetitions.
    pub lack_of_fit: Option<LackOfFit>,
}

/// The residuals' signs in the order of the axis (Wald and Wolfowitz 1940).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Runs {
    /// How many runs of equal signs there are.
    pub runs: usize,
    /// How many residuals are positive.
    pub positive: usize,
    /// How many are negative.
    pub negative: usize,
    /// Probability of so few runs or fewer if the formula is right.
    pub p_value: f64,
    /// What neighbours have in common: root of their mean product, relative.
    pub size: f64,
}

/// Classical F test of lack of fit against the pure error of the repetitions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LackOfFit {
    /// Mean square of the lack of fit over that of the pure error.
    pub f: f64,
    /// Probability of such a ratio or a greater one if the formula is right.
    pub p_value: f64,
    /// Degrees of freedom of the lack of fit.
    pub dof_lack: f64,
    /// Degrees of freedom of the pure error.
    pub dof_pure: f64,
    /// How much the formula misses by beyond what the repetitions explain: root mean square,
    /// relative.
    pub size: f64,
}
