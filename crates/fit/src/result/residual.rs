//! The residuals of a fit.

use serde::{Deserialize, Serialize};

/// A measured point and the model's value there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Residual {
    /// Values of the recorded variables.
    pub values: Vec<f64>,
    /// Value of the axis.
    pub axis: Option<f64>,
    /// Index of its interval.
    pub interval: usize,
    /// The fitted observation: the aggregate of the repetitions (the median if all are fitted).
    pub measured: f64,
    /// The model's value.
    pub fitted: f64,
    /// (measured - model)/measured. 0 if zero was measured: it has no relative error and is not
    /// counted in `Quality`.
    pub error: f64,
    /// The repetitions.
    pub spread: Spread,
    /// Why the point was left out of the fit.
    pub excluded: Option<Exclusion>,
    /// The share of a full weight that the point has, with Huber's loss and if it is below 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
}

/// Why a point was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Exclusion {
    /// Zero or negative: it has no relative weight.
    NotPositive,
    /// An outlier by the options.
    Outlier,
}

/// Statistics of the repetitions of one point, including spikes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spread {
    /// Number of repetitions.
    pub count: usize,
    /// Number of spikes among them.
    pub spikes: usize,
    /// The smallest.
    pub minimum: f64,
    /// First quartile.
    pub lower_quartile: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub upper_quartile: f64,
    /// The largest.
    pub maximum: f64,
}
