//! The graph of a run: what each process does in order, with messages and collectives between processes.
//!
//! This is the low-level graph of Li (DP\*Graph, as in Laine, Midorikawa, Sato, Ching, 2003): one column for each process,
//! its calls and the computation between them in the order of execution. What repeats is folded to loops (`fold`), and
//! processes that do the same are one column: a flow of the high-level graph, T-Graph\*.

mod build;
mod details;
mod few;
mod fold;
mod node;

pub(crate) use build::Builder;
pub use few::Few;
pub use node::{Details, Item, Loop, Node, Partner, Peer};

use cll_trace::meta::Point;

use crate::{Overview, Thread};

/// The name of a call path in the log of an overview and a thread: equal for calls of one place in the source. Empty if it
/// is not known; then paths are equal if their addresses are.
pub type PathNames<'a> = dyn FnMut(&Overview, u32, &Point) -> String + 'a;

/// The graph of a run.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Processes with the same sequence of calls, in the order of their first processes.
    pub flows: Vec<Flow>,
    /// Messages between nodes.
    pub edges: Vec<Edge>,
    /// Nodes of one collective, each list in ascending order.
    pub collectives: Vec<Vec<NodeId>>,
}

/// Processes (threads of processes, if several call MPI) that make the same calls in the same order.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// Which.
    pub threads: Vec<Thread>,
    /// The steps of these processes, with sums over all of them.
    pub items: Vec<Item>,
}

/// A node: its flow, and [`Node::first`] of its first process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId {
    /// An index among the flows.
    pub flow: u32,
    /// The node in it.
    pub node: u32,
}

/// Messages from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The calls that send.
    pub from: NodeId,
    /// The calls that receive.
    pub to: NodeId,
    /// How many messages.
    pub messages: u64,
}
