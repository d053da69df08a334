//! A prediction as people read it.

use cll_fit::Unit;
use cll_machine::{Combine, Machine, Substitution};
use cll_model::{Kind, Parts, Target};
use cll_report::{Cell, Column, Notation, Style, Table};
use serde::Serialize;

use super::answer::{Account, Prediction, Stretch};
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

fn seconds(notation: Notation, value: f64) -> String {
    notation.quantity(value, &Unit::Seconds)
}

fn bytes(notation: Notation, value: f64) -> String {
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
        out.push_str(&kinds(one, account, total, notation).render(style, 2));
        out.push_str("\nBy machine object\n");
        out.push_str(&objects(account, total, top, notation).render(style, 2));
        out.push_str("\nBy superstep\n");
        out.push_str(&supersteps(account, total, top, notation).render(style, 2));
        out.push_str("\nBy processor\n");
        out.push_str(&processors(account, total, top, notation).render(style, 2));
        out.push_str("\nThe critical path of OBSP*\n");
        out.push_str(&path(account, total, top, notation).render(style, 2));
        out.push_str("\nWhat the time of OBSP* hangs on\n");
        out.push_str(&influences(account, top, notation).render(style, 2));
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
        table.row(["measured", &seconds(notation, measured)].map(Cell::new));
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

/// The four kinds, beside what was measured.
fn kinds(one: &Prediction, account: &Account, total: f64, notation: Notation) -> Table {
    let mut mean = Parts::default();
    account.processors.iter().for_each(|parts| mean.add(parts));
    let mean = mean.times(1.0 / account.processors.len().max(1) as f64);
    let mut seen = [None; 4];
    if one.measured_s.is_some() {
        let of = |get: fn(&cll_model::log::Measured) -> f64| {
            let all = account.objects.iter().filter_map(|object| object.measured.as_ref());
            Some(all.map(get).sum::<f64>())
        };
        seen = [of(|m| m.computation_s), of(|m| m.communication_s), None, of(|m| m.waiting_s)];
    }
    let mut table = Table::new(vec![
        Column::left(""),
        Column::right("time"),
        Column::right("share"),
        Column::right("measured"),
        Column::left(""),
    ]);
    let rows = [
        ("computation", mean.computation_s, ""),
        ("communication (g h)", mean.communication_s, "with synchronisation"),
        ("synchronisation (L)", mean.synchronisation_s, ""),
        ("waiting", mean.waiting_s, ""),
    ];
    for ((name, value, note), seen) in rows.into_iter().zip(seen) {
        table.row([
            Cell::new(name),
            Cell::new(seconds(notation, value)),
            Cell::new(notation.percent(value / total)),
            Cell::new(seen.map_or(String::new(), |seen| seconds(notation, seen))),
            Cell::new(if seen.is_some() { note } else { "" }),
        ]);
    }
    table
}

fn parts_columns(first: Vec<Column>) -> Vec<Column> {
    let mut columns = first;
    columns.extend(["share", "W", "g h", "L", "waiting"].map(Column::right));
    columns
}

fn parts_cells(parts: &Parts, total: f64, notation: Notation) -> Vec<Cell> {
    let mut cells = vec![Cell::new(notation.percent(parts.total() / total))];
    let each =
        [parts.computation_s, parts.communication_s, parts.synchronisation_s, parts.waiting_s];
    cells.extend(each.map(|value| Cell::new(seconds(notation, value))));
    cells
}

/// The indices of those with most, in descending order.
fn most(values: impl Iterator<Item = f64>, top: usize) -> (Vec<usize>, usize) {
    let mut order: Vec<(usize, f64)> = values.enumerate().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let all = order.len();
    (order.into_iter().take(top).map(|(index, _)| index).collect(), all)
}

fn and_others(table: &mut Table, shown: usize, all: usize, what: &str) {
    if shown < all {
        table.row([Cell::new(format!("and {} other {what}", all - shown))]);
    }
}

fn objects(account: &Account, total: f64, top: usize, notation: Notation) -> Table {
    let mut columns = parts_columns(vec![Column::left("object").flexible(), Column::right("p")]);
    columns.push(Column::right("measured"));
    let mut table = Table::new(columns);
    let (order, all) = most(account.objects.iter().map(|one| one.mean.total()), top);
    for &index in &order {
        let one = &account.objects[index];
        let mut cells = vec![Cell::new(&one.name), Cell::new(one.processors.to_string())];
        cells.extend(parts_cells(&one.mean, total, notation));
        cells.push(Cell::new(one.measured.map_or(String::new(), |seen| {
            seconds(notation, seen.computation_s + seen.communication_s + seen.waiting_s)
        })));
        table.row(cells);
    }
    if account.outside_s > 0.0 {
        let waiting = Parts { waiting_s: account.outside_s, ..Parts::default() };
        let mut cells = vec![Cell::new("before and after"), Cell::new("")];
        cells.extend(parts_cells(&waiting, total, notation));
        table.row(cells);
    }
    and_others(&mut table, order.len(), all, "objects");
    table
}

/// Supersteps of one place and pattern together.
fn supersteps(account: &Account, total: f64, top: usize, notation: Notation) -> Table {
    struct Together<'a> {
        place: &'a str,
        pattern: &'a str,
        count: usize,
        h: f64,
        mean: Parts,
        measured: Option<f64>,
    }
    let mut all: Vec<Together<'_>> = Vec::new();
    let mut index = std::collections::HashMap::new();
    for row in &account.supersteps {
        let at = *index.entry((row.place.as_str(), row.pattern)).or_insert_with(|| {
            all.push(Together {
                place: &row.place,
                pattern: row.pattern,
                count: 0,
                h: 0.0,
                mean: Parts::default(),
                measured: None,
            });
            all.len() - 1
        });
        let one = &mut all[at];
        one.count += 1;
        one.h = one.h.max(row.h_bytes);
        one.mean.add(&row.mean);
        if let Some(seen) = &row.measured {
            *one.measured.get_or_insert(0.0) +=
                seen.computation_s + seen.communication_s + seen.waiting_s;
        }
    }
    let mut columns =
        parts_columns(vec![Column::left("ended at, pattern, h").flexible(), Column::right("n")]);
    columns.push(Column::right("measured"));
    let mut table = Table::new(columns);
    let (order, count) = most(all.iter().map(|one| one.mean.total()), top);
    for &at in &order {
        let one = &all[at];
        let mut cells = vec![
            Cell::new(match one.h > 0.0 {
                true => {
                    format!("{}, {}, {}", one.place, one.pattern, bytes(notation, one.h))
                }
                false => one.place.to_owned(),
            }),
            Cell::new(one.count.to_string()),
        ];
        cells.extend(parts_cells(&one.mean, total, notation));
        cells.push(Cell::new(one.measured.map_or(String::new(), |seen| seconds(notation, seen))));
        table.row(cells);
    }
    and_others(&mut table, order.len(), count, "places");
    table
}

