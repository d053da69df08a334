//! What the logs of a run say, in a few lines.

use std::fs::File;
use std::path::{Path, PathBuf};

use cll_report::escape;
use cll_trace::TraceError;
use cll_trace::calls::{Calls, OpTotal, RankTotal, Summary, Survey};

use super::supersteps::place;
use crate::commands::profile::Symbols;
use crate::failure::{Failure, unreadable};
use crate::launch::{Died, Ends, Record};
use crate::terminal::Terminal;

/// Calls that are shown.
const SHOWN: usize = 12;
/// Ranks that are shown, each in a line.
const RANKS: usize = 8;

/// The tables of logs.
pub fn surveys(paths: &[PathBuf]) -> Result<Vec<Survey>, Failure> {
    paths
        .iter()
        .map(|path| {
            let file = File::open(path).map_err(|error| unreadable(path, &error))?;
            Survey::read(file).map_err(|error| unusable(path, &error))
        })
        .collect()
}

/// Opens the log of a number again.
pub fn opener(paths: &[PathBuf]) -> impl FnMut(usize) -> Result<File, TraceError> + '_ {
    |index| File::open(&paths[index]).map_err(TraceError::Io)
}

fn unusable(path: &Path, error: &TraceError) -> Failure {
    Failure::input(format!("{}: {error}", path.display()))
}

/// The rank that came to its end first, with its last call.
pub fn first(ends: &Ends, paths: &[PathBuf]) -> Option<Died> {
    let surveys = surveys(paths).unwrap_or_default();
    let record = |survey: &Survey| Record {
        rank: survey.rank(),
        pid: survey.process.pid,
        host: survey.process.host.clone(),
    };
    let records: Vec<Record> = surveys.iter().map(record).collect();
    ends.with(&records, |index| last_call(&paths[index], &surveys[index]))
}

fn last_call(path: &Path, survey: &Survey) -> Option<String> {
    let mut calls = Calls::new(File::open(path).ok()?, survey);
    let mut last = None;
    while let Ok(Some(call)) = calls.next_call() {
        last = Some(call);
    }
    let call = last?;
    let place = place_in(survey, call.lane, call.point);
    Some(match call.end_s {
        Some(_) => format!("its last call was MPI_{}{place}", call.op.name()),
        None => format!("it was in MPI_{}{place}", call.op.name()),
    })
}

/// Says it; whether there were calls.
pub fn tell(paths: &[PathBuf], terminal: &mut Terminal) -> Result<bool, Failure> {
    let mut surveys = surveys(paths)?;
    if surveys.iter().all(|survey| survey.mpi.is_none()) {
        return Ok(false);
    }
    let summary =
        Summary::of(&mut surveys, opener(paths)).map_err(|error| unusable(&paths[0], &error))?;
    for line in lines(&summary, &surveys) {
        terminal.error_text(format!("{line}\n").as_bytes());
    }
    Ok(true)
}

fn lines(summary: &Summary, surveys: &[Survey]) -> Vec<String> {
    let mut lines = Vec::new();
    let sum = |of: fn(&RankTotal) -> f64| summary.by_rank.iter().map(of).sum::<f64>();
    let total = sum(|rank| rank.seconds);
    lines.push(format!(
        "{} calls of MPI on {} of {} ranks ({}); {} in MPI{}",
        summary.calls,
        summary.by_rank.len(),
        summary.ranks,
        named(&summary.library),
        share(sum(|rank| rank.mpi_s), total),
        match summary.one_clock {
            true =>
                format!(", {} waiting for other ranks", share(sum(|rank| rank.waiting_s), total)),
            false => "; the ranks ran on several hosts: who waited for whom is not told".to_owned(),
        }
    ));
    lines.push(header());
    lines.extend(summary.by_call.iter().take(SHOWN).map(|one| row(one, summary.one_clock)));
    if summary.by_call.len() > SHOWN {
        lines.push(format!("  … and {} other calls", summary.by_call.len() - SHOWN));
    }
    lines.extend(imbalance(summary));
    for rank in &summary.by_rank {
        if let Some(call) = &rank.inside {
            let awaits = match rank.awaits.as_str() {
                "" => String::new(),
                awaits => format!(" {awaits}"),
            };
            let place = place_of(rank, surveys);
            let number = rank.rank;
            lines.push(format!("  rank {number} was in {call}{awaits}{place} when its log ended"));
        } else if !rank.finalized {
            lines.push(format!("  rank {} ended without MPI_Finalize", rank.rank));
        }
    }
    let absent =
        (0..summary.ranks).filter(|rank| !summary.by_rank.iter().any(|one| one.rank == *rank));
    let absent: Vec<String> = absent.map(|rank| rank.to_string()).collect();
    if !absent.is_empty() {
        lines.push(format!("  no log here of rank {}", absent.join(", ")));
    }
    lines
}

/// ` at heat.c:30`: where the call stands that a rank was in.
fn place_of(rank: &RankTotal, surveys: &[Survey]) -> String {
    let of_rank = |survey: &&Survey| survey.rank().is_some_and(|(number, _)| number == rank.rank);
    let told = rank
        .point
        .and_then(|(lane, point)| Some(place_in(surveys.iter().find(of_rank)?, lane, Some(point))));
    told.unwrap_or_default()
}

/// The same of a call in a log.
fn place_in(survey: &Survey, lane: u32, point: Option<u32>) -> String {
    let told = survey
        .place(lane, point)
        .map(|(point, _)| place(&mut Symbols::default(), survey, lane, point));
    match told {
        Some((file, line)) if !file.is_empty() => {
            format!(" at {}:{line}", escape(file.rsplit('/').next().unwrap_or(&file)))
        }
        _ => String::new(),
    }
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
    let computing = |rank: &&RankTotal| rank.computation_s();
    let most = summary.by_rank.iter().max_by(|a, b| computing(a).total_cmp(&computing(b)));
    let least = summary.by_rank.iter().min_by(|a, b| computing(a).total_cmp(&computing(b)));
    match (most, least) {
        _ if summary.by_rank.len() <= RANKS => {
            lines.extend(summary.by_rank.iter().map(|rank| line(rank.rank.to_string(), rank)));
        }
        (Some(most), Some(least)) => {
            lines.push(line(format!("{} (computes most)", most.rank), most));
            lines.push(line(format!("{} (computes least)", least.rank), least));
        }
        _ => {}
    }
    let count = summary.by_rank.len() as f64;
    let mean = summary.by_rank.iter().map(RankTotal::computation_s).sum::<f64>() / count;
    if let Some(most) = most.filter(|_| mean > 0.0 && count > 1.0) {
        lines.push(format!(
            "  imbalance: rank {} is outside of MPI {:.2} times as long as the mean of all",
            most.rank,
            most.computation_s() / mean
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
