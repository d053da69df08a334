//! Times along a variable as tables and as a plot.

mod gains;
mod measured;
mod picture;

use cll_fit::Unit;
use cll_result::Curves;

use crate::Notation;
use crate::document::{Block, Document, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};

pub use gains::gains_text;
pub use measured::measured_text;
pub use picture::curves_plot;

/// A table for each curve, and the crossovers.
pub fn curves_text(answer: &Curves, style: &Style) -> String {
    let notation = style.notation();
    let mut all = Vec::new();
    for curve in &answer.curves {
        let mut columns = vec![Column::right(&answer.variable), Column::right("time")];
        columns.push(Column::left("interval"));
        let others: Vec<&String> =
            curve.points.first().map_or(Vec::new(), |point| point.beside.keys().collect());
        columns.extend(others.iter().map(|name| Column::right(name)));
        columns.extend(["speed-up", "efficiency", "serial", "size for it"].map(Column::right));
        columns.push(Column::left("data"));
        let mut table = Table::new(columns);
        for point in &curve.points {
            let band = point.low.zip(point.high).filter(|(low, high)| low < high);
            let mut cells = vec![
                Cell::new(notation.given(point.at)),
                Cell::new(notation.quantity(point.time.get(), &Unit::Seconds)),
                Cell::new(band.map_or(String::new(), |(low, high)| {
                    notation.range(low.get(), high.get(), &Unit::Seconds)
                })),
            ];
            cells.extend(others.iter().map(|name| {
                let time = point.beside.get(*name).and_then(serde_json::Value::as_f64);
                Cell::new(
                    time.map_or(String::new(), |time| notation.quantity(time, &Unit::Seconds)),
                )
            }));
            let scaling = point.scaling;
            let number = |value: Option<f64>, text: &dyn Fn(f64) -> String| {
                Cell::new(value.map_or(String::new(), text))
            };
            cells.push(number(scaling.map(|s| s.speed_up), &|v| format!("{v:.2}")));
            cells.push(number(scaling.map(|s| s.efficiency), &|v| notation.percent(v)));
            cells.push(number(scaling.and_then(|s| s.serial_fraction), &|v| notation.percent(v)));
            cells.push(Cell::new(match point.isoefficiency_size {
                None => String::new(),
                Some(None) => "none".to_owned(),
                Some(Some(size)) => notation.number(size),
            }));
            let is_beyond = point.beyond == Some(true);
            cells.push(Cell::new(if is_beyond { "beyond" } else { "" }).role(Role::Caution));
            table.row(cells);
        }
        let mut section = Section::plain(format!("{}: {}", curve.name, curve.kind));
        for doubt in &curve.doubts {
            section.blocks.push(Block::marked(notation.text(&doubt.text), Role::Caution));
        }
        all.push(section.table(table));
    }
    all.push(crossovers(answer, notation));
    Document::new(all).text(style)
}

/// The values from which one curve is quicker than another.
fn crossovers(answer: &Curves, notation: Notation) -> Section {
    // Right below the table of a single curve.
    let is_joined = answer.curves.len() < 2;
    let mut section = Section { is_joined, ..Section::default() };
    if !is_joined && answer.crossovers.is_empty() {
        return section.at_margin("no crossover: the same one is the quickest everywhere");
    }
    for crossover in &answer.crossovers {
        let (quick, slow) = if crossover.place.first_wins {
            (&crossover.first, &crossover.second)
        } else {
            (&crossover.second, &crossover.first)
        };
        let variable = &answer.variable;
        let place = if crossover.place.high - crossover.place.low > 1e-5 * crossover.place.high {
            format!(
                "between {variable} = {} and {}",
                notation.number(crossover.place.low),
                notation.number(crossover.place.high)
            )
        } else {
            format!("{variable} = {}", notation.number(crossover.place.at))
        };
        section =
            section.at_margin(format!("crossover: from {place} on {quick} is quicker than {slow}"));
    }
    section
}
