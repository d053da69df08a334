//! A formula that does not fit, and what to try in its place.

use cll_fit::{Fit, Warning, Weights};
use cll_result::ExperimentModel;

use super::lines::Lines;
use crate::Notation;
use crate::style::{Role, Style};

/// An error above this is no fit.
const MAX_ERROR: f64 = 0.2;
/// A formula that misses by less is not wrong, even if another one misses by less.
const MIN_ERROR: f64 = 0.02;

/// What is wrong with a formula, and what to try.
pub(super) struct Wrong {
    text: String,
    advice: String,
}

impl Wrong {
    /// `None` if the formula fits.
    pub fn new(experiment: &ExperimentModel, fit: &Fit, notation: Notation) -> Option<Wrong> {
        let given = format!("{} = {}", notation.observable(fit), fit.formula.text());
        if let Some(found) = experiment.suggestion.as_ref().filter(|one| !one.changes.is_empty()) {
            let text = format!(
                "{given} misses by {}; another formula by {}",
                notation.percent(found.error_before),
                notation.percent(found.error_after)
            );
            return Some(Wrong { text, advice: with(experiment, &found.formula) });
        }
        let other = fit.warnings.iter().find_map(|warning| match warning {
            Warning::OtherFormula { formula, replaced, term, error, error_one, .. }
                if *error_one >= MIN_ERROR =>
            {
                let error = if *error < 1e-5 { 0.0 } else { *error };
                let (error, error_one) = (notation.percent(error), notation.percent(*error_one));
                let text = match replaced {
                    Some(old) => format!(
                        "{given} does not fit (misses by {error_one}); {term} in place of {old} does ({error})"
                    ),
                    None => format!(
                        "{given} does not fit (misses by {error_one}); with {term} it does ({error})"
                    ),
                };
                Some(Wrong { text, advice: with(experiment, formula) })
            }
            _ => None,
        });
        let exact = || {
            fit.warnings.iter().find_map(|warning| match warning {
                Warning::MissesExact { largest, .. } => Some(Wrong {
                    text: format!(
                        "{given} misses values without noise by up to {}: a term is missing",
                        notation.percent(*largest)
                    ),
                    advice: searching(experiment),
                }),
                _ => None,
            })
        };
        other.or_else(exact).or_else(|| Wrong::far_off(experiment, fit, &given, notation))
    }

    /// A fit that misses most points.
    fn far_off(
        experiment: &ExperimentModel,
        fit: &Fit,
        given: &str,
        notation: Notation,
    ) -> Option<Wrong> {
        let error = fit.quality.median_error;
        if fit.options.weights != Weights::Relative || error < MAX_ERROR {
            return None;
        }
        let error = notation.percent(error);
        Some(match &experiment.search {
            Some(_) => Wrong {
                text: format!("no formula found: the best misses by {error}"),
                advice: "more sizes, or the variables that the time depends on".to_owned(),
            },
            None => Wrong {
                text: format!("{given} does not fit (misses by {error})"),
                advice: searching(experiment),
            },
        })
    }

    pub fn text(&self, style: &Style) -> String {
        let notation = style.notation();
        let mut lines = Lines::new(style);
        lines.short(2, "! ", &notation.text(&self.text), Role::Caution);
        lines.short(2, "try: ", &notation.text(&self.advice), Role::Value);
        lines.finish()
    }
}

/// How the formula is given in place of that of the experiment.
fn with(experiment: &ExperimentModel, formula: &str) -> String {
    if is_annotated(experiment) {
        format!("#pragma cll {} {formula}", experiment.name)
    } else {
        format!("--formula '{formula}'")
    }
}

/// How a formula is searched.
fn searching(experiment: &ExperimentModel) -> String {
    if is_annotated(experiment) {
        format!("#pragma cll {} auto", experiment.name)
    } else {
        "--search, which looks for a formula".to_owned()
    }
}

/// Whether its formula stands in a source.
fn is_annotated(experiment: &ExperimentModel) -> bool {
    !experiment.places.is_empty() && experiment.column.is_none() && experiment.search.is_none()
}
