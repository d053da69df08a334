//! The result of a fit: constants with their intervals of validity, and what predictions need later. It is stored
//! as JSON in the format of `docs/formats/fit.md`.

use cll_formula::Formula;
use serde::{Deserialize, Serialize};

use super::between_runs::BetweenRuns;
use super::correction::Correction;
use super::divisions::{Bound, Boundary, Split};
use super::exponent::{Direction, Exponent};
use super::level_change::LevelChange;
use super::other_formula::OtherFormula;
use super::quality::Quality;
use super::residual::Residual;
use super::widening::Widening;
use crate::prediction::CachedCombinations;
use crate::{Options, Unit, Warning};

/// A fitted formula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fit {
    /// The formula whose constants were fitted.
    pub formula: Formula,
    /// The formula's variables in its order: the order of the values for [`Fit::predict`].
    pub variables: Vec<String>,
    /// Every variable of the data, used by the formula or not: the order of [`Residual::values`].
    pub recorded: Vec<String>,
    /// Unit of the observable.
    pub unit: Unit,
    /// The options of the fit.
    pub options: Options,
    /// The variable or expression along which intervals lie. `None`: no axis is possible, or the
    /// constants change along several ([`Fit::splits`]).
    pub axis: Option<String>,
    /// The intervals of validity in ascending order, or the regions; at least one.
    pub intervals: Vec<Interval>,
    /// The boundaries between neighbouring intervals: one fewer than intervals. None between
    /// regions.
    pub boundaries: Vec<Boundary>,
    /// Where the constants change along more than one axis: the divisions, upper ones first, one
    /// fewer than regions. Empty with one axis.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<Split>,
    /// For each term the changes of its constant along the axis, in the order of their places: `m` changes are between
    /// `m + 1` levels. The fit then has one interval, whose [`Interval::solution`] has a number for each level, those of
    /// a term beside each other. Empty if each constant has one level.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Vec<LevelChange>>,
    /// The constants one by one; neighbouring intervals share a segment if the constant does not
    /// differ. A constant with levels has a segment for each.
    pub constants: Vec<ConstantValues>,
    /// Constants in exponents; the formula has their values. The covariance of the other constants is
    /// for these values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exponents: Vec<Exponent>,
    /// The fit with exponents that are off by one standard deviation, in each of their principal
    /// directions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directions: Vec<Direction>,
    /// Terms that are linear combinations of others on these data.
    pub undetermined: Vec<Dependency>,
    /// Other divisions into intervals that the data allow, with their weights. They widen the band
    /// of predictions.
    pub alternatives: Vec<Alternative>,
    /// How predictions between measured values follow the data. `None` if they do not: the formula
    /// fits, or predicts left-out points as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<Correction>,
    /// A formula with one interval that explains the data better than this one with its intervals.
    /// The shape of this formula may then be wrong, and with it predictions beyond the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherFormula>,
    /// Quality measures and tests.
    pub quality: Quality,
    /// Every point of the data, in ascending order of the axis.
    pub residuals: Vec<Residual>,
    /// The measured range of each variable of the formula.
    pub domain: Vec<Range>,
    /// Measured points that were held out of the fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_out: Vec<HeldOutValue>,
    /// Warnings that the user should know before trusting the fit.
    pub warnings: Vec<Warning>,
    /// By how much every interval is wider than the variation of the samples requires: see
    /// [`Fit::widened`].
    #[serde(
        default,
        alias = "disagreement",
        deserialize_with = "super::widening::read",
        skip_serializing_if = "Widening::is_none"
    )]
    pub widening: Widening,
    /// How much the runs of the data differ; `None` if the data do not say of which run an observation is, or share
    /// fewer than three runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between_runs: Option<BetweenRuns>,
    /// Explanations of constants that may surprise; no reason to doubt the fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Warning>,
    /// Computed from the residuals on first use.
    #[serde(skip)]
    pub(crate) measured_combinations: CachedCombinations,
}

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
    #[serde(rename = "of")]
    pub others: Vec<(usize, f64)>,
}

/// Another division into intervals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Alternative {
    /// The weight of the alternative; the weights of all alternatives and of the fit's own division add to 1.
    pub weight: f64,
    /// The boundaries of the alternative.
    pub boundaries: Vec<f64>,
    /// The divisions of the alternative into regions, as [`Fit::splits`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<Split>,
    /// The changes between levels, as [`Fit::changes`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Vec<LevelChange>>,
    /// For each interval its constants; 0 for undetermined ones.
    pub constants: Vec<Vec<f64>>,
    /// For each interval the constants' covariance; empty as in [`Interval::covariance`].
    pub covariance: Vec<Vec<Vec<f64>>>,
    /// For each interval the standard deviation, as [`Interval::sigma`].
    pub sigma: Vec<Option<f64>>,
    /// For each interval the degrees of freedom of `sigma`.
    pub dof: Vec<f64>,
}

/// A measured point that was held out of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeldOutValue {
    /// Values of the recorded variables.
    pub values: Vec<f64>,
    /// The aggregate of the repetitions, as for the fitted points.
    pub measured: f64,
}

/// The measured range of a variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Range {
    /// The variable.
    pub variable: String,
    /// Smallest measured value.
    pub low: f64,
    /// Largest measured value.
    pub high: f64,
    /// Number of distinct values.
    pub distinct: usize,
}
