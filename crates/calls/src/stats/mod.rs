//! The sums of all logs of a run.

mod account;
mod accounting;
mod cycle;
mod delays;
mod finish;
mod ledger;
mod sites;
mod timeline;
mod waits;

use std::collections::BTreeMap;

use serde::Serialize;

use cll_trace::TraceError;
use cll_trace::layout::call::{ANY, Class, NOBODY, Op};
use cll_units::{Bytes, Seconds};

use super::graph::{Builder, Graph, PathNames};
use super::merged::Merged;
use super::overview::relate;
use super::{Analysis, Call, CallData, Found, Message, Opener, Overview};

pub use account::{
    Account, ActivityTotal, Critical, Delay, Efficiency, KindTotal, Mismatch, SiteTotal, Traffic,
};
use accounting::Accounting;
pub use cycle::Link;
pub use ledger::{Ledger, SiteLedger, Slices};
pub use sites::{Activity, ActivityId, Site, SiteId};
use waits::{Waits, starts_processes};

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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OpTotal {
    /// Name, with `MPI_`.
    pub call: String,
    /// How many were made.
    pub calls: u64,
    /// How many of these were unsuccessful polls.
    #[serde(rename = "unsuccessful")]
    pub unsuccessful: u64,
    /// Bytes that left the processes.
    pub sent: Bytes,
    /// Bytes that came to them.
    pub received: Bytes,
    /// The time in them, of all ranks.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// Waiting for others, of all ranks.
    #[serde(rename = "waiting_s")]
    pub waiting: Seconds,
}

/// The total of a rank.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// The same of all its threads that called MPI: `time` of each.
    #[serde(rename = "thread_s")]
    pub thread: Seconds,
    /// The part of that thread time in calls of MPI.
    #[serde(rename = "mpi_s")]
    pub mpi: Seconds,
    /// The part of that thread time spent waiting for others.
    #[serde(rename = "waiting_s")]
    pub waiting: Seconds,
    /// Whether it ended MPI.
    pub finalized: bool,
    /// Calls that had not returned when its log ended, at most one of each thread.
    pub inside: Vec<Inside>,
}

