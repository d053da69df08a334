//! Speed-up and efficiency on more processors.

use cll_fit::Unit;
use cll_result::{Doubts, Scaling, ScalingPoint};
use cll_units::Seconds;

use crate::Style;
use crate::document::{Block, Section};
use crate::plot::{Axis, Curve, CurvePoint, Marker, PlotPoint, PlotSpec, Scale, Series, Whiskers};
use crate::style::Role;
use crate::text::{Cell, Column, Table};

/// Columns of text from which on there is room for intervals.
const MIN_COLUMNS_FOR_INTERVALS: usize = 100;

/// The pictures' identity on a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pictures<'a> {
    /// The word that makes the identities of these pictures different from those of others.
    pub id: &'a str,
    /// The doubts in their numbers.
    pub doubts: &'a Doubts,
}

/// The section of a model's report; on a page with pictures.
pub(crate) fn section(view: &Scaling, drawn: Option<Pictures<'_>>, style: &Style) -> Section {
    let mut blocks = vec![Block::table(table(view, style), "Speed-up")];
    if !view.unlikely.is_empty() {
        let notation = style.notation();
        let all: Vec<String> = view.unlikely.iter().map(|p| notation.number(*p)).collect();
        let text = format!(
            "P = {}: no speed-up is predicted. The formula gives more than P times the speed there, which was not \
             measured.",
            all.join(", ")
        );
        blocks.push(Block::marked(text, Role::Caution));
    }
    if let Some(Pictures { id, doubts }) = drawn {
        let all = ["speed-up", "efficiency"].into_iter().zip(pictures(view, style));
        blocks.extend(all.map(|(name, mut spec)| {
            spec.doubt(doubts.clone());
            Block::Plot { spec: Box::new(spec), height: 400, id: format!("{name}-{id}") }
        }));
    }
    Section::new("Speed-up", remark(view, style), blocks)
}

/// The values of the other variables, for which the speed-up holds.
fn remark(view: &Scaling, style: &Style) -> String {
    let notation = style.notation();
    let values = notation.values(&view.values);
    let place = if values.is_empty() { values } else { format!(", {values}") };
    let text = if view.one_is_beyond { "; one processor was not measured" } else { "" };
    format!("the model's time on one processor by that on P{place}{text}")
}

/// One row for each number of processors.
fn table(view: &Scaling, style: &Style) -> Table {
    let notation = style.notation();
    let is_measured = view.points.iter().any(|point| point.measured.is_some());
    // Intervals are left out first: the table of predictions has them.
    let is_wide = style.columns() >= MIN_COLUMNS_FOR_INTERVALS;
    let mut columns = vec![Column::right("P"), Column::right("time")];
    columns.extend(is_wide.then(|| Column::left("interval")));
    columns.extend(["speed-up", "efficiency", "serial"].map(Column::right));
    if is_measured {
        columns.extend(["measured", "speed-up"].map(Column::right));
    }
    let is_beyond = view.points.iter().any(|point| point.beyond);
    columns.extend(is_beyond.then(|| Column::left("data")));
    let mut table = Table::new(columns);
    let seconds = |time: Seconds| notation.quantity(time.get(), &Unit::Seconds);
    let cell = |text: Option<String>| Cell::new(text.unwrap_or_default());
    for point in &view.points {
        let band = point.band.filter(|(low, high)| low < high);
        let mut cells =
            vec![Cell::new(notation.number(point.processors)), Cell::new(seconds(point.time))];
        if is_wide {
            cells.push(cell(
                band.map(|(low, high)| notation.range(low.get(), high.get(), &Unit::Seconds)),
            ));
        }
        cells.extend([
            Cell::new(format!("{:.2}", point.speed_up)),
            Cell::new(notation.percent(point.efficiency)),
            cell(point.serial_fraction.map(|serial| notation.percent(serial))),
        ]);
        if is_measured {
            cells.push(cell(point.measured.map(seconds)));
            cells.push(cell(point.measured_speed_up.map(|value| format!("{value:.2}"))));
        }
        if is_beyond {
            cells.push(Cell::new(if point.beyond { "beyond" } else { "" }));
        }
        table.row(cells);
    }
    table
}

/// Speed-up with the ideal one, and efficiency, over the number of processors.
fn pictures(view: &Scaling, style: &Style) -> [PlotSpec; 2] {
    let speed_up = |point: &ScalingPoint| point.speed_up;
    let ideal = |point: &ScalingPoint| point.processors;
    let efficiency = |point: &ScalingPoint| point.efficiency;
    let unity = |_: &ScalingPoint| 1.0;
    let place = remark(view, style);
    [
        picture(view, ("speed-up", &place), &speed_up, &ideal),
        picture(view, ("efficiency", &place), &efficiency, &unity),
    ]
}

type Of<'a> = &'a dyn Fn(&ScalingPoint) -> f64;

