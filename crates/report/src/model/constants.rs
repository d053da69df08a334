//! The constants with their uncertainty and units.

use cll_fit::{Estimate, Fit, Unit, sentences};

use super::formula::{half_width, is_unseen, place_of_segment};
use crate::document::{Block, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};

/// The section; the remark on its title explains the uncertainty.
pub(crate) fn section(fit: &Fit, style: &Style) -> Section {
    let mut blocks = vec![Block::table(table(fit, style), "Constants")];
    blocks.extend(sentences(&fit.notes, &fit.unit).into_iter().map(|note| {
        let text = style.notation().text(&note.text);
        Block::paragraph(text, Role::Plain).in_terminal()
    }));
    Section::new("Constants", remark(fit, style), blocks)
}

/// The confidence of the constants' intervals, or why there are no intervals.
fn remark(fit: &Fit, style: &Style) -> String {
    let notation = style.notation();
    let known = fit.intervals.iter().flat_map(|i| &i.constants).any(|e| e.low.is_some());
    if known {
        format!(
            "{} with {} confidence",
            notation.plus_minus_sign(),
            notation.percent(fit.options.confidence)
        )
    } else {
        "their uncertainty is not known: too few points".to_owned()
    }
}

/// One row for each constant and interval in which it has a value of its own.
fn table(fit: &Fit, style: &Style) -> Table {
    let notation = style.notation();
    let mut table = Table::new(vec![
        Column::left("constant"),
        Column::right("value"),
        Column::left("").joined(),
        Column::left("per").flexible(),
        Column::right("uncertainty"),
        Column::left("holds for").flexible(),
    ]);
    for (term, constant) in fit.constants.iter().enumerate() {
        for segment in &constant.segments {
            let name = notation.text(&constant.constant);
            let place = place_of_segment(fit, segment, notation);
            let place = place.unwrap_or_else(|| match fit.intervals.len() {
                1 => String::new(),
                _ => "everywhere".to_owned(),
            });
            let (value, half, uncertainty) = value(&segment.estimate, fit, style);
            let (half, uncertainty, place) = if is_unseen(fit, term, &segment.estimate) {
                let most = segment.estimate.high.map_or(String::new(), |high| {
                    format!(", at most {}", notation.rounded(high, 2, &fit.unit))
                });
                (String::new(), String::new(), format!("not seen in the data{most}"))
            } else {
                (half, uncertainty, place)
            };
            let value = if half.is_empty() && segment.estimate.value == Some(0.0) {
                notation.quantity(0.0, &fit.unit)
            } else {
                value
            };
            let role = if segment.estimate.value.is_some() { Role::Value } else { Role::Caution };
            table.row([
                Cell::new(name),
                Cell::new(value).role(role),
                Cell::new(half),
                Cell::new(notation.text(&constant.term)),
                Cell::new(uncertainty),
                Cell::new(place),
            ]);
        }
    }
    for exponent in &fit.exponents {
        let plain = Unit::Other(String::new());
        let half = exponent.high - exponent.value;
        let (value, half_text) = notation.plus_minus_parts(exponent.value, half, &plain);
        let share = half / exponent.value.abs();
        table.row([
            Cell::new(notation.text(&exponent.constant)),
            Cell::new(value).role(Role::Value),
            Cell::new(half_text),
            Cell::new("exponent"),
            Cell::new(if share.is_finite() { notation.percent(share) } else { String::new() }),
            Cell::new(String::new()),
        ]);
    }
    table
}

/// Value, half width of its interval with the unit, and that as a share.
fn value(estimate: &Estimate, fit: &Fit, style: &Style) -> (String, String, String) {
    let notation = style.notation();
    let Some(value) = estimate.value else {
        return ("not determined".to_owned(), String::new(), String::new());
    };
    let half = half_width(estimate);
    let (number, half_text) = notation.plus_minus_parts(value, half, &fit.unit);
    let share = if half.is_finite() && value != 0.0 {
        notation.percent(half / value.abs())
    } else {
        String::new()
    };
    (number, half_text, share)
}
