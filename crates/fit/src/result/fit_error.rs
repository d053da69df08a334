//! Why data cannot be fitted.

use crate::warning::{count, list, number};

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
