//! Other divisions into intervals, regions or levels that the data allow.

use cll_fit::{Alternative, Fit};

use super::levels::rounded_place;
use crate::Notation;
use crate::document::{Block, Section};
use crate::style::Style;
use crate::text::{Cell, Column, Table};

/// Divisions that are listed, those with most weight first.
const MAX_LISTED: usize = 12;

/// A row for each division, with its weight. Empty if the fit has none beside its own.
pub(crate) fn section(fit: &Fit, style: &Style) -> Section {
    if fit.alternatives.is_empty() {
        return Section::default();
    }
    let notation = style.notation();
    let mut all: Vec<&Alternative> = fit.alternatives.iter().collect();
    all.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let mut table =
        Table::new(vec![Column::right("weight"), Column::left("constants change").flexible()]);
    for alternative in all.iter().take(MAX_LISTED) {
        let cells = [notation.percent(alternative.weight), places(fit, alternative, notation)];
        table.row(cells.map(Cell::new));
    }
    let own = 1.0 - fit.alternatives.iter().map(|alternative| alternative.weight).sum::<f64>();
    let mut blocks = vec![Block::table(table, "Other divisions")];
    if let Some(more) = all.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
        blocks.push(Block::line(format!("{more} more")));
    }
    let remark = match own {
        // Those of levels are a sample, which has the fit's own in it.
        own if own < 1e-6 => String::new(),
        own => format!("the fit's own has the weight {}", notation.percent(own)),
    };
    Section::new("Other divisions", remark, blocks)
}

/// `at N = 1448, 2900`, `where P <= 8`
fn places(fit: &Fit, alternative: &Alternative, notation: Notation) -> String {
    let axis = notation.text(fit.axis.as_deref().unwrap_or_default());
    let place = |value: f64| rounded_place(value, notation);
    if !alternative.splits.is_empty() {
        let splits = alternative.splits.iter().map(|split| {
            format!("at {} = {}", notation.text(&split.axis), place(split.boundary.at))
        });
        return splits.collect::<Vec<_>>().join(", ");
    }
    if alternative.changes.iter().any(|changes| !changes.is_empty()) {
        let named = fit.constants.iter().zip(&alternative.changes);
        let named = named.filter(|(_, changes)| !changes.is_empty()).map(|(constant, changes)| {
            let reach = changes.iter().map(|change| {
                let (low, high) = change.reach();
                if low == high { place(low) } else { format!("{} to {}", place(low), place(high)) }
            });
            let reach: Vec<String> = reach.collect();
            format!("{} at {axis} = {}", notation.text(&constant.constant), reach.join(", "))
        });
        return named.collect::<Vec<_>>().join("; ");
    }
    match &alternative.boundaries[..] {
        [] => "nowhere".to_owned(),
        all => {
            let all: Vec<String> = all.iter().map(|boundary| place(*boundary)).collect();
            format!("at {axis} = {}", all.join(", "))
        }
    }
}
