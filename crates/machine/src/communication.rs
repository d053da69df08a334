//! The costs of supersteps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::uncertain::Uncertain;

/// The operator @ of `h = max over Ω of in @ out`: how the bytes that a processor receives and those that it sends
/// combine.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Combine {
    /// max: they are transferred at the same time.
    Max,
    /// +: they are transferred one after the other.
    Sum,
}

/// Which processors send to which in a superstep.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// Each to one other, as in a ring.
    Shift,
    /// Each to every other the same number of bytes.
    TotalExchange,
    /// One to all others the same bytes.
    Broadcast,
    /// One to each other its part.
    Scatter,
    /// All others to one.
    Gather,
    /// Each to some others, at random; any traffic that is none of the other patterns.
    Random,
}

/// How a superstep ends.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Synchronisation {
    /// When all have come.
    Barrier,
    /// For each processor, when the data sent to it have arrived.
    Oblivious,
}

/// The (s, g, l) of the BSP literature, in seconds and bytes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Classic {
    /// The engine; `None` if the machine has only one.
    pub engine: Option<String>,
    /// Number of processors.
    pub processors: u32,
    /// Whether these were more than the cores.
    pub oversubscribed: bool,
    /// Operations per second of one processor; `None` if not known.
    pub rate: Option<Uncertain>,
    /// Seconds per byte of an h-relation, h as `max(in, out)`: of the requests and the
    /// synchronisation, as in the literature.
    pub g: Uncertain,
    /// Seconds.
    pub l: Uncertain,
    /// The part of `g` that is the time of the requests, before the synchronisation. A superstep log counts it as
    /// computation, so models of logs use `g` without it (decision 0070). `None` if not known.
    pub calls: Option<Uncertain>,
}

/// The cost of a superstep in which nothing is sent.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Empty {
    /// The engine; `None` where there is but one.
    pub engine: Option<String>,
    /// Number of processors.
    pub processors: u32,
    /// Whether these were more than the cores.
    pub oversubscribed: bool,
    /// How it ended.
    pub synchronisation: Synchronisation,
    /// Seconds.
    pub l: Uncertain,
}

/// The cost of supersteps of one kind, by size: `T = L + g·h`, segment by segment.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Line {
    /// The engine; `None` where there is but one.
    pub engine: Option<String>,
    /// Number of processors.
    pub processors: u32,
    /// Whether these were more than the cores.
    pub oversubscribed: bool,
    /// How the supersteps ended.
    pub synchronisation: Synchronisation,
    /// Which processors sent to which.
    pub pattern: Pattern,
    /// The definition of h.
    pub combine: Combine,
    /// By size, ascending, without overlap; never empty. The time is that of the synchronisation: from the moment when
    /// the last processor has reached it until the last one leaves it.
    #[serde(rename = "segments")]
    pub segments: Vec<Segment>,
    /// Seconds per byte of `max(in, out)` that the requests took before that: a superstep log counts
    /// them as computation. `None` if not known.
    pub calls: Option<Uncertain>,
    /// Additional seconds per byte of `max(in, out)` to read received data for the first time, compared with reading
    /// them again. A superstep log counts them as computation of the next superstep. Virtual processors on one core do
    /// not have this cost. `None` if not known.
    pub fetch: Option<Uncertain>,
}

/// Where `T = L + g·h` holds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Segment {
    /// Smallest h that was measured in it, bytes.
    pub from: f64,
    /// Largest h that was measured in it, bytes.
    pub to: f64,
    /// Seconds per byte of h.
    pub g: Uncertain,
    /// Seconds.
    pub l: Uncertain,
}

impl Classic {
    /// Returns the name of one of `s`, `g`, `l`: `l of threads with 2 processors`.
    pub(crate) fn name(&self, letter: &str) -> String {
        format!("{letter}{}", configuration(self.engine.as_deref(), self.processors))
    }
}

impl Empty {
    /// Returns the name of the time: `empty superstep (barrier) of threads with 2 processors`.
    pub(crate) fn name(&self) -> String {
        let kind = self.synchronisation.name();
        format!(
            "empty superstep ({kind}){}",
            configuration(self.engine.as_deref(), self.processors)
        )
    }
}

fn configuration(engine: Option<&str>, processors: u32) -> String {
    let engine = engine.map_or(String::new(), |name| format!(" of {name}"));
    format!("{engine} with {processors} processors")
}

impl Combine {
    /// Both, in the order of files.
    pub const ALL: [Combine; 2] = [Combine::Max, Combine::Sum];

    /// As in files: `max`, `sum`.
    pub fn name(self) -> &'static str {
        match self {
            Combine::Max => "max",
            Combine::Sum => "sum",
        }
    }
}

impl Pattern {
    /// All, in the order of files.
    pub const ALL: [Pattern; 6] = [
        Pattern::Shift,
        Pattern::TotalExchange,
        Pattern::Broadcast,
        Pattern::Scatter,
        Pattern::Gather,
        Pattern::Random,
    ];

    /// As in files: `total-exchange`.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Shift => "shift",
            Pattern::TotalExchange => "total-exchange",
            Pattern::Broadcast => "broadcast",
            Pattern::Scatter => "scatter",
            Pattern::Gather => "gather",
            Pattern::Random => "random",
        }
    }

    /// `h` for + by `h` for max, where every processor does what the pattern
    /// says: 2 where each receives as much as it sends, 1 where the busiest only sends or
    /// only receives.
    pub fn sum_by_max(self) -> f64 {
        match self {
            Pattern::Shift | Pattern::TotalExchange | Pattern::Random => 2.0,
            Pattern::Broadcast | Pattern::Scatter | Pattern::Gather => 1.0,
        }
    }
}

impl Synchronisation {
    /// Both, in the order of files.
    pub const ALL: [Synchronisation; 2] = [Synchronisation::Barrier, Synchronisation::Oblivious];

    /// As in files: `barrier`, `oblivious`.
    pub fn name(self) -> &'static str {
        match self {
            Synchronisation::Barrier => "barrier",
            Synchronisation::Oblivious => "oblivious",
        }
    }
}
