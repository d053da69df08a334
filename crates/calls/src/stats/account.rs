//! Time, bytes and waiting by call path, where waits come from, messages between ranks, the critical path.

use cll_trace::layout::call::Op;
use cll_units::{Bytes, Seconds};

use super::ledger::Ledger;
use super::sites::{Activity, ActivityId, Site, SiteId};
use crate::{Thread, WaitKind};

/// The calls of a path.
#[derive(Clone, Debug)]
pub struct SiteTotal {
    /// Where they are made.
    pub site: Site,
    /// How many calls, and how many of them were unsuccessful polls.
    pub calls: (u64, u64),
    /// Bytes that left the processes.
    pub sent: Bytes,
    /// Bytes that came to them.
    pub received: Bytes,
    /// Time in them, by process.
    pub time: Vec<Seconds>,
    /// Waiting in them.
    pub waiting: Seconds,
}

/// The total of an activity of processes between two calls, or in the calls of a path.
#[derive(Clone, Debug)]
pub struct ActivityTotal {
    /// The activity.
    pub activity: Activity,
    /// How often.
    pub times: u64,
    /// The time, by process; in calls, without waiting.
    pub time: Vec<Seconds>,
    /// The part of the time on the critical path.
    pub critical: Seconds,
}

/// Waiting of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindTotal {
    /// Which; `None`: in `MPI_Comm_spawn` and the like, until the other processes have started.
    pub kind: Option<WaitKind>,
    /// How many calls waited.
    pub calls: u64,
    /// How long.
    pub time: Seconds,
}

/// Waiting that has a cause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay {
    /// Who took longer: an index among the overviews.
    pub process: usize,
    /// Doing what: an index among the activities.
    pub activity: ActivityId,
    /// Where it was waited.
    pub site: SiteId,
    /// How.
    pub kind: WaitKind,
    /// How long, of all that waited.
    pub time: Seconds,
    /// How long that process did that in the whole run, without waiting.
    pub own: Seconds,
    /// The part of it on the critical path.
    pub critical: Seconds,
    /// Whether nothing of it is on the critical path, so that the run would not be shorter without it.
    pub is_hidden: bool,
}

/// Seconds of a process by activity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares(Vec<f64>);

impl Shares {
    pub(super) fn add(&mut self, activity: ActivityId, seconds: f64) {
        let index = activity.0 as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, 0.0);
        }
        self.0[index] += seconds;
    }

    /// The time of an activity.
    pub fn time_of(&self, activity: ActivityId) -> Seconds {
        Seconds(self.0.get(activity.0 as usize).copied().unwrap_or(0.0).max(0.0))
    }

    /// The time of all activities.
    pub fn sum(&self) -> Seconds {
        Seconds(self.0.iter().sum())
    }
}

/// Time in which threads were outside of MPI, ready to run, and had no core: other threads had them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WithoutCore {
    /// By process.
    pub time: Vec<Seconds>,
    /// Waiting of others that comes from it. It is not among the [`Account::delays`].
    pub waited: Seconds,
    /// The time on the critical path.
    pub critical: Seconds,
}

/// Messages from one rank to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Ranks in `MPI_COMM_WORLD`.
    pub from: u32,
    /// The rank of the receiver.
    pub to: u32,
    /// How many.
    pub messages: u64,
    /// Their bytes.
    pub bytes: Bytes,
}

/// Different collectives that processes called in the same place of their order.
pub type Mismatch = [(Thread, Op, Option<u32>); 2];

/// Efficiencies by the method of POP (Performance Optimisation and Productivity, multiplicative model).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Efficiency {
    /// The time from the first end of `MPI_Init` to the last begin of `MPI_Finalize`.
    pub runtime: Seconds,
    /// The part of the runtime without a core on the critical path. It counts in no other field.
    pub without_core: Seconds,
    /// Mean computation by longest computation.
    pub load_balance: f64,
    /// Longest computation by the time that the run would take if nothing had to be transferred.
    pub serialisation: f64,
    /// That time by the runtime, without time without a core.
    pub transfer: f64,
}

impl Efficiency {
    /// Their product: mean computation by runtime, without time without a core.
    pub fn parallel(&self) -> f64 {
        self.load_balance * self.serialisation * self.transfer
    }
}

/// The longest path through the run: from each wait back to what was waited for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Critical {
    /// The length of the path.
    pub time: Seconds,
    /// The part of the length on each process.
    pub by_process: Vec<Seconds>,
    /// Waiting on it for which the path that led to its end is not known.
    pub unknown: Seconds,
    /// How often it goes from one process to another.
    pub changes: u64,
}

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// By call path; a [`SiteId`] is an index.
    pub sites: Vec<SiteTotal>,
    /// By activity; an [`ActivityId`] is an index.
    pub activities: Vec<ActivityTotal>,
    /// Waiting by kind, those that took longest first.
    pub kinds: Vec<KindTotal>,
    /// Causes of waiting, those that caused most first.
    pub delays: Vec<Delay>,
    /// Messages by sender and receiver, in this order.
    pub traffic: Vec<Traffic>,
    /// Collectives that do not fit together.
    pub mismatches: Vec<Mismatch>,
    /// `None`: there is no common clock, or no computation.
    pub efficiency: Option<Efficiency>,
    /// Empty if there is no common clock.
    pub critical: Critical,
    /// `None`: the logs do not say it.
    pub without_core: Option<WithoutCore>,
    /// Time and waiting of each process by call path, if it was asked for.
    pub ledger: Option<Ledger>,
}
