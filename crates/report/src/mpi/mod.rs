//! The calls of an MPI program, on one screen.

mod diff;
mod graph;
mod model;
mod page;

use cll_diagnostic::counted;
use cll_fit::Unit;
use cll_result::{MpiRank, MpiStats, unrecorded_text};
use cll_units::Seconds;

use crate::Notation;
use crate::document::{Document, Section};
use crate::style::Style;
use crate::text::{Cell, Column, Table, escape};

use cll_units::text::{PercentDigits, percent_of};
pub use diff::mpi_diff_text;
pub use graph::{mpi_graph_dot, mpi_graph_svg, mpi_graph_text};
pub(crate) use graph::{mpi_graph_drawing, mpi_graph_shapes, mpi_graph_title, mpi_unused_section};
pub use model::mpi_model_text;
pub(crate) use page::mpi_page;
pub use page::mpi_page_text;

/// Calls that are shown.
const MAX_CALLS: usize = 12;
/// Ranks that are shown, each in a line.
const MAX_RANKS: usize = 8;

/// The sums by call and by rank, the imbalance, and ranks that did not end as they should.
pub fn mpi_text(stats: &MpiStats, style: &Style) -> String {
    let notation = style.notation();
    let and = style.glyph("… and", "... and");
    let head = doubts(stats).into_iter().fold(head(stats), Section::line);
    let mut section = head.table(calls(stats, notation));
    if stats.by_call.len() > MAX_CALLS {
        section = section.line(format!("{and} {} other calls", stats.by_call.len() - MAX_CALLS));
    }
    let section = section.table(ranks(stats, notation));
    let section = imbalance(stats).into_iter().fold(section, Section::line);
    let section = missing(stats, with_ends(ends(stats), section, style));
    Document::new([section]).text(style)
}

/// Says how far the times can be trusted if ranks had no core; then sums all calls in a sentence.
fn head(stats: &MpiStats) -> Section {
    match without_core(stats) {
        Some(line) => Section::plain(line).line(summary(stats)),
        None => Section::plain(summary(stats)),
    }
}

/// From this share of the time outside of MPI on, time without a core is told.
const STARVED: f64 = 0.01;

/// The sentence on time without a core; `None` if it is too little, or not known.
fn without_core(stats: &MpiStats) -> Option<String> {
    let lost = stats.detail.without_core.as_ref()?;
    if lost.time <= Seconds::ZERO || lost.time < lost.outside * STARVED {
        return None;
    }
    let ranks = lost.ranks_of_host;
    let why = match lost.processors {
        Some(processors) if ranks > processors => {
            let are = if processors == 1 { "processor" } else { "processors" };
            format!(": {ranks} ranks on {processors} {are}")
        }
        _ => ": other programs or ranks had them".to_owned(),
    };
    Some(format!(
        "ranks had no core for {} of their time outside of MPI{why}; that time is not counted as computation below",
        share(lost.time, lost.outside)
    ))
}

/// The first of the lines about ends.
fn with_ends(ends: Vec<String>, section: Section, style: &Style) -> Section {
    let more = ends.len().saturating_sub(MAX_RANKS);
    let section = ends.into_iter().take(MAX_RANKS).fold(section, Section::line);
    match more {
        0 => section,
        more => {
            let and = style.glyph("… and", "... and");
            section.line(format!("{and} {more} others like these"))
        }
    }
}

/// Functions that are named.
const MAX_NAMED: usize = 4;

/// The doubts that a reader must know before the numbers.
fn doubts(stats: &MpiStats) -> Vec<String> {
    let unrecorded = stats.unrecorded.as_ref().and_then(|all| unrecorded_text(all));
    let early = (stats.before_sent > 0).then(|| {
        let (count, were) = match stats.before_sent {
            1 => ("1 message".to_owned(), "was received before it was"),
            many => (format!("{many} messages"), "were received before they were"),
        };
        format!(
            "{count} {were} sent, by one clock: the logs lack calls, or messages are matched wrongly, so what is said \
             of messages and waiting may be wrong"
        )
    });
    [unrecorded, early, unreceived(stats), open_requests(stats)].into_iter().flatten().collect()
}

/// Requests that were neither completed nor freed.
fn open_requests(stats: &MpiStats) -> Option<String> {
    let all = &stats.open_requests;
    let count: usize = all.iter().map(|requests| requests.requests).sum();
    if count == 0 {
        return None;
    }
    let shown = all.iter().take(MAX_NAMED);
    let shown = shown.map(|requests| {
        format!("{} of {} on rank {}", requests.requests, requests.call, requests.rank)
    });
    let mut shown: Vec<String> = shown.collect();
    let left: usize = all.iter().skip(MAX_NAMED).map(|requests| requests.requests).sum();
    if left > 0 {
        shown.push(format!("{left} others"));
    }
    let were = if count == 1 { "request was" } else { "requests were" };
    Some(format!("{count} {were} never completed or freed: {}", shown.join(", ")))
}

