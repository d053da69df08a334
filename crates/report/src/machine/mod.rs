//! A machine as text.

mod comparison;
pub(crate) mod memory;
mod message_passing;
mod regimes;

use cll_fit::Unit;
use cll_machine::{Combine, Line, Machine, Uncertain};
use cll_result::Machines;

use crate::Notation;
use crate::document::{Block, Document, Section};
use crate::style::Style;
use crate::text::{Cell, Column, Table, escape};

use cll_units::text::{BytesDigits, BytesUnit};
pub use comparison::machine_comparison_text;

/// All that is known of a machine, in the literature's units and in seconds and bytes.
pub fn machine_text(machine: &Machine, style: &Style) -> String {
    document(machine, style.notation()).text(style)
}

fn document(machine: &Machine, notation: Notation) -> Document {
    let mut all = vec![head(machine)];
    all.extend(regimes::section(machine, notation));
    all.extend(memory::sections(machine, notation));
    all.extend(message_passing::sections(&machine.message_passing, notation));
    let tables =
        [("(s, g, l)", classic(machine, notation)), ("empty supersteps", empty(machine, notation))];
    let tables = tables.into_iter().filter(|(_, table)| !table.is_empty());
    all.extend(tables.map(|(title, table)| Section::plain(title).table(table)));
    if !machine.communication.is_empty() {
        all.push(Section::plain("supersteps by pattern: T = L + g*h, h = max(in, out)"));
    }
    let mut rest: Vec<&Line> =
        machine.communication.iter().filter(|line| !repeats_max(machine, line)).collect();
    while let Some(first) = rest.first() {
        let head = heading(first);
        let (own_lines, others): (Vec<&Line>, Vec<&Line>) =
            rest.into_iter().partition(|line| heading(line) == head);
        let table = Block::table_at(4, lines(&own_lines, notation));
        all.push(Section::untitled(vec![Block::line(escape(&head)), table]));
        rest = others;
    }
    Document::new(all)
}

/// The name, the description, the origin of the numbers, what is missing.
fn head(machine: &Machine) -> Section {
    let mut texts = vec![machine.about.clone()];
    texts.extend(origin(machine));
    texts.extend(machine.combine.map(|combine| {
        let sign = match combine {
            Combine::Max => "max",
            Combine::Sum => "+",
        };
        format!("@ = {sign}: with it one g explains the patterns best")
    }));
    texts.extend(machine.missing.iter().map(|missing| format!("not known: {missing}")));
    let disturbed = machine.origin.disturbed.iter();
    texts.extend(disturbed.map(|reason| format!("NOT RELIABLE: {reason}")));
    let lines = texts.iter().flat_map(|text| text.lines()).filter(|line| !line.trim().is_empty());
    lines.fold(Section::plain(escape(&machine.name)), |section, line| section.line(escape(line)))
}

/// Machines by their names.
pub fn machines_text(all: &Machines, style: &Style) -> String {
    let placed = all.machines.iter().any(|listed| listed.place != "program");
    let mut columns = vec![Column::left("name"), Column::left("machine"), Column::left("P")];
    columns.extend(placed.then(|| Column::left("of")));
    let mut table = Table::new(columns);
    for listed in &all.machines {
        let processors: Vec<String> = listed.processors.iter().map(u32::to_string).collect();
        let cells =
            [Cell::new(&listed.name), Cell::new(&listed.machine), Cell::new(processors.join(","))];
        table.row(cells.into_iter().chain(placed.then(|| Cell::new(listed.place))));
    }
    Document::new([Section::untitled(vec![Block::table_at(0, table)])]).text(style)
}

fn origin(machine: &Machine) -> Vec<String> {
    let origin = &machine.origin;
    let mut lines = Vec::new();
    if let Some(source) = &origin.source {
        lines.push(format!("from {source}"));
    }
    match (origin.by.is_empty(), origin.when.is_empty()) {
        (false, false) => lines.push(format!("measured by {}, {}", origin.by, origin.when)),
        (false, true) => lines.push(format!("measured by {}", origin.by)),
        (true, false) => lines.push(format!("measured {}", origin.when)),
        _ => {}
    }
    if !origin.how.is_empty() {
        lines.push(origin.how.clone());
    }
    if let Some(samples) = &origin.samples {
        lines.push(format!("samples: {samples}"));
    }
    if let Some(host) = &machine.host {
        let mut parts: Vec<String> =
            [&host.name, &host.cpu].into_iter().filter(|text| !text.is_empty()).cloned().collect();
        parts.extend(host.cores.map(|cores| format!("{cores} cores")));
        let caches: Vec<String> = host
            .caches
            .iter()
            .map(|cache| format!("{} {}", cache.name, size(cache.bytes.as_f64())))
            .collect();
        if !caches.is_empty() {
            parts.push(format!("caches {}", caches.join(", ")));
        }
        lines.push(parts.join("; "));
    }
    lines
}

fn engine(name: Option<&String>) -> Cell {
    Cell::new(name.map_or("", String::as_str))
}

fn processors(count: u32, oversubscribed: bool) -> Cell {
    Cell::new(if oversubscribed { format!("{count} > cores") } else { count.to_string() })
}

