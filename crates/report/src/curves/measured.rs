//! Measured and predicted times of runs.

use cll_fit::Unit;
use cll_model::Rule;
use cll_model::curves::Scaling;
use cll_result::TimedCurve;

use crate::Notation;
use crate::document::{Document, Section};
use crate::style::Style;
use crate::text::{Cell, Column, Table};

/// Measured and predicted times, and the speed-up, efficiency and serial fraction of each.
pub fn measured_text(
    head: &str,
    measured: &TimedCurve,
    predicted: &TimedCurve,
    style: &Style,
) -> String {
    let notation = style.notation();
    let star = predicted.kind;
    let others = [Rule::Bsp, Rule::Obsp].map(Rule::name);
    let titles = ["P", measured.kind, star, "interval", "error"];
    let columns = titles.iter().chain(&others).map(|name| match *name {
        "interval" => Column::left(name),
        _ => Column::right(name),
    });
    let mut times = Table::new(columns.collect());
    let pairs = ["speed-up", "efficiency", "serial"].into_iter().flat_map(|name| [name, star]);
    let columns = ["P"].into_iter().chain(pairs);
    let mut follows = Table::new(columns.map(Column::right).collect());
    let seconds = |time: f64| notation.quantity(time, &Unit::Seconds);
    for (seen, prediction) in measured.points.iter().zip(&predicted.points) {
        let band = prediction.low.zip(prediction.high);
        let band = band.map(|(low, high)| notation.range(low.get(), high.get(), &Unit::Seconds));
        let beside = |name: &str| prediction.beside.get(name).and_then(serde_json::Value::as_f64);
        let mut cells = vec![
            notation.number(seen.at),
            seconds(seen.time.get()),
            seconds(prediction.time.get()),
            band.unwrap_or_default(),
            notation.percent((seen.time - prediction.time) / seen.time),
        ];
        cells.extend(others.iter().map(|name| beside(name).map_or(String::new(), seconds)));
        times.row(cells.into_iter().map(Cell::new));
        let mut cells = vec![notation.number(seen.at)];
        for (seen, prediction) in
            scales(seen.scaling, notation).into_iter().zip(scales(prediction.scaling, notation))
        {
            cells.extend([seen, prediction]);
        }
        follows.row(cells.into_iter().map(Cell::new));
    }
    let mut all = vec![Section::plain(head).table(times)];
    if measured.points.iter().any(|point| point.scaling.is_some()) {
        all.push(Section::default().table(follows));
    }
    Document::new(all).text(style)
}

/// Speed-up, efficiency, serial fraction.
fn scales(scaling: Option<Scaling>, notation: Notation) -> [String; 3] {
    let cell = |text: Option<String>| text.unwrap_or_default();
    [
        cell(scaling.map(|scaling| format!("{:.2}", scaling.speed_up))),
        cell(scaling.map(|scaling| notation.percent(scaling.efficiency))),
        cell(
            scaling
                .and_then(|scaling| scaling.serial_fraction)
                .map(|share| notation.percent(share)),
        ),
    ]
}
