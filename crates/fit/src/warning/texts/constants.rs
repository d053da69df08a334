//! Sentences of warnings about constants.

use crate::Unit;
use crate::warning::kind::Warning;
use crate::warning::text::{list, number, percent, percent_or_zero, quantity};

/// The sentence of a warning about constants; `None` for any other.
pub(crate) fn constants(warning: &Warning, unit: &Unit) -> Option<String> {
    let amount = |value: f64| quantity(value, unit);
    Some(match warning {
        Warning::Undetermined { constants, because } => format!(
            "the data cannot determine {}: {because}; measure at other values, or remove a \
             term",
            list(constants)
        ),
        Warning::IllConditioned { condition, terms } => format!(
            "the terms {} are nearly collinear on this range (scaled condition number {}, \
             more than 30): their individual constants are uncertain; measure a wider range",
            list(terms),
            number(*condition)
        ),
        Warning::Negative { constant, value, high, place } => format!(
            "{constant}{} is significantly negative ({}, at most {}), though a constant is a \
             cost: the formula may have one term too many or too few",
            if place.is_empty() { String::new() } else { format!(" for {place}") },
            amount(*value),
            amount(*high)
        ),
        Warning::Continuation { constant, value, axis, place } => format!(
            "{constant} for {place} is negative ({}) because the value grows faster there \
             than before: it is the extrapolation of the formula to {axis} = 0, outside the \
             interval, not a cost",
            amount(*value)
        ),
        Warning::HeldAtZero { constants, terms, error, signed } => format!(
            "the data want {} below 0, and a constant is a cost: {} at 0 (error {}, without that bound {}); write \
             the difference as one term, as N*(N - 1) for N*N - N, or allow it with --signed",
            list(
                &terms.iter().zip(constants).map(|(t, c)| format!("{c} ({t})")).collect::<Vec<_>>()
            ),
            if constants.len() == 1 { "it is held" } else { "they are held" },
            percent(*error),
            percent_or_zero(*signed)
        ),
        _ => return None,
    })
}
