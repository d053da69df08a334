//! The warnings of a fit in short, each with what to do.

use cll_fit::{Fit, Unit, Warning};

use super::remark::Remark;
use crate::Notation;
use crate::model::ModelView;
use crate::model::levels::rounded_place;
use crate::model::memory::CacheBeyond;

/// A smaller lack of fit is a note.
const MIN_LACK: f64 = 0.05;
/// Names in a sentence.
const MAX_NAMES: usize = 4;
/// Fewer spikes are a note.
const MIN_SPIKES: f64 = 0.2;

/// A warning in short, with what to do; a note if nothing has to be done.
pub(super) fn in_short(warning: &Warning, fit: &Fit, notation: Notation) -> Remark {
    let remark = match warning {
        Warning::MissesExact { .. }
        | Warning::OtherFormula { .. }
        | Warning::MissingVariable { .. }
        | Warning::Pattern { .. }
        | Warning::Runs { .. }
        | Warning::NotLevel { .. }
        | Warning::LackOfFit { .. } => formula(warning, notation),
        Warning::Undetermined { .. }
        | Warning::HeldAtZero { .. }
        | Warning::IllConditioned { .. } => constants(warning, notation),
        Warning::Emptied { .. }
        | Warning::AllAlike { .. }
        | Warning::FirstCall { .. }
        | Warning::OneAtATime { .. }
        | Warning::FewPoints { .. }
        | Warning::NoRepetitions
        | Warning::RepetitionsTogether { .. }
        | Warning::NotPositive { .. }
        | Warning::Spikes { .. } => measured(warning, &fit.unit, notation),
        Warning::ShapeBeyond { .. } | Warning::Apart { .. } => {
            predicted(warning, &fit.unit, notation)
        }
        Warning::Negative { .. }
        | Warning::Beyond { .. }
        | Warning::NextLevel { .. }
        | Warning::Continuation { .. }
        | Warning::ManyIntervals { .. }
        | Warning::ManyChanges { .. }
        | Warning::Follows { .. }
        | Warning::NotPositiveObservations { .. }
        | Warning::OutliersLeftOut { .. }
        | Warning::DependentRepetitions { .. }
        | Warning::NoIntervals { .. }
        | Warning::Mean
        | Warning::Thinned { .. }
        | Warning::Between { .. } => None,
    };
    remark.map_or_else(Remark::note, |(rank, text)| Remark::new(rank, notation.text(&text)))
}

/// A warning about the formula in short, with its rank; `None` if nothing has to be done.
fn formula(warning: &Warning, notation: Notation) -> Option<(u8, String)> {
    Some(match warning {
        Warning::MissesExact { largest, place } => (
            1,
            format!(
                "the formula misses exact values by up to {} (at {place}): a term is missing",
                notation.percent(*largest)
            ),
        ),
        Warning::OtherFormula { term, error, error_one, .. } => (
            4,
            format!(
                "with {term} the formula fits better ({} in place of {}): predictions beyond the data may be far off",
                notation.percent(*error),
                notation.percent(*error_one)
            ),
        ),
        Warning::MissingVariable { variable, explained, .. } => (
            3,
            format!(
                "{} of the errors depend on {variable}: give the formula a term with {variable}",
                notation.percent(*explained)
            ),
        ),
        Warning::Pattern { variable, .. } => (
            3,
            format!(
                "the errors still depend on {variable}: look for another term, cll fit --suggest"
            ),
        ),
        Warning::Runs { size, axis, .. } => (
            3,
            format!(
                "neighbours along {axis} share an error of {}: the shape of the formula may be wrong",
                notation.percent(*size)
            ),
        ),
        Warning::NotLevel { axis, last, ratio, .. } => (
            5,
            format!(
                "still {} at the largest {axis}: measure beyond {axis} = {} before you predict there",
                if ratio.is_none_or(|ratio| ratio > 1.0) { "rising" } else { "falling" },
                notation.number(*last)
            ),
        ),
        Warning::LackOfFit { size, .. } if *size >= MIN_LACK => (
            8,
            format!(
                "the formula misses by {} more than the noise: it may lack a term, cll fit --suggest looks for it",
                notation.percent(*size)
            ),
        ),
        _ => return None,
    })
}

/// A warning about the constants in short, with its rank; `None` if nothing has to be done.
fn constants(warning: &Warning, notation: Notation) -> Option<(u8, String)> {
    Some(match warning {
        Warning::Undetermined { constants, because } => {
            let why = match constants.len() {
                count if count > MAX_NAMES => String::new(),
                _ => format!(" ({})", because.split(", so ").next().unwrap_or_default()),
            };
            let text = format!(
                "the data cannot determine {}{why}: measure at other values, or remove a term",
                first(constants)
            );
            (2, text)
        }
        Warning::HeldAtZero { constants, error, signed, .. } => (
            4,
            format!(
                "the data want {} below 0 (error {} in place of {}): write a difference as one term, as N*(N - 1)",
                constants.join(", "),
                notation.percent(*signed),
                notation.percent(*error)
            ),
        ),
        Warning::IllConditioned { terms, .. } => (
            8,
            format!(
                "the terms {} can hardly be distinguished: measure a wider range",
                first(terms)
            ),
        ),
        _ => return None,
    })
}

