//! Why a fit cannot predict.

use crate::Unit;
use crate::warning::{list, number, percent, quantity};

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
        unit: Unit,
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
