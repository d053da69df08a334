//! Two campaigns of one plan compared.

use cll_campaign::TimeChange;
use cll_diagnostic::counted;
use cll_result::Comparison;

use crate::document::{Block, Document, Section};
use crate::style::Style;
use crate::text::{Cell, Column, Table, escape};

/// The differences: environments, a row for each point, how many points have changed.
pub fn comparison_text(comparison: &Comparison, style: &Style) -> String {
    let mut blocks: Vec<Block> = comparison
        .differs
        .iter()
        .map(|differing| {
            format!(
                "{}: {} → {}",
                differing.what,
                short(&differing.before),
                short(&differing.after)
            )
        })
        .map(|line| Block::at_margin(escape(&line)))
        .collect();
    if blocks.is_empty() {
        blocks.push(Block::at_margin("the environments are the same"));
    }
    blocks.push(Block::table_at(0, points(comparison)));
    let known =
        comparison.compared.iter().filter(|compared| compared.change.interval.is_some()).count();
    let changed = comparison
        .compared
        .iter()
        .filter(|compared| compared.change.is_seen() == Some(true))
        .count();
    blocks.push(Block::at_margin(format!(
        "{changed} of {} changed by {} intervals; of {known} that {} not, about {:.0} would seem to by chance",
        counted(known, "point has", "points have"),
        if known == 1 { "its" } else { "their" },
        if known == 1 { "has" } else { "have" },
        (1.0 - comparison.confidence) * known as f64
    )));
    Document::new([Section::untitled(blocks)]).text(style)
}

/// A row for each point that both campaigns have.
fn points(comparison: &Comparison) -> Table {
    let mut table = Table::new(vec![
        Column::left("experiment"),
        Column::left("at"),
        Column::right("factor"),
        Column::left("90 % interval"),
        Column::left(""),
    ]);
    for compared in &comparison.compared {
        let interval = match compared.change.interval {
            Some((low, high)) => format!("{low:.3} to {high:.3}"),
            None => format!("too few runs ({} and {})", compared.runs.0, compared.runs.1),
        };
        table.row([
            Cell::new(&compared.experiment),
            Cell::new(&compared.point),
            Cell::new(format!("{:.3}", compared.change.ratio)),
            Cell::new(interval),
            Cell::new(direction(&compared.change)),
        ]);
    }
    table
}

fn direction(change: &TimeChange) -> &'static str {
    match (change.is_seen(), change.ratio > 1.0) {
        (Some(true), true) => "slower",
        (Some(true), false) => "faster",
        _ => "",
    }
}

/// Hashes and lists are cut to their beginning.
fn short(text: &str) -> String {
    const MAX_LETTERS: usize = 40;
    if text.chars().count() > MAX_LETTERS {
        format!("{}…", text.chars().take(MAX_LETTERS).collect::<String>())
    } else if text.is_empty() {
        "(none)".to_owned()
    } else {
        text.to_owned()
    }
}
