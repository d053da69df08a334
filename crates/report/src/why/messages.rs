//! Messages that pass a limit of MPI.

use cll_result::{WhyExperiment, WhyMessages};

use super::words::{MOST, WIDE, at_lines, number, size};
use crate::Notation;
use crate::document::Block;
use crate::style::Role;
use crate::text::{Cell, Column, Table, escape};

/// A table of the messages that pass a limit.
pub(super) fn passed(experiment: &WhyExperiment, program: &str, notation: Notation) -> Vec<Block> {
    let mut table = Table::new(vec![
        Column::left("call"),
        Column::right("line").flexible(),
        Column::right("processes"),
        Column::left("bytes"),
        Column::left("passes").flexible(),
        Column::left("at"),
    ]);
    let all = alike(&experiment.messages);
    let shown: Vec<&(&WhyMessages, String)> = all.iter().take(MOST).collect();
    for (passing, processes) in shown.iter().copied() {
        table.row([
            Cell::new(escape(&passing.call)).role(Role::Value),
            Cell::new(at_lines(&passing.file, &[passing.line], program)),
            Cell::new(processes.as_str()),
            Cell::new(notation.text(&passing.size)),
            Cell::new(format!("{}, {}", escape(&passing.limit.limit), size(passing.limit.bytes))),
            Cell::new(place_of(passing)),
        ]);
    }
    let mut blocks = vec![Block::table(table, "Messages that pass a limit of MPI")];
    if shown.iter().any(|(messages, _)| !messages.measured) {
        blocks.push(Block::line("* beyond the sizes that were followed: from the formula"));
    }
    let more = all.len() - shown.len();
    if more > 0 {
        let text = format!("{more} others, of fewer messages, are in --json");
        blocks.push(Block::paragraph(text, Role::Faint));
    }
    blocks
}

/// Those that differ by the number of processes alone, with these numbers: `2, 4`.
pub(super) fn alike(all: &[WhyMessages]) -> Vec<(&WhyMessages, String)> {
    let mut found: Vec<(&WhyMessages, Vec<u32>)> = Vec::new();
    for messages in all {
        let is_same = |known: &&mut (&WhyMessages, Vec<u32>)| {
            let known = known.0;
            (&known.call, &known.file, known.line, &known.size, &known.limit)
                == (&messages.call, &messages.file, messages.line, &messages.size, &messages.limit)
                && place_of(known) == place_of(messages)
        };
        match found.iter_mut().find(is_same) {
            Some((_, processes)) => processes.push(messages.processes),
            None => found.push((messages, vec![messages.processes])),
        }
    }
    let listed = |(messages, mut processes): (_, Vec<u32>)| {
        processes.sort_unstable();
        let words: Vec<String> = processes.iter().map(u32::to_string).collect();
        (messages, words.join(", "))
    };
    found.into_iter().map(listed).collect()
}

/// `MPI_Send (8*N bytes) passes the eager limit of Open MPI v4.1.4 (4,040 B) at N = 505 with 2 processes; heat.c:53`.
pub(super) fn sending(messages: &WhyMessages, processes: &str, notation: Notation) -> String {
    let size_of = match messages.size.as_str() {
        "" => String::new(),
        text => format!(" ({} bytes)", escape(text)),
    };
    let step = messages.limit.step.map_or(String::new(), |seconds| {
        let more = if seconds < 0.0 { "less" } else { "more" };
        let time = notation.quantity(seconds.abs(), &cll_fit::Unit::Seconds);
        format!(", {time} {more} for each")
    });
    format!(
        "{}{size_of} passes the {} of {} ({}) at {} with {processes} processes{step}; {}",
        escape(&messages.call),
        escape(&messages.limit.limit),
        escape(&messages.limit.mpi),
        size(messages.limit.bytes),
        place_of(messages),
        at_lines(&messages.file, &[messages.line], "")
    )
}

/// `N = 505`, or `N = 505 to 1,010` until all messages of the line are larger.
fn place_of(messages: &WhyMessages) -> String {
    let mark = if messages.measured { "" } else { "*" };
    let to = messages.all.filter(|all| *all > WIDE * messages.at);
    let to = to.map_or(String::new(), |all| format!(" to {}", number(all)));
    format!("{} = {}{to}{mark}", escape(&messages.variable), number(messages.at))
}
