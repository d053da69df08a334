//! Constants with levels: a sentence for each, and what is known of each change.

use cll_fit::{ConstantValues, Estimate, Fit, LevelChange};

use super::Causes;
use super::formula::half_width;
use super::intervals::{comparison, set};
use crate::Notation;
use crate::document::{Block, Section};
use crate::style::{Role, Style};

/// The constants that change, each with its sentence. A change where a cache is full names it.
pub(crate) fn sentences(
    fit: &Fit,
    causes: Causes<'_>,
    notation: Notation,
) -> Vec<(String, String)> {
    let changing = (0..fit.changes.len()).filter(|term| !fit.changes[*term].is_empty());
    let name = |term: usize| notation.text(&fit.constants[term].constant);
    changing.map(|term| (name(term), sentence(fit, term, (causes, notation)))).collect()
}

/// `300 ps up to N = 381, rises to 1.4 ns at 969 (L2, 2 MiB), 1.4 ns up to 1903, then rises: 8.4 ns at 3501, not yet
/// level`
fn sentence(fit: &Fit, term: usize, (causes, notation): (Causes<'_>, Notation)) -> String {
    let (constant, changes) = (&fit.constants[term], &fit.changes[term][..]);
    let axis = notation.text(fit.axis.as_deref().unwrap_or_default());
    let place = |value: f64| rounded_place(value, notation);
    let (first, last) = fit
        .intervals
        .first()
        .map_or((f64::NEG_INFINITY, f64::INFINITY), |interval| (interval.first, interval.last));
    let level = |index: usize| match constant.segments.get(index) {
        Some(segment) => level(&segment.estimate, fit, notation),
        None => String::new(),
    };
    let begins = |index: usize| changes.get(index).map(|change: &LevelChange| change.reach().0);
    let mut text = level(0);
    let end = begins(0);
    if end.is_some_and(|end| end < first) {
        text.push_str(" below the data");
    } else if let Some(end) = end {
        text.push_str(&format!(" up to {axis} = {}", place(end)));
    }
    // Where the change before reaches over the place of this one, `up to` has not told it.
    let mut is_told = true;
    for (index, change) in changes.iter().enumerate() {
        let (low, high) = change.reach();
        let beginning = if is_told { String::new() } else { format!(" {}", place(low)) };
        let next = begins(index + 1).filter(|next| *next > high);
        let until = next.map_or(String::new(), |next| format!(" up to {}", place(next)));
        is_told = next.is_some();
        let after = level(index + 1);
        let cause = causes.text(fit, (term, index), notation);
        match change {
            LevelChange::Jump { .. } => {
                let from = if beginning.is_empty() { "" } else { " from" };
                text.push_str(&format!(", then {after}{from}{beginning}{cause}{until}"));
            }
            LevelChange::Kink { .. } => {
                text.push_str(&format!(
                    ", then {after} for what is beyond{beginning}{cause}{until}"
                ));
            }
            // The next change begins before this one ends: its level is not reached.
            LevelChange::Rise { .. } if next.is_none() && index + 1 < changes.len() => {
                text.push_str(&format!(", {}{cause}", verb(constant, index)));
            }
            LevelChange::Rise { .. } if high > last => {
                let here = cost(constant, changes, last);
                let here = here.map_or(String::new(), |cost| {
                    format!(": {} at {}", notation.rounded(cost, 2, &fit.unit), place(last))
                });
                text.push_str(&format!(
                    ", then {}{cause}{here}, not yet level",
                    verb(constant, index)
                ));
            }
            LevelChange::Rise { .. } => {
                let verb = verb(constant, index);
                text.push_str(&format!(", {verb} to {after} at {}{cause}", place(high)));
                if !until.is_empty() {
                    text.push_str(&format!(", {after}{until}"));
                }
            }
        }
    }
    text
}

/// `rises` or `falls`.
fn verb(constant: &ConstantValues, change: usize) -> &'static str {
    let value =
        |index: usize| constant.segments.get(index).and_then(|segment| segment.estimate.value);
    match value(change).zip(value(change + 1)) {
        Some((before, after)) if after < before => "falls",
        _ => "rises",
    }
}

