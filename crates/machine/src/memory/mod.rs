//! The costs of memory and operations on a machine, and how they follow from samples.

mod contention;
mod independent;
mod levels;
mod regimes;
mod sample;
mod samples;
mod steps;
mod transition;
mod translation;

use schemars::JsonSchema;
use serde::Serialize;

use crate::uncertain::Uncertain;

pub use contention::contention;
pub use levels::levels;
pub use sample::{Analyzed, AnalyzerSample, SampleKind};
pub use samples::analyze;
pub use translation::translation;

/// The costs of memory. Times in seconds, sizes in bytes, rates in bytes per second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Memory {
    /// The levels, from the first cache to memory, found in the latency by working set.
    pub levels: Vec<Level>,
    /// Steps of address translation, found in the latency by pages.
    pub translation: Vec<Translation>,
    /// Latency by working set.
    pub latency: Vec<LatencyCurve>,
    /// Time of each of many accesses that do not need each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub independent: Vec<IndependentCurve>,
    /// Bandwidth by working set.
    pub bandwidth: Vec<BandwidthCurve>,
    /// Latency while other cores read.
    pub loaded: Vec<LoadedCurve>,
    /// How much longer a core takes while others do the same.
    pub contention: Vec<Contention>,
}

impl Memory {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Memory::default()
    }
}

/// A level of the memory hierarchy.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Level {
    /// `L1`, `L2`, …, `memory`.
    pub name: String,
    /// The working set up to which its latency holds; `None` for the last one.
    pub size: Option<Uncertain>,
    /// Seconds of an access that depends on the one before.
    pub latency: Uncertain,
}

/// A step of address translation.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Translation {
    /// The bytes of pages that are reached before the step.
    pub reach: Uncertain,
    /// The size of a page, bytes.
    pub page: f64,
    /// The additional time, in seconds, of an access beyond the reach, compared with an access to the same number of
    /// lines in few pages.
    pub cost: Uncertain,
}

/// The pages of a working set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pages {
    /// Huge ones, if the system had them.
    Large,
    /// The system's ordinary ones.
    Small,
}

impl Pages {
    /// All of them.
    pub const ALL: [Pages; 2] = [Pages::Large, Pages::Small];

    /// Returns the name of the pages in files.
    pub fn name(self) -> &'static str {
        match self {
            Pages::Large => "large",
            Pages::Small => "small",
        }
    }
}

/// Latency by working set, at one stride.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LatencyCurve {
    /// Bytes from a line to its neighbour in memory.
    pub stride: f64,
    /// In which pages.
    pub pages: Pages,
    /// Ascending by size.
    pub points: Vec<LatencyPoint>,
}

/// The latency of one working set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LatencyPoint {
    /// The bytes of its cache lines.
    pub size: f64,
    /// Seconds of an access.
    pub latency: Uncertain,
}

/// The time of each of many accesses to lines in random order that do not need each other, by working set. As many of them
/// are under way at once as a core can have.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct IndependentCurve {
    /// `Read` or `Write`.
    pub access: Access,
    /// Bytes from a line to its neighbour in memory.
    pub stride: f64,
    /// In which pages.
    pub pages: Pages,
    /// Ascending by size.
    pub points: Vec<LatencyPoint>,
}

/// A kind of access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// `s += a[i]`.
    Read,
    /// `a[i] = c`.
    Write,
    /// `a[i] = b[i]`.
    Copy,
    /// `a[i] = b[i] + s*c[i]`.
    Triad,
}

impl Access {
    /// All of them.
    pub const ALL: [Access; 4] = [Access::Read, Access::Write, Access::Copy, Access::Triad];

    /// Returns the name of the access in files.
    pub fn name(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::Copy => "copy",
            Access::Triad => "triad",
        }
    }
}

/// Bandwidth by working set.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BandwidthCurve {
    /// The kind of access.
    pub access: Access,
    /// By how many cores at the same time, each in a working set of its own.
    pub cores: u32,
    /// Ascending by size.
    pub points: Vec<BandwidthPoint>,
}

/// The bandwidth of one working set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BandwidthPoint {
    /// Bytes of the arrays of one core.
    pub size: f64,
    /// Bytes per second of all cores together, of those that the program reads and writes.
    pub rate: Uncertain,
}

/// Latency of memory against the bandwidth that other cores take.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LoadedCurve {
    /// The cores in use: one waits for its accesses, the others read.
    pub cores: u32,
    /// Ascending by rate.
    pub points: Vec<LoadedPoint>,
}

/// The latency at one rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LoadedPoint {
    /// Bytes per second that the others read.
    pub rate: Uncertain,
    /// Seconds of an access.
    pub latency: Uncertain,
}

/// The contention κ of a level.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Contention {
    /// The name of the level.
    pub level: String,
    /// Cores that use it at the same time.
    pub cores: u32,
    /// The time of a core among them divided by its time alone.
    pub factor: Uncertain,
}

/// The costs of an operation.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Operation {
    /// `add`, `multiply`, `fma`, `divide`, `sqrt`; `branch` for one that was predicted wrongly.
    pub name: String,
    /// `double`, `single`, `integer`; empty for a branch.
    pub operand: String,
    /// Seconds until its result can be used; `None` if not known.
    pub latency: Option<Uncertain>,
    /// Seconds for each of many that are independent; `None` if not known.
    pub each: Option<Uncertain>,
}

impl Memory {
    /// The rate of a curve in each level: the median over the working sets that are clearly in it, and the medians of their
    /// intervals. A level without such working sets is left out.
    pub fn rates(&self, curve: &BandwidthCurve) -> Vec<(&str, Uncertain)> {
        let mut from = 0.0;
        let mut level_rates = Vec::new();
        for level in &self.levels {
            let until = level.size.map_or(f64::INFINITY, |size| size.value);
            let inside =
                curve.points.iter().filter(|point| contention::is_inside(point.size, from, until));
            let rates: Vec<Uncertain> = inside.map(|point| point.rate).collect();
            if let Some(value) =
                cll_statistics::median(rates.iter().map(|uncertain| uncertain.value))
            {
                let low = cll_statistics::median(rates.iter().map(|uncertain| uncertain.low))
                    .unwrap_or(value);
                let high = cll_statistics::median(rates.iter().map(|uncertain| uncertain.high))
                    .unwrap_or(value);
                level_rates.push((level.name.as_str(), Uncertain { value, low, high }));
            }
            from = until;
        }
        level_rates
    }
}
