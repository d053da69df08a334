//! The breakdown of a predicted time, in tables.

use cll_fit::Unit;
use cll_model::log::Measured;
use cll_model::{Parts, QuantityKind};
use cll_result::obsp::{Account, Prediction, Stretch};
use cll_units::{ProcessorId, Seconds};

use super::{bytes, seconds, word};
use crate::Notation;
use crate::text::{Cell, Column, Table};

/// The four kinds of time, with the measured ones.
pub fn kinds(prediction: &Prediction, account: &Account, total: f64, notation: Notation) -> Table {
    let mut mean = Parts::default();
    account.processors.iter().for_each(|parts| mean.add(parts));
    let mean = mean.times(1.0 / account.processors.len().max(1) as f64);
    let mut seen = [None; 4];
    if prediction.measured.is_some() {
        let total_of = |get: fn(&Measured) -> Seconds| {
            let all = account.objects.iter().filter_map(|object| object.measured.as_ref());
            Some(all.map(get).sum::<Seconds>().get())
        };
        seen = [
            total_of(|m| m.computation),
            total_of(|m| m.communication),
            None,
            total_of(|m| m.waiting),
        ];
    }
    let mut table = Table::new(vec![
        Column::left(""),
        Column::right("time"),
        Column::right("share"),
        Column::right(word(prediction)),
        Column::left(""),
    ]);
    let rows = [
        ("computation", mean.computation.get(), ""),
        ("communication (g h)", mean.communication.get(), "with synchronisation"),
        ("synchronisation (L)", mean.synchronisation.get(), ""),
        ("waiting", mean.waiting.get(), ""),
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
    let mut cells = vec![Cell::new(notation.percent(parts.total().get() / total))];
    let each = [parts.computation, parts.communication, parts.synchronisation, parts.waiting];
    cells.extend(each.map(|value| Cell::new(seconds(notation, value.get()))));
    cells
}

/// Adds a measured time, if there is one.
fn add_measured(sum: &mut Option<f64>, measured: Option<&Measured>) {
    if let Some(seen) = measured {
        *sum.get_or_insert(0.0) += (seen.computation + seen.communication + seen.waiting).get();
    }
}

/// The quantity in a table's last column.
fn measured_cell(sum: Option<f64>, notation: Notation) -> Cell {
    Cell::new(sum.map_or(String::new(), |seen| seconds(notation, seen)))
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

/// Objects of the same processors, one after the other, together.
pub fn objects(account: &Account, total: f64, top: usize, word: &str, notation: Notation) -> Table {
    struct Together<'a> {
        name: &'a str,
        processors: u32,
        count: usize,
        mean: Parts,
        measured: Option<f64>,
    }
    let mut all: Vec<Together<'_>> = Vec::new();
    let mut index = std::collections::HashMap::new();
    for row in &account.objects {
        let (name, processors) = (row.name.as_str(), row.processors);
        let position = *index.entry((name, processors)).or_insert_with(|| {
            let (mean, measured) = (Parts::default(), None);
            all.push(Together { name, processors, count: 0, mean, measured });
            all.len() - 1
        });
        let together = &mut all[position];
        together.count += 1;
        together.mean.add(&row.mean);
        add_measured(&mut together.measured, row.measured.as_ref());
    }
    let first = [Column::left("object").flexible(), Column::right("p"), Column::right("n")];
    let mut columns = parts_columns(first.into());
    columns.push(Column::right(word));
    let mut table = Table::new(columns);
    let (order, count) = most(all.iter().map(|together| together.mean.total().get()), top);
    for &position in &order {
        let together = &all[position];
        let mut cells = vec![
            Cell::new(together.name),
            Cell::new(together.processors.to_string()),
            Cell::new(together.count.to_string()),
        ];
        cells.extend(parts_cells(&together.mean, total, notation));
        cells.push(measured_cell(together.measured, notation));
        table.row(cells);
    }
    if account.outside > Seconds::ZERO {
        let waiting = Parts { waiting: account.outside, ..Parts::default() };
        let mut cells = vec![Cell::new("before and after"), Cell::new(""), Cell::new("")];
        cells.extend(parts_cells(&waiting, total, notation));
        table.row(cells);
    }
    and_others(&mut table, order.len(), count, "objects");
    table
}

/// Supersteps of one place and pattern.
struct Together<'a> {
    place: &'a str,
    pattern: &'a str,
    count: usize,
    h: f64,
    mean: Parts,
    measured: Option<f64>,
}

