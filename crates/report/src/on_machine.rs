//! Times on another machine.

use cll_fit::Unit;
use cll_result::{By, Carried, OnMachine};

use crate::document::{Block, Document, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table, escape};

/// Each experiment: the times here and there, how they follow, and how far to trust them.
pub fn on_machine_text(answer: &OnMachine, style: &Style) -> String {
    let head = Section::plain(format!(
        "{} on {}, measured on {}",
        escape(&answer.model),
        escape(&answer.there),
        escape(&answer.here)
    ));
    let mut head = head;
    for note in &answer.notes {
        head = head.line(escape(note));
    }
    let each = answer.experiments.iter().map(|one| experiment(one, style));
    Document::new(std::iter::once(head).chain(each)).text(style)
}

fn experiment(one: &Carried, style: &Style) -> Section {
    let notation = style.notation();
    let seconds = |value: f64| notation.quantity(value, &Unit::Seconds);
    let mut table = Table::new(vec![
        Column::left("at"),
        Column::right("on its machine"),
        Column::right("there"),
        Column::left("range"),
    ]);
    for point in &one.points {
        let at: Vec<String> =
            point.at.iter().map(|(name, value)| format!("{} = {value}", escape(name))).collect();
        table.row([
            Cell::new(at.join(", ")),
            Cell::new(seconds(point.here_s)),
            Cell::new(seconds(point.there_s)).role(Role::Value),
            Cell::new(notation.range(point.low_s, point.high_s, &Unit::Seconds)),
        ]);
    }
    let by = match one.by {
        By::OperationsAndMemory => "by the costs of operations and of memory",
        By::Memory => "by the costs of memory; operations as accesses to the first level",
        By::Rate => "by operations per second alone",
    };
    let mut blocks = vec![Block::table(table, "Times"), Block::Space];
    blocks.push(Block::paragraph(
        format!(
            "{by}: computation takes {:.2}x ({:.2} to {:.2}) of its time there",
            one.computation, one.computation_range.0, one.computation_range.1
        ),
        Role::Plain,
    ));
    if one.by != By::Rate {
        blocks.push(Block::paragraph(
            format!(
                "the times here, computed in the same way, are off by {} on average; the program waits for {} of the latencies",
                notation.percent(one.error_here),
                notation.percent(one.waits)
            ),
            Role::Plain,
        ));
    }
    for boundary in &one.boundaries {
        let text = format!(
            "there {}[] leaves {} at {} = {:.0}; line {}",
            escape(&boundary.array),
            escape(&boundary.level),
            escape(&boundary.variable),
            boundary.at,
            boundary.line
        );
        blocks.push(Block::line(text));
    }
    let notes = one.notes.iter().map(|note| Block::paragraph(notation.text(note), Role::Caution));
    blocks.extend(notes);
    Section::new(&escape(&one.name), String::new(), blocks)
}
