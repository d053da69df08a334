//! Times before and after a change.

use cll_fit::Unit;
use cll_result::{Between, WhatIf, WhatIfPoint};

use crate::Notation;
use crate::document::{Block, Document, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table, escape};
use cll_units::text::{PercentDigits, hundredths, percent};

/// Parts that are shown.
const MOST: usize = 10;

/// The changes, the times, and what the total is made of.
pub fn what_if_text(answer: &WhatIf, style: &Style) -> String {
    let notation = style.notation();
    let machine = match answer.machine.as_str() {
        "" => String::new(),
        name => format!(" on {}", escape(name)),
    };
    let changes: Vec<String> = answer.changes.iter().map(|change| escape(change)).collect();
    let changes = if changes.is_empty() {
        "no change: only what the time is made of".to_owned()
    } else {
        changes.join(", ")
    };
    let head = Section::plain(format!("{}{machine}: {changes}", escape(&answer.subject)));
    let points = answer.points.iter().map(|what_if_point| point(what_if_point, answer, notation));
    Document::new(std::iter::once(head).chain(points)).text(style)
}

fn point(point: &WhatIfPoint, answer: &WhatIf, notation: Notation) -> Section {
    let at: Vec<String> =
        point.at.iter().map(|(name, value)| format!("{} = {value}", escape(name))).collect();
    let mut blocks = Vec::new();
    let mut times = Table::new(vec![
        Column::left(""),
        Column::right("time"),
        Column::left(&format!(
            "{} interval",
            percent(answer.confidence, PercentDigits::Decimals(0))
        )),
    ]);
    let seconds = |name: &str, time: Between| {
        [
            Cell::new(name),
            Cell::new(notation.quantity(time.value, &Unit::Seconds)).role(Role::Value),
            Cell::new(notation.range(time.low, time.high, &Unit::Seconds)),
        ]
    };
    times.row(seconds("as it is", point.before_s));
    if !answer.changes.is_empty() {
        times.row(seconds("changed", point.after_s));
        let ratio = |value: f64| format!("{value:.3}");
        times.row([
            Cell::new("ratio"),
            Cell::new(ratio(point.ratio.value)).role(Role::Value),
            Cell::new(format!("{} to {}", ratio(point.ratio.low), ratio(point.ratio.high))),
        ]);
    }
    blocks.push(Block::table(times, "Times"));
    blocks.push(Block::Space);
    let mut parts = Table::new(vec![
        Column::left("1 % more of").flexible(),
        Column::right("makes the time longer by"),
        Column::right("changed by"),
    ]);
    for part in point.sensitivity.iter().take(MOST) {
        let factor = match part.factor {
            1.0 => String::new(),
            factor => format!("{factor:.3}x"),
        };
        parts.row([
            Cell::new(notation.text(&part.name)),
            Cell::new(hundredths(part.share, PercentDigits::Decimals(3))),
            Cell::new(factor),
        ]);
    }
    let name = "What the time is made of";
    blocks.push(Block::first_rows(parts, name, point.sensitivity.len()));
    let notes = point.notes.iter().map(|note| Block::paragraph(notation.text(note), Role::Caution));
    blocks.extend(notes);
    if at.is_empty() {
        Section::untitled(blocks)
    } else {
        Section::new(&at.join(", "), String::new(), blocks)
    }
}
