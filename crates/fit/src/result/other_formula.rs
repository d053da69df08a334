//! A formula that explains the data better than the fitted one.

use cll_formula::Formula;
use serde::{Deserialize, Serialize};

/// A formula that explains the data better, with one set of constants for all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherFormula {
    /// The formula.
    pub formula: Formula,
    /// Its constants, in the order of its terms, in the observable's unit.
    pub constants: Vec<f64>,
    /// The term of the fitted formula that another one replaces; `None` where one is added.
    pub replaced: Option<String>,
    /// The new term.
    pub term: String,
    /// By how much its criterion is below that of the chosen division; the choice among all terms that
    /// were tried is paid.
    pub difference: f64,
    /// Root of the mean square of its relative errors.
    pub rmse_relative: f64,
    /// Other terms in that place whose criterion is at most 2 worse: they cannot be told apart. At most
    /// three.
    pub as_good: Vec<String>,
}
