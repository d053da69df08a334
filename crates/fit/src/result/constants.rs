//! Constants, and the intervals in which they are valid.

use serde::{Deserialize, Serialize};

use super::divisions::Bound;

/// One interval of validity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Lower boundary (exclusive), `None` in the first interval.
    pub low: Option<f64>,
    /// Upper boundary (inclusive), `None` in the last interval.
    pub high: Option<f64>,
    /// Smallest measured value of the axis in the interval.
    pub first: f64,
    /// Largest measured value of the axis in the interval.
    pub last: f64,
    /// The bounds of a region, which hold together; empty with one axis. `first` and `last` are
    /// then of the first bound's axis.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub region: Vec<Bound>,
    /// The constants that hold here, in the order of the formula's terms; of a constant with levels the last one.
    pub constants: Vec<Estimate>,
    /// The numbers that predictions use, in the order of the formula's terms: the constants'
    /// values, and for undetermined constants a solution that is right wherever only their sum
    /// matters. With [`Fit::changes`] there is one for each level, the columns of [`Fit::terms_at`].
    pub solution: Vec<f64>,
    /// Covariance of the numbers of `solution`, in their order, in the
    /// observable's unit squared. Rows of undetermined constants are zero. Empty if the variance is
    /// unknown: no degrees of freedom and no repetitions.
    pub covariance: Vec<Vec<f64>>,
    /// Number of points (or rows, with all repetitions) in the interval.
    pub points: usize,
    /// Number of distinct values of the axis.
    pub distinct: usize,
    /// Degrees of freedom of `sigma`; may be fractional, since constants are shared between
    /// intervals.
    pub dof: f64,
    /// Standard deviation of one aggregated observation about the model: relative with relative
    /// weights, in the observable's unit with absolute ones.
    pub sigma: Option<f64>,
    /// Largest relative error in the interval, absolute value.
    pub largest_error: f64,
}

/// An estimated constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The name of the constant, `f[2]`.
    pub constant: String,
    /// The value of the constant in the observable's unit per unit of its term; `None` if the data cannot determine
    /// it.
    pub value: Option<f64>,
    /// Standard error; `None` if the constant is undetermined or the variance is unknown.
    pub standard_error: Option<f64>,
    /// Lower end of the confidence interval.
    pub low: Option<f64>,
    /// Upper end of the confidence interval.
    pub high: Option<f64>,
}

/// One constant over the whole axis, in the form of Table 2 of the 2003 paper:
/// `{(A2⁰, N in [2, C0]), (A2¹, N > C0)}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConstantValues {
    /// The name of the constant, `f[2]`.
    pub constant: String,
    /// The expression of the constant's term, as text.
    pub term: String,
    /// One segment if the constant holds everywhere.
    #[serde(rename = "segments", alias = "pieces")]
    pub segments: Vec<Segment>,
}

/// A value of a constant and the intervals where it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Segment {
    /// Index of the first interval where it holds.
    pub first_interval: usize,
    /// Index of the last interval where it holds.
    pub last_interval: usize,
    /// Lower boundary (exclusive); `None`: from the start.
    pub low: Option<f64>,
    /// Upper boundary (inclusive); `None`: to the end.
    pub high: Option<f64>,
    /// The regions where it holds, in any order; empty with one axis. The first and the last
    /// interval are then the smallest and the largest of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<usize>,
    /// The bounds of those regions, put together: it holds where all bounds of one part hold.
    /// Empty with one axis, and if it holds everywhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Vec<Bound>>,
    /// The value, with its standard error and confidence interval.
    pub estimate: Estimate,
}

impl Segment {
    /// Whether it is the constant's value in this interval.
    pub fn holds_in(&self, interval: usize) -> bool {
        if self.regions.is_empty() {
            (self.first_interval..=self.last_interval).contains(&interval)
        } else {
            self.regions.contains(&interval)
        }
    }
}

/// A term that is a linear combination of others at every point of the data. None of the constants
/// involved is determined, only their sum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dependency {
    /// Index of the dependent term.
    pub term: usize,
    /// Indices of the other terms, with factors. Empty: the term is zero at every point.
    pub of: Vec<(usize, f64)>,
}
