//! Why data cannot be fitted, or a fit cannot predict.

use crate::warning::{count, list, number, percent, quantity};

/// Why a formula could not be fitted to data. Each names the datum.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    /// No point at all.
    #[error("no data: the experiment was never reached, or every point was left out")]
    NoData,
    /// A variable of the formula is not among the recorded ones.
    #[error("the formula uses {variable}, which was not recorded (recorded: {})", .recorded.join(", "))]
    UnknownVariable {
        /// The variable.
        variable: String,
        /// The variables that were recorded.
        recorded: Vec<String>,
    },
    /// A point has another number of values than there are variables.
    #[error("point {point} has {got} values, but there are {expected} variables")]
    WrongLength {
        /// Index of the point, from 0.
        point: usize,
        /// The number of values of the point.
        got: usize,
        /// The variables.
        expected: usize,
    },
    /// A point without observations.
    #[error("no observation at {place}")]
    NoObservation {
        /// The point, `N = 64`.
        place: String,
    },
    /// An observation is NaN or infinite.
    #[error("an observation at {place} is {value}; every observation must be a finite number")]
    ObservationNotFinite {
        /// The point.
        place: String,
        /// The observation.
        value: f64,
    },
    /// A value of a variable is NaN or infinite.
    #[error("{variable} is {value} at point {point}; every value must be a finite number")]
    ValueNotFinite {
        /// The variable.
        variable: String,
        /// The value of the variable.
        value: f64,
        /// Index of the point, from 0.
        point: usize,
    },
    /// A term is NaN or infinite at a point, such as log(0).
    #[error(
        "the term of {constant}, {term}, is {value} at {place}; leave the point out or change the formula"
    )]
    TermNotFinite {
        /// The constant, `f[1]`.
        constant: String,
        /// The term's expression.
        term: String,
        /// The value of the term there.
        value: f64,
        /// The point.
        place: String,
    },
    /// Fewer distinct points than constants.
    #[error(
        "{} for {}{}; measure at least {} values of the variables",
        count(*.points, "distinct point", "distinct points"),
        count(*.constants, "constant", "constants"),
        if *.left_out > 0 { format!(" ({} more were left out, being zero, negative or outliers)", .left_out) } else { String::new() },
        .constants + 2
    )]
    FewerPoints {
        /// Distinct points that could be used.
        points: usize,
        /// Constants of the formula.
        constants: usize,
        /// Points that were left out.
        left_out: usize,
    },
    /// Every point is zero or negative, and the weights are relative.
    #[error(
        "all {points} points are zero or negative (the first is {} at {place}): relative weights \
         are impossible; measure longer times, or use absolute weights",
        number(*.value)
    )]
    NothingPositive {
        /// Number of points.
        points: usize,
        /// Aggregate of the first.
        value: f64,
        /// The first of them.
        place: String,
    },
    /// Squares of the numbers are no finite numbers.
    #[error(
        "observations up to {} with terms up to {} overflow double precision; use other units",
        number(*.observation),
        number(*.term)
    )]
    Overflow {
        /// The largest observation, absolute value.
        observation: f64,
        /// The largest value of a term, absolute value.
        term: f64,
    },
    /// Constants in exponents that cannot be found.
    #[error("the exponent{} {} cannot be determined: {why}", if .exponents.len() > 1 { "s" } else { "" }, list(.exponents))]
    Exponents {
        /// Their names.
        exponents: Vec<String>,
        /// Why.
        why: String,
    },
    /// All terms are zero at every point.
    #[error("every term of the formula is zero at every point")]
    ZeroTerms,
    /// The confidence is not between 0 and 1.
    #[error("the confidence is {0}; it must lie between 0 and 1, such as 0.9")]
    Confidence(f64),
    /// A threshold or number in the options makes no sense.
    #[error("{what} is {value}; it must be {expected}")]
    Option {
        /// Which.
        what: &'static str,
        /// The value of the option.
        value: f64,
        /// The values that are allowed.
        expected: &'static str,
    },
    /// The axis is neither a recorded variable nor an expression over recorded variables.
    #[error("the axis {axis} cannot be used: {reason}")]
    Axis {
        /// The axis as given.
        axis: String,
        /// Why.
        reason: String,
    },
    /// A boundary by hand leaves an interval without enough points.
    #[error(
        "the boundaries {axis} = {} leave {} {place}, too few for {}; leave a boundary out or measure more there",
        .breaks.iter().copied().map(number).collect::<Vec<_>>().join(", "),
        count(*.points, "distinct point", "distinct points"),
        count(*.constants, "constant", "constants")
    )]
    Boundary {
        /// The axis.
        axis: String,
        /// All boundaries.
        breaks: Vec<f64>,
        /// Distinct points in the interval.
        points: usize,
        /// The interval in words.
        place: String,
        /// Constants to determine.
        constants: usize,
    },
}

