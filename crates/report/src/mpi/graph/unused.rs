//! The list of parallelism that is not used.

use cll_result::{MpiUnused, UnusedKind, UnusedParallelism};
use cll_units::Seconds;

use super::task_texts::numerals;
use super::words::{ranks, seconds};
use crate::document::Section;
use crate::style::Style;
use crate::text::{Cell, Column, Table, escape};
use cll_units::text::{PercentDigits, percent_of};

/// Lines that are shown.
const SHOWN: usize = 10;

/// As text: the largest gain first.
pub(crate) fn section(unused: &MpiUnused, style: &Style) -> Section {
    let notation = style.notation();
    let title = match (unused.longest_path, unused.list.is_empty()) {
        (None, true) => "Parallelism that is not used: none is known".to_owned(),
        (None, false) => "Parallelism that is not used".to_owned(),
        (Some(_), true) => "Parallelism that is not used: none that matters".to_owned(),
        (Some(path), false) => format!(
            "Parallelism that is not used; the longest path of {} would be shorter by",
            seconds(path, notation)
        ),
    };
    let mut table =
        Table::new(vec![Column::right("at most"), Column::right("share"), Column::left("if")]);
    for parallelism in unused.list.iter().take(SHOWN) {
        let share = |gain: Seconds| {
            let path = unused.longest_path.unwrap_or_default().get();
            percent_of(gain.get(), path.max(f64::MIN_POSITIVE), PercentDigits::Decimals(1))
        };
        table.row([
            Cell::new(parallelism.gain.map_or(String::new(), |gain| seconds(gain, notation))),
            Cell::new(parallelism.gain.map_or(String::new(), share)),
            Cell::new(words(parallelism)),
        ]);
    }
    let mut section = Section::plain(title);
    if !unused.list.is_empty() {
        section = section.table(table);
    }
    if unused.list.len() > SHOWN {
        section = section.line(format!("{} more (--json has all)", unused.list.len() - SHOWN));
    }
    if let (Some(path), Some(together)) = (unused.longest_path, unused.together)
        && unused.list.iter().any(|parallelism| parallelism.kind != UnusedKind::Divided)
    {
        let gain = seconds((path - together).max(Seconds::ZERO), notation);
        section = section.line(format!("all of these but divided segments together: {gain}"));
    }
    for note in &unused.notes {
        section = section.line(escape(note));
    }
    section
}

/// `II runs beside I in T1 of rank 0`.
pub(super) fn words(unused: &UnusedParallelism) -> String {
    let segments = numerals(&unused.segments);
    let is_one = unused.segments.len() == 1;
    let place = format!("T{}, {}", unused.task, ranks(&unused.ranks));
    match unused.kind {
        UnusedKind::Beside => {
            let run = if is_one { "runs" } else { "run" };
            format!("{segments} {run} beside {} ({place})", numerals(&unused.beside))
        }
        UnusedKind::Passages => {
            format!("passages of {segments} run beside each other ({place})")
        }
        UnusedKind::Divided => format!(
            "{segments} is divided among {} ranks in place of {} ({place})",
            unused.among,
            unused.ranks.len()
        ),
    }
}
