//! `cll mpi`: what the log of an MPI program's calls says.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use cll_calls::{Inside, OpTotal, RankTotal, Survey, holds_calls, of_different_runs};
use serde::Serialize;

use crate::calls::{Report, surveys};
use crate::cli::{MpiArgs, MpiCommand, MpiStatsArgs};
use crate::failure::{Failure, unreadable};
use crate::terminal::Terminal;

/// Things of one kind that a message names.
const NAMED: usize = 8;

/// Does what was asked for.
pub fn run(args: &MpiArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    match &args.command {
        MpiCommand::Stats(args) => stats(args, terminal),
    }
}

/// The report as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    format: &'static str,
    version: u32,
    library: &'a str,
    ranks: u32,
    calls: u64,
    log_bytes: u64,
    one_clock: bool,
    unreceived: usize,
    by_call: Vec<ByCall<'a>>,
    by_rank: Vec<ByRank<'a>>,
    missing: Vec<u32>,
    damage: Vec<String>,
}

#[derive(Serialize)]
struct ByCall<'a> {
    call: &'a str,
    calls: u64,
    in_vain: u64,
    sent: u64,
    received: u64,
    seconds: f64,
    /// `None`: it is not known.
    waiting_s: Option<f64>,
}

#[derive(Serialize)]
struct ByRank<'a> {
    rank: u32,
    host: &'a str,
    threads: u32,
    calls: u64,
    sent: u64,
    received: u64,
    seconds: f64,
    thread_s: f64,
    mpi_s: f64,
    waiting_s: Option<f64>,
    finalized: bool,
    inside: Vec<Within<'a>>,
}

#[derive(Serialize)]
struct Within<'a> {
    thread: u32,
    call: &'a str,
    awaits: &'a str,
    /// `file:line`; empty if that is not known.
    place: String,
}

fn stats(args: &MpiStatsArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let paths = logs(&args.files)?;
    let surveys = surveys(&paths)?;
    one_run(&paths, &surveys)?;
    let mut damage = Vec::new();
    for (survey, path) in surveys.iter().zip(&paths) {
        damage.extend(survey.damage.iter().map(|one| format!("{}: {one}", path.display())));
    }
    damage.iter().take(NAMED).for_each(|one| terminal.warn(one));
    if damage.len() > NAMED {
        terminal.warn(&format!("{} more faults in these logs", damage.len() - NAMED));
    }
    let Some(report) = Report::of_surveys(&paths, surveys)? else {
        return Err(Failure::input(format!("{}: no call of MPI is in it", paths[0].display()))
            .help("cll run --log records the calls of a program"));
    };
    match args.json {
        true => terminal.json(&answer(&report, damage))?,
        false => {
            for line in report.lines() {
                terminal.line(line)?;
            }
        }
    }
    Ok(0)
}

/// The files themselves, and of folders the logs of calls in them.
fn logs(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut all = Vec::new();
    for path in given {
        if path.is_dir() {
            all.extend(logs_in(path)?);
            continue;
        }
        let failure = |error| unreadable(path, &error);
        let file = File::open(path).map_err(failure)?;
        if !holds_calls(file).map_err(failure)? {
            return Err(Failure::input(format!(
                "{}: this is no log of calls of MPI",
                path.display()
            ))
            .help("cll run --log records the calls of a program"));
        }
        all.push(path.clone());
    }
    all.sort();
    all.dedup();
    Ok(all)
}

fn logs_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        if path.extension().is_none_or(|extension| extension != "dat") || !path.is_file() {
            continue;
        }
        let failure = |error| unreadable(&path, &error);
        if holds_calls(File::open(&path).map_err(failure)?).map_err(failure)? {
            found.push(path);
        }
    }
    match found.is_empty() {
        true => {
            Err(Failure::input(format!("{}: no log of calls of MPI is in it", folder.display()))
                .help("cll run --log -o FOLDER writes the logs of a run there"))
        }
        false => Ok(found),
    }
}

/// Refuses logs of several runs.
fn one_run(paths: &[PathBuf], surveys: &[Survey]) -> Result<(), Failure> {
    let Some((other, one)) = of_different_runs(surveys) else { return Ok(()) };
    Err(Failure::usage(format!(
        "{} and {} are logs of different runs",
        paths[other].display(),
        paths[one].display()
    ))
    .help(
        "give the logs of one run; cll run --log -o FOLDER writes each run to a folder of its own",
    ))
}

fn answer(report: &Report, damage: Vec<String>) -> Answer<'_> {
    let summary = &report.summary;
    let known = |seconds: f64| summary.one_clock.then_some(seconds);
    Answer {
        format: "cll-mpi-stats",
        version: 1,
        library: &summary.library,
        ranks: summary.ranks,
        calls: summary.calls,
        log_bytes: summary.log_bytes,
        one_clock: summary.one_clock,
        unreceived: summary.unreceived,
        by_call: summary.by_call.iter().map(|one| by_call(one, known(one.waiting_s))).collect(),
        by_rank: (summary.by_rank.iter())
            .map(|rank| by_rank(report, rank, known(rank.waiting_s)))
            .collect(),
        missing: summary.missing(),
        damage,
    }
}

fn by_call(one: &OpTotal, waiting_s: Option<f64>) -> ByCall<'_> {
    ByCall {
        call: &one.call,
        calls: one.calls,
        in_vain: one.in_vain,
        sent: one.sent,
        received: one.received,
        seconds: one.seconds,
        waiting_s,
    }
}

fn by_rank<'a>(report: &Report, rank: &'a RankTotal, waiting_s: Option<f64>) -> ByRank<'a> {
    let within = |inside: &'a Inside| Within {
        thread: inside.thread,
        call: &inside.call,
        awaits: &inside.awaits,
        place: report.place(rank.rank, inside).trim_start_matches(" at ").to_owned(),
    };
    ByRank {
        rank: rank.rank,
        host: &rank.host,
        threads: rank.threads,
        calls: rank.calls,
        sent: rank.sent,
        received: rank.received,
        seconds: rank.seconds,
        thread_s: rank.thread_s,
        mpi_s: rank.mpi_s,
        waiting_s,
        finalized: rank.finalized,
        inside: rank.inside.iter().map(within).collect(),
    }
}