fn seconds(value: Uncertain, notation: Notation) -> String {
    within(value, notation, &Unit::Seconds)
}

/// Value and interval.
fn within(value: Uncertain, notation: Notation, unit: &Unit) -> String {
    let text = notation.quantity(value.value, unit);
    if value.has_spread() {
        format!("{text} ({})", notation.range(value.low, value.high, unit))
    } else {
        text
    }
}

fn classic(machine: &Machine, notation: Notation) -> Table {
    let mut table = Table::new(vec![
        Column::left("engine"),
        Column::left("P"),
        Column::right("s"),
        Column::right("g"),
        Column::right("l"),
        Column::right("g"),
        Column::right("l"),
    ]);
    for classic in &machine.classic {
        let in_operations = |seconds: f64, unit: &str| match classic.rate {
            Some(rate) => notation.rounded(seconds * rate.value, 3, &Unit::Other(unit.to_owned())),
            None => String::new(),
        };
        let rate = classic.rate.map_or(String::new(), |rate| {
            let (unit, name) = if rate.value >= 1e9 { (1e9, "Gop/s") } else { (1e6, "Mop/s") };
            notation.rounded(rate.value / unit, 4, &Unit::Other(name.into()))
        });
        table.row([
            engine(classic.engine.as_ref()),
            processors(classic.processors, classic.oversubscribed),
            Cell::new(rate),
            Cell::new(in_operations(4.0 * classic.g.value, "op/word")),
            Cell::new(in_operations(classic.l.value, "op")),
            Cell::new(notation.quantity(1e9 * classic.g.value, &Unit::Other("ns/B".into()))),
            Cell::new(notation.quantity(classic.l.value, &Unit::Seconds)),
        ]);
    }
    table
}

fn empty(machine: &Machine, notation: Notation) -> Table {
    let mut table = Table::new(vec![
        Column::left("engine"),
        Column::left("P"),
        Column::left("ends in"),
        Column::left("L").flexible(),
    ]);
    for empty in &machine.empty {
        table.row([
            engine(empty.engine.as_ref()),
            processors(empty.processors, empty.oversubscribed),
            Cell::new(empty.synchronisation.name()),
            Cell::new(seconds(empty.l, notation)),
        ]);
    }
    table
}

/// The common properties of lines.
fn heading(line: &Line) -> String {
    let engine = line.engine.as_ref().map_or(String::new(), |name| format!("{name}, "));
    let shared = if line.oversubscribed { " (more than cores)" } else { "" };
    let sum = if line.combine == Combine::Sum { ", h = in + out" } else { "" };
    let ending = line.synchronisation.name();
    format!("{engine}{} processors{shared}, {ending}{sum}", line.processors)
}

fn lines(lines: &[&Line], notation: Notation) -> Table {
    let mut table = Table::new(vec![
        Column::left("pattern"),
        Column::right("h"),
        Column::left("").joined(),
        Column::right("L"),
        Column::left("").joined(),
        Column::right("g"),
        Column::left("").joined(),
    ]);
    for line in lines {
        for (index, segment) in line.segments.iter().enumerate() {
            let name = if index == 0 { line.pattern.name() } else { "" };
            let l = parts(segment.l, notation, &Unit::Seconds);
            let g = parts(segment.g.times(1e9), notation, &Unit::Other("ns/B".into()));
            let to = format!("to {}", size(segment.to));
            let cells = [name.to_owned(), size(segment.from), to, l.0, l.1, g.0, g.1];
            table.row(cells.map(Cell::new));
        }
    }
    table
}

/// A value and half the width of its interval.
fn parts(value: Uncertain, notation: Notation, unit: &Unit) -> (String, String) {
    let half = ((value.high - value.low) / 2.0).max(value.high - value.value);
    let half = if value.has_spread() { half } else { f64::NAN };
    notation.plus_minus_parts(value.value, half, unit)
}

/// Whether the machine has the same line for @ = max.
fn repeats_max(machine: &Machine, line: &Line) -> bool {
    line.combine == Combine::Sum
        && machine.communication.iter().any(|other| {
            other.combine == Combine::Max
                && (&other.engine, other.processors, other.oversubscribed)
                    == (&line.engine, line.processors, line.oversubscribed)
                && (other.synchronisation, other.pattern) == (line.synchronisation, line.pattern)
        })
}

/// `4 KiB`, `1448 B`, `1.4 MiB`.
fn size(bytes: f64) -> String {
    cll_units::text::bytes(bytes, BytesUnit::Even, BytesDigits::Few)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_machine::Published;

    #[test]
    fn sizes() {
        assert_eq!(size(8.0), "8 B");
        assert_eq!(size(4096.0), "4 KiB");
        assert_eq!(size(16384.0 * 1024.0), "16 MiB");
        assert_eq!(size(30000.0), "29.3 KiB");
        assert_eq!(size(1448.0), "1448 B");
    }

    #[test]
    fn a_published_machine_in_both_units() {
        let machine = Published::named("sgi-powerchallenge").unwrap().machine();
        let text = machine_text(&machine, &Style { width: 120, ..Style::default() });
        for part in
            ["from Oxford BSP Toolset", "not known: ", "10.2 op/word", "1130 op", "34.5 ns/B"]
        {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
    }
}
