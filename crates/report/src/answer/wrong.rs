//! A formula that does not fit, and what to try in its place.

use cll_fit::{Fit, Warning, Weights};
use cll_result::{ExperimentModel, FormulaChange};

use super::lines::Lines;
use crate::Notation;
use crate::style::{Role, Style};

/// An error above this is no fit.
const MAX_ERROR: f64 = 0.2;
/// A lack of fit that is as probable by chance is none.
const MIN_P: f64 = 0.05;
/// A lack of fit above this is no fit.
const MAX_LACK: f64 = 0.1;
/// A formula that misses by less is not wrong, even if another one misses by less.
const MIN_ERROR: f64 = 0.02;

/// The fault of a formula, and a better one to try.
pub(super) struct Wrong {
    pub text: String,
    pub advice: String,
}

impl Wrong {
    /// `None` if the formula fits. On a machine that was disturbed a formula is wrong only if another one is better: the
    /// errors may be those of the machine.
    pub fn new(
        experiment: &ExperimentModel,
        fit: &Fit,
        is_disturbed: bool,
        notation: Notation,
    ) -> Option<Wrong> {
        let given = format!("{} = {}", notation.observable(fit), fit.formula.text());
        if let Some(suggestion) =
            experiment.suggestion.as_ref().filter(|own| !own.changes.is_empty())
        {
            let changes: Vec<String> = suggestion.changes.iter().map(change).collect();
            let text = format!(
                "{given} misses by {}; {} by {}",
                notation.percent(suggestion.error_before),
                changes.join(" and "),
                notation.percent(suggestion.error_after)
            );
            return Some(Wrong { text, advice: with(experiment, &suggestion.formula) });
        }
        let other = fit.warnings.iter().find_map(|warning| match warning {
            Warning::OtherFormula { formula, replaced, term, error, error_one, as_good, .. }
                if *error_one >= MIN_ERROR =>
            {
                let (formula, term) = simplest(formula, term, as_good);
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
                Some(Wrong { text, advice: with(experiment, &formula) })
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
        let below_zero = || {
            fit.warnings.iter().find_map(|warning| match warning {
                Warning::HeldAtZero { constants, error, signed, .. } if *error >= MIN_ERROR => {
                    let (error, signed) = (notation.percent(*error), notation.percent(*signed));
                    Some(Wrong {
                        text: format!(
                            "{given} does not fit (misses by {error}); with {} below 0 it does ({signed})",
                            constants.join(", ")
                        ),
                        advice: "a difference as one term, as N*(N - 1) for N*N - N; or --signed"
                            .to_owned(),
                    })
                }
                _ => None,
            })
        };
        let far_off =
            || (!is_disturbed).then(|| Wrong::far_off(experiment, fit, &given, notation)).flatten();
        other.or_else(exact).or_else(below_zero).or_else(far_off)
    }

    /// A fit that misses most points, or misses them by far more than the noise.
    fn far_off(
        experiment: &ExperimentModel,
        fit: &Fit,
        given: &str,
        notation: Notation,
    ) -> Option<Wrong> {
        let median = fit.quality.median_error;
        let lack = fit.warnings.iter().find_map(|warning| match warning {
            Warning::LackOfFit { size, .. } if *size >= MAX_LACK => Some(*size),
            _ => None,
        });
        // Then the errors are those of the measurements.
        let is_noise = fit.quality.lack_of_fit.as_ref().is_some_and(|lack| lack.p_value >= MIN_P);
        let (error, than) = match lack {
            _ if is_noise => return None,
            _ if fit.options.weights != Weights::Relative => return None,
            _ if median >= MAX_ERROR => (notation.percent(median), ""),
            Some(size) => (notation.percent(size), " more than the noise"),
            None => return None,
        };
        Some(match &experiment.search {
            Some(_) => Wrong {
                text: format!("no formula found: the best misses by {error}{than}"),
                advice: "more sizes, or the variables that the time depends on".to_owned(),
            },
            None => Wrong {
                text: format!("{given} does not fit (misses by {error}{than})"),
                advice: searching(experiment),
            },
        })
    }

    pub fn lines(&self, style: &Style) -> String {
        let notation = style.notation();
        let mut lines = Lines::new(style);
        lines.short(2, "! ", &notation.text(&self.text), Role::Caution);
        lines.short(2, "try: ", &notation.text(&self.advice), Role::Value);
        lines.finish()
    }
}

/// `with log2(P) too`, `with N*N in place of N`
fn change(change: &FormulaChange) -> String {
    let term = &change.term;
    match (change.kind.as_str(), &change.replaced) {
        ("superfluous", _) => format!("without {term}"),
        (_, Some(old)) => format!("with {term} in place of {old}"),
        _ => format!("with {term} too"),
    }
}

/// The formula with the shortest of the terms that are as good, and that term.
fn simplest<'a>(formula: &str, term: &'a str, as_good: &'a [String]) -> (String, &'a str) {
    let others = as_good.iter().map(String::as_str);
    let end = format!("*{term}");
    let shortest = others.filter(|other| other.len() < term.len()).min_by_key(|other| other.len());
    match shortest.zip(formula.strip_suffix(&end)) {
        Some((other, start)) => (format!("{start}*{other}"), other),
        None => (formula.to_owned(), term),
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
