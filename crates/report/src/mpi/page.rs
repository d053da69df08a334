//! The calls of an MPI program by place, on one page.

use cll_diagnostic::counted;
use cll_fit::Unit;
use cll_result::{MpiDelay, MpiStats, MpiTraffic, MpiWorld};
use cll_units::Seconds;

use super::{doubts, ends, head, imbalance, missing, ranks, share, with_ends};
use crate::Notation;
use crate::document::{Document, Section};
use crate::style::Style;
use crate::text::{Cell, Column, Table, escape};

/// Rows of a table that are shown.
const ROWS: usize = 8;
/// Causes of waiting that are shown.
const CAUSES: usize = 6;
/// Functions of a call path that are shown.
const FUNCTIONS: usize = 4;
/// Letters of a call with its path that are shown.
const LETTERS: usize = 40;
/// The same in a narrow terminal.
const MIN_LETTERS: usize = 24;
/// Columns before a column of a table.
const GAP: usize = 2;
/// Ranks up to which messages are shown as a matrix.
const MATRIX: usize = 8;

/// Time, waiting and its causes by call path, efficiencies, the critical path, messages, ranks: about a page.
pub fn mpi_page_text(stats: &MpiStats, style: &Style) -> String {
    mpi_page(stats, style).text(style)
}

/// The same as a document.
pub(crate) fn mpi_page(stats: &MpiStats, style: &Style) -> Document {
    let notation = style.notation();
    let detail = &stats.detail;
    let mut head = doubts(stats).into_iter().fold(head(stats), Section::line);
    if let Some(efficiency) = &detail.efficiency {
        head = head.line(format!(
            "efficiency {:.2} = load balance {:.2} x serialisation {:.2} x transfer {:.2}, of {}{}",
            efficiency.parallel,
            efficiency.load_balance,
            efficiency.serialisation,
            efficiency.transfer,
            seconds(efficiency.runtime, notation),
            if efficiency.without_core > Seconds::ZERO {
                format!(" without {} without a core", seconds(efficiency.without_core, notation))
            } else {
                String::new()
            }
        ));
    }
    if !stats.worlds.is_empty() {
        head = head.line(worlds(&stats.worlds));
    }
    if let Some(recording) = stats.recording.filter(|_| stats.calls > 0) {
        let of_threads = stats.by_rank.iter().map(|rank| rank.thread).sum();
        head = head.line(format!(
            "logging took about {}, {} of the time of all ranks ({} a call), and wrote {}",
            seconds(recording, notation),
            share(recording, of_threads),
            seconds(recording / stats.calls as f64, notation),
            notation.bytes(stats.log_bytes.get())
        ));
    }
    if let Some(count) = detail.supersteps {
        head = head.line(format!(
            "{} (cll profile show, cll obsp)",
            counted(count as usize, "superstep", "supersteps")
        ));
    } else if !detail.no_supersteps.is_empty() {
        head = head.line(format!("no supersteps: {}", detail.no_supersteps));
    }
    if let Some(first) = look_first(stats, notation) {
        head = head.line(first);
    }
    let mut sections = vec![head];
    sections.extend(deadlock(stats));
    sections.push(paths(stats, style));
    sections.extend(waits(stats, notation));
    sections.extend(delays(stats, style));
    sections.extend(segments(stats, style));
    sections.extend(messages(stats, notation));
    let section = Section::plain("Ranks").table(ranks(stats, notation));
    let section = imbalance(stats).into_iter().fold(section, Section::line);
    sections.push(missing(stats, with_ends(ends(stats), section, style)));
    Document::new(sections)
}

pub(super) fn seconds(time: Seconds, notation: Notation) -> String {
    notation.quantity(time.get(), &Unit::Seconds)
}

/// Which ranks are which program.
fn worlds(worlds: &[MpiWorld]) -> String {
    let world_text = |world: &MpiWorld| {
        let last = world.first + world.ranks.max(1) - 1;
        let ranks = match world.ranks {
            1 => format!("rank {}", world.first),
            _ => format!("ranks {}-{last}", world.first),
        };
        let started = if world.started { " (started by the program)" } else { "" };
        format!("{ranks}: {}{started}", escape(&world.program))
    };
    let all = worlds.iter().take(ROWS).map(world_text).collect::<Vec<_>>().join(", ");
    let more = worlds.len().saturating_sub(ROWS);
    let more = if more > 0 { format!(", and {more} others") } else { String::new() };
    format!("several MPI_COMM_WORLD: {all}{more}")
}

fn waiting(time: Option<Seconds>, notation: Notation) -> String {
    time.map_or("-".to_owned(), |time| seconds(time, notation))
}