/// Why a fit cannot predict at some values.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PredictError {
    /// A variable of the formula has no value.
    #[error("no value for {variable}; the formula needs {}", .needed.join(", "))]
    Missing {
        /// The variable.
        variable: String,
        /// All that are needed.
        needed: Vec<String>,
    },
    /// A name that the formula does not use.
    #[error("the formula has no variable {variable}; it has {}", .known.join(", "))]
    Unknown {
        /// The name.
        variable: String,
        /// The formula's variables.
        known: Vec<String>,
    },
    /// Another number of values than the formula has variables.
    #[error("{got} values for {expected} variables")]
    WrongLength {
        /// Values given.
        got: usize,
        /// Variables of the formula.
        expected: usize,
    },
    /// A value or term is NaN or infinite there.
    #[error("{what} is {value} at {place}")]
    NotFinite {
        /// The variable or the term.
        what: String,
        /// The value of the variable or the term.
        value: f64,
        /// Where.
        place: String,
    },
    /// Undetermined constants are needed separately here.
    #[error(
        "the data cannot determine {}, and at {place} their sum differs from anything measured: no prediction",
        list(.constants)
    )]
    Undetermined {
        /// The constants.
        constants: Vec<String>,
        /// Where.
        place: String,
    },
    /// A value below zero of a variable that was measured at none.
    #[error(
        "no prediction at {variable} = {}: no measured {variable} is below 0, the smallest is {}",
        number(*.value),
        number(*.smallest)
    )]
    BelowZero {
        /// The variable.
        variable: String,
        /// The value.
        value: f64,
        /// The smallest that was measured.
        smallest: f64,
    },
    /// A variable has fewer than three values in the data, and the prediction is at another one, on
    /// which it depends.
    #[error(
        "{variable} was measured at {} only, and the value depends on it: no prediction at {variable} = {}; measure {variable} = {} too, or at least three values of {variable}",
        list(&.measured.iter().copied().map(number).collect::<Vec<_>>()),
        number(*.value),
        number(*.value)
    )]
    FewValues {
        /// The variable.
        variable: String,
        /// The value.
        value: f64,
        /// The measured values.
        measured: Vec<f64>,
    },
    /// The nearest points contradict the model.
    #[error(
        "no prediction{}: the model is off by {} at {measured_at}, which was measured near it; the formula is wrong there, or those runs were disturbed: measure again about {measured_at}, or try another formula",
        if .place.is_empty() { String::new() } else { format!(" at {}", .place) },
        percent(.error.abs())
    )]
    Contradicted {
        /// The place of the prediction.
        place: String,
        /// The measured point with the largest error.
        measured_at: String,
        /// (measured - model)/measured there.
        error: f64,
    },
    /// The model is zero or negative, and all measured values are positive.
    #[error(
        "no prediction at {place}: the model gives {} there, and all measured values are positive; measure closer to it",
        quantity(*.value, .unit)
    )]
    Negative {
        /// The place of the prediction.
        place: String,
        /// The value of the model.
        value: f64,
        /// The unit of the value.
        unit: crate::Unit,
    },
    /// The fit was changed by hand and does not hold together.
    #[error("the fit is inconsistent: {0}")]
    Inconsistent(String),
}

impl PredictError {
    /// Whether the data are why there is no value, not the values that were given.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            PredictError::Undetermined { .. }
                | PredictError::FewValues { .. }
                | PredictError::Contradicted { .. }
                | PredictError::Negative { .. }
        )
    }
}
