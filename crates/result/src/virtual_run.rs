//! What virtual processors took: `docs/formats/virtual.md`.

use cll_model::Interval;
use cll_supersteps::{Contention, RunSummary};
use cll_units::{Bytes, Seconds};
use serde::Serialize;

/// Version of the JSON.
const VERSION: u32 = 1;

/// The time of a program on virtual processors.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct VirtualPrediction {
    /// Version of the format.
    pub version: u32,
    /// Virtual processors.
    pub processors: u32,
    /// Processors of the computer that computed at a time.
    pub cores: u32,
    /// The machine whose communication counts.
    pub machine: Option<String>,
    /// What its file lacks, and what was taken instead.
    pub substitutions: Vec<String>,
    /// Whether all processors came to their end.
    pub complete: bool,
    /// The time, superstep by superstep.
    #[serde(flatten)]
    pub summary: RunSummary,
    /// The same by OBSP*, with g and L by pattern, and where it lies; `None` if neither a machine was given nor
    /// contention seen.
    pub model: Option<Interval>,
    /// Whether phases are as long in the model as they are alone.
    pub model_without_contention: bool,
    /// What processors that compute at a time cost each other, if that was looked at.
    pub contention: Option<Contention>,
    /// What the run here took.
    pub real: VirtualRun,
    /// How often the program requested the time.
    pub asked_for_time: u64,
}

/// What the run took.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
    /// Phases that began with the cache as a core of its own would have it.
    pub restored_phases: u64,
    /// Cache that a core was taken to have on its own.
    #[serde(rename = "cache_bytes")]
    pub cache: Bytes,
    /// Private memory of the processor that has most.
    #[serde(rename = "memory_bytes")]
    pub memory: Bytes,
}

impl VirtualPrediction {
    /// Of nothing, with the format's version.
    pub fn new() -> VirtualPrediction {
        VirtualPrediction { version: VERSION, ..VirtualPrediction::default() }
    }
}
