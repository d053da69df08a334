//! The calls of an MPI program, in a screen of lines.

use cll_result::{MpiCall, MpiRank, MpiStats};
use cll_units::{Bytes, Seconds};

use crate::text::escape;

/// Calls that are shown.
const SHOWN: usize = 12;
/// Ranks that are shown, each in a line.
const RANKS: usize = 8;

/// The sums by call and by rank, the imbalance, and ranks that did not end as they should.
pub fn mpi_text(stats: &MpiStats) -> String {
    let mut lines = vec![first_line(stats), header()];
    lines.extend(stats.by_call.iter().take(SHOWN).map(row));
    if stats.by_call.len() > SHOWN {
        lines.push(format!("  … and {} other calls", stats.by_call.len() - SHOWN));
    }
    lines.extend(imbalance(stats));
    let ends = ends(stats);
    lines.extend(ends.iter().take(RANKS).cloned());
    if ends.len() > RANKS {
        lines.push(format!("  … and {} others like these", ends.len() - RANKS));
    }
    let missing = &stats.missing;
    if !missing.is_empty() {
        let shown: Vec<String> = missing.iter().take(RANKS).map(u32::to_string).collect();
        let more = missing.len().saturating_sub(RANKS);
        let more = if more > 0 { format!(" and {more} others") } else { String::new() };
        lines.push(format!("  no log here of rank {}{more}", shown.join(", ")));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
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
            lines.push(format!(
                "  rank {number}{thread} was in {call}{awaits}{place} when its log ended"
            ));
        }
        if rank.inside.is_empty() && !rank.finalized {
            lines.push(format!("  rank {number} ended without MPI_Finalize"));
        }
    }
    lines
}

fn first_line(stats: &MpiStats) -> String {
    let sum = |of: fn(&MpiRank) -> Seconds| stats.by_rank.iter().map(of).sum::<Seconds>();
    let total = sum(|rank| rank.thread);
    let threads: u32 = stats.by_rank.iter().map(|rank| rank.threads).sum();
    let has_threads = stats.by_rank.iter().any(|rank| rank.threads > 1);
    format!(
        "{} calls of MPI on {} of {} ranks{} ({}); {} {}in MPI{}",
        stats.calls,
        stats.by_rank.len(),
        stats.ranks,
        if has_threads { format!(" in {threads} threads") } else { String::new() },
        named(&stats.library),
        share(sum(|rank| rank.mpi), total),
        if has_threads { "of the threads' time " } else { "" },
        match stats.one_clock {
            true => format!(
                ", {} waiting for other ranks",
                share(sum(|rank| rank.waiting.unwrap_or_default()), total)
            ),
            false =>
                "; the ranks ran on several hosts: who waited for whom is not known".to_owned(),
        }
    )
}

/// The MPI without all that it says of how it was made.
fn named(library: &str) -> String {
    let words: Vec<&str> = library.split(',').next().unwrap_or("").split_whitespace().collect();
    escape(&words.join(" "))
}

fn share(part: Seconds, whole: Seconds) -> String {
    match whole > Seconds::ZERO {
        true => format!("{:.1} %", 100.0 * part / whole),
        false => "0 %".to_owned(),
    }
}

fn header() -> String {
    format!(
        "  {:<24}{:>12}{:>12}{:>12}{:>11}{:>11}",
        "call", "calls", "sent", "received", "time", "waiting"
    )
}

fn row(one: &MpiCall) -> String {
    let waited = one.waiting.map_or("-".to_owned(), seconds);
    format!(
        "  {:<24}{:>12}{:>12}{:>12}{:>11}{:>11}",
        one.call,
        one.calls,
        bytes(one.sent),
        bytes(one.received),
        seconds(one.time),
        waited
    )
}

/// Ranks beside each other; of many the extremes.
fn imbalance(stats: &MpiStats) -> Vec<String> {
    let mut lines = vec![format!(
        "  {:<24}{:>12}{:>12}{:>12}{:>11}{:>11}",
        "rank", "calls", "sent", "received", "outside", "in MPI"
    )];
    let line = |name: String, rank: &MpiRank| {
        format!(
            "  {name:<24}{:>12}{:>12}{:>12}{:>11}{:>11}",
            rank.calls,
            bytes(rank.sent),
            bytes(rank.received),
            seconds(rank.computation()),
            seconds(rank.mpi)
        )
    };
    let name = |rank: &MpiRank| match rank.threads {
        0..2 => rank.rank.to_string(),
        threads => format!("{} ({threads} threads)", rank.rank),
    };
    let computing = |rank: &&MpiRank| rank.computation_of_thread();
    let most = stats.by_rank.iter().max_by(|a, b| computing(a).total_cmp(&computing(b)));
    let least = stats.by_rank.iter().min_by(|a, b| computing(a).total_cmp(&computing(b)));
    match (most, least) {
        _ if stats.by_rank.len() <= RANKS => {
            lines.extend(stats.by_rank.iter().map(|rank| line(name(rank), rank)));
        }
        (Some(most), Some(least)) => {
            lines.push(line(format!("{} (computes most)", most.rank), most));
            lines.push(line(format!("{} (computes least)", least.rank), least));
        }
        _ => {}
    }
    let count = stats.by_rank.len() as f64;
    let mean = stats.by_rank.iter().map(MpiRank::computation_of_thread).sum::<Seconds>();
    let mean = mean / count;
    if let Some(most) = most.filter(|_| mean > Seconds::ZERO && count > 1.0) {
        lines.push(format!(
            "  imbalance: rank {} is outside of MPI {:.2} times as long as the mean of all",
            most.rank,
            most.computation_of_thread() / mean
        ));
    }
    lines
}

fn bytes(count: Bytes) -> String {
    match count.get() {
        0..10_000 => format!("{count} B"),
        10_000..10_000_000 => format!("{:.1} KB", count.as_f64() / 1e3),
        10_000_000..10_000_000_000 => format!("{:.1} MB", count.as_f64() / 1e6),
        _ => format!("{:.1} GB", count.as_f64() / 1e9),
    }
}

fn seconds(time: Seconds) -> String {
    match time.get() {
        time if time < 1e-3 => format!("{:.1} µs", time * 1e6),
        time if time < 1.0 => format!("{:.1} ms", time * 1e3),
        time => format!("{time:.2} s"),
    }
}
