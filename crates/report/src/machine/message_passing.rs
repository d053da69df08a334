//! The primitives of MPIs of a machine.

use cll_fit::Unit;
use cll_machine::{MessageCall, MessagePassing, Partner, Segment, Uncertain};

use super::memory::about;
use crate::Notation;
use crate::document::{Block, Section};
use crate::text::{Cell, Column, Table, escape};

/// A section for each MPI on one host, and between hosts.
pub(super) fn sections(all: &MessagePassing, notation: Notation) -> Vec<Section> {
    let mut sections = Vec::new();
    for (mpi, hosts) in all.settings() {
        let place = match hosts {
            1 => "on one host".to_owned(),
            _ => format!("between {hosts} hosts"),
        };
        let mut section = Section::plain(escape(&format!("messages of {mpi}, {place}")));
        if let Some(library) = all.library(mpi, hosts) {
            let size = |size: Uncertain| {
                if size.has_spread() {
                    format!("{} B ({} to {} B)", size.value, size.low, size.high)
                } else {
                    format!("{} B", size.value)
                }
            };
            if let Some(eager) = library.eager {
                let outside =
                    library.eager_outside.filter(|uncertain| uncertain.value < eager.value);
                let outside = outside.map_or(String::new(), |uncertain| {
                    format!("; {} while the receiver is outside of MPI", size(uncertain))
                });
                section = section.line(format!(
                    "eager limit: a send does not wait up to {}{outside}",
                    size(eager)
                ));
            }
            let starts = library.start.iter().map(|start| {
                let time = super::seconds(start.time, notation);
                format!("{time} of {}", start.processes)
            });
            let starts: Vec<String> = starts.collect();
            if !starts.is_empty() {
                section =
                    section.line(escape(&format!("start of processes: {}", starts.join(", "))));
            }
        }
        let table = components(all, mpi, hosts, notation);
        if !table.is_empty() {
            section = section.table(table);
        }
        sections.push(section);
        let calls = calls(all, mpi, hosts, notation);
        if !calls.is_empty() {
            let head = Block::line("calls, by what the other process does");
            sections.push(Section::untitled(vec![head, Block::table_at(4, calls)]));
        }
        let table = collectives(all, mpi, hosts, notation);
        if !table.is_empty() {
            let head = Block::line("collectives");
            sections.push(Section::untitled(vec![head, Block::table_at(4, table)]));
        }
    }
    sections
}

/// t_e, t_t, t_r and their whole, piece by piece.
fn components(all: &MessagePassing, mpi: &str, hosts: u32, notation: Notation) -> Table {
    let mut table = Table::new(vec![
        Column::left("T = L + g*n"),
        Column::right("n"),
        Column::left("").joined(),
        Column::right("L"),
        Column::left("").joined(),
        Column::right("g"),
        Column::left("").joined(),
    ]);
    let named = [
        (MessageCall::Emission, "t_e, sender busy"),
        (MessageCall::Transit, "t_t, neither"),
        (MessageCall::Reception, "t_r, receiver busy"),
        (MessageCall::Total, "whole"),
    ];
    for (call, name) in named {
        let Some(line) = all.message(mpi, hosts, call, None) else { continue };
        for (index, Segment { from, to, l, g }) in line.segments.iter().enumerate() {
            let l = super::parts(*l, notation, &Unit::Seconds);
            let g = super::parts(g.times(1e9), notation, &Unit::Other("ns/B".into()));
            let name = if index == 0 { name } else { "" };
            let to = format!("to {}", about(*to));
            let cells = [name.to_owned(), about(*from), to, l.0, l.1, g.0, g.1];
            table.row(cells.map(Cell::new));
        }
    }
    table
}

/// The sizes at which calls are shown.
const SIZES: [(f64, &str); 4] =
    [(8.0, "8 B"), (1024.0, "1 KiB"), (65536.0, "64 KiB"), (1_048_576.0, "1 MiB")];

fn sized(first: &str, second: &str) -> Table {
    let mut columns = vec![Column::left(first), Column::left(second)];
    columns.extend(SIZES.map(|(_, name)| Column::right(name)));
    Table::new(columns)
}

/// The times at these sizes; nothing where none was measured.
fn times(segments: &[Segment], time: impl Fn(f64) -> Uncertain, notation: Notation) -> [Cell; 4] {
    let known = |bytes: f64| {
        let ends = segments.first().zip(segments.last());
        ends.is_some_and(|(first, last)| first.from <= bytes && bytes <= last.to)
    };
    SIZES.map(|(bytes, _)| {
        Cell::new(if known(bytes) {
            notation.quantity(time(bytes).value, &Unit::Seconds)
        } else {
            String::new()
        })
    })
}

fn calls(all: &MessagePassing, mpi: &str, hosts: u32, notation: Notation) -> Table {
    let mut table = sized("call", "the other");
    for line in all.messages.iter().filter(|line| line.mpi == mpi && line.hosts == hosts) {
        let Some(partner) = line.partner else { continue };
        let words = match partner {
            Partner::Posted => "has posted",
            Partner::Late => "comes later",
            Partner::Early => "came before",
        };
        let times = times(&line.segments, |bytes| line.time(bytes), notation);
        table.row([Cell::new(line.call.name()), Cell::new(words)].into_iter().chain(times));
    }
    table
}

fn collectives(all: &MessagePassing, mpi: &str, hosts: u32, notation: Notation) -> Table {
    let mut table = sized("call", "processes");
    for line in all.collectives.iter().filter(|line| line.mpi == mpi && line.hosts == hosts) {
        let count = super::processors(line.processes, line.oversubscribed);
        let mut times = times(&line.segments, |bytes| line.time(bytes), notation);
        if line.segments.iter().all(|segment| segment.to == 0.0) {
            times[0] = Cell::new(notation.quantity(line.time(0.0).value, &Unit::Seconds));
        }
        table.row([Cell::new(line.call.name()), count].into_iter().chain(times));
    }
    table
}

#[cfg(test)]
mod tests {
    use crate::style::Style;
    use cll_machine::read;

    #[test]
    fn the_limit_the_components_and_the_calls_are_shown() {
        let text = r#"cll-machine = 3
name = "two"
[origin]
by = "hand"
[[mpi]]
name = "An MPI 1"
hosts = 1
eager = "4040 B"
eager-outside = "256 B"
start = [{ processes = 2, time = "0.4 s" }]
[[message]]
mpi = "An MPI 1"
hosts = 1
call = "emission"
pieces = [{ from = "8 B", to = "4 KiB", L = "50 ns", g = "0.1 ns/B" }]
[[message]]
mpi = "An MPI 1"
hosts = 1
call = "send"
partner = "late"
pieces = [{ from = "8 B", to = "4 KiB", L = "50 ns", g = "0.1 ns/B" }]
[[collective]]
mpi = "An MPI 1"
call = "barrier"
processes = 4
oversubscribed = true
pieces = [{ from = "0 B", to = "0 B", L = "8 us", g = "0 ns/B" }]
"#;
        let machine = read(text.as_bytes()).machine.unwrap();
        let style = Style { width: 110, ..Style::default() };
        let text = crate::machine_text(&machine, &style);
        for part in [
            "eager limit: a send does not wait up to 4040 B; 256 B while the receiver is outside of MPI",
            "t_e, sender busy",
            "start of processes: 400 ms of 2",
            "comes later",
            "4 > cores",
        ] {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
        assert!(text.contains("152 ns"), "50 ns + 0.1 ns/B * 1 KiB\n{text}");
    }
}
