//! A formula that explains the data better than the fitted one.

use cll_formula::Formula;
use serde::{Deserialize, Serialize};

/// A formula that explains the data better, with one set of constants for all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OtherFormula {
    /// The formula.
    pub formula: Formula,
    /// The constants of the formula, in the order of its terms, in the observable's unit.
    pub constants: Vec<f64>,
    /// The term of the fitted formula that is replaced; `None` if a term is added.
    pub replaced: Option<String>,
    /// The new term.
    pub term: String,
    /// By how much its criterion is below that of the chosen division. The penalty for choosing
    /// among all terms is included.
    pub difference: f64,
    /// Root mean square of its relative errors.
    pub rmse_relative: f64,
    /// Other terms for the same place whose criterion is at most 2 worse: equally good. At most
    /// three.
    pub as_good: Vec<String>,
}
