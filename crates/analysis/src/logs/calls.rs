//! The summed calls of a run, as a result.

use std::path::PathBuf;

use crate::Error;
use cll_calls::{Inside, OpTotal, OpenRequests, Overview, RankTotal, Summary};
use cll_result::{MpiCall, MpiInside, MpiOpenRequests, MpiRank, MpiStats, MpiUnrecorded, MpiWorld};
use cll_units::Seconds;

use super::call_details::{CallNames, detail};
use super::{opener, unusable};

/// The statistics of the logs of one run, whose tables were read; `None` if there are no calls in them.
///
/// # Errors
/// If a log cannot be read.
pub fn call_statistics(
    paths: &[PathBuf],
    mut surveys: Vec<Overview>,
    damage: Vec<String>,
) -> Result<Option<MpiStats>, Error> {
    if surveys.iter().all(|survey| survey.mpi.is_none()) {
        return Ok(None);
    }
    let summary = Summary::new(&mut surveys, &mut opener(paths))
        .map_err(|error| unusable(&paths[0], &error))?;
    let mut names = CallNames::new(&surveys);
    Ok(Some(statistics(summary, &surveys, &mut names, damage)))
}

/// The statistics of a summary.
pub(super) fn statistics(
    summary: Summary,
    surveys: &[Overview],
    names: &mut CallNames<'_>,
    damage: Vec<String>,
) -> MpiStats {
    let known = |time: Seconds| summary.one_clock.then_some(time);
    let missing = summary.missing();
    let by_call =
        summary.by_call.iter().map(|total| by_call(total, known(total.waiting))).collect();
    let by_rank = summary.by_rank.iter();
    let lost = summary.account.without_core.as_ref();
    let by_rank = by_rank
        .map(|total| {
            let process = process_of(surveys, total.rank);
            let without_core = lost.and_then(|lost| lost.time.get(process).copied());
            MpiRank { without_core, ..by_rank_of(names, process, total, known(total.waiting)) }
        })
        .collect();
    let detail = detail(&summary, names);
    let open = |requests: OpenRequests| MpiOpenRequests {
        rank: requests.rank,
        call: requests.call,
        requests: requests.requests,
    };
    let open_requests = summary.open_requests.into_iter().map(open).collect();
    let Summary { library, ranks, calls, log_bytes, one_clock, unreceived, recording, .. } =
        summary;
    MpiStats {
        library,
        ranks,
        calls,
        log_bytes,
        recording,
        one_clock,
        unrecorded: unrecorded(surveys),
        unreceived,
        before_sent: summary.before_sent,
        open_requests,
        by_call,
        by_rank,
        worlds: worlds(surveys),
        missing,
        damage,
        detail,
        ..MpiStats::new()
    }
}

/// The calls that these logs only count; `None`: they do not count them.
pub fn unrecorded(surveys: &[Overview]) -> Option<Vec<MpiUnrecorded>> {
    let all = cll_calls::unrecorded(surveys)?.into_iter();
    Some(
        all.map(|unrecorded| MpiUnrecorded { call: unrecorded.call, calls: unrecorded.calls })
            .collect(),
    )
}

/// The same in words, if there are any.
pub fn unrecorded_said(surveys: &[Overview]) -> Option<String> {
    cll_result::unrecorded_text(&unrecorded(surveys)?)
}

fn worlds(surveys: &[Overview]) -> Vec<MpiWorld> {
    let mut worlds: Vec<MpiWorld> = Vec::new();
    for world in surveys.iter().filter_map(|survey| survey.world.as_ref()) {
        let program = world.program.rsplit('/').next().unwrap_or("").to_owned();
        let (first, ranks, started) = (world.first, world.ranks, world.started);
        let world = MpiWorld { first, ranks, program, started };
        if !worlds.contains(&world) {
            worlds.push(world);
        }
    }
    worlds.sort_by_key(|world| world.first);
    worlds
}

fn by_call(total: &OpTotal, waiting: Option<Seconds>) -> MpiCall {
    MpiCall {
        call: total.call.clone(),
        calls: total.calls,
        unsuccessful: total.unsuccessful,
        sent: total.sent,
        received: total.received,
        time: total.time,
        waiting,
    }
}

/// The index of a rank's log.
fn process_of(surveys: &[Overview], rank: u32) -> usize {
    let is_it = |survey: &Overview| survey.rank().is_some_and(|(number, _)| number == rank);
    surveys.iter().position(is_it).unwrap_or(0)
}

fn by_rank_of(
    names: &mut CallNames<'_>,
    process: usize,
    rank: &RankTotal,
    waiting: Option<Seconds>,
) -> MpiRank {
    let within = |inside: &Inside| MpiInside {
        thread: inside.thread,
        call: inside.call.clone(),
        awaits: inside.awaits.clone(),
        place: names.place(process, inside.thread, inside.point),
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
        without_core: None,
        finalized: rank.finalized,
        inside: rank.inside.iter().map(within).collect(),
    }
}
