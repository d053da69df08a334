//! A prediction as people read it.

use cll_fit::Unit;
use cll_machine::{Combine, Machine, Substitution};
use cll_model::{Parts, Target};
use cll_report::{Cell, Column, Notation, Style, Table};
use serde::Serialize;

use super::answer::Prediction;
use super::tables;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// What is predicted, and on what.
pub struct Head<'a> {
    pub subject: &'a str,
    pub about: &'a str,
    pub machine: &'a Machine,
    pub target: &'a Target<'a>,
}

/// The JSON of `--json`: `docs/formats/obsp.md`.
#[derive(Serialize)]
struct Answer<'a> {
    format: &'static str,
    version: u32,
    subject: &'a str,
    machine: &'a str,
    engine: Option<&'a str>,
    at: &'static str,
    predictions: &'a [Prediction],
}

/// Prints everything.
pub fn json(
    terminal: &mut Terminal,
    head: &Head<'_>,
    predictions: &[Prediction],
) -> Result<(), Failure> {
    terminal.json(&Answer {
        format: "cll-obsp",
        version: 1,
        subject: head.subject,
        machine: &head.machine.name,
        engine: head.target.engine,
        at: head.target.combine.name(),
        predictions,
    })
}

pub fn seconds(notation: Notation, value: f64) -> String {
    notation.quantity(value, &Unit::Seconds)
}

pub fn bytes(notation: Notation, value: f64) -> String {
    notation.quantity(value, &Unit::Other("B".to_owned()))
}

fn title(head: &Head<'_>, one: &Prediction, notation: Notation) -> String {
    let value = |value: &serde_json::Value| notation.number(value.as_f64().unwrap_or(f64::NAN));
    let at: Vec<String> =
        one.at.iter().map(|(name, number)| format!("{name} = {}", value(number))).collect();
    let at = match at.is_empty() {
        true => format!("P = {}", one.processors),
        false => at.join(", "),
    };
    let engine = match head.target.engine {
        Some(engine) => format!(", engine {engine}"),
        None => String::new(),
    };
    let combine = match head.target.combine {
        Combine::Max => "max(in, out)",
        Combine::Sum => "in + out",
    };
    format!("{}: {at}, on {}{engine}, h = {combine}\n", head.subject, head.machine.name)
}

/// One prediction and where its time goes.
pub fn report(head: &Head<'_>, one: &Prediction, top: usize, style: &Style) -> String {
    let notation = style.notation();
    let mut out = title(head, one, notation);
    if !head.about.is_empty() {
        out.push_str(&format!("{}\n", head.about));
    }
    out.push('\n');
    out.push_str(&models(one, notation).render(style, 2));
    if let Some(account) = &one.account {
        let total = account.processors.first().map_or(0.0, Parts::total);
        out.push_str(&format!(
            "\nWhere the time of OBSP* goes: {}, the mean over the processors\n",
            seconds(notation, total)
        ));
        out.push_str(&tables::kinds(one, account, total, notation).render(style, 2));
        out.push_str("\nBy machine object\n");
        out.push_str(&tables::objects(account, total, top, word(one), notation).render(style, 2));
        out.push_str("\nBy superstep\n");
        out.push_str(
            &tables::supersteps(account, total, top, word(one), notation).render(style, 2),
        );
        out.push_str("\nBy processor\n");
        out.push_str(&tables::processors(account, total, top, notation).render(style, 2));
        out.push_str("\nThe critical path of OBSP*\n");
        out.push_str(&tables::path(account, total, top, notation).render(style, 2));
        out.push_str("\nWhat the time of OBSP* hangs on\n");
        out.push_str(&tables::influences(account, top, notation).render(style, 2));
    }
    out.push_str(&substitutions(std::slice::from_ref(one), style));
    out
}

/// Several predictions, a row for each.
pub fn several(head: &Head<'_>, all: &[Prediction], style: &Style) -> String {
    let notation = style.notation();
    let mut columns: Vec<Column> = all[0].at.keys().map(|name| Column::right(name)).collect();
    columns.extend([
        Column::right("BSP"),
        Column::right("OBSP"),
        Column::right("OBSP*"),
        Column::left("interval"),
    ]);
    let mut table = Table::new(columns);
    for one in all {
        let mut cells: Vec<Cell> = one
            .at
            .values()
            .map(|value| Cell::new(notation.number(value.as_f64().unwrap_or(f64::NAN))))
            .collect();
        cells.extend(one.models.iter().map(|said| match &said.time {
            Some(time) => Cell::new(seconds(notation, time.value_s)),
            None => Cell::new("none"),
        }));
        let last = one.models.last().and_then(|said| said.time);
        cells.push(Cell::new(last.map_or(String::new(), |time| {
            notation.range(time.low_s, time.high_s, &Unit::Seconds)
        })));
        table.row(cells);
    }
    let mut out = format!("{} on {}\n\n", head.subject, head.machine.name);
    out.push_str(&table.render(style, 2));
    out.push_str(&substitutions(all, style));
    out
}

/// What a log's own times are.
pub fn word(one: &Prediction) -> &'static str {
    if one.of_virtual_processors { "virtual" } else { "measured" }
}

fn models(one: &Prediction, notation: Notation) -> Table {
    let confidence =
        one.models.iter().find_map(|said| said.time).map_or(0.9, |time| time.confidence);
    let mut table = Table::new(vec![
        Column::left(""),
        Column::right("time"),
        Column::left(&format!("interval ({})", notation.percent(confidence))),
        Column::right("error"),
        Column::left("").flexible(),
    ]);
    if let Some(measured) = one.measured_s {
        table.row([word(one), &seconds(notation, measured)].map(Cell::new));
    }
    for said in &one.models {
        let name = said.model.name();
        match &said.time {
            Some(time) => {
                let range = match time.low_s < time.high_s {
                    true => notation.range(time.low_s, time.high_s, &Unit::Seconds),
                    false => String::new(),
                };
                let error = said.error.map_or(String::new(), |error| notation.percent(error));
                table.row([
                    Cell::new(name),
                    Cell::new(notation.within(
                        time.value_s,
                        time.low_s,
                        time.high_s,
                        &Unit::Seconds,
                    )),
                    Cell::new(range),
                    Cell::new(error),
                ]);
            }
            None => {
                let why = said.missing.as_deref().unwrap_or_default();
                table.row([name, "none", "", "", why].map(Cell::new));
            }
        }
    }
    table
}

/// What was missing in the machine's file, never passed over.
fn substitutions(all: &[Prediction], style: &Style) -> String {
    let mut lines: Vec<(String, u64)> = Vec::new();
    for taken in all.iter().flat_map(|one| &one.substitutions) {
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
        return String::new();
    }
    let mut table = Table::new(vec![Column::left("").flexible(), Column::right("supersteps")]);
    for (text, count) in lines {
        table.row([Cell::new(text), Cell::new(count.to_string())]);
    }
    format!("\nMissing in the machine's file, and taken instead\n{}", table.render(style, 2))
}