/// A warning about what was measured in short, with its rank; `None` if nothing has to be done.
fn measured(warning: &Warning, unit: &Unit, notation: Notation) -> Option<(u8, String)> {
    Some(match warning {
        Warning::Emptied { .. } => (
            0,
            "it takes no more than an empty region: use its results behind it, or the compiler removes it".to_owned(),
        ),
        Warning::AllAlike { value } => (
            2,
            format!(
                "every observation is {}: is the clock too coarse, or the region without work?",
                notation.quantity(*value, unit)
            ),
        ),
        Warning::FirstCall { points, largest_without, largest, .. } => (
            7,
            format!(
                "{} far from the others, errors are {} without in place of {}: leave out with --hold-out",
                notation.count(
                    points.len(),
                    "first call of a launch is",
                    "first calls of a launch are"
                ),
                notation.percent(*largest_without),
                notation.percent(*largest)
            ),
        ),
        Warning::OneAtATime { measure, .. } => {
            (7, format!("variables were changed one at a time: also measure {measure}"))
        }
        Warning::FewPoints { points, constants } => (
            7,
            format!(
                "{} for {}, intervals are unreliable: measure more sizes",
                notation.count(*points, "point", "points"),
                notation.count(*constants, "constant", "constants")
            ),
        ),
        Warning::NoRepetitions => {
            (8, "no point was measured twice, the noise is not known: repeat the run".to_owned())
        }
        Warning::RepetitionsTogether { deviation } => (
            7,
            format!(
                "runs differ by {}, which intervals do not contain: name the run of each row in a column `run`",
                notation.percent(*deviation)
            ),
        ),
        Warning::NotPositive { points, of: total, .. } => (
            7,
            format!("{points} of {total} points are not above 0 and left out: measure longer times"),
        ),
        Warning::Spikes { rate, .. } if *rate >= MIN_SPIKES => (
            9,
            format!(
                "{} of the observations are spikes: measure again when the machine is quiet",
                notation.percent(*rate)
            ),
        ),
_ => return None,
})
}

/// A warning about a prediction in short, with its rank; `None` if nothing has to be done.
fn predicted(warning: &Warning, unit: &Unit, notation: Notation) -> Option<(u8, String)> {
    Some(match warning {
        Warning::ShapeBeyond { formula, value, ratio } => (
            1,
            format!(
                "beyond the data {formula} gives {}, {} as much: measure closer",
                notation.quantity(*value, unit),
                notation.ratio(*ratio)
            ),
        ),
        Warning::Apart { variables, .. } => (
            5,
            format!(
                "how {} combine was not measured there: measure closer",
                variables.join(" and ")
            ),
        ),
        _ => return None,
    })
}

/// The first of the names, and how many there are more.
fn first(names: &[String]) -> String {
    let shown = names[..names.len().min(MAX_NAMES)].join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The prediction that is farthest beyond the data, with what becomes of the caches until there.
pub(super) fn beyond(warnings: &[&Warning], view: &ModelView<'_>, notation: Notation) -> Remark {
    let fit = view.fit;
    let what = match fit.unit {
        Unit::Seconds => "a cache may end",
        Unit::Other(_) => "the formula may end",
    };
    let places = warnings.iter().filter_map(|warning| match warning {
        Warning::Beyond { variable, value, nearest } => Some((variable, *value, *nearest)),
        _ => None,
    });
    let distance = |(_, value, nearest): &(&String, f64, f64)| (value / nearest).ln().abs();
    let farthest = places.max_by(|a, b| distance(a).total_cmp(&distance(b)));
    farthest.map_or_else(Remark::note, |(variable, value, nearest)| {
        let memory = view.causes.memory.filter(|_| fit.unit == Unit::Seconds);
        let name = notation.text(variable);
        match memory.and_then(|memory| memory.beyond(fit, variable, (nearest, value))) {
            Some(CacheBeyond::Full { cache: (cache, size), at: position }) => {
                let (cache, size) = (notation.text(cache), notation.bytes(size.get()));
                let full = format!(
                    "{cache} ({size}) is full at {name} = {}",
                    rounded_place(position, notation)
                );
                return Remark::new(5, format!("{full}, beyond the data: measure beyond that"));
            }
            // Told beside the prediction.
            Some(CacheBeyond::Holds { .. }) => return Remark::note(),
            None => {}
        }
        let place = format!("{} = {}", notation.text(variable), notation.number(value));
        Remark::new(5, format!("{what} beyond the data: measure closer to {place}"))
    })
}

/// The constants that are below zero, each once.
pub(super) fn negative(warnings: &[&Warning], fit: &Fit, notation: Notation) -> Remark {
    let mut names: Vec<&str> = Vec::new();
    for warning in warnings {
        if let Warning::Negative { constant, .. } = warning
            && !names.contains(&constant.as_str())
        {
            names.push(constant);
        }
    }
    let (verb, each) = if names.len() == 1 { ("is", "it is") } else { ("are", "each is") };
    let advice = match fit.intervals.len() {
        1 => "the formula may have a term too many or too few",
        _ => "the formula may lack a term, cll fit --suggest looks for it",
    };
    let text = format!("{} {verb} below 0, though {each} a cost: {advice}", names.join(", "));
    Remark::new(4, notation.text(&text))
}
