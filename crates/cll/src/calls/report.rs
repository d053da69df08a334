//! What the logs of a run say, in a screen of lines: at the end of a logged run, and by `cll mpi stats`.

use std::path::PathBuf;

use cll_calls::{Inside, OpTotal, RankTotal, Summary, Survey};
use cll_report::escape;

use super::summary::{opener, place_in, surveys, unusable};
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Calls that are shown.
const SHOWN: usize = 12;
/// Ranks that are shown, each in a line.
const RANKS: usize = 8;

/// What the logs of a run say together.
pub struct Report {
    pub surveys: Vec<Survey>,
    pub summary: Summary,
}

impl Report {
    /// Of the logs of one run; `None` if there are no calls in them.
    ///
    /// # Errors
    /// If a log cannot be read.
    pub fn of(paths: &[PathBuf]) -> Result<Option<Report>, Failure> {
        Report::of_surveys(paths, surveys(paths)?)
    }

    /// The same of logs whose tables were read.
    pub fn of_surveys(
        paths: &[PathBuf],
        mut surveys: Vec<Survey>,
    ) -> Result<Option<Report>, Failure> {
        if surveys.iter().all(|survey| survey.mpi.is_none()) {
            return Ok(None);
        }
        let summary = Summary::of(&mut surveys, opener(paths))
            .map_err(|error| unusable(&paths[0], &error))?;
        Ok(Some(Report { surveys, summary }))
    }

    /// ` at heat.c:30`: where a call of a rank stands; empty if that is not known.
    pub fn place(&self, rank: u32, inside: &Inside) -> String {
        let of_rank = |survey: &&Survey| survey.rank().is_some_and(|(number, _)| number == rank);
        let survey = self.surveys.iter().find(of_rank);
        survey.map_or(String::new(), |survey| place_in(survey, inside.thread, inside.point))
    }

    /// The report, a screen of lines at most.
    pub fn lines(&self) -> Vec<String> {
        let summary = &self.summary;
        let mut lines = vec![first_line(summary), header()];
        lines.extend(summary.by_call.iter().take(SHOWN).map(|one| row(one, summary.one_clock)));
        if summary.by_call.len() > SHOWN {
            lines.push(format!("  … and {} other calls", summary.by_call.len() - SHOWN));
        }
        lines.extend(imbalance(summary));
        let ends = self.ends();
        lines.extend(ends.iter().take(RANKS).cloned());
        if ends.len() > RANKS {
            lines.push(format!("  … and {} others like these", ends.len() - RANKS));
        }
        let missing = summary.missing();
        if !missing.is_empty() {
            let shown: Vec<String> = missing.iter().take(RANKS).map(u32::to_string).collect();
            let more = missing.len().saturating_sub(RANKS);
            let more = if more > 0 { format!(" and {more} others") } else { String::new() };
            lines.push(format!("  no log here of rank {}{more}", shown.join(", ")));
        }
        lines
    }

    /// Ranks that did not end as they should, a line each.
    fn ends(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for rank in &self.summary.by_rank {
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
                let place = self.place(number, inside);
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
}

/// Says it on standard error; whether there were calls.
pub fn tell(paths: &[PathBuf], terminal: &mut Terminal) -> Result<bool, Failure> {
    let Some(report) = Report::of(paths)? else { return Ok(false) };
    for line in report.lines() {
        terminal.error_text(format!("{line}\n").as_bytes());
    }
    Ok(true)
}

fn first_line(summary: &Summary) -> String {
    let sum = |of: fn(&RankTotal) -> f64| summary.by_rank.iter().map(of).sum::<f64>();
    let total = sum(|rank| rank.thread_s);
    let threads: u32 = summary.by_rank.iter().map(|rank| rank.threads).sum();
    let has_threads = summary.by_rank.iter().any(|rank| rank.threads > 1);
    format!(
        "{} calls of MPI on {} of {} ranks{} ({}); {} {}in MPI{}",
        summary.calls,
        summary.by_rank.len(),
        summary.ranks,
        if has_threads { format!(" in {threads} threads") } else { String::new() },
        named(&summary.library),
        share(sum(|rank| rank.mpi_s), total),
        if has_threads { "of the threads' time " } else { "" },
        match summary.one_clock {
            true =>
                format!(", {} waiting for other ranks", share(sum(|rank| rank.waiting_s), total)),
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

fn share(part: f64, whole: f64) -> String {
    match whole > 0.0 {
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

fn row(one: &OpTotal, waiting: bool) -> String {
    let waited = if waiting { seconds(one.waiting_s) } else { "-".to_owned() };
    format!(
        "  {:<24}{:>12}{:>12}{:>12}{:>11}{:>11}",
        one.call,
        one.calls,
        bytes(one.sent),
        bytes(one.received),
        seconds(one.seconds),
        waited
    )
}

/// Ranks beside each other; of many the extremes.
fn imbalance(summary: &Summary) -> Vec<String> {
    let mut lines = vec![format!(
        "  {:<24}{:>12}{:>12}{:>12}{:>11}{:>11}",
        "rank", "calls", "sent", "received", "outside", "in MPI"
    )];
    let line = |name: String, rank: &RankTotal| {
        format!(
            "  {name:<24}{:>12}{:>12}{:>12}{:>11}{:>11}",
            rank.calls,
            bytes(rank.sent),
            bytes(rank.received),
            seconds(rank.computation_s()),
            seconds(rank.mpi_s)
        )
    };
    let name = |rank: &RankTotal| match rank.threads {
        0..2 => rank.rank.to_string(),
        threads => format!("{} ({threads} threads)", rank.rank),
    };
    let computing = |rank: &&RankTotal| rank.computation_of_thread_s();
    let most = summary.by_rank.iter().max_by(|a, b| computing(a).total_cmp(&computing(b)));
    let least = summary.by_rank.iter().min_by(|a, b| computing(a).total_cmp(&computing(b)));
    match (most, least) {
        _ if summary.by_rank.len() <= RANKS => {
            lines.extend(summary.by_rank.iter().map(|rank| line(name(rank), rank)));
        }
        (Some(most), Some(least)) => {
            lines.push(line(format!("{} (computes most)", most.rank), most));
            lines.push(line(format!("{} (computes least)", least.rank), least));
        }
        _ => {}
    }
    let count = summary.by_rank.len() as f64;
    let mean = summary.by_rank.iter().map(RankTotal::computation_of_thread_s).sum::<f64>();
    let mean = mean / count;
    if let Some(most) = most.filter(|_| mean > 0.0 && count > 1.0) {
        lines.push(format!(
            "  imbalance: rank {} is outside of MPI {:.2} times as long as the mean of all",
            most.rank,
            most.computation_of_thread_s() / mean
        ));
    }
    lines
}

fn bytes(count: u64) -> String {
    match count {
        0..10_000 => format!("{count} B"),
        10_000..10_000_000 => format!("{:.1} KB", count as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

fn seconds(time: f64) -> String {
    match time {
        time if time < 1e-3 => format!("{:.1} µs", time * 1e6),
        time if time < 1.0 => format!("{:.1} ms", time * 1e3),
        _ => format!("{time:.2} s"),
    }
}