pub(super) fn table(titles: &[&'static str], left: usize) -> Table {
    let column = |(index, &title): (usize, &&'static str)| {
        if index < left { Column::left(title) } else { Column::right(title) }
    };
    Table::new(titles.iter().enumerate().map(column).collect())
}

/// A line for rows that are not shown.
pub(super) fn others(section: Section, all: usize, what: &str, style: &Style) -> Section {
    if all > ROWS {
        let and = style.glyph("… and", "... and");
        section.line(format!("{and} {} other {what} (--json has all)", all - ROWS))
    } else {
        section
    }
}

/// Ranks that wait for each other, and collectives that do not fit together.
fn deadlock(stats: &MpiStats) -> Option<Section> {
    let detail = &stats.detail;
    if detail.deadlock.is_empty() && detail.mismatches.is_empty() {
        return None;
    }
    let mut lines = Vec::new();
    for link in &detail.deadlock {
        let call = escape(&link.call);
        lines
            .push(format!("deadlock: rank {} in {call} waits for rank {}", link.rank, link.awaits));
    }
    for text in &detail.mismatches {
        lines.push(format!("different collectives in the same place: {}", escape(text)));
    }
    Some(lines.into_iter().fold(Section::plain("Errors of the program"), Section::line))
}

fn paths(stats: &MpiStats, style: &Style) -> Section {
    let notation = style.notation();
    let titles = ["call", "calls", "sent", "received", "time", "waiting", "max/mean"];
    let all = &stats.detail.by_path;
    let shown = &all[..all.len().min(ROWS)];
    let figures: Vec<[String; 6]> = shown
        .iter()
        .map(|path| {
            [
                path.calls.to_string(),
                notation.bytes(path.sent.get()),
                notation.bytes(path.received.get()),
                seconds(path.time, notation),
                waiting(path.waiting, notation),
                format!("{:.2}", path.spread.imbalance),
            ]
        })
        .collect();
    // The rows stay rows: calls have what the figures leave.
    let widths = (0..6).map(|column| {
        let cells = figures.iter().map(|row| row[column].chars().count());
        GAP + cells.max().unwrap_or(0).max(titles[column + 1].len())
    });
    let room = style.columns().saturating_sub(GAP + widths.sum::<usize>());
    let letters = room.clamp(MIN_LETTERS, LETTERS);
    let mut rows = table(&titles, 1);
    for (mpi_path, figures) in shown.iter().zip(figures) {
        let call =
            shortened(path(&mpi_path.call, &mpi_path.place, &mpi_path.path, style), letters, style);
        rows.row(std::iter::once(call).chain(figures).map(Cell::new));
    }
    let section = Section::plain("Calls by path (times of all ranks)").table(rows);
    others(section, all.len(), "paths", style)
}

/// `MPI_Send heat.c:20 exchange ← step`: without `main`, and without the name of a place that is known by its name only.
pub(super) fn path(call: &str, place: &str, path: &[String], style: &Style) -> String {
    let is_shown = |name: &&String| *name != "main" && *name != place;
    let shown: Vec<String> =
        path.iter().filter(is_shown).take(FUNCTIONS).map(|name| short(name)).collect();
    let shown = shown.join(style.glyph(" ← ", " < "));
    let text = escape(&format!("{call} {} {shown}", short(place))).trim_end().to_owned();
    shortened(text, LETTERS, style)
}

/// The text in so many letters.
fn shortened(text: String, letters: usize, style: &Style) -> String {
    if text.chars().count() > letters {
        let cut: String = text.chars().take(letters - 1).collect();
        format!("{}{}", cut.trim_end(), style.glyph("…", "~"))
    } else {
        text
    }
}

/// An address in a file without symbols, with the beginning of the file's name: `MPI+0x5c3d0`.
fn short(place: &str) -> String {
    match place.rsplit_once("+0x") {
        Some((file, address)) => {
            format!("{}+0x{address}", file.split('.').next().unwrap_or(file))
        }
        None => place.to_owned(),
    }
}

fn waits(stats: &MpiStats, notation: Notation) -> Option<Section> {
    let all = &stats.detail.waits;
    if all.is_empty() {
        return None;
    }
    let total = all.iter().map(|wait| wait.time).sum::<Seconds>();
    let mut rows = table(&["waiting", "calls", "time", "share"], 1);
    for wait in all {
        rows.row([
            Cell::new(wait.kind),
            Cell::new(wait.calls.to_string()),
            Cell::new(seconds(wait.time, notation)),
            Cell::new(share(wait.time, total)),
        ]);
    }
    Some(Section::plain("Waiting by kind").table(rows))
}

/// The time of a cause, weighted by its share on the critical path.
fn weight(delay: &MpiDelay) -> f64 {
    if delay.is_hidden {
        0.0
    } else if delay.own > Seconds::ZERO {
        delay.time.get() * (delay.critical / delay.own).min(1.0)
    } else {
        delay.time.get()
    }
}

/// From this share of the time of all ranks on, waiting is what to look at first.
const MUCH_WAITING: f64 = 0.02;

/// The cause of most of the waiting: `look first: rank 0 in MPI_Sendrecv main, for which others wait 491 ms, 57 % of all
/// waiting`. `None` if ranks wait little, or less of it would gain nothing.
fn look_first(stats: &MpiStats, notation: Notation) -> Option<String> {
    let detail = &stats.detail;
    let total = detail.waits.iter().map(|wait| wait.time).sum::<Seconds>();
    let threads: Seconds = stats.by_rank.iter().map(|rank| rank.thread).sum();
    if !detail.deadlock.is_empty() || total < threads * MUCH_WAITING {
        return None;
    }
    let most = detail.delays.iter().max_by(|a, b| weight(a).total_cmp(&weight(b)));
    let most = most.filter(|delay| weight(delay) > 0.0);
    let lost = detail.without_core.as_ref().map_or(Seconds::ZERO, |lost| lost.waiting);
    if lost > most.map_or(Seconds::ZERO, |delay| delay.time) {
        return Some(format!(
            "look first: a core for each rank; {} of all waiting is for ranks without one",
            share(lost, total)
        ));
    }
    let most = most?;
    Some(format!(
        "look first: rank {} {}, for which others wait {}, {} of all waiting",
        most.rank,
        escape(&most.doing),
        seconds(most.time, notation),
        share(most.time, total)
    ))
}

/// Two lines for each cause, and one more for what would gain nothing. What is on the critical path is first.
fn delays(stats: &MpiStats, style: &Style) -> Option<Section> {
    let detail = &stats.detail;
    let total = detail.waits.iter().map(|wait| wait.time).sum::<Seconds>();
    let large = detail.delays.iter().filter(|delay| delay.time * 100.0 >= total);
    let mut shown: Vec<_> = large.take(CAUSES).collect();
    let lost = detail.without_core.as_ref().map_or(Seconds::ZERO, |lost| lost.waiting);
    let lost = Some(lost).filter(|&lost| lost > Seconds::ZERO && lost * 100.0 >= total);
    if shown.is_empty() && lost.is_none() {
        return None;
    }
    shown.sort_by(|delay, other| weight(other).total_cmp(&weight(delay)));
    let mut section = Section::plain("Where waiting comes from");
    let width = |time: Seconds| seconds(time, style.notation()).chars().count();
    let width = shown.iter().map(|delay| delay.time).chain(lost).map(width).max().unwrap_or(0);
    if let Some(lost) = lost {
        let time = seconds(lost, style.notation());
        section = section.line(format!("{time:>width$}  other ranks had no core"));
    }
    for delay in shown {
        let time = seconds(delay.time, style.notation());
        let doing = escape(&delay.doing);
        section = section.line(format!("{time:>width$}  rank {} {doing}", delay.rank));
        let waits = escape(&delay.waits);
        section = section.line(format!("{:width$}  waited for in {waits} ({})", "", delay.kind));
        if delay.is_hidden {
            section = section.line(format!(
                "{:width$}  hidden: nothing of it is on the critical path, so less of it gains nothing",
                ""
            ));
        } else if delay.own > Seconds::ZERO && delay.critical < delay.own {
            let [critical, own] =
                [delay.critical, delay.own].map(|time| seconds(time, style.notation()));
            section = section
                .line(format!("{:width$}  {critical} of its {own} are on the critical path", ""));
        }
    }
    Some(section)
}

/// Computation, by what is on the critical path if that is known.
fn segments(stats: &MpiStats, style: &Style) -> Option<Section> {
    let (detail, notation) = (&stats.detail, style.notation());
    let mut all: Vec<_> = detail.segments.iter().collect();
    if all.is_empty() {
        return None;
    }
    all.sort_by(|segment, other| other.critical.total_cmp(&segment.critical));
    let mut rows = table(&["segment", "times", "time", "max/mean", "critical"], 1);
    let to = style.glyph(" → ", " -> ");
    for segment in all.iter().take(ROWS) {
        let (from, until) = (place(&segment.after), place(&segment.before));
        rows.row([
            Cell::new(escape(&format!("{} {from}{to}{until}", segment.function)).trim()),
            Cell::new(segment.times.to_string()),
            Cell::new(seconds(segment.time, notation)),
            Cell::new(format!("{:.2}", segment.spread.imbalance)),
            Cell::new(seconds(segment.critical, notation)),
        ]);
    }
    let section = Section::plain("Computation between calls").table(rows);
    let mut section = others(section, all.len(), "segments", style);
    if let Some(path) = &detail.critical {
        let most = path.by_rank.iter().max_by(|a, b| a.time.total_cmp(&b.time));
        let most = most.map_or(String::new(), |most| {
            format!("; {} of it on rank {}", share(most.time, path.time), most.rank)
        });
        section = section.line(format!(
            "critical path: {}, {} of it in MPI, {} changes of rank{most}",
            seconds(path.time, notation),
            share(path.mpi, path.time),
            path.changes
        ));
    }
    Some(section)
}

/// The place of a call with its place; the call if that is not known.
pub(super) fn place(call: &str) -> String {
    short(call.split_once(' ').map_or(call, |(_, place)| place))
}

/// A matrix for few ranks; of many the largest pairs.
fn messages(stats: &MpiStats, notation: Notation) -> Option<Section> {
    let all = &stats.detail.messages;
    if all.is_empty() {
        return None;
    }
    let cell =
        |flow: &MpiTraffic| format!("{} ({})", notation.bytes(flow.bytes.get()), flow.messages);
    if stats.ranks as usize <= MATRIX {
        let titles: Vec<String> = (0..stats.ranks).map(|rank| format!("to {rank}")).collect();
        let mut columns = vec![Column::right("from")];
        columns.extend(titles.iter().map(|title| Column::right(title)));
        let mut rows = Table::new(columns);
        for from in 0..stats.ranks {
            let to = |to: u32| {
                let traffic = all.iter().find(|traffic| (traffic.from, traffic.to) == (from, to));
                Cell::new(traffic.map_or(String::new(), cell))
            };
            rows.row([Cell::new(from.to_string())].into_iter().chain((0..stats.ranks).map(to)));
        }
        return Some(Section::plain("Messages: bytes (number), from row to column").table(rows));
    }
    let mut largest: Vec<&MpiTraffic> = all.iter().collect();
    largest.sort_by(|traffic, other| {
        (other.bytes, traffic.from, traffic.to).cmp(&(traffic.bytes, other.from, other.to))
    });
    let mut rows = table(&["from", "to", "messages", "bytes"], 0);
    for traffic in largest.iter().take(ROWS) {
        rows.row([
            Cell::new(traffic.from.to_string()),
            Cell::new(traffic.to.to_string()),
            Cell::new(traffic.messages.to_string()),
            Cell::new(notation.bytes(traffic.bytes.get())),
        ]);
    }
    let title = format!("Messages: {} pairs of ranks, those with most bytes", all.len());
    Some(Section::plain(title).table(rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_result::{MpiDetail, MpiWithoutCore};

    #[test]
    fn causes_on_the_critical_path_come_first_and_hidden_ones_are_marked() {
        let cause = |rank, time: f64, own: f64, critical: f64, is_hidden| MpiDelay {
            rank,
            doing: "computing".to_owned(),
            time: Seconds(time),
            own: Seconds(own),
            critical: Seconds(critical),
            is_hidden,
            ..MpiDelay::default()
        };
        let delays = vec![
            cause(1, 0.6, 0.06, 0.0, true),
            cause(0, 0.3, 0.1, 0.1, false),
            cause(2, 0.2, 0.1, 0.04, false),
        ];
        let without_core =
            Some(MpiWithoutCore { waiting: Seconds(0.5), ..MpiWithoutCore::default() });
        let detail = MpiDetail { delays, without_core, ..MpiDetail::default() };
        let stats = MpiStats { detail, ..MpiStats::new() };
        let text = mpi_page_text(&stats, &Style::default());
        let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
        let order = [
            "other ranks had no core",
            "rank 0 computing",
            "rank 2 computing",
            "40.0 ms of its 100 ms are on the critical path",
            "rank 1 computing",
            "hidden: nothing of it",
        ];
        assert!(order.windows(2).all(|pair| place(pair[0]) < place(pair[1])), "{text}");
        assert_eq!(text.matches("critical path").count(), 2, "{text}");
    }

    #[test]
    fn addresses_keep_their_digits() {
        assert_eq!(short("MPI.cpython-311-x86_64-linux-gnu.so+0x5c3d0"), "MPI+0x5c3d0");
        assert_eq!(short("heat.c:30"), "heat.c:30");
        assert_eq!(place("MPI_Send libuse.so+0x9"), "libuse+0x9");
        assert_eq!(place("MPI_Send"), "MPI_Send");
    }
}
