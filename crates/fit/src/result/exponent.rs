//! Constants in exponents.

use cll_formula::Formula;
use serde::{Deserialize, Serialize};

/// A constant in an exponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exponent {
    /// The name of the constant, `f[2]`.
    pub constant: String,
    /// The value of the exponent, as it stands in the formula.
    pub value: f64,
    /// The standard error of the exponent, by linearisation.
    pub standard_error: f64,
    /// Lower end of its confidence interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The fit with other exponents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Direction {
    /// The formula with them.
    pub formula: Formula,
    /// The constants of the formula, in the order of its terms.
    pub solution: Vec<f64>,
}
