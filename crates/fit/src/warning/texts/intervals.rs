//! Sentences of warnings about intervals and levels.

use crate::warning::kind::Warning;
use crate::warning::text::number;

/// The sentence of a warning about intervals and levels; `None` for any other.
pub(crate) fn intervals(warning: &Warning) -> Option<String> {
    Some(match warning {
        Warning::ManyIntervals { intervals, axis } => format!(
            "{intervals} intervals on {axis}: more than 3 may mean an error in the complexity \
             formula"
        ),
        Warning::ManyChanges { changes, axis } => format!(
            "the constants change {changes} times along {axis}: more than 3 may mean an error in the complexity \
             formula"
        ),
        Warning::NotLevel { constant, term, axis, last, ratio } => format!(
            "{constant} ({term}) still {} at the largest {axis}, {}: measure beyond it before you predict there",
            if ratio.is_none_or(|ratio| ratio > 1.0) { "rises" } else { "falls" },
            number(*last)
        ),
        Warning::NoIntervals { points, needed } => format!(
            "intervals were not searched: there are {points} distinct points, and two \
             intervals need {needed}"
        ),
        Warning::Thinned { values, candidates } => format!(
            "{values} distinct values: breaks were first searched among {candidates} of \
             them, then value by value near those found"
        ),
        _ => return None,
    })
}
