//! The result of a fit, and what predictions need later. It is stored as JSON in the format of `docs/formats/fit.md`.

use cll_formula::Formula;
use serde::{Deserialize, Serialize};

use super::between_runs::BetweenRuns;
use super::constants::{ConstantValues, Dependency, Interval};
use super::correction::Correction;
use super::divisions::{Alternative, Boundary, Split};
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
