//! The options of a fit. The defaults gave the best results; see `docs/statistics.md`.

use serde::{Deserialize, Serialize};

/// Most changes of all constants together that are sought by default.
const CHANGES: usize = 4;

/// How the points are weighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Weights {
    /// Weights 1/t: minimises the sum of squared relative errors (decision 0076).
    #[default]
    Relative,
    /// Weights 1: ordinary least squares in the observable's unit.
    Absolute,
}

/// The value that represents the repetitions of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// The median, for an even number the mean of the middle two (decision 0077).
    #[default]
    Median,
    /// The smallest.
    Minimum,
    /// The arithmetic mean. A single spike changes it, so it is never a default.
    Mean,
    /// Every repetition is a row, weighted by its point's median.
    All,
}

/// Which function of the residuals is minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// The sum of their squares.
    #[default]
    Squares,
    /// Huber's function (1964): squares up to 1.345 standard deviations, beyond that in proportion
    /// to the residual, so that points disturbed by load count less.
    Huber,
}

impl Loss {
    fn is_squares(&self) -> bool {
        *self == Loss::Squares
    }
}

/// How intervals of validity are found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "method")]
pub enum Intervals {
    /// One set of constants for all the data.
    None,
    /// No intervals: each constant is a function of the axis, of levels with jumps, rises and kinks between them
    /// ([`LevelChange`](crate::LevelChange)). Where levels miss what intervals explain, as [`Intervals::Dynamic`].
    Levels {
        /// At most so many changes of all constants together.
        max_changes: usize,
    },
    /// The best division by dynamic programming (Bellman 1961). The number of intervals minimises
    /// BIC with an additional penalty of 3 log n for each break. No threshold.
    Dynamic {
        /// At most so many intervals (at least 1).
        max_intervals: usize,
    },
    /// The rule of the 2003 paper: fit; while an error is above the threshold, split the interval
    /// where the error changes most.
    Greedy {
        /// The "error threshold": largest relative error accepted, e.g. 0.10.
        error_threshold: f64,
        /// The "number of intervals threshold".
        max_intervals: usize,
    },
    /// Boundaries given by the user: an interval contains its upper boundary but not its lower one,
    /// as in Table 2 of the 2003 paper.
    ByHand {
        /// The variable (or an expression over variables) the boundaries are values of.
        variable: String,
        /// The boundaries, in any order.
        breaks: Vec<f64>,
    },
}

impl Default for Intervals {
    fn default() -> Intervals {
        Intervals::levels()
    }
}

impl Intervals {
    /// The best division, with at most six intervals.
    pub fn dynamic() -> Intervals {
        Intervals::Dynamic { max_intervals: 6 }
    }

    /// Whether the data choose where constants change, by what explains them best.
    pub(crate) fn is_sought(&self) -> bool {
        matches!(self, Intervals::Dynamic { .. } | Intervals::Levels { .. })
    }

    /// Levels, with at most four changes.
    pub fn levels() -> Intervals {
        Intervals::Levels { max_changes: CHANGES }
    }
}

/// How outliers are treated. Whatever is left out is listed in the fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "outliers")]
pub enum Outliers {
    /// Nothing is left out.
    #[default]
    Keep,
    /// Spikes (see `Quality::spike_threshold`) are left out before the repetitions are aggregated.
    Spikes,
    /// Points whose externally studentised residual is above the limit are left out, one at a time,
    /// at most a fifth of all points.
    Points {
        /// For example 4.
        limit: f64,
    },
}

/// All choices of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Options {
    /// How points are weighted.
    pub weights: Weights,
    /// The value that represents a point's repetitions.
    pub aggregate: Aggregate,
    /// How intervals of validity are found.
    pub intervals: Intervals,
    /// The axis along which intervals lie: a recorded variable or an expression over recorded
    /// variables (`8*N*N`), or several, separated by commas, to choose from. `None`: the best of the formula's variables and of the products and
    /// quotients of variables that occur in it (`N/P`).
    pub axis: Option<String>,
    /// Whether a constant that does not differ between neighbouring intervals gets one value.
    pub join: bool,
    /// Whether constants must not be negative (they are costs). Those with levels never are, but for `signed`.
    pub non_negative: bool,
    /// Whether constants with levels may be negative.
    #[serde(skip_serializing_if = "is_false")]
    pub signed: bool,
    /// How outliers are treated.
    pub outliers: Outliers,
    /// Which function of the residuals is minimised.
    #[serde(skip_serializing_if = "Loss::is_squares")]
    pub loss: Loss,
    /// Whether predictions between measured values follow the data if the formula does not fit and
    /// left-out points are predicted better that way ([`Fit::correction`](crate::Fit::correction)).
    pub follow: bool,
    /// Confidence of every interval and band, between 0 and 1.
    pub confidence: f64,
    /// Whether intervals contain how much runs differ, if the data say of which run an observation is.
    #[serde(skip_serializing_if = "is_true")]
    pub runs: bool,
}

fn is_false(choice: &bool) -> bool {
    !*choice
}

fn is_true(choice: &bool) -> bool {
    *choice
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
            signed: false,
            outliers: Outliers::default(),
            loss: Loss::default(),
            follow: true,
            confidence: 0.90,
            runs: true,
        }
    }
}

impl From<Intervals> for Options {
    /// The default options with these intervals.
    fn from(intervals: Intervals) -> Options {
        Options { intervals, ..Options::default() }
    }
}
