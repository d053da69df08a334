//! Formulas with their constants filled in, for people.

use cll_fit::{Estimate, Fit, Interval, Unit};

use crate::Notation;

impl Notation {
    /// What the observable is called, as the left side of an equation: `t` for seconds.
    pub(crate) fn observable(self, fit: &Fit) -> String {
        match &fit.unit {
            Unit::Seconds => "t".to_owned(),
            Unit::Other(name) => self.text(name),
        }
    }
}

/// How far a constant's interval reaches from its value, on the farther side; NaN if it is not
/// known.
pub(crate) fn half_width(estimate: &Estimate) -> f64 {
    match (estimate.value, estimate.low, estimate.high) {
        (Some(value), Some(low), Some(high)) => (high - value).max(value - low),
        _ => f64::NAN,
    }
}

/// The right side with the constants of an interval, each to the digits it is worth:
/// `1.20 µs + 3.42 ns*N + 0.61 ns*N*N`. Undetermined constants keep their names.
pub(crate) fn fitted(fit: &Fit, interval: &Interval, notation: Notation) -> String {
    let mut out = String::new();
    for (term, estimate) in fit.formula.terms().iter().zip(&interval.constants) {
        let expression = term.expression_text();
        let constant = match estimate.value {
            None => notation.text(&estimate.constant),
            Some(value) => {
                let digits = Notation::digits(value, half_width(estimate));
                // After `misses = …` a unit at every constant is superfluous.
                let unit = match &fit.unit {
                    Unit::Seconds => Unit::Seconds,
                    Unit::Other(_) => Unit::Other(String::new()),
                };
                notation.rounded(value.abs(), digits, &unit)
            }
        };
        let negative = estimate.value.is_some_and(|v| v < 0.0);
        match (out.is_empty(), negative) {
            (true, true) => out.push('-'),
            (true, false) => {}
            (false, true) => out.push_str(" - "),
            (false, false) => out.push_str(" + "),
        }
        out.push_str(&constant);
        if expression != "1" {
            out.push('*');
            let sum = expression.starts_with('-');
            out.push_str(&if sum { format!("({expression})") } else { expression.to_owned() });
        }
    }
    out
}

/// The bounds of an interval, as in Table 2 of the 2003 paper: `N in [2, 1448]`, `N > 1448`; the
/// first interval begins with the data. `None`: everywhere.
pub(crate) fn place_of(
    fit: &Fit,
    low: Option<f64>,
    high: Option<f64>,
    notation: Notation,
) -> Option<String> {
    let axis = fit.axis.as_deref()?;
    let name = notation.text(axis);
    let number = |v: f64| notation.number(v);
    match (low, high) {
        (None, None) => None,
        (None, Some(high)) => {
            let first = fit.intervals.first().map_or(high, |i| i.first);
            Some(format!("{name} in [{}, {}]", number(first), number(high)))
        }
        (Some(low), Some(high)) => Some(format!("{name} in ({}, {}]", number(low), number(high))),
        (Some(low), None) => Some(format!("{name} > {}", number(low))),
    }
}
