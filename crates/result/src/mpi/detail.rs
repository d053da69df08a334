//! Calls of MPI by place, what waits come from, efficiencies: the detailed part of [`super::MpiStats`].

use cll_units::{Bytes, Seconds};
use schemars::JsonSchema;
use serde::Serialize;

/// The details of the calls of a run beyond sums by call and by rank.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiDetail {
    /// By call path, the one with the most time first.
    pub by_path: Vec<MpiPath>,
    /// Computation between two calls, the longest first.
    pub segments: Vec<MpiSegment>,
    /// Waiting by kind, the one with the most time first.
    pub waits: Vec<MpiWait>,
    /// The causes of waiting, the largest first.
    pub delays: Vec<MpiDelay>,
    /// Messages by sender and receiver.
    pub messages: Vec<MpiTraffic>,
    /// Time without a core; `None`: it is not known.
    pub without_core: Option<MpiWithoutCore>,
    /// Efficiencies; `None`: they are not known.
    pub efficiency: Option<MpiEfficiency>,
    /// The longest path through the run; `None`: it is not known.
    pub critical: Option<MpiCritical>,
    /// Ranks that wait for each other for ever: each for the next one, the last one for the first.
    pub deadlock: Vec<MpiLink>,
    /// Different collectives in the same place of the order of two ranks, in words.
    pub mismatches: Vec<String>,
    /// Supersteps of the run; `None`: it has none, or they were not asked for.
    pub supersteps: Option<u64>,
    /// Why it has none, in words; empty if it has.
    pub no_supersteps: String,
}

/// The calls of a path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiPath {
    /// The function, with `MPI_`.
    pub call: String,
    /// `file:line` of the call; empty if it is not known.
    pub place: String,
    /// The functions that lead to it, the innermost first.
    pub path: Vec<String>,
    /// How many calls.
    pub calls: u64,
    /// How many of these were unsuccessful polls.
    #[serde(rename = "unsuccessful")]
    pub unsuccessful: u64,
    /// Bytes sent.
    pub sent: Bytes,
    /// Bytes received.
    pub received: Bytes,
    /// Time in them, of all ranks.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// The part of that time spent waiting for other ranks; `None`: it is not known.
    #[serde(rename = "waiting_s")]
    pub waiting: Option<Seconds>,
    /// The time of the ranks.
    pub spread: MpiSpread,
}

/// How a time differs among ranks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiSpread {
    /// Ranks that spent any.
    pub ranks: u32,
    /// The rank that spent most.
    pub most_rank: u32,
    /// The most.
    #[serde(rename = "most_s")]
    pub most: Seconds,
    /// The least, of those that spent any.
    #[serde(rename = "least_s")]
    pub least: Seconds,
    /// The most by the mean of those that spent any.
    pub imbalance: f64,
}

/// Computation between two calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiSegment {
    /// The innermost function that contains both calls; empty if it is not known.
    pub function: String,
    /// The call before, with its place; empty at the beginning.
    pub after: String,
    /// The call behind it, with its place.
    pub before: String,
    /// How often.
    pub times: u64,
    /// The time, of all ranks.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// The part of that time on the critical path.
    #[serde(rename = "critical_s")]
    pub critical: Seconds,
    /// The time of the ranks.
    pub spread: MpiSpread,
}

/// Waiting of one kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiWait {
    /// The name of the kind: `late sender`, `late receiver`, `collective`, `fence`, `creation and files`, `polling`,
    /// `spawn`.
    pub kind: &'static str,
    /// Calls that waited.
    pub calls: u64,
    /// How long.
    #[serde(rename = "time_s")]
    pub time: Seconds,
}

/// Waiting with one cause, in the calls of one path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiDelay {
    /// The rank that took longer.
    pub rank: u32,
    /// Doing what, in words.
    pub doing: String,
    /// How many seconds all others waited for that in these calls.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// Kind of waiting, as in [`MpiWait`].
    pub kind: &'static str,
    /// The call that waited, with its place.
    pub waits: String,
    /// How long that rank did that in the whole run, without waiting.
    #[serde(rename = "own_s")]
    pub own: Seconds,
    /// The part of it on the critical path.
    #[serde(rename = "critical_s")]
    pub critical: Seconds,
    /// Whether nothing of it is on the critical path: the run would not be shorter without it.
    #[serde(rename = "hidden")]
    pub is_hidden: bool,
}

/// Messages from one rank to another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiTraffic {
    /// The sender.
    pub from: u32,
    /// The receiver.
    pub to: u32,
    /// How many.
    pub messages: u64,
    /// Their bytes.
    pub bytes: Bytes,
}

/// Time outside of MPI in which ranks were ready to run and had no core. It is neither computation nor a cause of waiting.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiWithoutCore {
    /// The time of all ranks.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// The time of all ranks outside of MPI.
    #[serde(rename = "outside_s")]
    pub outside: Seconds,
    /// Waiting of other ranks that comes from it.
    #[serde(rename = "waiting_s")]
    pub waiting: Seconds,
    /// The most ranks on one host.
    pub ranks_of_host: u32,
    /// The processors of that host; `None`: it is another one than this.
    pub processors: Option<u32>,
}

/// Efficiencies (POP, multiplicative): 1 is best.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiEfficiency {
    /// From the first end of `MPI_Init` to the last begin of `MPI_Finalize`.
    #[serde(rename = "runtime_s")]
    pub runtime: Seconds,
    /// The part of the runtime without a core, which counts in no other field.
    #[serde(rename = "without_core_s")]
    pub without_core: Seconds,
    /// Mean computation by runtime: the product of the others.
    pub parallel: f64,
    /// Mean computation by longest computation.
    pub load_balance: f64,
    /// Longest computation by runtime without transfer.
    pub serialisation: f64,
    /// Runtime without transfer by runtime.
    pub transfer: f64,
}

/// The longest path through the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiCritical {
    /// The length of the path.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// How often it goes from one rank to another.
    pub changes: u64,
    /// The part of the length in calls of MPI.
    #[serde(rename = "mpi_s")]
    pub mpi: Seconds,
    /// The part of the length on each rank.
    pub by_rank: Vec<MpiShare>,
}

/// Time on a rank.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiShare {
    /// Which.
    pub rank: u32,
    /// How long.
    #[serde(rename = "time_s")]
    pub time: Seconds,
}

/// A rank of a deadlock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiLink {
    /// Which.
    pub rank: u32,
    /// The call that does not return, with its place.
    pub call: String,
    /// The rank that it waits for.
    pub awaits: u32,
}
