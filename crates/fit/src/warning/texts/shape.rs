//! Sentences of warnings about the shape of the formula.

use crate::warning::kind::Warning;
use crate::warning::text::{count, list, number, percent, percent_or_zero};

/// The sentence of a warning about the shape of the formula; `None` for any other.
pub(crate) fn shape(warning: &Warning) -> Option<String> {
    Some(match warning {
        Warning::MissesExact { largest, place } => format!(
            "the observations repeat exactly and have no noise, but the formula misses them \
             by up to {} (at {place}): it lacks a term, and predictions beyond the data may be \
             far off",
            percent(*largest)
        ),
        Warning::LackOfFit { f: statistic, p_value, size } => format!(
            "the formula misses the points by {} more than the repetitions explain (lack of \
             fit, F = {}, p = {}): it may lack a term or an interval",
            percent(*size),
            number(*statistic),
            number(*p_value)
        ),
        Warning::Runs { runs, of, p_value, size, axis } => format!(
            "the errors of neighbouring points along {axis} have the same sign too often: \
             {of} errors change sign only {} (p = {}), and neighbours share an error of {}: \
             the formula's shape may be wrong; repeat the run for a stronger test",
            count(runs - 1, "time", "times"),
            number(*p_value),
            percent(*size)
        ),
        Warning::OtherFormula { formula, as_good, difference, error, error_one, .. } => {
            let good = if as_good.is_empty() {
                String::new()
            } else {
                format!("; equally good: {}", list(as_good))
            };
            format!(
                "{} (criterion lower by {}; error with one interval: {} for the given formula, \
                 {} for this one){good}: predictions beyond the data may be far off; try the formula '{formula}'",
                better(warning).unwrap_or_default(),
                number(*difference),
                percent(*error_one),
                percent_or_zero(*error)
            )
        }
        Warning::Follows { error, formula_error } => format!(
            "the formula does not fit: predictions between measured values follow the data; \
             their error at left-out values is {}, that of the formula alone {}",
            percent(*error),
            percent(*formula_error)
        ),
        Warning::MissingVariable { variable, p_value, explained } => format!(
            "the residuals depend on {variable}, which the formula does not use: it explains \
             {} of them (p = {})",
            percent(*explained),
            number(*p_value)
        ),
        Warning::Pattern { variable, p_value, explained } => format!(
            "the residuals still depend on {variable}: it explains {} of them (p = {}); the \
             formula's shape in {variable} may be wrong",
            percent(*explained),
            number(*p_value)
        ),
        _ => return None,
    })
}

/// `a formula with N in place of N^2 explains the data better`; `None` if the warning names no other formula.
fn better(warning: &Warning) -> Option<String> {
    let Warning::OtherFormula { replaced, term, intervals, .. } = warning else { return None };
    let formula = match replaced {
        Some(old) => format!("a formula with {term} in place of {old}"),
        None => format!("a formula with the additional term {term}"),
    };
    let than = match intervals {
        1 => String::new(),
        _ => format!(" than {intervals} intervals"),
    };
    Some(format!("{formula} explains the data better{than}"))
}
