//! The result of a search of formulas, as it stands in a model.

use cll_fit::Fit;
use cll_search::{Average, Averaged, Distinction, Division, Note, Search};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::notice::Notice;
use cll_units::text::{PercentDigits, percent};

/// The formulas that a search found, most probable first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchModel {
    /// Number of points.
    pub points: usize,
    /// The most probable formulas.
    pub candidates: Vec<FormulaCandidate>,
    /// Formulas that the data can hardly distinguish from the first.
    pub ties: Vec<FormulaTie>,
    /// Boundaries at which the constants change; constants and averaged predictions are those of the largest values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub divisions: Vec<FormulaDivision>,
    /// Notices about the data.
    pub notes: Vec<Notice>,
    /// Predictions averaged over all possible formulas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub predictions: Vec<AveragedPrediction>,
    /// The formulas by which predictions are averaged; `None` in models of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average: Option<Average>,
}

/// A boundary at which the constants of a searched formula change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FormulaDivision {
    /// The variable along which it lies.
    pub variable: String,
    /// The largest measured value below it.
    pub below: f64,
    /// The smallest measured value above it.
    pub above: f64,
}

/// One formula of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FormulaCandidate {
    /// As text: `f[0] + f[1]*N*log2(N)`.
    pub formula: String,
    /// The terms without constants: `1`, `N*log2(N)`.
    pub terms: Vec<String>,
    /// The constants, in the order of the terms, in the observable's unit per unit of the term.
    pub constants: Vec<f64>,
    /// Their standard errors.
    pub errors: Vec<f64>,
    /// How probable it is, if one of all formulas is right.
    pub weight: f64,
    /// Akaike's criterion, corrected for few points; `None` with too few.
    pub aicc: Option<f64>,
    /// The Akaike weight.
    pub akaike_weight: Option<f64>,
    /// Root mean square error at sizes that were left out; relative with relative weights.
    pub left_out: Option<f64>,
}

/// Two formulas that the data can hardly distinguish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FormulaTie {
    /// Index of the other formula; the first is 0.
    pub candidate: usize,
    /// Variables with the values at which a measurement would distinguish them; `None`: no such values were found.
    pub at: Option<Vec<(String, f64)>>,
    /// The variable that is larger there than measured.
    pub variable: Option<String>,
    /// The values of both formulas there, in the observable's unit.
    pub values: Option<(f64, f64)>,
}

/// A prediction averaged over the formulas of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AveragedPrediction {
    /// Variables with their values.
    pub at: Vec<(String, f64)>,
    /// The most probable value, in the observable's unit.
    pub value: f64,
    /// Where a new measurement is expected.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The value by the first formula alone.
    pub first: f64,
}

/// Formulas that are listed.
const MAX_LISTED: usize = 10;

impl SearchModel {
    /// From a search of the experiment `name`.
    pub fn new(name: &str, search: &Search) -> SearchModel {
        let candidates =
            search.candidates.iter().take(MAX_LISTED).map(|candidate| FormulaCandidate {
                formula: named(&candidate.formula, name),
                terms: candidate.terms.clone(),
                constants: candidate.constants.clone(),
                errors: candidate.errors.clone(),
                weight: candidate.weight,
                aicc: candidate.aicc,
                akaike_weight: candidate.akaike,
                left_out: candidate.left_out,
            });
        let ties = search.ties.iter().filter(|tie| tie.candidate < MAX_LISTED);
        SearchModel {
            points: search.points,
            candidates: candidates.collect(),
            ties: ties.map(|tie| FormulaTie::new(tie, &search.variables)).collect(),
            divisions: search.divisions.iter().map(FormulaDivision::new).collect(),
            notes: notices(&search.notes),
            predictions: Vec::new(),
            average: None,
        }
    }
}

impl SearchModel {
    /// Makes the averaged predictions again beside this fit of the first formula; those that the data refuse are left out.
    pub fn average_beside(&mut self, fit: &Fit) {
        let Some(ready) = self.average.as_ref().and_then(|average| average.ready().ok()) else {
            return;
        };
        let again = |asked: &AveragedPrediction| {
            let averaged = ready.predict_beside(fit, &asked.at).ok()?;
            Some(AveragedPrediction::new(asked.at.clone(), &averaged))
        };
        self.predictions = self.predictions.iter().filter_map(again).collect();
    }
}

