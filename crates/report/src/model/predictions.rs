//! Predictions with their intervals and their positions relative to the data.

use cll_fit::{Aggregate, Domain, Fit, Prediction, Unit, Warning};

use cll_result::{DISPUTED, PredictionView};

use super::ModelView;
use super::formula::place_of;
use super::warnings;
use crate::Notation;
use crate::document::{Block, Notice, Section, Title};
use crate::notation::scale::{UnitKind, unit_kind};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};
use cll_units::text::long_time;

/// The predictions of one experiment below its name. Empty if there are none.
pub(crate) fn alone(view: &ModelView<'_>, style: &Style) -> Section {
    if view.predictions.is_empty() {
        return Section::default();
    }
    let name = style.notation().text(view.name);
    Section {
        title: Title::Subject { name, place: String::new() },
        blocks: alone_blocks(view, style),
        ..Section::default()
    }
}

fn alone_blocks(view: &ModelView<'_>, style: &Style) -> Vec<Block> {
    let remark =
        repetitions(view.fit, view.predictions).map(|text| Block::paragraph(text, Role::Faint));
    let blocks = blocks(view.fit, view.predictions, "Predictions", style);
    remark.into_iter().chain(blocks).collect()
}

/// The section of a model's report. Empty if there are no predictions.
pub(crate) fn section(fit: &Fit, predictions: &[PredictionView], style: &Style) -> Section {
    if predictions.is_empty() {
        return Section::default();
    }
    let heading = if predictions.len() == 1 { "Prediction" } else { "Predictions" };
    let is_any = predictions.iter().any(|view| view.result.is_ok());
    let single_run = || if is_any { "of one run".to_owned() } else { String::new() };
    let remark = repetitions(fit, predictions).unwrap_or_else(single_run);
    Section::new(heading, remark, blocks(fit, predictions, heading, style))
}

/// `the median of 25 runs`, if predictions stand for several runs.
pub(crate) fn repetitions(fit: &Fit, predictions: &[PredictionView]) -> Option<String> {
    let counts = predictions.iter().filter_map(|view| Some(view.result.as_ref().ok()?.repetitions));
    let count = counts.max().filter(|count| *count > 1)?;
    let name = match fit.options.aggregate {
        Aggregate::Median | Aggregate::All => "median",
        Aggregate::Minimum => "minimum",
        Aggregate::Mean => "mean",
    };
    Some(format!("the {name} of {count} runs"))
}

fn blocks(
    fit: &Fit,
    predictions: &[PredictionView],
    name: &'static str,
    style: &Style,
) -> Vec<Block> {
    let table = table(fit, predictions, style);
    let notices = notices(fit, predictions, style);
    let mut blocks = Vec::new();
    let is_both = !table.is_empty() && !notices.is_empty();
    blocks.push(Block::table(table, name));
    if predictions.iter().any(|view| view.averaged.is_some()) {
        let text = "averaged over all possible formulas, by their probability:";
        blocks.push(Block::paragraph(text, Role::Plain));
        blocks.push(Block::table(averaged(fit, predictions, style), "Averaged predictions"));
        if predictions.iter().any(PredictionView::is_disputed) {
            let code = "disputed".to_owned();
            blocks.push(Block::Notices(vec![Notice { code, text: DISPUTED.to_owned() }]));
        }
    }
    blocks.extend(is_both.then_some(Block::Space));
    blocks.push(Block::Notices(notices));
    blocks
}

/// One row for each prediction that could be made.
fn table(fit: &Fit, predictions: &[PredictionView], style: &Style) -> Table {
    let notation = style.notation();
    let confidence = predictions.iter().find_map(|p| Some(p.result.as_ref().ok()?.confidence));
    let share = notation.percent(confidence.unwrap_or(fit.options.confidence));
    let names = fit.variables.iter().map(|v| Column::right(&notation.text(v)));
    let mut columns: Vec<Column> = names.collect();
    columns.push(Column::right("predicted"));
    columns.push(Column::left(&format!("{share} interval")));
    let has_runs = repetitions(fit, predictions).is_some();
    if has_runs {
        columns.push(Column::left("of one run"));
    }
    let has_measured = predictions.iter().any(|view| view.measured.is_some());
    if has_measured {
        columns.push(Column::right("measured"));
        columns.push(Column::right("error"));
    }
    columns.push(Column::left("where").flexible());
    let mut table = Table::new(columns);
    for view in predictions {
        if let Ok(prediction) = &view.result {
            table.row(row(fit, view, prediction, (has_runs, has_measured), style));
        }
    }
    table
}

/// The predictions averaged over the formulas of a search, one row for each.
fn averaged(fit: &Fit, predictions: &[PredictionView], style: &Style) -> Table {
    let notation = style.notation();
    let names = fit.variables.iter().map(|v| Column::right(&notation.text(v)));
    let mut columns: Vec<Column> = names.collect();
    columns.push(Column::right("averaged"));
    let share = notation.percent(fit.options.confidence);
    columns.push(Column::left(&format!("{share} interval")).flexible());
    let mut table = Table::new(columns);
    for view in predictions {
        let Some(averaged) = &view.averaged else { continue };
        let mut row: Vec<Cell> = (0..fit.variables.len())
            .map(|k| Cell::new(view.at.get(k).map_or_else(String::new, |v| notation.given(*v))))
            .collect();
        match averaged {
            Ok(averaged) => row.extend([
                Cell::new(notation.within(averaged.value, averaged.low, averaged.high, &fit.unit))
                    .role(Role::Value),
                Cell::new(notation.range(averaged.low, averaged.high, &fit.unit)),
            ]),
            Err(error) => {
                row.extend([Cell::new("-"), Cell::new(notation.text(&error.to_string()))])
            }
        }
        table.row(row);
    }
    table
}

