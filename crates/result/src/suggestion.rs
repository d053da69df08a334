//! The formula that is suggested in place of a given one, as it stands in a model.

use cll_search::{Change, Suggestion};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::notice::Notice;
use crate::search::notices;

/// A formula that was tried to be repaired.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SuggestionModel {
    /// The suggested formula; the given one if `changes` is empty.
    pub formula: String,
    /// The changes to the formula. Empty: the given formula is as good as any that was tried.
    pub changes: Vec<FormulaChange>,
    /// The constants of the suggested formula.
    pub constants: Vec<SuggestedValue>,
    /// Root mean square error of the given formula at the points; relative with relative weights.
    pub error_before: f64,
    /// The same of the suggested formula.
    pub error_after: f64,
    /// Root mean square error of the given formula at sizes that were left out; `None` if too few are left to fit.
    pub left_out_before: Option<f64>,
    /// The same of the suggested formula.
    pub left_out_after: Option<f64>,
    /// ln of how many times more probable the data are under the suggested formula.
    pub evidence: f64,
    /// How probable the given formula is beside all that were tried.
    pub probability: f64,
    /// How many formulas were tried.
    pub tried: usize,
    /// Number of points.
    pub points: usize,
    /// Notices about the data.
    pub notes: Vec<Notice>,
}

/// One change of a formula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FormulaChange {
    /// `missing`, `replaced` or `superfluous`.
    pub kind: String,
    /// The new term; of `superfluous` the one that is left out.
    pub term: String,
    /// The term of the formula that the new one replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<String>,
    /// Other terms that explain the data as well in its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub as_good: Vec<String>,
}

/// A constant of the suggested formula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SuggestedValue {
    /// The name of the constant: `f[1]`.
    pub constant: String,
    /// The term it belongs to.
    pub term: String,
    /// In the observable's unit per unit of the term.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl SuggestionModel {
    /// Converts a suggestion to its form in a model.
    pub fn new(suggestion: &Suggestion) -> SuggestionModel {
        let constants = suggestion.constants.iter().map(|constant| SuggestedValue {
            constant: constant.constant.clone(),
            term: constant.term.clone(),
            value: constant.value,
            low: constant.low,
            high: constant.high,
        });
        SuggestionModel {
            formula: suggestion.formula.text().to_owned(),
            changes: suggestion.changes.iter().map(FormulaChange::new).collect(),
            constants: constants.collect(),
            error_before: suggestion.given.error,
            error_after: suggestion.suggested.error,
            left_out_before: suggestion.given.left_out,
            left_out_after: suggestion.suggested.left_out,
            evidence: suggestion.evidence,
            probability: suggestion.probability,
            tried: suggestion.tried,
            points: suggestion.points,
            notes: notices(&suggestion.notes),
        }
    }
}

impl FormulaChange {
    fn new(change: &Change) -> FormulaChange {
        let (kind, term, replaced, as_good) = match change {
            Change::Missing { term, as_good } => ("missing", term, None, as_good.clone()),
            Change::Replaced { old, term, as_good } => {
                ("replaced", term, Some(old.clone()), as_good.clone())
            }
            Change::Superfluous { term } => ("superfluous", term, None, Vec::new()),
        };
        FormulaChange { kind: kind.to_owned(), term: term.clone(), replaced, as_good }
    }
}