/// The formula with the experiment's name for its constants.
pub fn named(formula: &str, name: &str) -> String {
    // Terms have no constant of another name.
    formula.replace("f[", &format!("{name}["))
}

impl FormulaDivision {
    fn new(division: &Division) -> FormulaDivision {
        let Division { variable, below, above } = division;
        FormulaDivision { variable: variable.clone(), below: *below, above: *above }
    }
}

impl FormulaTie {
    fn new(tie: &Distinction, variables: &[String]) -> FormulaTie {
        let point = tie
            .point
            .as_ref()
            .map(|point| variables.iter().cloned().zip(point.iter().copied()).collect());
        FormulaTie {
            candidate: tie.candidate,
            at: point,
            variable: tie.variable.clone(),
            values: tie.values,
        }
    }
}

impl AveragedPrediction {
    /// Makes the prediction at these values of variables.
    pub fn new(values: Vec<(String, f64)>, averaged: &Averaged) -> AveragedPrediction {
        let Averaged { value, low, high, best } = *averaged;
        AveragedPrediction { at: values, value, low, high, first: best }
    }
}

/// So many variables without influence have a notice each, or are named in one for all.
const MAX_NAMED: usize = 4;

/// Puts the notes of a search into words. If many variables are concerned, the first are named and the others counted.
pub(crate) fn notices(notes: &[Note]) -> Vec<Notice> {
    let constant = first_names(notes, |note| match note {
        Note::NeverVaries { variable, .. } => Some(variable),
        _ => None,
    });
    let constant = constant.map(|names| {
        let text = format!("{names} more have one value at all points: they are in no formula");
        Notice::new("never-varies", text)
    });
    let without = first_names(notes, |note| match note {
        Note::NotSeenToMatter { variable } => Some(variable),
        _ => None,
    });
    let without = without.map(|names| {
        let text = format!("{names} more have no visible influence: they are in no formula");
        Notice::new("no-influence", text)
    });
    let others = notes.iter().filter(|note| match note {
        Note::NeverVaries { .. } => constant.is_none(),
        Note::NotSeenToMatter { .. } => without.is_none(),
        _ => true,
    });
    others.map(notice).chain(constant.clone()).chain(without.clone()).collect()
}

/// The first of the variables that `variable` takes from notes and the number of the others, if they are many.
fn first_names<'a>(
    notes: &'a [Note],
    variable: impl Fn(&'a Note) -> Option<&'a String>,
) -> Option<String> {
    let names: Vec<&str> = notes.iter().filter_map(variable).map(String::as_str).collect();
    let others = names.len().checked_sub(MAX_NAMED).filter(|count| *count > 0)?;
    Some(format!("{} and {others}", names[..MAX_NAMED].join(", ")))
}

fn notice(note: &Note) -> Notice {
    let (code, text) = match note {
        Note::NeverVaries { variable, value } => {
            ("never-varies", format!("{variable} is {value} at all points: it is in no formula"))
        }
        Note::VariesWith { variable, with } => (
            "varies-with",
            format!(
                "each value of {variable} is measured with one value of {with} only: their influence cannot be separated, and {with} is used"
            ),
        ),
        Note::NotSeenToMatter { variable } => {
            ("no-influence", format!("{variable} has no visible influence: it is in no formula"))
        }
        Note::LeftOut { points } => {
            let text = match points {
                1 => "1 point is left out: its value is not above 0".to_owned(),
                _ => format!("{points} points are left out: their value is not above 0"),
            };
            ("left-out", text)
        }
        Note::LackOfFit { size, repetitions } => (
            "lack-of-fit",
            format!(
                "the formulas miss the points by {}, repetitions explain {}: a term is missing, or constants change along a variable",
                percent(*size, PercentDigits::Decimals(2)),
                percent(*repetitions, PercentDigits::Decimals(2))
            ),
        ),
        Note::Divided(Division { variable, below, above }) => (
            "divided",
            format!(
                "constants change between {variable} = {below} and {above}: the formula is that of both sides, its constants and predictions are those above"
            ),
        ),
        Note::Negative => (
            "negative",
            "no formula with positive constants fits: constants of either sign were allowed"
                .to_owned(),
        ),
    };
    Notice::new(code, text)
}
