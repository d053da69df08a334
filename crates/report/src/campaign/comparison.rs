//! Two campaigns of one plan beside each other.

use std::fmt::Write;

use cll_campaign::Change;
use cll_result::Comparison;

use crate::style::Style;
use crate::text::{Cell, Column, Table, escape};

/// What has changed: environments, a row for each point, how many have changed.
pub fn comparison_text(of: &Comparison, style: &Style) -> String {
    let mut out = String::new();
    for one in &of.differs {
        let line = format!("{}: {} → {}", one.what, short(&one.before), short(&one.after));
        let _ = writeln!(out, "{}", escape(&line));
    }
    if of.differs.is_empty() {
        out.push_str("the environments are the same\n");
    }
    let columns = vec![
        Column::left("experiment"),
        Column::left("at"),
        Column::right("factor"),
        Column::left("90 % interval"),
        Column::left(""),
    ];
    let mut table = Table::new(columns);
    for one in &of.compared {
        let interval = match one.change.interval {
            Some((low, high)) => format!("{low:.3} to {high:.3}"),
            None => format!("too few runs ({} and {})", one.runs.0, one.runs.1),
        };
        table.row([
            Cell::new(&one.experiment),
            Cell::new(&one.at),
            Cell::new(format!("{:.3}", one.change.ratio)),
            Cell::new(interval),
            Cell::new(word(&one.change)),
        ]);
    }
    out.push_str(&table.render(style, 0));
    let known = of.compared.iter().filter(|one| one.change.interval.is_some()).count();
    let changed = of.compared.iter().filter(|one| one.change.is_seen() == Some(true)).count();
    let _ = writeln!(
        out,
        "{changed} of {known} points have changed by their intervals; of {known} that have not, about {:.0} \
         would seem to by chance",
        (1.0 - of.confidence) * known as f64
    );
    out
}

fn word(change: &Change) -> &'static str {
    match (change.is_seen(), change.ratio > 1.0) {
        (Some(true), true) => "slower",
        (Some(true), false) => "faster",
        _ => "",
    }
}

/// Hashes and lists are not read to their end.
fn short(text: &str) -> String {
    const MOST: usize = 40;
    match text.chars().count() > MOST {
        true => format!("{}…", text.chars().take(MOST).collect::<String>()),
        false if text.is_empty() => "(none)".to_owned(),
        false => text.to_owned(),
    }
}
