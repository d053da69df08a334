//! The sums of all logs of a run.

mod account;
mod accounting;
mod cycle;
mod delays;
mod finish;
mod ledger;
mod sites;
mod timeline;
mod totals;
mod unfinished;
mod waits;

use std::collections::BTreeMap;

use cll_trace::TraceError;
use cll_units::{Bytes, Seconds};

use super::graph::{Builder, Graph, PathNames};
use super::merged::Merged;
use super::overview::relate;
use super::{Analysis, Call, LastCall, Opener, Overview};

pub use account::{
    Account, ActivityTotal, Critical, Delay, Efficiency, KindTotal, Mismatch, SiteTotal, Traffic,
};
use accounting::Accounting;
pub use cycle::Link;
pub use ledger::{Ledger, SiteLedger, Slices};
pub use sites::{Activity, ActivityId, Site, SiteId};
use totals::Totals;
use unfinished::{open_requests, unreturned};

/// Calls by kind and by rank.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The name and version that the MPI of the first rank gives.
    pub library: String,
    /// Ranks of the run.
    pub ranks: u32,
    /// Those whose logs are here, in their order.
    pub by_rank: Vec<RankTotal>,
    /// Calls by kind, those that took longest first.
    pub by_call: Vec<OpTotal>,
    /// Calls of all.
    pub calls: u64,
    /// Size of all records.
    pub log_bytes: Bytes,
    /// Whether all logs are of one host. Waiting is known only then.
    pub one_clock: bool,
    /// Number of messages that were sent and not received, according to the logs.
    pub unreceived: usize,
    /// Number of messages that were received before they were sent, by one clock, beyond its error. That cannot be: calls
    /// are missing in the logs, or messages are matched wrongly.
    pub before_sent: usize,
    /// Requests of ranks that ended MPI that were not completed, persistent ones not freed.
    pub open_requests: Vec<OpenRequests>,
    /// The time that recording the calls took, of all ranks, by trials at the beginning of each process; `None`: not
    /// known.
    pub recording: Option<Seconds>,
    /// By call path, causes of waiting, messages between ranks, the critical path.
    pub account: Account,
    /// Ranks that wait for each other for ever, each for the next one, the last one for the first; empty if none.
    pub deadlock: Vec<Link>,
}

/// Requests that a rank had neither completed nor freed when it ended MPI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRequests {
    /// The rank.
    pub rank: u32,
    /// The call that returned them, with `MPI_`.
    pub call: String,
    /// How many.
    pub requests: usize,
}

/// Calls of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpTotal {
    /// Name, with `MPI_`.
    pub call: String,
    /// How many were made.
    pub calls: u64,
    /// How many of these were unsuccessful polls.
    pub unsuccessful: u64,
    /// Bytes that left the processes.
    pub sent: Bytes,
    /// Bytes that came to them.
    pub received: Bytes,
    /// The time in them, of all ranks.
    pub time: Seconds,
    /// Waiting for others, of all ranks.
    pub waiting: Seconds,
}

/// The total of a rank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankTotal {
    /// The rank.
    pub rank: u32,
    /// The host of the rank.
    pub host: String,
    /// Threads of it that called MPI.
    pub threads: u32,
    /// Calls.
    pub calls: u64,
    /// Bytes that left it.
    pub sent: Bytes,
    /// Bytes that came to it.
    pub received: Bytes,
    /// From the end of `MPI_Init` to the beginning of `MPI_Finalize`, or to the last known call.
    pub time: Seconds,
    /// The same of all its threads that called MPI: `time` of each.
    pub thread: Seconds,
    /// The part of that thread time in calls of MPI.
    pub mpi: Seconds,
    /// The part of that thread time spent waiting for others.
    pub waiting: Seconds,
    /// Whether it ended MPI.
    pub finalized: bool,
    /// Calls that had not returned when its log ended, at most one of each thread.
    pub inside: Vec<Inside>,
}

/// A call that had not returned when its log ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inside {
    /// The thread: its number among the threads of the process that call MPI.
    pub thread: u32,
    /// Name, with `MPI_`.
    pub call: String,
    /// A description of the thing that it waited for, as far as the logs show: `from rank 1 with tag 5`, `for rank 2 to
    /// come to it`; else empty.
    pub awaits: String,
    /// Number of its place in the thread's tables.
    pub point: Option<u32>,
}

impl Summary {
    /// Ranks of the run whose logs are not here.
    pub fn missing(&self) -> Vec<u32> {
        let mut here: Vec<u32> = self.by_rank.iter().map(|total| total.rank).collect();
        here.sort_unstable();
        (0..self.ranks).filter(|rank| here.binary_search(rank).is_err()).collect()
    }

    /// Makes the summary of a run from its logs, which are read twice: `open` opens the log with a number. Afterwards
    /// all overviews of one host have the same zero.
    ///
    /// # Errors
    /// If a log cannot be read.
    pub fn new(overviews: &mut [Overview], open: &mut Opener<'_>) -> Result<Summary, TraceError> {
        Summary::read(overviews, open, None, false)
    }

    /// The same, with a [`Ledger`] in the account.
    ///
    /// # Errors
    /// If a log cannot be read.
    pub fn with_ledger(
        overviews: &mut [Overview],
        open: &mut Opener<'_>,
    ) -> Result<Summary, TraceError> {
        Summary::read(overviews, open, None, true)
    }

