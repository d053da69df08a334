//! What a fit is: constants with their intervals of validity, how good they are, and all that a
//! prediction needs years later. Written as JSON in the form of `docs/formats/fit.md`.

use cll_formula::Formula;
use serde::{Deserialize, Serialize};

use crate::nearness::Known;
use crate::{Correction, Options, OtherFormula, Unit, Warning, Widening};

/// A fitted formula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// The formula whose constants were fitted.
    pub formula: Formula,
    /// The formula's variables, in its order: the order of the values of [`Fit::predict`].
    pub variables: Vec<String>,
    /// Every variable of the data, used by the formula or not: the order of the values in
    /// [`Residual::values`].
    pub recorded: Vec<String>,
    /// Unit of the observable.
    pub unit: Unit,
    /// The choices the fit was made with.
    pub options: Options,
    /// The variable or expression along which intervals lie. `None`: no axis could serve.
    pub axis: Option<String>,
    /// The intervals of validity in ascending order; at least one.
    pub intervals: Vec<Interval>,
    /// Where neighbouring intervals meet: one fewer than intervals.
    pub boundaries: Vec<Boundary>,
    /// The constants, one by one, with neighbours joined where they do not differ.
    pub constants: Vec<ConstantPieces>,
    /// Terms that cannot be told from others on this data.
    pub undetermined: Vec<Dependency>,
    /// Other divisions into intervals that the data leave possible, with their weights. They widen
    /// the band of predictions.
    pub alternatives: Vec<Alternative>,
    /// How predictions between measured values follow the data. `None` where they do not: where the
    /// formula fits, or tells left-out points as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<Correction>,
    /// A formula with one interval that explains the data better than this one with its intervals: the
    /// shape of this one may be wrong, and predictions beyond the data with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherFormula>,
    /// How good the fit is.
    pub quality: Quality,
    /// Every point of the data, in ascending order of the axis.
    pub residuals: Vec<Residual>,
    /// The measured range of each variable of the formula.
    pub domain: Vec<Range>,
    /// What the user should know before trusting the fit.
    pub warnings: Vec<Warning>,
    /// By how much every interval is wider than the samples' spread asks: [`Fit::widened`].
    #[serde(
        default,
        alias = "disagreement",
        deserialize_with = "crate::widen::read",
        skip_serializing_if = "Widening::is_none"
    )]
    pub widening: Widening,
    /// What explains constants that may surprise, and is no reason to doubt the fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Warning>,
    /// Computed from the residuals when it is needed.
    #[serde(skip)]
    pub(crate) nearness: Known,
}

/// One interval of validity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower boundary (exclusive), `None` in the first interval.
    pub low: Option<f64>,
    /// Upper boundary (inclusive), `None` in the last interval.
    pub high: Option<f64>,
    /// Smallest measured value of the axis in the interval.
    pub first: f64,
    /// Largest measured value of the axis in the interval.
    pub last: f64,
    /// The constants that hold here, in the order of the formula's terms.
    pub constants: Vec<Estimate>,
    /// The numbers predictions are made with, in the order of the formula's terms: the constants'
    /// values, and for undetermined ones a solution that is right wherever their sum is.
    pub solution: Vec<f64>,
    /// Covariance of the constants that hold here, in the order of the formula's terms, in the
    /// observable's unit squared; rows of undetermined constants are zero. Empty when neither
    /// degrees of freedom nor repetitions tell the spread.
    pub covariance: Vec<Vec<f64>>,
    /// Number of points (or rows, with all repetitions) in the interval.
    pub points: usize,
    /// Number of distinct values of the axis.
    pub distinct: usize,
    /// Degrees of freedom of `sigma`; need not be whole (constants are shared between intervals).
    pub dof: f64,
    /// Spread of one observation of the aggregate about the model: relative with relative
    /// weights, in the observable's unit with absolute ones.
    pub sigma: Option<f64>,
    /// Largest relative error in the interval, absolute value.
    pub largest_error: f64,
}

/// An estimated constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Its name, `f[2]`.
    pub constant: String,
    /// In the observable's unit per unit of its term; `None` when the data cannot determine it.
    pub value: Option<f64>,
    /// Standard error; `None` when undetermined, or when nothing tells the spread.
    pub standard_error: Option<f64>,
    /// Lower end of the confidence interval.
    pub low: Option<f64>,
    /// Upper end of the confidence interval.
    pub high: Option<f64>,
}

