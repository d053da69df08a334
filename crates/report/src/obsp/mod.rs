//! A prediction by BSP, OBSP and OBSP* as text.

mod tables;

use cll_fit::Unit;
use cll_machine::{Combine, Machine, Substitution};
use cll_model::Target;
use cll_result::obsp::Prediction;

use crate::Notation;
use crate::document::{Block, Document, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};

/// The subject and the machine of a prediction.
#[derive(Clone, Copy, Debug)]
pub struct ObspHead<'a> {
    /// The log, or the description.
    pub subject: &'a str,
    /// The description's text on itself.
    pub about: &'a str,
    /// The machine.
    pub machine: &'a Machine,
    /// The part of the machine that prices the subject.
    pub target: &'a Target<'a>,
}

fn seconds(notation: Notation, value: f64) -> String {
    notation.quantity(value, &Unit::Seconds)
}

fn bytes(notation: Notation, value: f64) -> String {
    notation.quantity(value, &Unit::Other("B".to_owned()))
}

fn title(head: &ObspHead<'_>, prediction: &Prediction, notation: Notation) -> String {
    let value = |value: &serde_json::Value| notation.number(value.as_f64().unwrap_or(f64::NAN));
    let at: Vec<String> =
        prediction.at.iter().map(|(name, number)| format!("{name} = {}", value(number))).collect();
    let place =
        if at.is_empty() { format!("P = {}", prediction.processors) } else { at.join(", ") };
    let engine = match head.target.engine {
        Some(engine) => format!(", engine {engine}"),
        None => String::new(),
    };
    let combine = match head.target.combine {
        Combine::Max => "max(in, out)",
        Combine::Sum => "in + out",
    };
    format!("{}: {place}, on {}{engine}, h = {combine}", head.subject, head.machine.name)
}

/// One prediction and the breakdown of its time; with `top` also so many of the largest supersteps, processors and
/// quantities.
pub fn obsp_text(
    head: &ObspHead<'_>,
    prediction: &Prediction,
    top: Option<usize>,
    style: &Style,
) -> String {
    document(head, prediction, top, style.notation()).text(style)
}

fn document(
    head: &ObspHead<'_>,
    prediction: &Prediction,
    top: Option<usize>,
    notation: Notation,
) -> Document {
    let about = match head.about {
        "" => String::new(),
        about => format!("\n{about}"),
    };
    let mut all = vec![
        Section::plain(format!("{}{about}", title(head, prediction, notation))),
        Section::default().table(models(prediction, notation)),
    ];
    if let Some(account) = &prediction.account {
        let total = account.processors.first().map_or(0.0, |parts| parts.total().get());
        let kinds = format!(
            "Breakdown of the OBSP* time: {}, the mean over the processors",
            seconds(notation, total)
        );
        let word = word(prediction);
        all.push(Section::plain(kinds).table(tables::kinds(prediction, account, total, notation)));
        let tables = |top| {
            [
                ("By machine object", tables::objects(account, total, top, word, notation)),
                ("By superstep", tables::supersteps(account, total, top, word, notation)),
                ("By processor", tables::processors(account, total, top, notation)),
                ("The critical path of OBSP*", tables::path(account, total, top, notation)),
                ("Sensitivity of the OBSP* time", tables::influences(account, top, notation)),
            ]
        };
        let tables = top.into_iter().flat_map(tables);
        all.extend(tables.map(|(title, table)| Section::plain(title).table(table)));
    }
    all.push(substitutions(std::slice::from_ref(prediction)));
    if let Some(account) = prediction.account.as_ref().filter(|_| top.is_none()) {
        let total = account.processors.first().map_or(0.0, |parts| parts.total().get());
        let largest = tables::largest(account, total, notation);
        let door = "supersteps, processors, critical path, sensitivity: --details";
        let lines = largest.map(|text| Block::marked(text, Role::Plain));
        let door = Block::paragraph(door, Role::Faint);
        all.push(Section::untitled(lines.into_iter().chain([door]).collect()));
    }
    Document::new(all)
}

