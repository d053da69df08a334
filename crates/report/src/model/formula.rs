//! Formulas with their constants filled in, for people.

use std::borrow::Cow;

use cll_fit::{Bound, Estimate, Exponent, Fit, Interval, Intervals, Segment, Unit};

use crate::Notation;
use crate::style::Style;

impl Notation {
    /// The name of the observable, as the left side of an equation: `t` for seconds.
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

/// The value of a constant with the half width of its interval: `3.42 ± 0.08 ns`.
pub(crate) fn value_with_half(estimate: &Estimate, fit: &Fit, style: &Style) -> String {
    match estimate.value {
        Some(value) => style.notation().plus_minus(value, half_width(estimate), &fit.unit),
        None => "not determined".to_owned(),
    }
}

/// The right side with the constants of an interval, each to the digits it is worth:
/// `1.20 µs + 3.42 ns*N + 0.61 ns*N*N`. Undetermined constants and those with levels keep their names.
pub(crate) fn fitted(fit: &Fit, interval: &Interval, notation: Notation) -> String {
    sum(fit, interval, notation, |term, estimate| {
        let name = || notation.text(&estimate.constant);
        (!is_unseen(fit, term, estimate)).then(name)
    })
}

/// The same, made of the terms for which `named` gives a name. It is written in place of a constant that is undetermined
/// or has levels. All terms, if `named` gives none.
pub(crate) fn sum(
    fit: &Fit,
    interval: &Interval,
    notation: Notation,
    named: impl Fn(usize, &Estimate) -> Option<String>,
) -> String {
    let mut out = String::new();
    let all = || fit.formula.terms().iter().zip(&interval.constants).enumerate();
    let is_empty = !all().any(|(index, (_, estimate))| named(index, estimate).is_some());
    for (index, (term, estimate)) in all() {
        let name = match named(index, estimate) {
            Some(name) => name,
            None if is_empty => notation.text(&estimate.constant),
            None => continue,
        };
        let expression = &*exponents(term.expression_text(), fit);
        // A constant with levels keeps its name.
        let is_one = fit.changes.get(index).is_none_or(Vec::is_empty);
        let constant = match estimate.value.filter(|_| is_one) {
            None => name,
            Some(value) => {
                let digits = Notation::digits(value, half_width(estimate));
                // After `misses = …` a unit at every constant is superfluous.
                let unit = match &fit.unit {
                    Unit::Seconds => Unit::Seconds,
                    Unit::Other(_) => Unit::Other(String::new()),
                };
                if is_whole(fit, value) {
                    notation.number(value.abs().round())
                } else {
                    notation.rounded(value.abs(), digits, &unit)
                }
            }
        };
        let negative = is_one && estimate.value.is_some_and(|v| v < 0.0);
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

/// An expression whose fitted exponents have the digits that their intervals allow.
fn exponents<'a>(expression: &'a str, fit: &Fit) -> Cow<'a, str> {
    if fit.exponents.is_empty() {
        return Cow::Borrowed(expression);
    }
    let mut text = String::new();
    let mut rest = expression;
    while let Some(end) = rest.find('^').map(|power| power + 1) {
        let (before, after) = rest.split_at(end);
        let (open, after) = match after.strip_prefix('(') {
            Some(inner) => ("(", inner),
            None => ("", after),
        };
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
        let length = after.find(|c| !is_part(c)).unwrap_or(after.len());
        let (number, after) = after.split_at(length);
        let fitted = number
            .parse()
            .ok()
            .and_then(|value: f64| fit.exponents.iter().find(|exponent| exponent.value == value));
        text += before;
        text += open;
        text += &fitted.map_or_else(|| number.to_owned(), rounded_exponent);
        rest = after;
    }
    Cow::Owned(text + rest)
}

fn rounded_exponent(exponent: &Exponent) -> String {
    let half = (exponent.high - exponent.value).max(exponent.value - exponent.low);
    let digits = Notation::digits(exponent.value, half);
    let decimals = digits as i32 - 1 - exponent.value.abs().log10().floor() as i32;
    format!("{:.*}", decimals.max(0) as usize, exponent.value)
}

/// Whether a constant of exact counts is a whole number, but for rounding.
fn is_whole(fit: &Fit, value: f64) -> bool {
    let is_count = fit.unit != Unit::Seconds && fit.quality.exact_misfit == Some(0.0);
    is_count && value.round() != 0.0 && (value - value.round()).abs() <= 1e-9 * value.abs()
}

/// Whether a constant is held at 0: the data show no cost of its term.
pub(crate) fn is_unseen(fit: &Fit, term: usize, estimate: &Estimate) -> bool {
    let is_one = fit.changes.get(term).is_none_or(Vec::is_empty);
    let is_bounded = matches!(fit.options.intervals, Intervals::Levels { .. });
    is_one && is_bounded && estimate.value == Some(0.0) && estimate.standard_error.is_none()
}

/// Where an interval's constants hold: its bounds, as in Table 2 of the 2003 paper, `N in [2, 1448]`,
/// `N > 1448`, or those of a region, `N <= 1448 and P > 8`. `None`: everywhere.
pub(crate) fn place_of(fit: &Fit, interval: &Interval, notation: Notation) -> Option<String> {
    if interval.region.is_empty() {
        along_axis(fit, interval.low, interval.high, notation)
    } else {
        Some(region(&interval.region, notation))
    }
}

/// Where a constant has one value, in the same form. `None`: everywhere.
pub(crate) fn place_of_segment(fit: &Fit, segment: &Segment, notation: Notation) -> Option<String> {
    if segment.regions.is_empty() {
        return along_axis(fit, segment.low, segment.high, notation);
    }
    let parts = segment.places.iter().map(|bounds| region(bounds, notation));
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(", or "))
}

fn along_axis(
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
            // A level that ends before the first size.
            if high < first {
                return Some(format!("{name} below the data"));
            }
            Some(format!("{name} in [{}, {}]", number(first), number(high)))
        }
        // The change before reaches beyond the place of the next one.
        (Some(low), Some(high)) if low >= high => Some("not reached".to_owned()),
        (Some(low), Some(high)) => Some(format!("{name} in ({}, {}]", number(low), number(high))),
        (Some(low), None) => Some(format!("{name} > {}", number(low))),
    }
}

/// `N <= 1448 and P > 8`
pub(crate) fn region(bounds: &[Bound], notation: Notation) -> String {
    let each = bounds.iter().map(|bound| {
        let name = notation.text(&bound.axis);
        let number = |v: f64| notation.number(v);
        match (bound.low, bound.high) {
            (Some(low), Some(high)) => format!("{name} in ({}, {}]", number(low), number(high)),
            (Some(low), None) => format!("{name} > {}", number(low)),
            (None, Some(high)) => format!("{name} <= {}", number(high)),
            (None, None) => name,
        }
    });
    each.collect::<Vec<String>>().join(" and ")
}