fn together(account: &Account) -> Vec<Together<'_>> {
    let mut all: Vec<Together<'_>> = Vec::new();
    let mut index = std::collections::HashMap::new();
    for row in &account.supersteps {
        let position = *index.entry((row.place.as_str(), row.pattern)).or_insert_with(|| {
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
        let together = &mut all[position];
        together.count += 1;
        together.h = together.h.max(row.h_bytes);
        together.mean.add(&row.mean);
        add_measured(&mut together.measured, row.measured.as_ref());
    }
    all
}

/// `swap.c:15, shift, 39.1 KiB`
fn described(together: &Together<'_>, notation: Notation) -> String {
    if together.h > 0.0 {
        format!("{}, {}, {}", together.place, together.pattern, bytes(notation, together.h))
    } else {
        together.place.to_owned()
    }
}

/// The supersteps with most time, their share, and what most of that is; `None` if there are none.
pub fn largest(account: &Account, total: f64, notation: Notation) -> Option<String> {
    let all = together(account);
    let time = |entry: &Together<'_>| entry.mean.total().get();
    let most = all.iter().max_by(|a, b| time(a).total_cmp(&time(b))).filter(|_| total > 0.0)?;
    let parts = [
        ("computation", most.mean.computation),
        ("communication", most.mean.communication),
        ("synchronisation", most.mean.synchronisation),
        ("waiting", most.mean.waiting),
    ];
    let (part, _) = parts.into_iter().max_by(|a, b| a.1.get().total_cmp(&b.1.get()))?;
    Some(format!(
        "look first at the supersteps that end at {}: {} of the time, most of it {part}",
        described(most, notation),
        notation.percent(time(most) / total)
    ))
}

/// Supersteps of one place and pattern together.
pub fn supersteps(
    account: &Account,
    total: f64,
    top: usize,
    word: &str,
    notation: Notation,
) -> Table {
    let all = together(account);
    let mut columns =
        parts_columns(vec![Column::left("ended at, pattern, h").flexible(), Column::right("n")]);
    columns.push(Column::right(word));
    let mut table = Table::new(columns);
    let (order, count) = most(all.iter().map(|together| together.mean.total().get()), top);
    for &position in &order {
        let together = &all[position];
        let mut cells =
            vec![Cell::new(described(together, notation)), Cell::new(together.count.to_string())];
        cells.extend(parts_cells(&together.mean, total, notation));
        cells.push(measured_cell(together.measured, notation));
        table.row(cells);
    }
    and_others(&mut table, order.len(), count, "places");
    table
}

/// The processors that compute most.
pub fn processors(account: &Account, total: f64, top: usize, notation: Notation) -> Table {
    let mut columns = vec![Column::right("processor")];
    columns.extend(["W", "share", "g h", "L", "waiting"].map(Column::right));
    let mut table = Table::new(columns);
    let (mut order, all) =
        most(account.processors.iter().map(|parts| parts.computation.get()), top);
    if all <= top {
        order.sort_unstable();
    }
    for &index in &order {
        let parts = &account.processors[index];
        table.row([
            Cell::new(index.to_string()),
            Cell::new(seconds(notation, parts.computation.get())),
            Cell::new(notation.percent(parts.computation.get() / total)),
            Cell::new(seconds(notation, parts.communication.get())),
            Cell::new(seconds(notation, parts.synchronisation.get())),
            Cell::new(seconds(notation, parts.waiting.get())),
        ]);
    }
    and_others(&mut table, order.len(), all, "processors");
    table
}

/// Steps of one processor at one place together, those with most time.
pub fn path(account: &Account, total: f64, top: usize, notation: Notation) -> Table {
    struct Together<'a> {
        place: &'a str,
        processor: ProcessorId,
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
        let position = *index.entry(key).or_insert_with(|| {
            let (place, processor) = key;
            all.push(Together { place, processor, count: 0, parts: Parts::default() });
            all.len() - 1
        });
        all[position].count += 1;
        all[position].parts.add(&step.parts);
    }
    let mut table = Table::new(parts_columns(vec![
        Column::right("processor"),
        Column::left("computes until").flexible(),
        Column::right("n"),
    ]));
    let (order, count) = most(all.iter().map(|together| together.parts.total().get()), top);
    for &position in &order {
        let together = &all[position];
        let mut cells = vec![
            Cell::new(together.processor.to_string()),
            Cell::new(together.place),
            Cell::new(together.count.to_string()),
        ];
        cells.extend(parts_cells(&together.parts, total, notation));
        table.row(cells);
    }
    and_others(&mut table, order.len(), count, "stretches");
    table
}

pub fn influences(account: &Account, top: usize, notation: Notation) -> Table {
    let mut table = Table::new(vec![
        Column::left("quantity").flexible(),
        Column::right("value"),
        Column::right("share"),
        Column::left("moves the time by").flexible(),
    ]);
    for hangs in account.influences.iter().take(top) {
        let unit = match hangs.quantity.kind {
            QuantityKind::G => Unit::Other("s/B".to_owned()),
            QuantityKind::Computation => Unit::Other(String::new()),
            QuantityKind::Constant | QuantityKind::L => Unit::Seconds,
        };
        let (low, high) = (hangs.influence.at_low.get(), hangs.influence.at_high.get());
        let moves = if low == 0.0 && high == 0.0 {
            String::new()
        } else {
            notation.range(low.min(high), low.max(high), &Unit::Seconds)
        };
        let value = hangs.quantity.value.value;
        let value = match hangs.quantity.kind {
            // The usual unit is ns/B.
            QuantityKind::G => format!("{}/B", notation.quantity(value, &Unit::Seconds)),
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
