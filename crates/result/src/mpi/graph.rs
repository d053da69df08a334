//! The graph of an MPI program: `docs/formats/mpi.md`.

use cll_units::{Bytes, Seconds};
use schemars::JsonSchema;
use serde::Serialize;

use super::MpiLink;
use super::tasks::{GraphSync, GraphTask, MpiUnused};

/// The graph of an MPI program (DP\*Graph): columns of steps, messages and collectives between them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiGraph {
    /// The name of the format.
    pub format: &'static str,
    /// The version of the format.
    pub version: u32,
    /// The program.
    pub program: String,
    /// Ranks of the run.
    pub ranks: u32,
    /// Calls in the logs; of a graph of a source, calls in it.
    pub calls: u64,
    /// Whether it is the high-level graph, T-Graph\*: its steps are tasks, and its messages and collectives are between
    /// these.
    pub is_tasks: bool,
    /// Whether it is of a source: then nothing was run, and there are no times and counts.
    pub is_source: bool,
    /// Whether a run has filled in the graph of a source: then what is marked as measured is from the run.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_measured: bool,
    /// The time from the first end of `MPI_Init` to the last begin of `MPI_Finalize`; `None`: it is not known.
    #[serde(rename = "runtime_s")]
    pub runtime: Option<Seconds>,
    /// Whether waiting is known: all ranks have one clock.
    pub one_clock: bool,
    /// Processes that do the same, a column each.
    pub flows: Vec<GraphFlow>,
    /// Messages from one node to another.
    pub messages: Vec<GraphEdge>,
    /// Nodes of one collective, a list each.
    pub collectives: Vec<Vec<usize>>,
    /// Segments that are left out, since they take less than a thousandth of the time of their processes.
    pub small_segments: u64,
    /// Ranks that wait for each other for ever: each for the next one, the last one for the first.
    pub deadlock: Vec<MpiLink>,
    /// Ranks without a log.
    pub missing: Vec<u32>,
    /// Files of its places, as the program's debug information or the command names them.
    pub files: Vec<String>,
    /// Parallelism that is not used; `None`: it was not looked for.
    pub unused: Option<MpiUnused>,
}

impl MpiGraph {
    /// An empty graph, with the format's name and version.
    pub fn new() -> MpiGraph {
        MpiGraph { format: "cll-mpi-graph", version: 1, ..MpiGraph::default() }
    }
}

/// Processes that make the same calls in the same order: a flow of T-Graph\*.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct GraphFlow {
    /// Their ranks, in ascending order.
    pub ranks: Vec<u32>,
    /// The thread, if several threads of a process call MPI.
    pub thread: Option<u32>,
    /// The steps of these ranks.
    pub steps: Vec<GraphStep>,
}

/// A step of a flow.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum GraphStep {
    /// Computation between two calls.
    Segment(GraphSegment),
    /// A call.
    Call(GraphCall),
    /// Steps that repeat.
    Loop(GraphLoop),
    /// A task, in the high-level graph only.
    Task(GraphTask),
}

/// Computation between two calls: a rectangle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct GraphSegment {
    /// The number of the node in the graph.
    pub node: usize,
    /// The number of the segment: I, II, …
    pub number: u32,
    /// The innermost function that contains it; empty if it is not known.
    pub function: String,
    /// Where it begins: the place of the call before; empty if it is not known.
    pub from: String,
    /// Where it ends: the place of the call behind it.
    pub to: String,
    /// How often, by all processes.
    pub times: u64,
    /// The time of one passage, on average; `None`: nothing was run.
    #[serde(rename = "time_s")]
    pub time: Option<Seconds>,
    /// Arithmetic operations of a passage, `2*n*n*n`, as far as the source shows them; else empty.
    pub operations: String,
    /// Whether a run has given its figures, in the graph of a source.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_measured: bool,
    /// The task that it is part of; 0: none.
    pub task: u32,
}

/// How a call is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GraphSymbol {
    /// It sends: a triangle that points upwards.
    Send,
    /// It receives: a triangle that points downwards.
    Receive,
    /// It sends and receives: both.
    Both,
    /// It completes what was begun.
    Completion,
    /// It is for something else.
    #[default]
    Other,
}

/// A call of MPI.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct GraphCall {
    /// The number of the node in the graph.
    pub node: usize,
    /// The name of the call, with `MPI_`.
    pub call: String,
    /// How it is drawn.
    pub symbol: GraphSymbol,
    /// Whether it returns before what it begins is complete.
    pub nonblocking: bool,
    /// `file:line`; empty if it is not known.
    pub place: String,
    /// The functions that lead to it, the innermost first.
    pub path: Vec<String>,
    /// Partners or root, in words; may be empty.
    pub partners: String,
    /// Processes of its communicator, if it is a collective; else 0.
    pub group: u32,
    /// How often, by all processes.
    pub times: u64,
    /// Unsuccessful polls before it.
    pub polls: u64,
    /// Bytes of a passage, the fewest and the most.
    pub least_bytes: Bytes,
    /// The most.
    pub most_bytes: Bytes,
    /// Bytes that left the processes in it, of all passages.
    pub sent: Bytes,
    /// Bytes that came to them.
    pub received: Bytes,
    /// The size as it is written in the source, `n * n MPI_DOUBLE`; else empty.
    pub size: String,
    /// In the graph of a source: whether the source does not say which ranks its partners are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub are_partners_open: bool,
    /// Whether a run has given its figures, in the graph of a source.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_measured: bool,
    /// The time of one passage, on average; `None`: nothing was run.
    #[serde(rename = "time_s")]
    pub time: Option<Seconds>,
    /// The part of that time spent waiting; `None`: it is not known.
    #[serde(rename = "waiting_s")]
    pub waiting: Option<Seconds>,
    /// Processes that have not returned from it.
    pub open: u64,
    /// Whether it is a synchronisation point, and what it waits for.
    pub synchronises: GraphSync,
    /// The task that it is part of; 0: none.
    pub task: u32,
}

/// Steps that repeat, or that are done under a condition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct GraphLoop {
    /// The fewest passages.
    pub least: u64,
    /// The most.
    pub most: u64,
    /// Whether they are known.
    pub is_known: bool,
    /// Whether its steps are done only if a condition holds that is not known, instead of repeated. If they are measured,
    /// `least` of `most` times it held, of all ranks.
    pub is_choice: bool,
    /// Whether its passages are those of a run, in the graph of a source.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_measured: bool,
    /// How it is written in the source, `for (i = 1; i < size; i++)`; else empty.
    pub head: String,
    /// The steps that repeat.
    pub steps: Vec<GraphStep>,
}

/// Messages from one node to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GraphEdge {
    /// The node that sends.
    pub from: usize,
    /// The node that receives.
    pub to: usize,
    /// How many messages; 0: not known.
    pub messages: u64,
}

/// A number as a Roman numeral; from 4000 on in digits.
pub fn roman(number: u32) -> String {
    const PARTS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    if number == 0 || number >= 4000 {
        return number.to_string();
    }
    let mut rest = number;
    let mut text = String::new();
    for (value, part) in PARTS {
        while rest >= value {
            text.push_str(part);
            rest -= value;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::roman;

    #[test]
    fn segments_have_roman_numerals() {
        let all: Vec<String> = [0, 1, 4, 7, 9, 14, 40, 1994, 4000].into_iter().map(roman).collect();
        assert_eq!(all.join(" "), "0 I IV VII IX XIV XL MCMXCIV 4000");
    }
}