/// Messages that nobody has received.
fn unreceived(stats: &MpiStats) -> Option<String> {
    let here = if stats.missing.is_empty() { "" } else { " in these logs" };
    match stats.unreceived {
        0 => None,
        1 => Some(format!("1 message was sent and not received{here}")),
        many => Some(format!("{many} messages were sent and not received{here}")),
    }
}

/// Ranks without a log.
fn missing(stats: &MpiStats, section: Section) -> Section {
    let missing = &stats.missing;
    if missing.is_empty() {
        return section;
    }
    let shown: Vec<String> = missing.iter().take(MAX_RANKS).map(u32::to_string).collect();
    let more = missing.len().saturating_sub(MAX_RANKS);
    let more = if more > 0 { format!(" and {more} others") } else { String::new() };
    section.line(format!("no log here of rank {}{more}", shown.join(", ")))
}

/// Ranks that did not end as they should, a line each.
fn ends(stats: &MpiStats) -> Vec<String> {
    let mut lines = Vec::new();
    for rank in &stats.by_rank {
        let number = rank.rank;
        for inside in &rank.inside {
            let call = &inside.call;
            let awaits = match inside.awaits.as_str() {
                "" => String::new(),
                awaits => format!(" {awaits}"),
            };
            let thread = match rank.threads {
                0..2 => String::new(),
                _ => format!(", thread {},", inside.thread),
            };
            let place = match inside.place.as_str() {
                "" => String::new(),
                place => format!(" at {place}"),
            };
            let inside = escape(&format!("{call}{awaits}{place}"));
            lines.push(format!("rank {number}{thread} was in {inside} when its log ended"));
        }
        if rank.inside.is_empty() && !rank.finalized {
            lines.push(format!("rank {number} ended without MPI_Finalize"));
        }
    }
    lines
}

/// All calls in a sentence.
fn summary(stats: &MpiStats) -> String {
    let sum = |time_of: fn(&MpiRank) -> Seconds| stats.by_rank.iter().map(time_of).sum::<Seconds>();
    let total = sum(|rank| rank.thread);
    let threads: u32 = stats.by_rank.iter().map(|rank| rank.threads).sum();
    let has_threads = stats.by_rank.iter().any(|rank| rank.threads > 1);
    format!(
        "{} of MPI on {} of {}{} ({}); {} {}in MPI{}",
        counted(stats.calls as usize, "call", "calls"),
        stats.by_rank.len(),
        counted(stats.ranks as usize, "rank", "ranks"),
        if has_threads { format!(" in {threads} threads") } else { String::new() },
        library_name(&stats.library),
        share(sum(|rank| rank.mpi), total),
        if has_threads { "of the threads' time " } else { "" },
        if stats.one_clock {
            format!(
                ", {} waiting for other ranks",
                share(sum(|rank| rank.waiting.unwrap_or_default()), total)
            )
        } else {
            "; the ranks ran on several hosts: waiting is not known".to_owned()
        }
    )
}

/// The name of an MPI, without how it was built.
fn library_name(library: &str) -> String {
    let words: Vec<&str> = library.split(',').next().unwrap_or("").split_whitespace().collect();
    escape(&words.join(" "))
}

fn share(part: Seconds, total: Seconds) -> String {
    if total > Seconds::ZERO {
        percent_of(part.get(), total.get(), PercentDigits::Decimals(1))
    } else {
        "0 %".to_owned()
    }
}

/// A row for each call.
fn calls(stats: &MpiStats, notation: Notation) -> Table {
    let mut table = table(["call", "calls", "sent", "received", "time", "waiting"]);
    let seconds = |time: Seconds| notation.quantity(time.get(), &Unit::Seconds);
    for call in stats.by_call.iter().take(MAX_CALLS) {
        table.row([
            Cell::new(&call.call),
            Cell::new(call.calls.to_string()),
            Cell::new(notation.bytes(call.sent.get())),
            Cell::new(notation.bytes(call.received.get())),
            Cell::new(seconds(call.time)),
            Cell::new(call.waiting.map_or("-".to_owned(), seconds)),
        ]);
    }
    table
}

/// A row for each rank; of many the two extremes.
fn ranks(stats: &MpiStats, notation: Notation) -> Table {
    let mut table = table(["rank", "calls", "sent", "received", "outside", "in MPI"]);
    let mut row = |name: String, rank: &MpiRank| {
        table.row([
            Cell::new(name),
            Cell::new(rank.calls.to_string()),
            Cell::new(notation.bytes(rank.sent.get())),
            Cell::new(notation.bytes(rank.received.get())),
            Cell::new(notation.quantity(rank.computation().get(), &Unit::Seconds)),
            Cell::new(notation.quantity(rank.mpi.get(), &Unit::Seconds)),
        ]);
    };
    if stats.by_rank.len() <= MAX_RANKS {
        for rank in &stats.by_rank {
            let threads = match rank.threads {
                0..2 => String::new(),
                threads => format!(" ({threads} threads)"),
            };
            row(format!("{}{threads}", rank.rank), rank);
        }
    } else if let (Some(most), Some(least)) = (most(stats), least(stats)) {
        row(format!("{} (computes most)", most.rank), most);
        row(format!("{} (computes least)", least.rank), least);
    }
    table
}

