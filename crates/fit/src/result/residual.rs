//! The points of a fit beside its model.

use serde::{Deserialize, Serialize};

/// One point beside the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Residual {
    /// Values of the recorded variables.
    pub values: Vec<f64>,
    /// Value of the axis.
    pub axis: Option<f64>,
    /// Index of its interval.
    pub interval: usize,
    /// What was fitted: the aggregate of the repetitions (with all repetitions: the median).
    pub measured: f64,
    /// The model's value.
    pub fitted: f64,
    /// (measured - model)/measured; 0 where zero was measured, which has no relative error and is
    /// not counted in `Quality`.
    pub error: f64,
    /// The repetitions.
    pub spread: Spread,
    /// Why the point was left out of the fit.
    pub excluded: Option<Exclusion>,
}

/// Why a point was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exclusion {
    /// Zero or negative: no relative weight exists.
    NotPositive,
    /// An outlier, as the options ask.
    Outlier,
}

/// The repetitions of one point, all of them counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// How many.
    pub count: usize,
    /// How many of them are spikes.
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