/// The boundary between two intervals: it lies in the gap between two measured values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Boundary {
    /// Last value of the axis on the left side.
    pub last_left: f64,
    /// First value of the axis on the right side.
    pub first_right: f64,
    /// Where predictions change sides: the middle of the gap (geometric where both are positive),
    /// or the user's value.
    pub at: f64,
    /// Where the boundary can lie with the fit's confidence: from the last left value of the
    /// leftmost plausible gap to the first right value of the rightmost one.
    pub plausible: (f64, f64),
}

/// One constant over the whole axis, in the form of Table 2 of the 2003 paper:
/// `{(A2⁰, N in [2, C0]), (A2¹, N > C0)}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConstantPieces {
    /// Its name, `f[2]`.
    pub constant: String,
    /// Its term's expression, as text.
    pub term: String,
    /// One piece where the constant holds everywhere.
    pub pieces: Vec<Piece>,
}

/// A value of a constant and where it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// Index of the first interval where it holds.
    pub first_interval: usize,
    /// Index of the last interval where it holds.
    pub last_interval: usize,
    /// Lower boundary (exclusive); `None`: from the start.
    pub low: Option<f64>,
    /// Upper boundary (inclusive); `None`: to the end.
    pub high: Option<f64>,
    /// The value.
    pub estimate: Estimate,
}

/// A term that is a combination of others at every point of the data: none of the constants
/// involved is determined, only their sum is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dependency {
    /// Index of the dependent term.
    pub term: usize,
    /// Indices of the terms it is made of, with factors. Empty: the term is zero at every point.
    pub of: Vec<(usize, f64)>,
}

/// Another division into intervals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    /// Its weight beside the fit's own division; all weights and the fit's add to 1.
    pub weight: f64,
    /// Its boundaries.
    pub boundaries: Vec<f64>,
    /// For each interval its constants; 0 for undetermined ones.
    pub constants: Vec<Vec<f64>>,
    /// For each interval the constants' covariance; empty as in [`Interval::covariance`].
    pub covariance: Vec<Vec<Vec<f64>>>,
    /// For each interval the spread, as [`Interval::sigma`].
    pub sigma: Vec<Option<f64>>,
    /// For each interval the degrees of freedom of the spread.
    pub dof: Vec<f64>,
}

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
    /// Residual standard deviation over all intervals, as [`Interval::sigma`].
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
    /// not counted in [`Quality`].
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

/// The measured range of a variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

/// A predicted value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// In the fit's unit.
    pub value: f64,
    /// Where a new measurement lies with the fit's confidence; `None` when nothing tells the
    /// spread (no degree of freedom and no repetitions).
    pub band: Option<Band>,
    /// Confidence of the band.
    pub confidence: f64,
    /// Where the values lie beside the data.
    pub domain: Domain,
    /// Whether it follows the data ([`Fit::correction`]), not the formula alone.
    #[serde(default)]
    pub follows: bool,
    /// Index of the interval whose constants hold there.
    pub interval: usize,
    /// Unit of value and band.
    pub unit: Unit,
    /// What should be known before the value is trusted.
    pub warnings: Vec<Warning>,
}

/// A range for a new measurement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Where a prediction lies beside the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "where")]
pub enum Domain {
    /// Inside an interval's measured values.
    Inside {
        /// Its index.
        interval: usize,
    },
    /// In the gap between two intervals: either side's constants may hold.
    Between {
        /// Index of the interval on the left; the other is the next one.
        left: usize,
        /// Last value of the axis on the left.
        last_left: f64,
        /// First value of the axis on the right.
        first_right: f64,
    },
    /// Outside the measured range of a variable, or of an axis made of several: no method was right
    /// there when a cache or another limit lay between.
    Beyond {
        /// The variable that is farthest out; the axis, such as N/P, where all variables are inside.
        variable: String,
        /// Its value.
        value: f64,
        /// The nearest measured value.
        nearest: f64,
        /// How many times beyond: above 1 (value/nearest, or nearest/value below the range);
        /// `None` where no ratio makes sense (zero, other sign).
        factor: Option<f64>,
    },
    /// Inside the range of each variable, but far from every combination that was measured.
    Apart {
        /// The variables that were not measured together there.
        variables: Vec<String>,
        /// Their values.
        values: Vec<f64>,
        /// Their values at the nearest measured combinations, one or two.
        nearest: Vec<Vec<f64>>,
    },
}

impl Domain {
    /// Whether no measurement is near: [`Domain::Beyond`] or [`Domain::Apart`].
    pub fn is_extrapolation(&self) -> bool {
        matches!(self, Domain::Beyond { .. } | Domain::Apart { .. })
    }
}
