//! The samples of the probes of memory and operations, and what follows from them.

use super::{Memory, Operation};
use crate::regimes::Regimes;
use crate::uncertain::Uncertain;

/// The subject of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SampleKind {
    /// An access of a chase; `name` is a name of `Pages`.
    Latency,
    /// One of many accesses that do not need each other; `name` is `read-large`: an access and pages.
    Independent,
    /// A byte of one core; `name` is a name of `Access`.
    Bandwidth,
    /// An access while other cores read `bytes` per second; `name` is their pause.
    Loaded,
    /// An operation that waits for the one before; `name` is `add_double`, or `branch`.
    Chain,
    /// One of many operations that are independent.
    Many,
    /// The start of a process, or the first use of a page; `name` is `start` or `page`.
    Process,
}

impl SampleKind {
    /// All of them.
    pub const ALL: [SampleKind; 7] = [
        SampleKind::Latency,
        SampleKind::Independent,
        SampleKind::Bandwidth,
        SampleKind::Loaded,
        SampleKind::Chain,
        SampleKind::Many,
        SampleKind::Process,
    ];

    /// Returns the name of the kind in the lines of the probes.
    pub fn name(self) -> &'static str {
        match self {
            SampleKind::Latency => "latency",
            SampleKind::Independent => "independent",
            SampleKind::Bandwidth => "bandwidth",
            SampleKind::Loaded => "loaded",
            SampleKind::Chain => "chain",
            SampleKind::Many => "many",
            SampleKind::Process => "process",
        }
    }
}

/// A sample of a probe.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyzerSample {
    /// The subject of the sample.
    pub kind: SampleKind,
    /// The part of the kind.
    pub name: String,
    /// Bytes from one line to the next.
    pub stride: f64,
    /// The working set in bytes; of a loaded one the bytes per second of the others.
    pub bytes: f64,
    /// Cores in use.
    pub cores: u32,
    /// Seconds.
    pub time: f64,
}

/// The result of an analysis of samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analyzed {
    /// The costs of memory.
    pub memory: Memory,
    /// The costs of operations.
    pub operations: Vec<Operation>,
    /// Seconds from asking for a process until it has ended.
    pub process_start: Option<Uncertain>,
    /// Seconds of a page of memory from its first use until it is given back.
    pub page_use: Option<Uncertain>,
    /// Values that were seen in several regimes.
    pub regimes: Vec<Regimes>,
    /// The quantities that could not be measured, in words.
    pub missing: Vec<String>,
}
