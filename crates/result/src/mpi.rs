//! What the logs of the calls of an MPI program say: `docs/formats/mpi.md`.

use serde::Serialize;

/// The calls of one run, summed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MpiStats {
    /// The name of the format.
    pub format: &'static str,
    /// Its version.
    pub version: u32,
    /// What the MPI library says of itself.
    pub library: String,
    /// Ranks of the run.
    pub ranks: u32,
    /// Calls in all logs.
    pub calls: u64,
    /// Bytes of all logs.
    pub log_bytes: u64,
    /// Whether it is known who waited for whom: all ranks have one clock, or related clocks.
    pub one_clock: bool,
    /// Messages that were sent and not received.
    pub unreceived: usize,
    /// By function, the one with the most time first.
    pub by_call: Vec<MpiCall>,
    /// By rank, in ascending order.
    pub by_rank: Vec<MpiRank>,
    /// Ranks without a log.
    pub missing: Vec<u32>,
    /// What is missing or damaged in the logs, in words.
    pub damage: Vec<String>,
}

impl MpiStats {
    /// Empty sums, with the format's name and version.
    pub fn new() -> MpiStats {
        MpiStats { format: "cll-mpi-stats", version: 1, ..MpiStats::default() }
    }
}

/// All calls of one function.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MpiCall {
    /// The function, without `MPI_`.
    pub call: String,
    /// How many calls.
    pub calls: u64,
    /// Calls that found nothing: unsuccessful tests and probes.
    pub in_vain: u64,
    /// Bytes sent.
    pub sent: u64,
    /// Bytes received.
    pub received: u64,
    /// Seconds in them.
    pub seconds: f64,
    /// Seconds of waiting for other ranks; `None`: it is not known.
    pub waiting_s: Option<f64>,
}

/// All calls of one rank.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MpiRank {
    /// Its number.
    pub rank: u32,
    /// Where it ran.
    pub host: String,
    /// Threads that called MPI.
    pub threads: u32,
    /// How many calls.
    pub calls: u64,
    /// Bytes sent.
    pub sent: u64,
    /// Bytes received.
    pub received: u64,
    /// Seconds from its first to its last call.
    pub seconds: f64,
    /// The same, summed over its threads.
    pub thread_s: f64,
    /// Seconds in MPI, summed over its threads.
    pub mpi_s: f64,
    /// Seconds of waiting for other ranks; `None`: it is not known.
    pub waiting_s: Option<f64>,
    /// Whether it called `MPI_Finalize`.
    pub finalized: bool,
    /// Calls that had not returned when its log ended.
    pub inside: Vec<MpiInside>,
}

/// A call that had not returned.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MpiInside {
    /// The thread.
    pub thread: u32,
    /// The function.
    pub call: String,
    /// What it waited for, in words; may be empty.
    pub awaits: String,
    /// `file:line`; empty if that is not known.
    pub place: String,
}

impl MpiRank {
    /// Seconds outside of MPI, of all its threads that called it.
    pub fn computation_s(&self) -> f64 {
        (self.thread_s - self.mpi_s).max(0.0)
    }

    /// The same of each of these threads, on average.
    pub fn computation_of_thread_s(&self) -> f64 {
        self.computation_s() / f64::from(self.threads.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_outside_of_mpi_is_shared_among_threads() {
        let rank = MpiRank { threads: 2, thread_s: 2e-6, mpi_s: 1.6e-6, ..MpiRank::default() };
        assert_eq!((rank.computation_of_thread_s() * 1e9).round(), 200.0);
        let unknown = MpiRank { thread_s: 1.0, mpi_s: 2.0, ..MpiRank::default() };
        assert_eq!(unknown.computation_of_thread_s(), 0.0);
    }
}
