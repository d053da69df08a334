//! The steps of each rank of a run, with their times.

use std::collections::HashMap;

use cll_calls::{Details, Peer};
use cll_result::MpiUnrecorded;
use cll_trace::layout::call::Op;

/// A call path, in all runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// `MPI_Send`.
    pub call: String,
    /// `heat.c:30`, or empty.
    pub place: String,
    /// Functions that lead to it, the innermost first.
    pub functions: Vec<String>,
}

/// Call paths with numbers that are the same in all runs.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    list: Vec<Site>,
    numbers: HashMap<(Op, String), u32>,
}

impl Sites {
    /// The number of the call path with this name; `site` makes it if it is new.
    pub fn number(&mut self, op: Op, name: String, site: impl FnOnce() -> Site) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.numbers.entry((op, name)).or_insert(next);
        if number == next {
            self.list.push(site());
        }
        number
    }

    /// All call paths, by number.
    pub fn list(&self) -> &[Site] {
        &self.list
    }
}

/// The steps of a rank.
#[derive(Clone, Debug, Default)]
pub struct RankSteps {
    /// When it left `MPI_Init`, after the first one that did; seconds.
    pub begin: f64,
    /// The calls and loops of the rank, in order.
    pub steps: Vec<RunStep>,
    /// When it came to `MPI_Finalize`, in seconds after the first rank left `MPI_Init`.
    pub end: f64,
}

/// A step of a rank.
#[derive(Clone, Debug)]
pub enum RunStep {
    /// A call.
    Call(Box<Passed>),
    /// Steps that repeat.
    Loop {
        /// The least and the largest number of passages.
        passages: (u64, u64),
        /// The steps of a passage.
        body: Vec<RunStep>,
    },
}

/// All passages of a call.
#[derive(Clone, Debug)]
pub struct Passed {
    /// The number of its call path.
    pub site: u32,
    /// The function.
    pub op: Op,
    /// Passages.
    pub times: f64,
    /// Seconds of computation before a passage.
    pub computed: f64,
    /// Seconds in a passage without waiting.
    pub called: f64,
    /// Seconds of waiting in a passage.
    pub waited: f64,
    /// The root of a collective: its rank in the communicator.
    pub root: Option<u32>,
    /// Messages, partners and bytes of all passages.
    pub details: Details,
}

impl Passed {
    /// Bytes of a passage: the larger of what it sends and what it receives.
    pub(super) fn bytes(&self) -> f64 {
        self.details.sent.max(self.details.received) as f64 / self.times.max(1.0)
    }

    /// Whether messages are received of any rank.
    pub(super) fn is_any(&self) -> bool {
        self.details.from.contains(&Peer::Any)
    }
}

/// A run.
#[derive(Clone, Debug)]
pub struct MeasuredRun {
    /// The values of the variables.
    pub values: Vec<f64>,
    /// Ranks.
    pub processors: u32,
    /// From the first end of `MPI_Init` to the last begin of `MPI_Finalize`, in seconds.
    pub seconds: f64,
    /// Before and after that, in seconds, without what was computed to learn how wide the cores are; `None`: not known.
    pub around: Option<f64>,
    /// The steps by rank.
    pub ranks: Vec<RankSteps>,
    /// The version text of the MPI.
    pub library: String,
    /// The least and the most time, in seconds, that the loop that fills the width of a core took on the ranks, at
    /// their begins and ends.
    pub width: Option<(f64, f64)>,
    /// Calls that returned an error.
    pub errors: u64,
    /// Calls that the logs only count, by function.
    pub unrecorded: Vec<MpiUnrecorded>,
}