/// A call that had not returned when its log ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Inside {
    /// The thread: its number among the threads of the process that call MPI.
    pub thread: u32,
    /// Name, with `MPI_`.
    pub call: String,
    /// A description of the thing that it waited for, as far as the logs show: `from rank 1 with tag 5`, `for rank 2 to
    /// come to it`; else empty.
    pub awaits: String,
    /// Number of its place in the thread's tables.
    #[serde(skip)]
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
        let mut ranks: Vec<RankTotal> = overviews.iter().map(rank).collect();
        let mut kinds: BTreeMap<Op, OpTotal> = BTreeMap::new();
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
        let mut begun = vec![None; overviews.len()];
        let mut waits = Waits::new(overviews.len());
        let mut open: BTreeMap<(usize, u32), Call> = BTreeMap::new();
        let (mut founds, mut together) = (Vec::new(), Vec::new());
        let merged = merged.each::<TraceError>(overviews, |process, call| {
            count(call, &mut ranks[process], kinds.entry(call.op).or_default());
            account_time(call, &mut ranks[process], &mut begun[process]);
            // Which messages belong together is known without a common clock, too.
            let analysed = summary.one_clock || graph.is_some();
            accounting.add(process, call, analysed.then_some(&mut analysis), &mut founds);
            if let Some((graph, names)) = &mut graph {
                let overview = &overviews[process];
                graph.add(process, overview, call, accounting.last_call(), &mut **names);
                graph.found(&founds);
            }
            if summary.one_clock {
                together.clear();
                for founds in founds.drain(..) {
                    let Found::Waited(waiting) = founds else { continue };
                    together.push(waiting);
                    let calls = accounting.calls_of(waiting.who.process);
                    let Some(wait) = waits.book(&waiting, calls) else { continue };
                    ranks[waiting.who.process].waiting += wait.more;
                    kinds.entry(waiting.op).or_default().waiting += wait.more;
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
        for (&(process, thread), call) in &open {
            let absent = analysis.absent(process, thread);
            let pending = merged.of(process).pending(call);
            let awaits = awaits(call, &overviews[process], &absent);
            let call_of = format!("MPI_{}", call.op.name());
            let inside = Inside { thread, call: call_of, awaits, point: call.point };
            let is_there = |message: &Message, is_sent: bool| {
                if is_sent {
                    asks_for(overviews, &merged, process, message)
                } else {
                    analysis.has_been_sent(process, message)
                }
            };
            let overview = &overviews[process];
            waiters.push(cycle::Waiter::new(overview, call, &pending, &absent, &is_there));
            ranks[process].inside.push(inside);
        }
        summary.deadlock = cycle::find(&waiters);
        let recording = overviews.iter().zip(&ranks).map(|(overview, rank)| {
            let cost = overview.cost.filter(|cost| cost.calls > 0)?;
            let calls = cost.ns as f64 / f64::from(cost.calls) * rank.calls as f64;
            Some(Seconds(1e-9) * (calls + cost.blocks_ns as f64))
        });
        summary.recording = recording.sum();
        for rank in &mut ranks {
            rank.thread = rank.time * f64::from(rank.threads);
        }
        summary.account = accounting.finish(summary.one_clock);
        summary.unreceived = analysis.unmatched().0;
        summary.before_sent = analysis.before_sent();
        for (process, rank) in ranks.iter().enumerate().filter(|(_, rank)| rank.finalized) {
            let mut open: BTreeMap<Op, usize> = BTreeMap::new();
            for origin in merged.of(process).requested() {
                *open.entry(origin.op).or_default() += 1;
            }
            summary.open_requests.extend(open.into_iter().map(|(op, requests)| OpenRequests {
                rank: rank.rank,
                call: format!("MPI_{}", op.name()),
                requests,
            }));
        }
        summary.library = overviews
            .iter()
            .find_map(|overview| overview.mpi.as_ref())
            .map_or(String::new(), |mpi| mpi.library.clone());
        summary.ranks =
            overviews.iter().filter_map(Overview::rank).map(|(_, all)| all).max().unwrap_or(0);
        summary.log_bytes = overviews.iter().map(|overview| overview.bytes).sum();
        summary.calls = kinds.values().map(|kind| kind.calls).sum();
        summary.by_call = kinds
            .into_iter()
            .map(|(op, total)| OpTotal { call: format!("MPI_{}", op.name()), ..total })
            .collect();
        summary.by_call.sort_by(|total, other| other.time.total_cmp(&total.time));
        ranks.sort_by_key(|rank| rank.rank);
        summary.by_rank = ranks;
        Ok(summary)
    }
}

/// Describes the wait of a call that has not returned; `absent` are the ranks that have not arrived at its collective.
fn awaits(call: &Call, overview: &Overview, absent: &[u32]) -> String {
    let rank = |message: &Message| match overview.world_rank(message.communicator, message.partner)
    {
        Some(rank) => format!("rank {rank}"),
        None if message.partner == NOBODY => "nobody".to_owned(),
        None => "any rank".to_owned(),
    };
    let tag = |message: &Message| match message.tag {
        ANY => String::new(),
        tag => format!(" with tag {tag}"),
    };
    match &call.what {
        CallData::Send(message) => format!("to {}{}", rank(message), tag(message)),
        CallData::Receive(message) | CallData::Probe(message) => {
            format!("from {}{}", rank(message), tag(message))
        }
        CallData::Exchange { sent, received } => {
            format!("to {}, from {}{}", rank(sent), rank(received), tag(received))
        }
        CallData::Requests { count, .. } if *count > 1 => format!("for {count} requests"),
        CallData::Collective { .. } if !absent.is_empty() => {
            const SHOWN: usize = 8;
            let shown: Vec<String> = absent.iter().take(SHOWN).map(u32::to_string).collect();
            let more = if absent.len() > SHOWN { ", …" } else { "" };
            let ranks = if absent.len() == 1 { "rank" } else { "ranks" };
            format!("for {ranks} {}{more} to come to it", shown.join(", "))
        }
        _ => String::new(),
    }
}

/// Whether the receiver of a message that a process sends has a request for it that is not complete.
fn asks_for(
    overviews: &[Overview],
    merged: &Merged<'_>,
    process: usize,
    message: &Message,
) -> bool {
    let overview = &overviews[process];
    let Some((own, _)) = overview.rank() else { return false };
    let to = overview.world_rank(message.communicator, message.partner);
    let is_receiver = |other: &Overview| other.rank().map(|(rank, _)| rank) == to;
    let Some(other) = overviews.iter().position(is_receiver) else { return false };
    let key = overview.key(message.communicator);
    merged.of(other).requested().any(|origin| match origin.what {
        CallData::Receive(asked) => {
            let from = overviews[other].world_rank(asked.communicator, asked.partner);
            overviews[other].key(asked.communicator) == key
                && (asked.partner == ANY || from == Some(own))
                && (asked.tag == ANY || asked.tag == message.tag)
        }
        _ => false,
    })
}

fn one_clock(overviews: &[Overview]) -> bool {
    overviews.windows(2).all(|pair| pair[0].process.host == pair[1].process.host)
}

fn rank(overview: &Overview) -> RankTotal {
    RankTotal {
        rank: overview.rank().map_or(0, |(rank, _)| rank),
        host: overview.process.host.clone(),
        threads: overview.lanes.len() as u32,
        ..RankTotal::default()
    }
}

fn count(call: &Call, rank: &mut RankTotal, kind: &mut OpTotal) {
    let times = u64::from(call.unsuccessful.max(1));
    let (sent, received) = call.bytes();
    kind.calls += times;
    kind.unsuccessful += u64::from(call.unsuccessful);
    kind.sent += sent;
    kind.received += received;
    rank.calls += times;
    rank.sent += sent;
    rank.received += received;
    kind.time += call.time().unwrap_or_default();
    if starts_processes(call) {
        rank.waiting += call.time().unwrap_or_default();
        kind.waiting += call.time().unwrap_or_default();
    }
}

fn account_time(call: &Call, rank: &mut RankTotal, begun: &mut Option<Seconds>) {
    if call.op.class() == Class::Life {
        rank.finalized |= call.op == Op::Finalize;
        if call.op.begins_mpi() {
            *begun = call.end;
            return;
        }
    } else {
        rank.mpi += call.time().unwrap_or_default();
    }
    let begun = *begun.get_or_insert(call.start);
    let end = call.end.filter(|_| call.op != Op::Finalize);
    let until = end.unwrap_or(call.start);
    rank.time = rank.time.max(until - begun);
}
