//! What the user may choose. The defaults are what measured best; see `docs/statistics.md`.

use serde::{Deserialize, Serialize};

/// How the points are weighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weights {
    /// 1/t: the sum of squared relative errors is least.
    #[default]
    Relative,
    /// 1: ordinary least squares in the observable's unit.
    Absolute,
}

/// What stands for the repetitions of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// The median (for an even number the mean of the two in the middle).
    #[default]
    Median,
    /// The smallest.
    Minimum,
    /// The arithmetic mean: one spike moves it, so it is never a default.
    Mean,
    /// Every repetition is a row of its own, weighted by its point's median.
    All,
}

/// How intervals of validity are found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "method")]
pub enum Intervals {
    /// One set of constants for all the data.
    None,
    /// The best division by dynamic programming; the number of intervals by BIC with a further
    /// penalty of 3 log n for each break. No threshold.
    Dynamic {
        /// At most so many intervals (at least 1).
        max_intervals: usize,
    },
    /// The papers' rule: fit; while an error is above the threshold, split that interval where
    /// the error changes most.
    Greedy {
        /// The "error threshold": largest relative error that is accepted, e.g. 0.10.
        error_threshold: f64,
        /// The "number of intervals threshold".
        max_intervals: usize,
    },
    /// Boundaries given by the user: an interval holds the values up to and including its upper
    /// boundary, as in Table 2 of the 2003 paper.
    ByHand {
        /// The variable (or an expression over variables) the boundaries are values of.
        variable: String,
        /// The boundaries, in any order.
        breaks: Vec<f64>,
    },
}

impl Default for Intervals {
    fn default() -> Intervals {
        Intervals::Dynamic { max_intervals: 6 }
    }
}

/// What is done with outliers. Whatever is left out is listed in the fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outliers")]
pub enum Outliers {
    /// Everything is kept.
    #[default]
    Keep,
    /// Spikes (see `Quality::spike_threshold`) are left out before the repetitions are aggregated.
    Spikes,
    /// Points whose deleted studentised residual is above the limit are left out, one at a time,
    /// at most a fifth of all points.
    Points {
        /// For example 4.
        limit: f64,
    },
}

/// All choices of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// How points are weighted.
    pub weights: Weights,
    /// What stands for a point's repetitions.
    pub aggregate: Aggregate,
    /// How intervals of validity are found.
    pub intervals: Intervals,
    /// The axis along which intervals lie: a recorded variable or an expression over recorded
    /// variables (`8*N*N`). `None`: what serves best of the formula's variables and the products and
    /// quotients of variables that it speaks of (`N/P`).
    pub axis: Option<String>,
    /// Constants that do not differ between neighbouring intervals become one.
    pub join: bool,
    /// Constants may not be negative (they are costs).
    pub non_negative: bool,
    /// What is done with outliers.
    pub outliers: Outliers,
    /// Where the formula does not fit, predictions between measured values follow the data if that
    /// predicts left-out points better ([`Fit::correction`](crate::Fit::correction)).
    pub follow: bool,
    /// Confidence of every interval that is given, in (0, 1).
    pub confidence: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            weights: Weights::default(),
            aggregate: Aggregate::default(),
            intervals: Intervals::default(),
            axis: None,
            join: true,
            non_negative: false,
            outliers: Outliers::default(),
            follow: true,
            confidence: 0.90,
        }
    }
}
