//! The time of a program on virtual processors: `docs/formats/virtual.md`.

use cll_model::Interval;
use cll_model::messages::RankTime;
use cll_supersteps::{Contention, RunSummary};
use cll_units::{Bytes, Seconds};
use schemars::JsonSchema;
use serde::Serialize;

/// Version of the JSON.
const VERSION: u32 = 1;

/// The time of a program on virtual processors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct VirtualPrediction {
    /// Version of the format.
    pub version: u32,
    /// Virtual processors.
    pub processors: u32,
    /// Number of cores that computed at the same time.
    pub cores: u32,
    /// The machine for which communication is predicted.
    pub machine: Option<String>,
    /// Data that the machine's file does not have, and what was used instead.
    pub substitutions: Vec<String>,
    /// Whether all processors ended normally.
    pub complete: bool,
    /// The time, superstep by superstep.
    #[serde(flatten)]
    pub summary: RunSummary,
    /// The time by OBSP*, with g and L by pattern, and its interval; `None` if no machine was given and no contention
    /// was measured.
    pub model: Option<Interval>,
    /// Whether the model uses the times that phases take alone.
    pub model_without_contention: bool,
    /// How much processors slow each other down when they compute at the same time, if that was measured.
    pub contention: Option<Contention>,
    /// How much runs differ, if there were several; all else is of the run in the middle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<VirtualRounds>,
    /// The cost of the run on this computer.
    pub real: VirtualRun,
    /// How often the program requested the time.
    pub asked_for_time: u64,
    /// The time of each rank of a program of MPI; empty for BSP programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ranks: Vec<RankTime>,
    /// Calls of a program of MPI that the logs only count: their time is not in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unrecorded: Vec<crate::MpiUnrecorded>,
    /// Parts of a program of MPI that its time does not include, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// The times of several runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct VirtualRounds {
    /// The time of each: that of the model, if there is one; the quickest first.
    #[serde(rename = "times_s")]
    pub times: Vec<Seconds>,
    /// Where another run lies: by the spread of these, and the intervals of the model.
    #[serde(rename = "low_s")]
    pub low: Seconds,
    /// The other end.
    #[serde(rename = "high_s")]
    pub high: Seconds,
    /// How probable that is.
    pub confidence: f64,
}

/// The times of the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct VirtualRun {
    /// From the first begin to the last end.
    #[serde(rename = "run_s")]
    pub run: Seconds,
    /// Time of all phases, as they count.
    #[serde(rename = "phases_s")]
    pub phase_time: Seconds,
    /// Time of all phases from begin to end.
    #[serde(rename = "phases_wall_s")]
    pub phase_wall_time: Seconds,
    /// Phases: computation between two calls of the library.
    pub phases: u64,
    /// Number of phases before which the content of the cache was restored.
    pub restored_phases: u64,
    /// Size of the private cache that was assumed for a core.
    #[serde(rename = "cache_bytes")]
    pub cache: Bytes,
    /// The largest private memory of a processor.
    #[serde(rename = "memory_bytes")]
    pub memory: Bytes,
}

impl VirtualPrediction {
    /// An empty prediction, with the format's version.
    pub fn new() -> VirtualPrediction {
        VirtualPrediction { version: VERSION, ..VirtualPrediction::default() }
    }
}
