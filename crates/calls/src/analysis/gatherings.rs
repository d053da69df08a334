//! Collectives: who has come, and until when the others wait.

use cll_trace::layout::call::{CollectiveKind, Op};
use cll_units::Seconds;

use super::{Analysis, LastCall, Thread, WaitKind, Waited, Within};
use crate::collective::{self, CollectiveKey};
use crate::{Call, CallData};

/// The largest number of different collectives in one place that are reported.
const MISMATCHES: usize = 8;

#[derive(Debug)]
pub(super) struct Gathering {
    kind: CollectiveKind,
    /// The first one that came.
    first: (Thread, Op, Option<u32>),
    waits: WaitKind,
    size: usize,
    is_inter: bool,
    root: Option<u32>,
    /// Sorted by rank when all have arrived.
    came: Vec<Came>,
    came_s: Vec<f64>,
    ideal_s: Vec<f64>,
    last_s: f64,
    /// Calls that wait for others to arrive, with their ranks.
    waiting: Vec<(Within, u32)>,
    /// How many have arrived and have not completed their request yet.
    staying: usize,
}

/// A process that has come to a collective.
#[derive(Clone, Copy, Debug)]
struct Came {
    who: Thread,
    number: u64,
    /// The rank of the process in the communicator.
    rank: u32,
    at_s: f64,
    ideal_s: f64,
}

impl Analysis<'_> {
    /// Handles a call that is a collective: the process waits for the others in it, unless the call returns a request.
    /// `made_by` is the call that the program made for it.
    pub(super) fn arrive(&mut self, own: Within, ideal_s: f64, made_by: Op, call: &Call) {
        let Some(group) = collective::group_of(call) else { return };
        let process = own.who.process;
        let overview = &self.overviews[process];
        let Some((key, table)) = collective::members(overview, group) else { return };
        let count = self.counts.entry((process, group)).or_insert(0);
        *count += 1;
        let key = (group.0, key, *count);
        self.last.insert((process, call.lane), (key, table.id));
        let size = (table.size + table.remote_size) as usize;
        let participant = (own.who, made_by, call.point);
        let gathering = self.collectives.entry(key).or_insert_with(|| Gathering {
            kind: call.op.collective_kind(),
            first: participant,
            waits: match call.what {
                CallData::Collective { .. } => WaitKind::Collective,
                CallData::Epoch { .. } => WaitKind::Fence,
                _ => WaitKind::Together,
            },
            size,
            is_inter: table.remote_size > 0,
            root: None,
            came: Vec::new(),
            came_s: Vec::new(),
            ideal_s: Vec::new(),
            last_s: f64::MIN,
            waiting: Vec::new(),
            staying: 0,
        });
        if gathering.first.1 != made_by && self.mismatches < MISMATCHES {
            self.mismatches += 1;
            self.facts.push(LastCall::Mismatch { one: gathering.first, other: participant });
        }
        if let CallData::Collective { root, .. } = call.what {
            gathering.root = gathering.root.or(root);
        }
        let at_s = call.start.get();
        gathering.came.push(Came {
            who: own.who,
            number: own.number,
            rank: table.rank,
            at_s,
            ideal_s,
        });
        gathering.last_s = gathering.last_s.max(at_s);
        match call.request {
            Some(request) => {
                gathering.staying += 1;
                self.requested.insert((process, request), key);
            }
            None if call.end.is_some() => gathering.waiting.push((own, table.rank)),
            None => {}
        }
        if gathering.came.len() == gathering.size {
            gathering.came.sort_by_key(|came| came.rank);
            gathering.came_s = gathering.came.iter().map(|came| came.at_s).collect();
            gathering.ideal_s = gathering.came.iter().map(|came| came.ideal_s).collect();
            if let (true, [first, others @ ..]) = (self.has_messages, &gathering.came[..]) {
                let pair = (first.who, first.number);
                self.facts.extend(
                    others
                        .iter()
                        .map(|came| LastCall::Joined { one: pair, other: (came.who, came.number) }),
                );
            }
            self.gathered(key);
        }
    }

    /// Handles a call that completes the request of a collective, and the unsuccessful polls before it.
    pub(super) fn complete(&mut self, key: CollectiveKey, waited: &Waited) {
        let Some(gathering) = self.collectives.get_mut(&key) else { return };
        gathering.staying = gathering.staying.saturating_sub(1);
        let Some(Within { who, .. }) = waited.first else { return };
        let came = gathering.came.iter().find(|came| came.who.process == who.process);
        let rank = came.map_or(0, |came| came.rank);
        gathering.waiting.extend(waited.iter().map(|&within| (within, rank)));
        if gathering.came.len() >= gathering.size {
            self.gathered(key);
        }
    }

    /// Called when all processes have arrived at a collective: now it is known until when the processes in it have
    /// waited.
    fn gathered(&mut self, key: CollectiveKey) {
        let Some(gathering) = self.collectives.get_mut(&key) else { return };
        let waiting = std::mem::take(&mut gathering.waiting);
        let (kind, last_s, waits) = (gathering.kind, gathering.last_s, gathering.waits);
        let root = gathering.root.map(|root| root as usize);
        let last_ideal = gathering.ideal_s.iter().copied().fold(f64::MIN, f64::max);
        let until = |rank: u32, times: &[f64], last: f64| {
            if gathering.is_inter {
                // Ranks are those of two groups.
                Some(last)
                    .filter(|_| matches!(kind, CollectiveKind::All | CollectiveKind::Exchange))
            } else {
                kind.until(rank as usize, root, times, last)
            }
        };
        let mut delays = Vec::with_capacity(waiting.len());
        for (within, rank) in waiting {
            let Some(until_s) = until(rank, &gathering.came_s, last_s) else { continue };
            let late = gathering.came.iter().find(|came| came.at_s == until_s);
            let ideal = until(rank, &gathering.ideal_s, last_ideal);
            delays.push((within, until_s, late.map(|came| came.who), ideal));
        }
        if gathering.staying == 0 {
            self.collectives.remove(&key);
        }
        for (within, until_s, late, ideal) in delays {
            if let Some(late) = late {
                self.add_waiting(&within, waits, until_s, late);
            }
            if let Some(ideal) = ideal {
                self.facts.push(LastCall::Needed { who: within.who, ideal: Seconds(ideal) });
            }
        }
    }

    /// The ranks that have not arrived at the last collective that a thread has called.
    pub fn absent(&self, process: usize, lane: u32) -> Vec<u32> {
        let of_thread = self.last.get(&(process, lane)).and_then(|(key, communicator)| {
            let gathering = self.collectives.get(key)?;
            let table = self.overviews[process].communicators.get(communicator)?;
            (gathering.came.len() < gathering.size).then_some((table, gathering))
        });
        let Some((table, gathering)) = of_thread else { return Vec::new() };
        let came = |rank: u32| gathering.came.iter().any(|member| member.rank == rank);
        let absent = (0..table.size).filter(|&rank| !came(rank));
        absent.filter_map(|rank| table.world_rank(rank.into())).collect()
    }
}
