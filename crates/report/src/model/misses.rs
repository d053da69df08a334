//! Misses per access, with the time: the percentage of misses in the papers.

use cll_fit::Unit;
use cll_result::MissesModel;

use crate::Style;
use crate::document::{Document, Section};
use crate::text::{Cell, Column, Table};

/// Points in the table, unless all are requested.
const MAX_POINTS: usize = 12;

/// Misses per access at each point, with the time. If there are many points, an even selection of them, unless `all_points`
/// is set.
pub fn misses_text(
    variables: &[String],
    all: &[MissesModel],
    all_points: bool,
    style: &Style,
) -> String {
    Document::new([section(variables, all, all_points, style)]).text(style)
}

/// The same as a section. Empty if there are none.
pub(crate) fn section(
    variables: &[String],
    all: &[MissesModel],
    all_points: bool,
    style: &Style,
) -> Section {
    let Some(first) = all.first() else { return Section::default() };
    let notation = style.notation();
    let mut points: Vec<&[f64]> = Vec::new();
    for point in all.iter().flat_map(|misses| &misses.points) {
        if !points.contains(&&point.values[..]) {
            points.push(&point.values);
        }
    }
    let has_time = all.iter().flat_map(|misses| &misses.points).any(|point| point.time.is_some());
    let mut columns: Vec<Column> =
        variables.iter().map(|name| Column::right(&notation.text(name))).collect();
    columns.extend(has_time.then(|| Column::right("time")));
    columns.extend(all.iter().map(|misses| Column::right(&misses.misses)));
    let mut table = Table::new(columns);
    let row = |head: Vec<String>, time: String, shares: Vec<Option<f64>>| {
        let shares = shares.into_iter();
        let shares =
            shares.map(|share| share.map_or(String::new(), |share| notation.percent(share)));
        let cells = head.into_iter().chain(has_time.then_some(time)).chain(shares);
        cells.map(Cell::new).collect::<Vec<_>>()
    };
    let count = if all_points { points.len() } else { points.len().min(MAX_POINTS) };
    for index in 0..count {
        // The first and the last are among them.
        let position = match count {
            0 | 1 => index,
            _ => index * (points.len() - 1) / (count - 1),
        };
        let values = points[position];
        let own =
            |model: &MissesModel| model.points.iter().position(|point| point.values == values);
        let time = all.iter().find_map(|misses| misses.points[own(misses)?].time);
        let time = time.map_or(String::new(), |time| notation.quantity(time.get(), &Unit::Seconds));
        let head = values.iter().map(|value| notation.number(*value)).collect();
        let shares = all.iter().map(|misses| Some(misses.points[own(misses)?].share)).collect();
        table.row(row(head, time, shares));
    }
    let mut head = vec![String::new(); variables.len()];
    let mut total = "all".to_owned();
    match head.first_mut() {
        Some(first) => *first = std::mem::take(&mut total),
        None if !has_time => total.clear(),
        None => {}
    }
    table.row(row(head, total, all.iter().map(|misses| Some(misses.share)).collect()));
    let access = match all {
        [_] => first.accesses.clone(),
        _ => "access".to_owned(),
    };
    let left = points.len() - count;
    let section = Section::plain(format!("Misses per {access}")).table(table);
    match left {
        0 => section,
        _ => section.line(format!("{left} more points: --points")),
    }
}
