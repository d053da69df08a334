//! The report on the logged calls of an MPI program: `docs/formats/mpi.md`.

mod detail;
mod diff;
mod graph;
mod model;
mod tasks;
mod unrecorded;

use cll_units::{Bytes, Seconds};
use schemars::JsonSchema;
use serde::Serialize;

pub use detail::{
    MpiCritical, MpiDelay, MpiDetail, MpiEfficiency, MpiLink, MpiPath, MpiSegment, MpiShare,
    MpiSpread, MpiTraffic, MpiWait, MpiWithoutCore,
};
pub use diff::{
    MpiDiff, MpiDiffCalls, MpiDiffDelay, MpiDiffPath, MpiDiffRun, MpiDiffSegment, MpiDiffTime,
};
pub use graph::{
    GraphCall, GraphEdge, GraphFlow, GraphLoop, GraphSegment, GraphStep, GraphSymbol, MpiGraph,
    roman,
};
pub use model::{
    MpiModel, MpiModelErrors, MpiModelLoop, MpiModelPoint, MpiModelPrediction, MpiModelPrimitive,
    MpiModelRank, MpiModelSegment, MpiModelShare, MpiModelStart,
};

pub use tasks::{GraphSync, GraphTask, MpiUnused, UnusedKind, UnusedParallelism};
pub use unrecorded::unrecorded_text;

/// The calls of one run, summed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiStats {
    /// The name of the format.
    pub format: &'static str,
    /// The version of the format.
    pub version: u32,
    /// The name and version that the MPI library gives.
    pub library: String,
    /// Ranks of the run.
    pub ranks: u32,
    /// Calls in all logs.
    pub calls: u64,
    /// Size of all logs.
    pub log_bytes: Bytes,
    /// The time that recording the calls took, of all ranks; `None`: it is not known.
    #[serde(rename = "recording_s")]
    pub recording: Option<Seconds>,
    /// Whether waiting is known: all ranks have one clock, or related clocks.
    pub one_clock: bool,
    /// Calls that the logs only count, most first; `None`: logs of earlier versions, which do not count them.
    pub unrecorded: Option<Vec<MpiUnrecorded>>,
    /// Number of messages that were sent and not received.
    pub unreceived: usize,
    /// Number of messages that were received before they were sent: calls are missing in the logs.
    pub before_sent: usize,
    /// Requests that ranks had neither completed nor freed when they ended MPI.
    pub open_requests: Vec<MpiOpenRequests>,
    /// By function, the one with the most time first.
    pub by_call: Vec<MpiCall>,
    /// By rank, in ascending order.
    pub by_rank: Vec<MpiRank>,
    /// The programs with an `MPI_COMM_WORLD` of their own, if there are several: they were started by the first one, or
    /// connected with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub worlds: Vec<MpiWorld>,
    /// Ranks without a log.
    pub missing: Vec<u32>,
    /// Missing or damaged parts of the logs, in words.
    pub damage: Vec<String>,
    /// By place, with the causes of waiting.
    #[serde(flatten)]
    pub detail: MpiDetail,
}

impl MpiStats {
    /// An empty report, with the format's name and version.
    pub fn new() -> MpiStats {
        MpiStats { format: "cll-mpi-stats", version: 1, ..MpiStats::default() }
    }
}

/// A function whose calls are not recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MpiUnrecorded {
    /// The function.
    pub call: String,
    /// How many calls.
    pub calls: u64,
}

/// Requests that a rank had neither completed nor freed when it ended MPI.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MpiOpenRequests {
    /// The rank.
    pub rank: u32,
    /// The function that returned them.
    pub call: String,
    /// How many.
    pub requests: usize,
}

/// Processes with one `MPI_COMM_WORLD`, of several in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MpiWorld {
    /// The rank that its first process has in the report.
    pub first: u32,
    /// How many there are.
    pub ranks: u32,
    /// Their program.
    pub program: String,
    /// Whether another program of the run has started them.
    pub started: bool,
}

/// All calls of one function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiCall {
    /// The function, without `MPI_`.
    pub call: String,
    /// How many calls.
    pub calls: u64,
    /// Calls that found nothing: unsuccessful tests and probes.
    #[serde(rename = "unsuccessful")]
    pub unsuccessful: u64,
    /// Bytes sent.
    pub sent: Bytes,
    /// Bytes received.
    pub received: Bytes,
    /// Time in them.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// Waiting for other ranks; `None`: it is not known.
    #[serde(rename = "waiting_s")]
    pub waiting: Option<Seconds>,
}

/// All calls of one rank.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiRank {
    /// The number of the rank.
    pub rank: u32,
    /// Where it ran.
    pub host: String,
    /// Threads that called MPI.
    pub threads: u32,
    /// How many calls.
    pub calls: u64,
    /// Bytes sent.
    pub sent: Bytes,
    /// Bytes received.
    pub received: Bytes,
    /// Time from its first to its last call.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// The same, summed over its threads.
    #[serde(rename = "thread_s")]
    pub thread: Seconds,
    /// Time in MPI, summed over its threads.
    #[serde(rename = "mpi_s")]
    pub mpi: Seconds,
    /// Waiting for other ranks; `None`: it is not known.
    #[serde(rename = "waiting_s")]
    pub waiting: Option<Seconds>,
    /// Time outside of MPI in which it was ready to run and had no core; `None`: it is not known.
    #[serde(rename = "without_core_s")]
    pub without_core: Option<Seconds>,
    /// Whether it called `MPI_Finalize`.
    pub finalized: bool,
    /// Calls that had not returned when its log ended.
    pub inside: Vec<MpiInside>,
}

/// A call that had not returned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiInside {
    /// The thread.
    pub thread: u32,
    /// The function.
    pub call: String,
    /// A description of the thing that the call waited for; may be empty.
    pub awaits: String,
    /// `file:line`; empty if that is not known.
    pub place: String,
}

impl MpiRank {
    /// Time outside of MPI, of all its threads that called it.
    pub fn computation(&self) -> Seconds {
        (self.thread - self.mpi).max(Seconds::ZERO)
    }

    /// The same of each of these threads, on average, without the time without a core.
    pub fn computation_of_thread(&self) -> Seconds {
        let computed = self.computation() - self.without_core.unwrap_or_default();
        computed.max(Seconds::ZERO) / f64::from(self.threads.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_outside_of_mpi_is_shared_among_threads() {
        let (thread, mpi) = (Seconds(2e-6), Seconds(1.6e-6));
        let rank = MpiRank { threads: 2, thread, mpi, ..MpiRank::default() };
        assert_eq!((rank.computation_of_thread().get() * 1e9).round(), 200.0);
        let starved = MpiRank { without_core: Some(Seconds(3e-7)), ..rank.clone() };
        assert_eq!((starved.computation_of_thread().get() * 1e9).round(), 50.0);
        let unknown = MpiRank { thread: Seconds(1.0), mpi: Seconds(2.0), ..MpiRank::default() };
        assert_eq!(unknown.computation_of_thread(), Seconds::ZERO);
    }
}
