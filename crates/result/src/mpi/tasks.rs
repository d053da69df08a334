//! Tasks of the high-level graph, synchronisation points, and parallelism that is not used.

use cll_units::{Bytes, Seconds};
use schemars::JsonSchema;
use serde::Serialize;

/// Why a process waits in a call for others: such a call is a synchronisation point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GraphSync {
    /// It does not wait for others.
    #[default]
    No,
    /// A send that may wait for its receiver: that depends on its size.
    Perhaps,
    /// A message has to come.
    Receive,
    /// Requests have to be complete.
    Completion,
    /// Other processes have to come to the collective.
    Collective,
    /// The receiver has to ask for the message.
    Send,
    /// Other processes have to come to the window's synchronisation.
    Window,
}

impl GraphSync {
    /// Whether a process waits in it in any case.
    pub fn is_certain(self) -> bool {
        !matches!(self, GraphSync::No | GraphSync::Perhaps)
    }
}

/// A task of T-Graph\*: what a process does from one synchronisation point to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct GraphTask {
    /// The number of the node in the graph of tasks.
    pub node: usize,
    /// The number of the task: T1, T2, …
    pub number: u32,
    /// The calls that it begins with, which wait for others; empty: it begins with its flow or its loop.
    pub joins: Vec<String>,
    /// The segments that it consists of, by their numbers.
    pub segments: Vec<u32>,
    /// The nodes of the task in the low-level graph.
    pub nodes: Vec<usize>,
    /// Functions of its segments and calls, in their order.
    pub functions: Vec<String>,
    /// Where it begins, `file:line`; empty if it is not known.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// How often, by all processes; 0: nothing was run.
    pub times: u64,
    /// Computation of a passage, on average; `None`: nothing was run.
    #[serde(rename = "computing_s")]
    pub computing: Option<Seconds>,
    /// Calls of a passage without waiting, on average.
    #[serde(rename = "calls_s")]
    pub calls: Option<Seconds>,
    /// Waiting of a passage, on average; `None`: it is not known.
    #[serde(rename = "waiting_s")]
    pub waiting: Option<Seconds>,
    /// Messages that its calls send to tasks of others or its own, all passages; 0: not known.
    pub messages: u64,
    /// Bytes that leave the processes in it, all passages.
    pub sent: Bytes,
    /// Bytes that come to them.
    pub received: Bytes,
    /// Arithmetic operations of its segments, as far as a source shows them.
    pub operations: Vec<String>,
    /// The sizes that the calls send, as they are written in a source.
    pub sizes: Vec<String>,
}

/// Parallelism that a program does not use, with the gain that it bounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiUnused {
    /// The longest path through the graph with mean times; `None`: nothing was run.
    #[serde(rename = "longest_path_s")]
    pub longest_path: Option<Seconds>,
    /// How long it is if all of it is used together.
    #[serde(rename = "together_s")]
    pub together: Option<Seconds>,
    /// The largest gain first.
    pub list: Vec<UnusedParallelism>,
    /// Those whose gain is below a thousandth of the longest path, which are left out.
    pub small: u64,
    /// Assumptions, or the reason why there is no gain, in words.
    pub notes: Vec<String>,
}

/// Segments that could run at the same time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct UnusedParallelism {
    /// The kind of the parallelism.
    pub kind: UnusedKind,
    /// The segments that it is about, by their numbers.
    pub segments: Vec<u32>,
    /// Those at whose side they could run.
    pub beside: Vec<u32>,
    /// The task that they are in.
    pub task: u32,
    /// Ranks that do it.
    pub ranks: Vec<u32>,
    /// Among how many ranks a divided segment is divided.
    pub among: u32,
    /// By how much the longest path would be shorter, at most; `None`: nothing was run.
    #[serde(rename = "gain_s")]
    pub gain: Option<Seconds>,
    /// The places of the segments.
    pub places: Vec<String>,
}

/// A kind of parallelism that is not used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnusedKind {
    /// Segments of a task beside those before them.
    #[default]
    Beside,
    /// Passages of a loop beside each other.
    Passages,
    /// A segment of some ranks, divided among all.
    Divided,
}
