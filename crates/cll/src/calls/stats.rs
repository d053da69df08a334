//! The summed calls of a run: at the end of a logged run, and by `cll mpi stats`.

use std::path::PathBuf;

use cll_calls::{Inside, OpTotal, Overview, RankTotal, Summary};
use cll_report::mpi_text;
use cll_result::{MpiCall, MpiInside, MpiRank, MpiStats};
use cll_units::Seconds;

use cll_analysis::logs::{opener, surveys, unusable};

use super::summary::place_in;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// The statistics of the logs of one run, whose tables were read; `None` if there are no calls in them.
///
/// # Errors
/// If a log cannot be read.
pub fn stats_of(
    paths: &[PathBuf],
    mut surveys: Vec<Overview>,
    damage: Vec<String>,
) -> Result<Option<MpiStats>, Failure> {
    if surveys.iter().all(|survey| survey.mpi.is_none()) {
        return Ok(None);
    }
    let summary =
        Summary::new(&mut surveys, opener(paths)).map_err(|error| unusable(&paths[0], &error))?;
    let known = |time: Seconds| summary.one_clock.then_some(time);
    let missing = summary.missing();
    let by_call = summary.by_call.iter().map(|one| by_call(one, known(one.waiting))).collect();
    let by_rank = summary.by_rank.iter();
    let by_rank = by_rank.map(|one| by_rank_of(&surveys, one, known(one.waiting))).collect();
    let Summary { library, ranks, calls, log_bytes, one_clock, unreceived, .. } = summary;
    Ok(Some(MpiStats {
        library,
        ranks,
        calls,
        log_bytes,
        one_clock,
        unreceived,
        by_call,
        by_rank,
        missing,
        damage,
        ..MpiStats::new()
    }))
}

/// Prints the statistics to standard error; returns whether there were calls.
pub fn report(paths: &[PathBuf], terminal: &mut Terminal) -> Result<bool, Failure> {
    let Some(stats) = stats_of(paths, surveys(paths)?, Vec::new())? else { return Ok(false) };
    terminal.error_text(mpi_text(&stats, &terminal.error_style()).as_bytes());
    Ok(true)
}

fn by_call(one: &OpTotal, waiting: Option<Seconds>) -> MpiCall {
    MpiCall {
        call: one.call.clone(),
        calls: one.calls,
        unsuccessful: one.unsuccessful,
        sent: one.sent,
        received: one.received,
        time: one.time,
        waiting,
    }
}

fn by_rank_of(surveys: &[Overview], rank: &RankTotal, waiting: Option<Seconds>) -> MpiRank {
    let within = |inside: &Inside| MpiInside {
        thread: inside.thread,
        call: inside.call.clone(),
        awaits: inside.awaits.clone(),
        place: place(surveys, rank.rank, inside),
    };
    MpiRank {
        rank: rank.rank,
        host: rank.host.clone(),
        threads: rank.threads,
        calls: rank.calls,
        sent: rank.sent,
        received: rank.received,
        time: rank.time,
        thread: rank.thread,
        mpi: rank.mpi,
        waiting,
        finalized: rank.finalized,
        inside: rank.inside.iter().map(within).collect(),
    }
}

/// `heat.c:30`: the call site of a call of a rank; empty if it is not known.
fn place(surveys: &[Overview], rank: u32, inside: &Inside) -> String {
    let of_rank = |survey: &&Overview| survey.rank().is_some_and(|(number, _)| number == rank);
    let survey = surveys.iter().find(of_rank);
    let place =
        survey.map_or(String::new(), |survey| place_in(survey, inside.thread, inside.point));
    place.trim_start_matches(" at ").to_owned()
}