fn table(titles: [&str; 6]) -> Table {
    let column = |(k, title)| if k == 0 { Column::left(title) } else { Column::right(title) };
    Table::new(titles.into_iter().enumerate().map(column).collect())
}

fn most(stats: &MpiStats) -> Option<&MpiRank> {
    stats.by_rank.iter().max_by(|a, b| computing(a).total_cmp(&computing(b)))
}

fn least(stats: &MpiStats) -> Option<&MpiRank> {
    stats.by_rank.iter().min_by(|a, b| computing(a).total_cmp(&computing(b)))
}

fn computing(rank: &MpiRank) -> f64 {
    rank.computation_of_thread().get()
}

/// How much more the rank computes that computes most.
fn imbalance(stats: &MpiStats) -> Option<String> {
    let count = stats.by_rank.len() as f64;
    let mean = stats.by_rank.iter().map(computing).sum::<f64>() / count;
    let most = most(stats).filter(|_| mean > 0.0 && count > 1.0)?;
    Some(format!(
        "imbalance: rank {} is outside of MPI {:.2} times as long as the mean of all",
        most.rank,
        computing(most) / mean
    ))
}

#[cfg(test)]
mod tests {
    use cll_result::MpiOpenRequests;

    use super::*;
    use cll_result::{MpiDetail, MpiUnrecorded, MpiWithoutCore};

    #[test]
    fn time_without_a_core_comes_first() {
        let lines = |time: f64, processors, pages: bool| {
            let without_core = Some(MpiWithoutCore {
                time: Seconds(time),
                outside: Seconds(1.0),
                ranks_of_host: 64,
                processors,
                ..MpiWithoutCore::default()
            });
            let detail = MpiDetail { without_core, ..MpiDetail::default() };
            let stats = MpiStats { detail, ..MpiStats::new() };
            let text = if pages { mpi_page_text } else { mpi_text };
            text(&stats, &Style::default()).lines().next().unwrap_or("").to_owned()
        };
        for pages in [false, true] {
            let first = lines(0.62, Some(2), pages);
            let expected = "ranks had no core for 62.0 % of their time outside of MPI: 64 ranks on 2 processors";
            assert!(first.starts_with(expected), "{first}");
            assert!(lines(0.62, None, pages).contains("other programs or ranks had them"));
            assert!(!lines(0.001, Some(2), pages).contains("no core"));
        }
    }

    #[test]
    fn messages_that_nobody_received_are_told() {
        let style = Style::default();
        let texts = |unreceived| {
            let stats = MpiStats { unreceived, ..MpiStats::new() };
            [mpi_text(&stats, &style), mpi_page_text(&stats, &style)].join("\n")
        };
        assert!(!texts(0).contains("not received"));
        assert_eq!(texts(1).matches("1 message was sent and not received").count(), 2);
        assert_eq!(texts(7).matches("7 messages were sent and not received").count(), 2);
    }

    #[test]
    fn what_the_logs_lack_is_told_first() {
        let unrecorded = |call: &str, calls| MpiUnrecorded { call: call.to_owned(), calls };
        assert_eq!(unrecorded_text(&[]), None);
        let text = unrecorded_text(&[unrecorded("MPI_Send_c", 24)]).expect("a sentence");
        assert!(text.starts_with("24 calls of MPI_Send_c were not recorded: "), "{text}");
        let many: Vec<MpiUnrecorded> =
            (1..=6).map(|count| unrecorded(&format!("MPI_{count}"), count)).collect();
        let text = unrecorded_text(&many).expect("a sentence");
        let start = "21 calls (6 MPI_6, 5 MPI_5, 4 MPI_4, 3 MPI_3, 3 of 2 other functions) were";
        assert!(text.starts_with(start), "{text}");
        let open = |rank, requests| MpiOpenRequests { rank, call: "MPI_Isend".into(), requests };
        let stats = MpiStats {
            unrecorded: Some(many),
            before_sent: 2,
            open_requests: vec![open(0, 2), open(3, 1)],
            ..MpiStats::new()
        };
        let style = Style::default();
        for text in [mpi_text(&stats, &style), mpi_page_text(&stats, &style)] {
            let lines = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
            assert!(lines.contains(start), "{lines}");
            assert!(lines.contains("2 messages were received before they were sent"), "{lines}");
            let open = "3 requests were never completed or freed: 2 of MPI_Isend on rank 0, 1 of MPI_Isend on rank 3";
            assert!(lines.contains(open), "{lines}");
        }
    }
}