fn picture(view: &Scaling, (what, place): (&str, &str), value: Of<'_>, ideal: Of<'_>) -> PlotSpec {
    let line = |label: &str, y: Of<'_>, beyond: &dyn Fn(&ScalingPoint) -> bool| {
        let pieces = |is: bool| {
            // The curve beyond the data begins at the last point inside.
            let from = if is {
                view.points.iter().position(beyond).map_or(view.points.len(), |k| k.max(1) - 1)
            } else {
                0
            };
            let own = view.points[from..].iter().enumerate();
            let own = own.filter(|(k, point)| beyond(point) == is || is && *k == 0);
            own.map(|(_, p)| CurvePoint { x: p.processors, y: y(p), band: None }).collect()
        };
        let curves = [false, true].map(|is| Curve { interval: 0, beyond: is, points: pieces(is) });
        let curves = curves.into_iter().filter(|curve| curve.points.len() > 1).collect();
        Series { label: label.to_owned(), at: Default::default(), points: Vec::new(), curves }
    };
    let mut model = line("model", value, &|point| point.beyond);
    model.points = view.points.iter().filter_map(|point| measured(point, value)).collect();
    let powers = view.points.iter().all(|point| point.processors.log2().fract() == 0.0);
    PlotSpec {
        title: what.to_owned(),
        formula: Vec::new(),
        description: format!("{what} along the number of processors: {place}."),
        x: Axis {
            title: "P".to_owned(),
            unit: Unit::Other(String::new()),
            scale: if powers { Scale::Binary } else { Scale::Linear },
        },
        y: Axis {
            title: what.to_owned(),
            unit: Unit::Other(String::new()),
            scale: if powers && what == "speed-up" { Scale::Binary } else { Scale::Linear },
        },
        series: vec![model, line("ideal", ideal, &|_| false)],
        boundaries: Vec::new(),
        references: Vec::new(),
        markers: view.points.iter().filter(|p| p.beyond).map(|p| marker(p, value(p))).collect(),
        confidence: 0.9,
        notes: Vec::new(),
        doubts: Doubts::default(),
    }
}

/// Points beyond the data are marked.
fn marker(point: &ScalingPoint, y: f64) -> Marker {
    let label = format!("P = {}: {y:.2}", point.processors);
    Marker { x: point.processors, y, band: None, label, series: 0, beyond: true }
}

/// The measured value in place of the model's `value`.
fn measured(point: &ScalingPoint, value: Of<'_>) -> Option<PlotPoint> {
    let model = value(point);
    let y = point.measured_speed_up? * model / point.speed_up;
    let spread =
        Whiskers { count: 1, minimum: y, lower_quartile: y, upper_quartile: y, maximum: y };
    let error = (y - model) / y;
    Some(PlotPoint {
        x: point.processors,
        y,
        spread,
        model,
        error,
        errors: (error, error),
        excluded: false,
        points: 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    fn view() -> Scaling {
        let point = |processors: f64, time_s: f64, beyond: bool, measured_s: Option<f64>| {
            let speed_up = 8.0 / time_s;
            ScalingPoint {
                processors,
                time: Seconds(time_s),
                band: None,
                beyond,
                speed_up,
                efficiency: speed_up / processors,
                serial_fraction: None,
                measured: measured_s.map(Seconds),
                measured_speed_up: measured_s.map(|time| 8.0 / time),
            }
        };
        let points = vec![
            point(1.0, 8.0, false, Some(8.0)),
            point(2.0, 4.0, false, Some(5.0)),
            point(4.0, 4.0, true, None),
        ];
        let values = vec![("N".into(), 1000.0)];
        Scaling { values, points, one_is_beyond: false, unlikely: vec![8.0] }
    }

    #[test]
    fn the_table_has_what_was_predicted_and_what_was_measured() {
        let style = Style { width: 100, color: false, unicode: false };
        let text = Document::new([section(&view(), None, &style)]).text(&style);
        assert!(text.contains("N = 1000"), "{text}");
        let rows: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(
            rows.contains(&vec!["2", "4.00", "s", "2.00", "100", "%", "5.00", "s", "1.60"]),
            "{text}"
        );
        assert!(text.contains("beyond"));
        assert!(text.contains("P = 8: no speed-up is predicted"), "{text}");
    }

    #[test]
    fn the_pictures_have_the_ideal_and_what_lies_beyond_apart() {
        let style = Style { width: 100, color: false, unicode: false };
        let [speed_up, efficiency] = pictures(&view(), &style);
        let curves = &speed_up.series[0].curves;
        let along = |curve: &Curve| curve.points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>();
        assert_eq!(along(&curves[0]), [(1.0, 1.0), (2.0, 2.0)]);
        assert_eq!((along(&curves[1]), curves[1].beyond), (vec![(2.0, 2.0), (4.0, 2.0)], true));
        assert_eq!(along(&speed_up.series[1].curves[0]), [(1.0, 1.0), (2.0, 2.0), (4.0, 4.0)]);
        let points: Vec<f64> = efficiency.series[0].points.iter().map(|point| point.y).collect();
        assert_eq!(points, [1.0, 0.8]);
    }
}