/// Those that compute most.
fn processors(account: &Account, total: f64, top: usize, notation: Notation) -> Table {
    let mut columns = vec![Column::right("processor")];
    columns.extend(["W", "share", "g h", "L", "waiting"].map(Column::right));
    let mut table = Table::new(columns);
    let (mut order, all) = most(account.processors.iter().map(|one| one.computation_s), top);
    if all <= top {
        order.sort_unstable();
    }
    for &index in &order {
        let one = &account.processors[index];
        table.row([
            Cell::new(index.to_string()),
            Cell::new(seconds(notation, one.computation_s)),
            Cell::new(notation.percent(one.computation_s / total)),
            Cell::new(seconds(notation, one.communication_s)),
            Cell::new(seconds(notation, one.synchronisation_s)),
            Cell::new(seconds(notation, one.waiting_s)),
        ]);
    }
    and_others(&mut table, order.len(), all, "processors");
    table
}

/// Steps of one processor at one place together, those with most time.
fn path(account: &Account, total: f64, top: usize, notation: Notation) -> Table {
    struct Together<'a> {
        place: &'a str,
        processor: u32,
        count: usize,
        parts: Parts,
    }
    let mut names = std::collections::HashMap::new();
    for row in &account.supersteps {
        names.insert((row.object, row.superstep), row.place.as_str());
    }
    let place = |step: &Stretch| names.get(&(step.object, step.superstep)).copied().unwrap_or("");
    let mut all: Vec<Together<'_>> = Vec::new();
    let mut index = std::collections::HashMap::new();
    for step in &account.critical_path {
        let key = (place(step), step.processor);
        let at = *index.entry(key).or_insert_with(|| {
            let (place, processor) = key;
            all.push(Together { place, processor, count: 0, parts: Parts::default() });
            all.len() - 1
        });
        all[at].count += 1;
        all[at].parts.add(&step.parts);
    }
    let mut table = Table::new(parts_columns(vec![
        Column::right("processor"),
        Column::left("computes until").flexible(),
        Column::right("n"),
    ]));
    let (order, count) = most(all.iter().map(|one| one.parts.total()), top);
    for &at in &order {
        let one = &all[at];
        let mut cells = vec![
            Cell::new(one.processor.to_string()),
            Cell::new(one.place),
            Cell::new(one.count.to_string()),
        ];
        cells.extend(parts_cells(&one.parts, total, notation));
        table.row(cells);
    }
    and_others(&mut table, order.len(), count, "stretches");
    table
}

fn influences(account: &Account, top: usize, notation: Notation) -> Table {
    let mut table = Table::new(vec![
        Column::left("quantity").flexible(),
        Column::right("value"),
        Column::right("share"),
        Column::left("moves the time by").flexible(),
    ]);
    for hangs in account.influences.iter().take(top) {
        let unit = match hangs.quantity.kind {
            Kind::G => Unit::Other("s/B".to_owned()),
            Kind::Computation => Unit::Other(String::new()),
            Kind::Constant | Kind::L => Unit::Seconds,
        };
        let (low, high) = (hangs.influence.at_low_s, hangs.influence.at_high_s);
        let moves = match low == 0.0 && high == 0.0 {
            true => String::new(),
            false => notation.range(low.min(high), low.max(high), &Unit::Seconds),
        };
        let value = hangs.quantity.value.value;
        let value = match hangs.quantity.kind {
            // ns/B is what people say.
            Kind::G => format!("{}/B", notation.quantity(value, &Unit::Seconds)),
            _ => notation.quantity(value, &unit),
        };
        table.row([
            Cell::new(&hangs.quantity.name),
            Cell::new(value),
            Cell::new(notation.percent(hangs.influence.share)),
            Cell::new(moves),
        ]);
    }
    and_others(
        &mut table,
        account.influences.len().min(top),
        account.influences.len(),
        "quantities",
    );
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
