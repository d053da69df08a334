//! Two runs of an MPI program compared.

use cll_diagnostic::counted;
use cll_fit::Unit;
use cll_result::{MpiDiff, MpiDiffCalls, MpiDiffPath, MpiDiffSegment, MpiDiffTime};
use cll_units::Seconds;

use super::page::{others, path, place, seconds, table};
use crate::Notation;
use crate::document::{Document, Section};
use crate::style::Style;
use crate::text::{Cell, escape};

/// Rows of a table that are shown.
const ROWS: usize = 8;
/// Causes of waiting that are shown.
const CAUSES: usize = 4;
/// The share of the change of all that a row has at least.
const LEAST: f64 = 0.005;

/// Reports the calls and computations that got slower or quicker, and where.
pub fn mpi_diff_text(diff: &MpiDiff, style: &Style) -> String {
    let sections =
        [overview(diff, style), paths(diff, style), segments(diff, style), delays(diff, style)];
    Document::new(sections).text(style)
}

/// `+3.20 ms`.
fn more(time: Seconds, notation: Notation) -> String {
    let sign = if time > Seconds::ZERO { "+" } else { "" };
    format!("{sign}{}", notation.quantity(time.get(), &Unit::Seconds))
}

fn ratio(before: f64, after: f64) -> String {
    if before > 0.0 { format!("{:.2}", after / before) } else { "-".to_owned() }
}

fn overview(diff: &MpiDiff, style: &Style) -> Section {
    let (before, after, notation) = (&diff.before, &diff.after, style.notation());
    let mut rows = table(&["", "before", "after", "difference", "ratio"], 1);
    let mut times = Vec::new();
    if let (Some(seconds), Some(other)) = (before.runtime, after.runtime) {
        times.push(("run", seconds, other));
    }
    times.push(("outside of MPI, all ranks", before.outside, after.outside));
    match (before.waiting, after.waiting) {
        (Some(seconds), Some(other)) => {
            times.push(("waiting in MPI", seconds, other));
            times.push(("transfer in MPI", before.transfer(), after.transfer()));
        }
        _ => times.push(("in MPI", before.mpi, after.mpi)),
    }
    for (what, time, other) in times {
        rows.row([
            Cell::new(what),
            Cell::new(seconds(time, notation)),
            Cell::new(seconds(other, notation)),
            Cell::new(more(other - time, notation)),
            Cell::new(ratio(time.get(), other.get())),
        ]);
    }
    let bytes = |count: u64| Cell::new(notation.bytes(count));
    rows.row([
        Cell::new("bytes sent"),
        bytes(before.sent.get()),
        bytes(after.sent.get()),
        Cell::new(""),
        Cell::new(ratio(before.sent.get() as f64, after.sent.get() as f64)),
    ]);
    let head = format!(
        "{} of MPI on {} before, {} on {} after",
        counted(before.calls as usize, "call", "calls"),
        counted(before.ranks as usize, "rank", "ranks"),
        after.calls,
        after.ranks
    );
    Section::plain(head).table(rows)
}

/// Rows that matter, of those with the largest changes.
fn large<T>(all: &[T], change: impl Fn(&T) -> Seconds) -> Vec<&T> {
    let sum = all.iter().map(|item| change(item).abs()).sum::<Seconds>();
    let is_large = |element: &&T| {
        change(element).abs() > Seconds::ZERO && change(element).abs() >= sum * LEAST
    };
    all.iter().take_while(is_large).take(ROWS).collect()
}