    /// The same, with the graph of the run. `names` names call paths.
    ///
    /// # Errors
    /// If a log cannot be read.
    pub fn with_graph(
        overviews: &mut [Overview],
        open: &mut Opener<'_>,
        names: &mut PathNames<'_>,
    ) -> Result<(Summary, Graph), TraceError> {
        let mut builder = Builder::new(overviews.len());
        let summary = Summary::read(overviews, open, Some((&mut builder, names)), false)?;
        Ok((summary, builder.finish()))
    }

    /// The same with a flow of its own for each thread, and [`Details`](crate::Details) of its calls.
    ///
    /// # Errors
    /// If a log cannot be read.
    pub fn by_rank(
        overviews: &mut [Overview],
        open: &mut Opener<'_>,
        names: &mut PathNames<'_>,
    ) -> Result<(Summary, Graph), TraceError> {
        let mut builder = Builder::by_rank(overviews.len());
        let summary = Summary::read(overviews, open, Some((&mut builder, names)), false)?;
        Ok((summary, builder.finish()))
    }

    fn read(
        overviews: &mut [Overview],
        open: &mut Opener<'_>,
        mut graph: Option<(&mut Builder, &mut PathNames<'_>)>,
        with_ledger: bool,
    ) -> Result<Summary, TraceError> {
        relate(overviews);
        let overviews = &*overviews;
        let mut summary = Summary { one_clock: one_clock(overviews), ..Summary::default() };
        let mut totals = Totals::new(overviews);
        let mut analysis = match graph {
            Some(_) => Analysis::with_messages(overviews),
            None => Analysis::new(overviews),
        };
        let mut accounting = Accounting::new(overviews);
        if with_ledger {
            accounting.keep_ledger();
        }
        // Calls are read roughly in the order of time, so that both sides of a message are read soon after each other.
        let merged = Merged::new(overviews, open)?;
        let mut open: BTreeMap<(usize, u32), Call> = BTreeMap::new();
        let (mut founds, mut together) = (Vec::new(), Vec::new());
        let merged = merged.each::<TraceError>(overviews, |process, call| {
            totals.add(process, call);
            // Which messages belong together is known without a common clock, too.
            let analysed = summary.one_clock || graph.is_some();
            accounting.add(process, call, analysed.then_some(&mut analysis), &mut founds);
            if let Some((graph, names)) = &mut graph {
                let overview = &overviews[process];
                graph.add(process, overview, call, accounting.last_call(), &mut **names);
                graph.add_facts(&founds);
            }
            if summary.one_clock {
                together.clear();
                for founds in founds.drain(..) {
                    let LastCall::Waited(waiting) = founds else { continue };
                    together.push(waiting);
                    let calls = accounting.calls_of(waiting.who.process);
                    let Some(wait) = totals.book(&waiting, calls) else { continue };
                    accounting.waited(&wait);
                    if let Some((graph, _)) = &mut graph {
                        graph.waited(&waiting, wait.more);
                    }
                }
                accounting.together(&together);
            }
            if call.end.is_none() {
                open.insert((process, call.lane), call.clone());
            }
            Ok(())
        })?;
        let mut waiters = Vec::new();
        for (&(process, _), call) in &open {
            let (inside, waiter) = unreturned((overviews, process), call, &analysis, &merged);
            waiters.push(waiter);
            totals.ranks[process].inside.push(inside);
        }
        summary.deadlock = cycle::find(&waiters);
        summary.recording = recording(overviews, &totals.ranks);
        summary.by_call = totals.by_call();
        let mut ranks = totals.ranks;
        for rank in &mut ranks {
            rank.thread = rank.time * f64::from(rank.threads);
        }
        summary.account = accounting.finish(summary.one_clock);
        summary.unreceived = analysis.unmatched().0;
        summary.before_sent = analysis.before_sent();
        for (process, rank) in ranks.iter().enumerate().filter(|(_, rank)| rank.finalized) {
            summary.open_requests.extend(open_requests(rank.rank, process, &merged));
        }
        summary.library = library(overviews);
        summary.ranks =
            overviews.iter().filter_map(Overview::rank).map(|(_, all)| all).max().unwrap_or(0);
        summary.log_bytes = overviews.iter().map(|overview| overview.bytes).sum();
        summary.calls = summary.by_call.iter().map(|kind| kind.calls).sum();
        ranks.sort_by_key(|rank| rank.rank);
        summary.by_rank = ranks;
        Ok(summary)
    }
}

fn one_clock(overviews: &[Overview]) -> bool {
    overviews.windows(2).all(|pair| pair[0].process.host == pair[1].process.host)
}

/// The time that recording the calls of all ranks took; `None` if no log says the cost of a call.
fn recording(overviews: &[Overview], ranks: &[RankTotal]) -> Option<Seconds> {
    let of_rank = |(overview, rank): (&Overview, &RankTotal)| {
        let cost = overview.cost.filter(|cost| cost.calls > 0)?;
        let calls = cost.ns as f64 / f64::from(cost.calls) * rank.calls as f64;
        Some(Seconds(1e-9) * (calls + cost.blocks_ns as f64))
    };
    overviews.iter().zip(ranks).map(of_rank).sum()
}

/// The name and version that the MPI of the first rank gives.
fn library(overviews: &[Overview]) -> String {
    let mpi = overviews.iter().find_map(|overview| overview.mpi.as_ref());
    mpi.map_or(String::new(), |mpi| mpi.library.clone())
}