/// The cost of a unit of the term at a value of the axis; `None` where a change is a kink.
fn cost(constant: &ConstantValues, changes: &[LevelChange], axis: f64) -> Option<f64> {
    let (mut sum, mut rest) = (0.0, 1.0);
    for (segment, change) in constant.segments.iter().zip(changes) {
        if matches!(change, LevelChange::Kink { .. }) {
            return None;
        }
        let beyond = rest * change.share(axis);
        sum += segment.estimate.value? * (rest - beyond);
        rest = beyond;
    }
    Some(sum + rest * constant.segments.last()?.estimate.value?)
}

/// A level to the digits that it is worth.
fn level(estimate: &Estimate, fit: &Fit, notation: Notation) -> String {
    estimate.value.map_or("not determined".to_owned(), |value| {
        let digits = Notation::digits(value, half_width(estimate)).min(3);
        notation.rounded(value, digits, &fit.unit)
    })
}

/// A place of the axis to three digits: changes are not known better.
pub(crate) fn rounded_place(value: f64, notation: Notation) -> String {
    if value == 0.0 || !value.is_finite() {
        return notation.number(value);
    }
    let step = 10f64.powi(value.abs().log10().floor() as i32 - 2);
    notation.number((value / step).round() * step)
}

/// The sets of levels, and where each change lies.
pub(crate) fn section(fit: &Fit, causes: Causes<'_>, style: &Style) -> Section {
    let notation = style.notation();
    let sets = fit.constants.iter().map(|constant| {
        let set = set(constant, fit, style, |estimate| level(estimate, fit, notation));
        (notation.text(&constant.constant), format!("= {set}"), Role::Plain)
    });
    let mut blocks = vec![Block::Named(sets.collect()).in_terminal()];
    for (term, changes) in fit.changes.iter().enumerate() {
        for (index, change) in changes.iter().enumerate() {
            let text = change_text(fit, (term, index), change, notation);
            let compared = causes.memory.and_then(|memory| {
                let (low, high) = change.reach();
                let bytes = fit.working_set(memory.working_set).ok()?.between(low, high)?;
                Some(comparison(bytes, memory, style))
            });
            let text = compared.map_or(text.clone(), |compared| format!("{text} {compared}"));
            blocks.push(Block::paragraph(text, Role::Plain));
        }
    }
    let axis = notation.text(fit.axis.as_deref().unwrap_or_default());
    let count = fit.changes.iter().flatten().count();
    let count = notation.count(count, "change", "changes");
    Section::new("Levels of the constants", format!("{count} along {axis}"), blocks)
        .on_page("Where levels change", "")
}

/// `f[2] (N*N) rises between N = 381 and 969; with 90 % confidence its middle lies between 560 and 640.`
fn change_text(
    fit: &Fit,
    (term, index): (usize, usize),
    change: &LevelChange,
    notation: Notation,
) -> String {
    let constant = &fit.constants[term];
    let axis = notation.text(fit.axis.as_deref().unwrap_or_default());
    let place = |value: f64| rounded_place(value, notation);
    let name = format!("{} ({})", notation.text(&constant.constant), notation.text(&constant.term));
    let (low, high) = change.reach();
    let (what, middle) = match change {
        LevelChange::Jump { at: position } => {
            (format!("jumps at {axis} = {}", place(*position)), "its place")
        }
        LevelChange::Kink { at: position } => (
            format!("has another cost for what is beyond {axis} = {}", place(*position)),
            "that place",
        ),
        LevelChange::Rise { .. } => (
            format!(
                "{} between {axis} = {} and {}",
                verb(constant, index),
                place(low),
                place(high)
            ),
            "its middle",
        ),
    };
    let (least, most) = fit.plausible(term, index);
    format!(
        "{name} {what}; with {} confidence {middle} lies between {} and {}.",
        notation.percent(fit.options.confidence),
        place(least),
        place(most)
    )
}