fn paths(diff: &MpiDiff, style: &Style) -> Section {
    let notation = style.notation();
    let shown = large(&diff.by_path, |entry: &MpiDiffPath| entry.more);
    if shown.is_empty() {
        return Section::default();
    }
    let mut rows =
        table(&["call", "calls", "bytes", "before", "after", "difference", "waiting"], 1);
    for mpi_diff_path in shown {
        let sides = [mpi_diff_path.before.as_ref(), mpi_diff_path.after.as_ref()];
        let time = |side: Option<&MpiDiffCalls>| {
            side.map_or("-".to_owned(), |side| seconds(side.time, notation))
        };
        let waiting = |side: Option<&MpiDiffCalls>| match side {
            Some(side) => side.waiting,
            None => Some(Seconds::ZERO),
        };
        let waiting =
            waiting(sides[1]).zip(waiting(sides[0])).map(|(after, before)| after - before);
        let place = sides[1].or(sides[0]).map_or("", |side| side.place.as_str());
        rows.row([
            Cell::new(path(&mpi_diff_path.call, place, &mpi_diff_path.path, style)),
            Cell::new(change(
                sides.map(|side| side.map_or(0, |side| side.calls)),
                style,
                |calls| calls.to_string(),
            )),
            Cell::new(change(
                sides.map(|side| side.map_or(0, |side| side.sent.get() + side.received.get())),
                style,
                |bytes| notation.bytes(bytes),
            )),
            Cell::new(time(sides[0])),
            Cell::new(time(sides[1])),
            Cell::new(more(mpi_diff_path.more, notation)),
            Cell::new(waiting.map_or("-".to_owned(), |waiting| more(waiting, notation))),
        ]);
    }
    let title = "Calls by path, the largest changes (times of all ranks; waiting: its change)";
    others(Section::plain(title).table(rows), diff.by_path.len(), "paths", style)
}

/// `8 → 16`, or one number if both are equal.
fn change([before, after]: [u64; 2], style: &Style, text: impl Fn(u64) -> String) -> String {
    if before == after {
        text(after)
    } else {
        format!("{}{}{}", text(before), style.glyph(" → ", " -> "), text(after))
    }
}

fn segments(diff: &MpiDiff, style: &Style) -> Section {
    let notation = style.notation();
    let shown = large(&diff.segments, |entry: &MpiDiffSegment| entry.more);
    if shown.is_empty() {
        return Section::default();
    }
    let mut rows = table(&["segment", "times", "before", "after", "difference", "ratio"], 1);
    let to = style.glyph(" → ", " -> ");
    for segment in shown {
        let sides = [segment.before.as_ref(), segment.after.as_ref()];
        let time = |side: Option<&MpiDiffTime>| side.map_or(Seconds::ZERO, |side| side.time);
        let known_side = sides[1].or(sides[0]);
        let ends =
            known_side.map(|known_side| (place(&known_side.after), place(&known_side.before)));
        let (from, until) = ends.unwrap_or_default();
        rows.row([
            Cell::new(escape(&format!("{} {from}{to}{until}", segment.function)).trim()),
            Cell::new(change(
                sides.map(|side| side.map_or(0, |side| side.times)),
                style,
                |times| times.to_string(),
            )),
            Cell::new(seconds(time(sides[0]), notation)),
            Cell::new(seconds(time(sides[1]), notation)),
            Cell::new(more(segment.more, notation)),
            Cell::new(ratio(time(sides[0]).get(), time(sides[1]).get())),
        ]);
    }
    let section = Section::plain("Computation between calls, the largest changes").table(rows);
    others(section, diff.segments.len(), "segments", style)
}

/// Two lines for each cause.
fn delays(diff: &MpiDiff, style: &Style) -> Section {
    let notation = style.notation();
    let shown = large(&diff.delays, |delay| delay.after - delay.before);
    let mut section = Section::default();
    for delay in shown.into_iter().take(CAUSES) {
        if section == Section::default() {
            section = Section::plain("Where waiting comes from, the largest changes");
        }
        let (time, doing) = (more(delay.after - delay.before, notation), escape(&delay.doing));
        section = section.line(format!("{time:>10}  rank {} {doing}", delay.rank));
        let waits = escape(&delay.waits);
        section = section.line(format!("{:10}  waited for in {waits} ({})", "", delay.kind));
    }
    section
}