/// Several predictions, a row for each.
pub fn obsp_table(head: &ObspHead<'_>, all: &[Prediction], style: &Style) -> String {
    let notation = style.notation();
    let mut columns: Vec<Column> = all[0].at.keys().map(|name| Column::right(name)).collect();
    columns.extend([
        Column::right("BSP"),
        Column::right("OBSP"),
        Column::right("OBSP*"),
        Column::left("interval"),
    ]);
    let mut table = Table::new(columns);
    for prediction in all {
        let mut cells: Vec<Cell> = prediction
            .at
            .values()
            .map(|value| Cell::new(notation.number(value.as_f64().unwrap_or(f64::NAN))))
            .collect();
        cells.extend(prediction.models.iter().map(|estimate| match &estimate.time {
            Some(time) => Cell::new(seconds(notation, time.value.get())),
            None => Cell::new("none"),
        }));
        let last = prediction.models.last().and_then(|estimate| estimate.time);
        cells.push(Cell::new(last.map_or(String::new(), |time| {
            notation.range(time.low.get(), time.high.get(), &Unit::Seconds)
        })));
        table.row(cells);
    }
    let title = Section::plain(format!("{} on {}", head.subject, head.machine.name));
    Document::new([title, Section::default().table(table), substitutions(all)]).text(style)
}

/// The name of a log's own times.
fn word(prediction: &Prediction) -> &'static str {
    if prediction.of_virtual_processors { "virtual" } else { "measured" }
}

fn models(prediction: &Prediction, notation: Notation) -> Table {
    let confidence = prediction
        .models
        .iter()
        .find_map(|estimate| estimate.time)
        .map_or(0.9, |time| time.confidence);
    let mut table = Table::new(vec![
        Column::left(""),
        Column::right("time"),
        Column::left(&format!("interval ({})", notation.percent(confidence))),
        Column::right("error"),
        Column::left("").flexible(),
    ]);
    if let Some(measured) = prediction.measured {
        table.row([word(prediction), &seconds(notation, measured.get())].map(Cell::new));
    }
    for estimate in &prediction.models {
        let name = estimate.model.name();
        match &estimate.time {
            Some(time) => {
                let range = if time.low < time.high {
                    notation.range(time.low.get(), time.high.get(), &Unit::Seconds)
                } else {
                    String::new()
                };
                let error = estimate.error.map_or(String::new(), |error| notation.percent(error));
                table.row([
                    Cell::new(name),
                    Cell::new(notation.within(
                        time.value.get(),
                        time.low.get(),
                        time.high.get(),
                        &Unit::Seconds,
                    )),
                    Cell::new(range),
                    Cell::new(error),
                ]);
            }
            None => {
                let why = estimate.missing.as_deref().unwrap_or_default();
                table.row([name, "none", "", "", why].map(Cell::new));
            }
        }
    }
    table
}

/// Values that the machine's file lacks, with what was used instead.
fn substitutions(all: &[Prediction]) -> Section {
    let mut lines: Vec<(String, u64)> = Vec::new();
    for taken in all.iter().flat_map(|prediction| &prediction.substitutions) {
        // The engine is one for all.
        let text = match &taken.substitution {
            Substitution::Engine { .. } => taken.substitution.to_string(),
            other => format!("{} ({}): {other}", taken.rule.name(), taken.asked),
        };
        match lines.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += taken.supersteps,
            None => lines.push((text, taken.supersteps)),
        }
    }
    if lines.is_empty() {
        return Section::default();
    }
    let mut table = Table::new(vec![Column::left("").flexible(), Column::right("supersteps")]);
    for (text, count) in lines {
        table.row([Cell::new(text), Cell::new(count.to_string())]);
    }
    Section::plain("Not in the machine's file; used instead").table(table)
}
