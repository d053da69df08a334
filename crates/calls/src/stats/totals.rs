//! Sums of calls by rank and by kind.

use std::collections::BTreeMap;

use cll_trace::layout::call::{Class, Op};
use cll_units::Seconds;

use super::waits::{Wait, Waits, starts_processes};
use super::{OpTotal, RankTotal};
use crate::{Call, Overview, Waiting};

/// The sums while calls are read.
pub(super) struct Totals {
    pub(super) ranks: Vec<RankTotal>,
    kinds: BTreeMap<Op, OpTotal>,
    waits: Waits,
    /// When each process had begun MPI.
    begun: Vec<Option<Seconds>>,
}

impl Totals {
    pub(super) fn new(overviews: &[Overview]) -> Totals {
        Totals {
            ranks: overviews.iter().map(rank).collect(),
            kinds: BTreeMap::new(),
            waits: Waits::new(overviews.len()),
            begun: vec![None; overviews.len()],
        }
    }

    /// Counts a call of a process.
    pub(super) fn add(&mut self, process: usize, call: &Call) {
        count(call, &mut self.ranks[process], self.kinds.entry(call.op).or_default());
        account_time(call, &mut self.ranks[process], &mut self.begun[process]);
    }

    /// Adds a wait; `None` if its call is too long ago. `calls`: how many calls its process has made.
    pub(super) fn book(&mut self, waiting: &Waiting, calls: u64) -> Option<Wait> {
        let wait = self.waits.book(waiting, calls)?;
        self.ranks[waiting.who.process].waiting += wait.more;
        self.kinds.entry(waiting.op).or_default().waiting += wait.more;
        Some(wait)
    }

    /// The sums of each kind, those that took longest first.
    pub(super) fn by_call(&mut self) -> Vec<OpTotal> {
        let kinds = std::mem::take(&mut self.kinds).into_iter();
        let named =
            kinds.map(|(op, total)| OpTotal { call: format!("MPI_{}", op.name()), ..total });
        let mut totals: Vec<OpTotal> = named.collect();
        totals.sort_by(|total, other| other.time.total_cmp(&total.time));
        totals
    }
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
