//! Measured and modelled values, point by point.

use cll_fit::{Exclusion, Fit};

use crate::document::{Block, Document, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};

/// One row for each point: variables, measured value, the range of its repetitions, the model, the
/// error, and remarks.
pub fn points_text(fit: &Fit, style: &Style) -> String {
    Document::new([section(fit, style)]).text(style)
}

/// All points.
pub(crate) fn section(fit: &Fit, style: &Style) -> Section {
    Section::untitled(vec![Block::table(table(fit, usize::MAX, style), "Points")])
}

/// The first points. The page's viewer shows all.
pub(crate) fn first(fit: &Fit, most: usize, experiment: usize, style: &Style) -> Section {
    let table = Block::first_rows(table(fit, most, style), "Points", fit.residuals.len());
    let live = Block::Live { island: "points", experiment, blocks: vec![table] };
    Section::new("Points", "measured, and what the model says", vec![live])
}

/// The same as a table, with a limited number of points.
fn table(fit: &Fit, most: usize, style: &Style) -> Table {
    let notation = style.notation();
    let names = fit.recorded.iter().map(|v| Column::right(&notation.text(v)));
    let mut table = Table::new(
        names
            .chain([
                Column::right("measured"),
                Column::left("repetitions"),
                Column::right("model"),
                Column::right("error"),
                Column::left("").flexible(),
            ])
            .collect(),
    );
    let several = fit.intervals.len() > 1;
    let mut interval = None;
    for residual in fit.residuals.iter().take(most) {
        let mut cells: Vec<Cell> = (0..fit.recorded.len())
            .map(|k| {
                Cell::new(residual.values.get(k).map_or_else(String::new, |v| notation.number(*v)))
            })
            .collect();
        let spread = &residual.spread;
        let range = match spread.count {
            0 | 1 => String::new(),
            n => format!("{n}: {}", notation.range(spread.minimum, spread.maximum, &fit.unit)),
        };
        let mut remarks = Vec::new();
        match residual.excluded {
            Some(Exclusion::NotPositive) => remarks.push("left out: zero or negative".to_owned()),
            Some(Exclusion::Outlier) => remarks.push("left out: outlier".to_owned()),
            None => {}
        }
        if several && interval != Some(residual.interval) {
            let what = if fit.splits.is_empty() { "interval" } else { "region" };
            remarks.push(format!("{what} {} begins", residual.interval + 1));
        }
        interval = Some(residual.interval);
        if let Some(weight) = residual.weight.filter(|_| residual.excluded.is_none()) {
            remarks.push(format!("counts {}", notation.percent(weight)));
        }
        if spread.spikes > 0 {
            remarks.push(notation.count(spread.spikes, "spike", "spikes"));
        }
        let left_out = residual.excluded.is_some();
        let role = if left_out { Role::Faint } else { Role::Plain };
        cells.extend([
            Cell::new(notation.rounded(residual.measured, 4, &fit.unit)).role(role),
            Cell::new(range).role(Role::Faint),
            Cell::new(notation.rounded(residual.fitted, 4, &fit.unit)).role(role),
            Cell::new(if left_out { String::new() } else { notation.percent(residual.error) }),
            Cell::new(remarks.join(", ")).role(Role::Faint),
        ]);
        table.row(cells);
    }
    table
}
