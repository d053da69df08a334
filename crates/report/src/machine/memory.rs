//! Memory and operations of a machine.

use cll_fit::Unit;
use cll_machine::{
    Access, BandwidthCurve, Contention, Level, Machine, Memory, Operation, Uncertain,
};

use crate::Notation;
use crate::document::{Block, Section};
use crate::text::{Cell, Column, Table, escape};
use cll_units::text::{BinaryUnit, BytesDigits, BytesUnit};

/// The sections of a machine, the essentials first; curves are not in them.
pub(super) fn sections(machine: &Machine, notation: Notation) -> Vec<Section> {
    let memory = &machine.memory;
    let mut all = Vec::new();
    if !memory.levels.is_empty() {
        let mut section = Section::plain("memory: levels found by the latency of accesses")
            .table(levels(machine, notation));
        for step in &memory.translation {
            section = section.line(escape(&format!(
                "address translation: beyond {} of pages of {} an access takes {} more",
                about(step.reach.value),
                about(step.page),
                notation.quantity(step.cost.value, &Unit::Seconds)
            )));
        }
        all.push(section);
    }
    all.extend(bandwidth(memory, notation));
    all.extend(loaded(memory, notation));
    if !machine.operations.is_empty()
        || machine.process_start.is_some()
        || machine.page_use.is_some()
    {
        all.push(operations(machine, notation));
    }
    let curves = memory.latency.len() + memory.bandwidth.len() + memory.independent.len();
    if curves > 0 {
        let text = format!("{curves} curves by working set are in the file, and in --json");
        all.push(Section::untitled(vec![Block::line(text)]));
    }
    all
}

fn levels(machine: &Machine, notation: Notation) -> Table {
    let mut table = Table::new(vec![
        Column::left("level"),
        Column::right("size"),
        Column::left("").joined(),
        Column::right("system says"),
        Column::right("latency"),
        Column::left("").joined(),
        Column::right("read of many"),
        Column::right("write of many"),
    ]);
    let caches = machine.host.as_ref().map_or(&[][..], |host| &host.caches);
    for (k, level) in machine.memory.levels.iter().enumerate() {
        let claimed = caches.iter().find(|cache| cache.name == level.name);
        let latency = super::parts(level.latency, notation, &Unit::Seconds);
        let each = |access| match machine.memory.each(access, k) {
            Some(time) => notation.quantity(time.value, &Unit::Seconds),
            None => String::new(),
        };
        let range = |size: Uncertain| format!("({} to {})", about(size.low), about(size.high));
        let cells = [
            level.name.clone(),
            level.size.map_or(String::new(), |size| about(size.value)),
            level.size.filter(|size| size.has_spread()).map_or(String::new(), range),
            claimed.map_or(String::new(), |cache| about(cache.bytes.as_f64())),
            latency.0,
            latency.1,
            each(Access::Read),
            each(Access::Write),
        ];
        table.row(cells.map(Cell::new));
    }
    table
}

/// Rates by level, with one core and with all; and how much longer a core takes then.
fn bandwidth(memory: &Memory, notation: Notation) -> Option<Section> {
    let most = memory.bandwidth.iter().map(|curve| curve.cores).max()?;
    let curve = |access: Access, cores: u32| {
        memory.bandwidth.iter().find(|curve| curve.access == access && curve.cores == cores)
    };
    let numbers = if most > 1 { vec![1, most] } else { vec![1] };
    let mut columns = vec![Column::left("level"), Column::right("cores")];
    columns.extend(Access::ALL.map(|access| Column::right(access.name())));
    columns.push(Column::right(match notation {
        Notation::Unicode => "κ",
        Notation::Ascii => "kappa",
    }));
    let mut table = Table::new(columns);
    for level in &memory.levels {
        for cores in &numbers {
            let rates = Access::ALL.map(|access| in_level(memory, curve(access, *cores), level));
            let same = |candidate: &&Contention| {
                candidate.level == level.name && candidate.cores == *cores
            };
            let kappa = memory.contention.iter().find(same);
            let kappa =
                kappa.map_or(String::new(), |contention| format!("{:.2}", contention.factor.value));
            let head = [level.name.clone(), cores.to_string()];
            table.row(head.into_iter().chain(rates).chain([kappa]).map(Cell::new));
        }
    }
    (!table.is_empty()).then(|| Section::plain("bandwidth, all cores together").table(table))
}

