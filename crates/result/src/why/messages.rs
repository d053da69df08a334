//! Messages that pass a limit of their MPI.

use cll_machine::{Limit, LimitKind};
use cll_reuse::{NEAR, SentFrom};
use schemars::JsonSchema;
use serde::Serialize;

/// A limit of an MPI.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WhyLimit {
    /// The MPI.
    pub mpi: String,
    /// The name of the limit: `eager limit`, `eager limit for a receiver outside of MPI`, `algorithm of MPI_Bcast with
    /// 4 processes`.
    pub limit: String,
    /// The limit in bytes.
    pub bytes: f64,
    /// The lower end of the limit's interval.
    pub low: f64,
    /// The end of that.
    pub high: f64,
    /// Seconds that a message takes more beyond it; `None` if not known.
    pub step: Option<f64>,
}

/// Messages whose size passes a limit of their MPI.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WhyMessages {
    /// The function.
    pub call: String,
    /// The file of the line that calls it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// How many processes.
    pub processes: u32,
    /// The size in bytes, as a formula: of the largest messages of the line. Empty if it is not known how it grows.
    pub size: String,
    /// The limit.
    #[serde(flatten)]
    pub limit: WhyLimit,
    /// The variable.
    pub variable: String,
    /// The value of the variable beyond which the largest messages pass the limit.
    pub at: f64,
    /// The value beyond which all messages of the line do, if there are several sizes; else `at`. `None` if they do not.
    pub all: Option<f64>,
    /// Whether sizes on both sides were run; else it follows from the formula.
    pub measured: bool,
    /// Messages of all processes in a passage, at the largest values.
    pub number: f64,
}

/// Messages of a line with its names.
#[derive(Clone, Debug)]
pub struct NamedSent {
    /// The messages.
    pub sent: SentFrom,
    /// The file of the line.
    pub file: String,
    /// The line.
    pub line: u32,
}

impl WhyLimit {
    pub(super) fn from_limit(limit: &Limit) -> WhyLimit {
        WhyLimit {
            mpi: limit.mpi.clone(),
            limit: match limit.kind {
                LimitKind::Eager => "eager limit".to_owned(),
                LimitKind::EagerOutside => "eager limit for a receiver outside of MPI".to_owned(),
                LimitKind::Algorithm(call, processes) => {
                    format!("algorithm of {} with {processes} processes", function(call.name()))
                }
            },
            bytes: limit.bytes.value,
            low: limit.bytes.low,
            high: limit.bytes.high,
            step: limit.step,
        }
    }
}

impl WhyLimit {
    /// Whether it is of messages; else it is of a collective.
    pub fn is_eager(&self) -> bool {
        self.limit.starts_with("eager")
    }
}

impl WhyMessages {
    /// Whether a measured boundary may be due to it: it is within that, or near it.
    pub fn explains(&self, low: f64, high: f64) -> bool {
        self.all.unwrap_or(self.at) >= low / NEAR && self.at <= high * NEAR
    }
}

/// `MPI_Bcast`.
fn function(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!("MPI_{}{}", first.unwrap_or_default(), letters.as_str())
}

/// Whether a function's messages have a limit.
fn concerns(limit: &Limit, sent: &SentFrom) -> bool {
    match limit.kind {
        LimitKind::Algorithm(call, processes) => {
            sent.processes == processes && sent.call == function(call.name())
        }
        LimitKind::Eager | LimitKind::EagerOutside => SENDS.contains(&sent.call.as_str()),
    }
}

/// The functions that send to one process; `MPI_Bsend` copies what it sends, and waits for nobody.
const SENDS: [&str; 6] =
    ["MPI_Send", "MPI_Rsend", "MPI_Isend", "MPI_Irsend", "MPI_Sendrecv", "MPI_Sendrecv_replace"];

/// The places where messages pass limits, along a variable, or along that with which the size grows fastest; those of the
/// most messages first.
pub(super) fn passing(
    all: &[NamedSent],
    limits: &[Limit],
    names: &[String],
    along: Option<usize>,
) -> Vec<WhyMessages> {
    let mut found: Vec<WhyMessages> = Vec::new();
    for sent in all {
        let sizes = &sent.sent.largest;
        let fastest = || sizes.growth.as_ref().and_then(cll_reuse::Growth::fastest);
        let Some(variable) = along.or_else(fastest) else { continue };
        for limit in limits.iter().filter(|limit| concerns(limit, &sent.sent)) {
            let bytes = limit.bytes.value;
            let Some((value, measured)) = sizes.exceeds(bytes, variable) else { continue };
            let last = sent.sent.smallest.exceeds(bytes, variable);
            found.push(WhyMessages {
                call: sent.sent.call.clone(),
                file: sent.file.clone(),
                line: sent.line,
                processes: sent.sent.processes,
                size: sizes.growth.as_ref().map_or(String::new(), |growth| growth.text(names)),
                limit: WhyLimit::from_limit(limit),
                variable: names[variable].clone(),
                at: value,
                all: last.map(|(all, _)| all.max(value)),
                measured,
                number: sent.sent.number,
            });
        }
    }
    found.sort_by(|a, b| b.number.total_cmp(&a.number).then(a.processes.cmp(&b.processes)));
    found
}
