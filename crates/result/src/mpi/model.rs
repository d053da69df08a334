//! A model of an MPI program from its runs: `docs/formats/mpi.md`.

use cll_fit::Fit;
use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;

/// Segments and primitives with their formulas, and the longest path through them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiModel {
    /// The name of the format.
    pub format: &'static str,
    /// The version of the format.
    pub version: u32,
    /// The program.
    pub program: String,
    /// How its MPI identifies itself.
    pub library: String,
    /// The variables that were varied.
    pub variables: Vec<String>,
    /// Runs that were made, with those of held-out points.
    pub made: usize,
    /// Runs that the model is of: the quickest of each point, without those that make other calls.
    pub runs: usize,
    /// Runs of the point that was run most often.
    pub rounds: u32,
    /// Computation between two calls.
    pub segments: Vec<MpiModelSegment>,
    /// Calls.
    pub primitives: Vec<MpiModelPrimitive>,
    /// Loops whose number of passages is not 1.
    pub loops: Vec<MpiModelLoop>,
    /// Start and end of the processes: what is outside of `MPI_Init` … `MPI_Finalize`.
    pub start: Vec<MpiModelStart>,
    /// From so many bytes on a send waits for its receiver; `None`: none was seen to wait.
    pub rendezvous_bytes: Option<f64>,
    /// The model at the points that it was made of.
    pub fitted: Vec<MpiModelPoint>,
    /// The model at the points that were held out.
    pub held_out: Vec<MpiModelPoint>,
    /// The errors at held-out points; at those of the model if there are none.
    pub errors: MpiModelErrors,
    /// Predictions.
    pub predictions: Vec<MpiModelPrediction>,
    /// Notes to read before the numbers are used.
    pub notes: Vec<String>,
}

impl MpiModel {
    /// An empty model, with the format's name and version.
    pub fn new() -> MpiModel {
        MpiModel { format: "cll-mpi-model", version: 1, ..MpiModel::default() }
    }
}

/// Computation of a class of ranks between two calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiModelSegment {
    /// I, II, …, as in drawings.
    pub number: u32,
    /// The ranks, in words.
    pub ranks: String,
    /// The innermost function that both calls are in, or empty.
    pub function: String,
    /// The calls before and behind it, with their places; `after` is empty at the beginning.
    pub after: String,
    /// See `after`.
    pub before: String,
    /// The number of passages in a run, as a formula if they have one.
    pub times: String,
    /// The time of a passage by the variables; `None`: a constant.
    pub fit: Option<Fit>,
    /// The time of a passage at the largest values that were run.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// The share of the segment in the time of a rank there: of the longest path, or of all that the rank does if that
    /// is longer.
    pub share: f64,
    /// Median relative error of the formula.
    pub error: Option<f64>,
}

/// A call of a class of ranks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiModelPrimitive {
    /// `MPI_Send heat.c:30`.
    pub call: String,
    /// The ranks, in words.
    pub ranks: String,
    /// To and from whom, in words.
    pub partners: String,
    /// Bytes of a passage as a formula, or empty.
    pub bytes: String,
    /// Whether the formula of the bytes holds in all runs.
    pub is_exact: bool,
    /// The number of passages in a run.
    pub times: String,
    /// The time without waiting by bytes or variables; `None`: a constant, or from the machine.
    pub fit: Option<Fit>,
    /// The time of a passage without waiting at the largest values that were run.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// As in [`MpiModelSegment`].
    pub share: f64,
    /// Whether its cost is from the machine file.
    pub is_of_machine: bool,
}

/// A loop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiModelLoop {
    /// The ranks, in words.
    pub ranks: String,
    /// The first call in it.
    pub call: String,
    /// The number of passages each time, as a formula.
    pub passages: String,
    /// Whether the formula holds in all runs.
    pub is_exact: bool,
}

/// The time of starting and ending so many processes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiModelStart {
    /// How many.
    pub processes: u32,
    /// Median.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// A tenth of the runs took less.
    #[serde(rename = "low_s")]
    pub low: Seconds,
    /// A tenth took more.
    #[serde(rename = "high_s")]
    pub high: Seconds,
}

/// Measured and predicted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiModelPoint {
    /// Values of the variables.
    pub values: Vec<f64>,
    /// Ranks.
    pub processors: u32,
    /// Median of the runs.
    #[serde(rename = "measured_s")]
    pub measured: Seconds,
    /// By the longest path; `None`: the runs do not show how the time depends on a variable.
    #[serde(rename = "predicted_s")]
    pub predicted: Option<Seconds>,
    /// (measured - predicted) / measured.
    pub error: Option<f64>,
    /// Runs that are used: the quickest.
    pub runs: usize,
    /// Runs that were made.
    pub rounds: u32,
    /// Runs that were made while nobody shared the cores of the ranks, as far as is known. If there are any, the others
    /// are not used.
    #[serde(rename = "with_whole_cores")]
    pub whole: u32,
    /// By how much the second quickest run took longer than the quickest, as a share; `None`: there is one run.
    pub spread: Option<f64>,
}

/// Relative errors without sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiModelErrors {
    /// Whether they are of held-out points.
    pub is_held_out: bool,
    /// Mean.
    pub mean: f64,
    /// Median.
    pub median: f64,
    /// Largest.
    pub largest: f64,
}

/// The program at values that need not have been run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiModelPrediction {
    /// Values of the variables.
    pub values: Vec<f64>,
    /// Ranks.
    pub processors: u32,
    /// From the first end of `MPI_Init` to the last begin of `MPI_Finalize`, by the longest path; `None`: not known.
    #[serde(rename = "time_s")]
    pub time: Option<Seconds>,
    /// Where a run lies with a confidence of 90 %.
    #[serde(rename = "low_s")]
    pub low: Seconds,
    /// Upper end.
    #[serde(rename = "high_s")]
    pub high: Seconds,
    /// The sum of the segments of rank 0, as in the paper.
    #[serde(rename = "master_segments_s")]
    pub master: Seconds,
    /// The rest: the paper's k.
    #[serde(rename = "k_s")]
    pub k: Seconds,
    /// Start and end of the processes; `None`: not known for so many.
    #[serde(rename = "start_s")]
    pub start: Option<Seconds>,
    /// Whether values are outside of those that were run.
    pub is_outside: bool,
    /// Parts of the longest path whose formula is one of several that explain the runs equally well and differ here; the
    /// interval holds what they all say.
    pub unsure: Vec<String>,
    /// The parts of the longest path, the largest first.
    pub path: Vec<MpiModelShare>,
    /// The time of each rank.
    pub ranks: Vec<MpiModelRank>,
    /// With the changes that were asked for; `None` without any.
    #[serde(rename = "changed_s")]
    pub changed: Option<Seconds>,
    /// Waits that no other rank ends in the model.
    pub unmatched: u64,
    /// Why there is no time, or empty.
    pub why: String,
}

/// A part of the longest path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiModelShare {
    /// A segment or a call with its ranks, in words.
    pub what: String,
    /// Whether it is a segment.
    pub is_segment: bool,
    /// The time of the part on the path.
    #[serde(rename = "time_s")]
    pub time: Seconds,
}

/// The time of a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiModelRank {
    /// The rank.
    pub rank: u32,
    /// Computing.
    #[serde(rename = "computing_s")]
    pub computing: Seconds,
    /// In calls, without waiting.
    #[serde(rename = "calls_s")]
    pub calls: Seconds,
    /// Waiting for other ranks.
    #[serde(rename = "waiting_s")]
    pub waiting: Seconds,
}
