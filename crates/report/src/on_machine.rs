//! Times on another machine.

use cll_fit::{Estimate, Unit};
use cll_result::{By, Carried, CarriedBoundary, OnMachine};

use crate::document::{Block, Document, Section};
use crate::model::{intervals, value_with_half};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table, escape};
use cll_units::text::{PercentDigits, percent};

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
    let each = answer.experiments.iter().map(|time| experiment(time, style));
    Document::new(std::iter::once(head).chain(each)).text(style)
}

/// Boundaries that are shown.
const BOUNDARIES: usize = 5;

/// `there a[] leaves L1 at n = 5120 (4800 to 5500); 12 % more time beyond; line 23`.
fn leaves(boundary: &CarriedBoundary) -> String {
    let until = if boundary.high < f64::MAX {
        format!("{:.0} to {:.0}", boundary.low, boundary.high)
    } else {
        format!("from {:.0} on", boundary.low)
    };
    format!(
        "there {}[] leaves {} at {} = {:.0} ({until}), line {}: +{} time beyond",
        escape(&boundary.array),
        escape(&boundary.level),
        escape(&boundary.variable),
        boundary.at,
        boundary.line,
        percent(boundary.effect, PercentDigits::Decimals(0))
    )
}

fn experiment(time: &Carried, style: &Style) -> Section {
    let notation = style.notation();
    let seconds = |value: f64| notation.quantity(value, &Unit::Seconds);
    let mut table = Table::new(vec![
        Column::left("at"),
        Column::right("on its machine"),
        Column::right("there"),
        Column::left("range"),
    ]);
    for point in &time.points {
        let at: Vec<String> =
            point.at.iter().map(|(name, value)| format!("{} = {value}", escape(name))).collect();
        table.row([
            Cell::new(at.join(", ")),
            Cell::new(seconds(point.here_s)),
            Cell::new(seconds(point.there_s)).role(Role::Value),
            Cell::new(notation.range(point.low_s, point.high_s, &Unit::Seconds)),
        ]);
    }
    let by = match time.by {
        By::OperationsAndMemory => "by the costs of operations and of memory",
        By::Memory => "by the costs of memory; operations as accesses to the first level",
        By::Rate => "by operations per second alone",
    };
    let mut blocks = if time.points.is_empty() {
        Vec::new()
    } else {
        vec![Block::table(table, "Times"), Block::Space]
    };
    blocks.push(Block::paragraph(
        format!(
            "{by}: computation takes {:.2}x ({:.2} to {:.2}) of its time there",
            time.computation, time.computation_range.0, time.computation_range.1
        ),
        Role::Plain,
    ));
    if time.by == By::Rate {
        blocks.push(Block::paragraph(
            format!("the model is off by {} on average here", notation.percent(time.error_here)),
            Role::Plain,
        ));
    } else {
        blocks.push(Block::paragraph(
            format!(
                "the times here, computed in the same way, are off by {} on average; the program waits for {} of the latencies",
                notation.percent(time.error_here),
                notation.percent(time.waits)
            ),
            Role::Plain,
        ));
    }
    for boundary in time.boundaries.iter().take(BOUNDARIES) {
        blocks.push(Block::line(leaves(boundary)));
    }
    if time.boundaries.len() > BOUNDARIES {
        let more = time.boundaries.len() - BOUNDARIES;
        blocks.push(Block::line(format!("{more} more boundaries are in --json")));
    }
    if let Some(fit) = &time.fit {
        let sets = fit.constants.iter().map(|constant| {
            let value = |estimate: &Estimate| value_with_half(estimate, fit, style);
            let set = format!("= {}", intervals::set(constant, fit, style, value));
            (notation.text(&constant.constant), set, Role::Plain)
        });
        blocks.push(Block::Space);
        blocks.push(Block::line(format!(
            "{} of the constants there:",
            style.glyph("ℵ sets", "aleph sets")
        )));
        blocks.push(Block::Named(sets.collect()));
    }
    let notes = time.notes.iter().map(|note| Block::paragraph(notation.text(note), Role::Caution));
    blocks.extend(notes);
    Section::new(&escape(&time.name), String::new(), blocks)
}
