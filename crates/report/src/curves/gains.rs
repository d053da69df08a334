//! Two programs on numbers of processors and machines.

use cll_fit::Unit;
use cll_result::{GainPoint, GainTable, GainTime, Gains};

use crate::Notation;
use crate::document::{Document, Section};
use crate::style::Style;
use crate::text::{Cell, Column, Table};

/// A table of measured times, and one for each machine of predicted ones: both times, their quotient, both speed-ups.
pub fn gains_text(gains: &Gains, style: &Style) -> String {
    let notation = style.notation();
    let head = format!("A: {}; B: {}. A/B above 1: B is faster", gains.first, gains.second);
    let mut all = vec![Section::plain(head)];
    all.extend(gains.tables.iter().map(|table| section(table, notation)));
    Document::new(all).text(style)
}

fn section(table: &GainTable, notation: Notation) -> Section {
    let head = match &table.machine {
        None => format!("Times ({})", table.kind),
        Some(machine) => format!("Times on {machine} ({})", table.kind),
    };
    let titles = ["P", "A", "B", "A/B", "interval", "speed-up A", "B"];
    let columns = titles.map(|name| match name {
        "interval" => Column::left(name),
        _ => Column::right(name),
    });
    let mut rows = Table::new(columns.into());
    for point in &table.points {
        rows.row(cells(point, notation).map(Cell::new));
    }
    Section::plain(head).table(rows)
}

fn cells(point: &GainPoint, notation: Notation) -> [String; 7] {
    let time = |gain: &GainTime| notation.quantity(gain.time.get(), &Unit::Seconds);
    let speed_up =
        |gain: &GainTime| gain.speed_up.map_or(String::new(), |value| format!("{value:.2}"));
    let ends = point.low.zip(point.high);
    [
        notation.number(f64::from(point.processors)),
        time(&point.first),
        time(&point.second),
        format!("{:.3}", point.ratio),
        ends.map_or(String::new(), |(low, high)| format!("{low:.3} to {high:.3}")),
        speed_up(&point.first),
        speed_up(&point.second),
    ]
}