/// The rate of a curve in a level.
fn in_level(memory: &Memory, curve: Option<&BandwidthCurve>, level: &Level) -> String {
    let Some(curve) = curve else { return String::new() };
    let rates = memory.rates(curve);
    let level_rate = rates.iter().find(|(name, _)| *name == level.name);
    level_rate.map_or(String::new(), |(_, rate)| gigabytes(rate.value))
}

/// How the latency grows with the bandwidth that others take: the least and the most loaded point, and the middle.
fn loaded(memory: &Memory, notation: Notation) -> Vec<Section> {
    let curves = memory.loaded.iter().filter(|curve| !curve.points.is_empty());
    let sections = curves.map(|curve| {
        let mut table = Table::new(vec![Column::right("others read"), Column::right("latency")]);
        let last = curve.points.len() - 1;
        let mut shown = vec![0, last / 2, last];
        shown.dedup();
        for point in shown.into_iter().map(|index| curve.points[index]) {
            let latency = notation.quantity(point.latency.value, &Unit::Seconds);
            table.row([Cell::new(gigabytes(point.rate.value)), Cell::new(latency)]);
        }
        Section::plain(format!("memory under load, {} cores", curve.cores)).table(table)
    });
    sections.collect()
}

fn operations(machine: &Machine, notation: Notation) -> Section {
    let mut table = Table::new(vec![
        Column::left("operation"),
        Column::left("of"),
        Column::right("latency"),
        Column::left("").joined(),
        Column::right("each of many"),
        Column::left("").joined(),
    ]);
    let parts = |time: Option<Uncertain>| match time {
        Some(time) => super::parts(time, notation, &Unit::Seconds),
        None => (String::new(), String::new()),
    };
    for Operation { name, operand, latency, each } in &machine.operations {
        let name = if name == "branch" { "mispredicted branch" } else { name };
        let (latency, each) = (parts(*latency), parts(*each));
        let cells = [name.to_owned(), operand.clone(), latency.0, latency.1, each.0, each.1];
        table.row(cells.map(Cell::new));
    }
    if let Some(start) = machine.process_start {
        let start = parts(Some(start));
        let cells = ["start of a process".into(), String::new(), start.0, start.1];
        table.row(cells.map(Cell::new).into_iter().chain([Cell::new(""), Cell::new("")]));
    }
    if let Some(page) = machine.page_use {
        let page = parts(Some(page));
        let cells = ["first use of a page".into(), String::new(), page.0, page.1];
        table.row(cells.map(Cell::new).into_iter().chain([Cell::new(""), Cell::new("")]));
    }
    Section::plain("operations").table(table)
}

/// Bytes to three digits: `48 KiB`, `1.77 MiB`.
pub(crate) fn about(bytes: f64) -> String {
    cll_units::text::bytes(bytes, BytesUnit::Largest(BinaryUnit::Gib), BytesDigits::Three)
}

/// `12.3 GB/s`.
pub(super) fn gigabytes(rate: f64) -> String {
    let number = rate / 1e9;
    let digits = match number {
        n if n >= 100.0 => 0,
        n if n >= 10.0 => 1,
        _ => 2,
    };
    format!("{number:.digits$} GB/s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_enough() {
        assert_eq!(about(49152.0), "48 KiB");
        assert_eq!(about(1_856_000.0), "1.77 MiB");
        assert_eq!(about(12.4 * 1_048_576.0), "12.4 MiB");
        assert_eq!(about(64.0), "64 B");
        assert_eq!(gigabytes(236e9), "236 GB/s");
        assert_eq!(gigabytes(4.2083e9), "4.21 GB/s");
    }
}