/// Notices about the predictions, and the reasons why some could not be made.
fn notices(fit: &Fit, predictions: &[PredictionView], style: &Style) -> Vec<Notice> {
    let mut notices = Vec::new();
    for view in predictions {
        match &view.result {
            Ok(prediction) => notices.extend(prediction.warnings.iter().map(|warning| {
                // Its text names variable and value.
                let own = match warning {
                    Warning::Beyond { .. } => view.at.len() == 1,
                    Warning::Apart { variables, .. } => view.at.len() == variables.len(),
                    _ => false,
                };
                let place = if own { String::new() } else { place(fit, &view.at, style) };
                warnings::notice(warning, &fit.unit, &place, style)
            })),
            Err(error) => {
                let text = style.notation().text(&error.to_string());
                notices.push(Notice { code: String::new(), text });
            }
        }
    }
    notices
}

fn row(
    fit: &Fit,
    view: &PredictionView,
    prediction: &Prediction,
    (has_runs, has_measured): (bool, bool),
    style: &Style,
) -> Vec<Cell> {
    let (values, notation) = (&view.at, style.notation());
    let mut cells: Vec<Cell> = (0..fit.variables.len())
        .map(|k| Cell::new(values.get(k).map_or_else(String::new, |v| notation.given(*v))))
        .collect();
    let (value, range) = match prediction.band {
        Some(band) => (
            notation.within(prediction.value, band.low, band.high, &prediction.unit),
            notation.range(band.low, band.high, &prediction.unit),
        ),
        None => (notation.quantity(prediction.value, &prediction.unit), "not known".to_owned()),
    };
    cells.push(Cell::new(in_words(value, prediction.value, &prediction.unit)).role(Role::Value));
    cells.push(Cell::new(range));
    if has_runs {
        let run = prediction.run.map(|run| notation.range(run.low, run.high, &prediction.unit));
        cells.push(Cell::new(run.unwrap_or_else(|| "not known".to_owned())));
    }
    if has_measured {
        let measured = view.measured.map(|value| notation.quantity(value, &prediction.unit));
        cells.push(Cell::new(measured.unwrap_or_default()));
        let error = view.error().map(|error| notation.percent(error));
        cells.push(Cell::new(error.unwrap_or_default()).role(Role::Value));
    }
    let (words, role) = where_it_lies(fit, prediction, notation);
    cells.push(Cell::new(words).role(role));
    cells
}

/// Long times in hours and minutes too.
fn in_words(text: String, value: f64, unit: &Unit) -> String {
    let seconds = matches!(unit_kind(unit), UnitKind::Seconds);
    match long_time(value).filter(|_| seconds) {
        Some(words) => format!("{text} ({words})"),
        None => text,
    }
}

pub(crate) fn where_it_lies(
    fit: &Fit,
    prediction: &Prediction,
    notation: Notation,
) -> (String, Role) {
    let number = |v: f64| notation.number(v);
    if prediction.follows {
        return ("inside the data, which it follows".to_owned(), Role::Good);
    }
    match &prediction.domain {
        Domain::Inside { interval } => {
            let interval = fit.intervals.get(*interval);
            let place = interval.and_then(|interval| place_of(fit, interval, notation));
            match place {
                Some(place) => (format!("inside the data, {place}"), Role::Good),
                None => ("inside the data".to_owned(), Role::Good),
            }
        }
        Domain::Between { last_left, first_right, split, .. } => {
            let (axis, what) = match split {
                Some(split) => (split.axis.as_str(), "regions"),
                None => (fit.axis.as_deref().unwrap_or_default(), "intervals"),
            };
            let axis = notation.text(axis);
            let text = format!(
                "between two {what}: {axis} from {} to {}",
                number(*last_left),
                number(*first_right)
            );
            (text, Role::Caution)
        }
        Domain::Apart { variables, nearest, .. } => {
            let combination = |values: &Vec<f64>| {
                let pairs = variables.iter().zip(values);
                let pairs: Vec<String> = pairs
                    .map(|(name, v)| format!("{} = {}", notation.text(name), number(*v)))
                    .collect();
                pairs.join(", ")
            };
            let all: Vec<String> = nearest.iter().map(combination).collect();
            (format!("not measured together: nearest {}", all.join(" and ")), Role::Caution)
        }
        Domain::Beyond { variable, value, nearest, factor } => {
            let variable = notation.text(variable);
            let end = if value > nearest { "largest" } else { "smallest" };
            let text = match factor {
                Some(factor) => {
                    let times = notation.ratio(*factor);
                    format!(
                        "beyond the data: {times} past the {end} {variable} measured, {}",
                        number(*nearest)
                    )
                }
                None => format!(
                    "beyond the data: past the {end} {variable} measured, {}",
                    number(*nearest)
                ),
            };
            (text, Role::Caution)
        }
    }
}

/// `N = 3000, P = 2`
pub(crate) fn place(fit: &Fit, values: &[f64], style: &Style) -> String {
    let notation = style.notation();
    let pairs = fit.variables.iter().zip(values);
    let pairs: Vec<String> = pairs
        .map(|(name, v)| format!("{} = {}", notation.text(name), notation.given(*v)))
        .collect();
    pairs.join(", ")
}
