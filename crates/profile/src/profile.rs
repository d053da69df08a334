//! A profile: the tree of call paths with their costs.

use cll_units::{ProcessorId, Seconds};
use schemars::JsonSchema;
use serde::Serialize;

use crate::metric::{Costs, Metric};
use crate::note::Note;

/// A function that a call went through.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Frame {
    /// The name of the function, or `module+0xoffset` if no symbol has it.
    pub function: String,
    /// The source file of the function, empty if unknown.
    pub file: String,
    /// The line of the call in it, 0 if unknown. Only a hint: it is no part of a call path.
    pub line: u32,
    /// Whether it was inlined into the next one outwards.
    pub inlined: bool,
    /// Whether a tail call had removed it from the stack.
    pub tail_called: bool,
}

/// A place at which supersteps end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct End {
    /// File of the call, empty if unknown.
    pub file: String,
    /// Line of the call, 0 if unknown.
    pub line: u32,
    /// Functions from the call outwards below the centre's node, if processors came by different paths.
    pub through: Vec<String>,
    /// The processors that ended here, by number in the program; empty where all ended here.
    pub processors: Vec<ProcessorId>,
}

/// The kind of a node of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum NodeKind {
    /// The root: the whole program.
    Program {
        /// The name of the program.
        name: String,
    },
    /// A function on the way.
    Function(Frame),
    /// A cost centre: where supersteps end, reached by one call path.
    Centre {
        /// The places; more than one if the processors end supersteps at different ones.
        ends: Vec<End>,
    },
    /// The time from the last synchronisation to the end of the machine.
    End {
        /// The call that ended it.
        ends: Vec<End>,
    },
    /// The time before the first superstep.
    Start,
    /// Calls of MPI at a place, with the computation before each of them: the leaf of a profile of calls.
    Call {
        /// The function, with `MPI_`.
        call: String,
        /// File of the call, empty if unknown.
        file: String,
        /// Line of the call, 0 if unknown.
        line: u32,
    },
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Node {
    /// The kind of the node.
    pub kind: NodeKind,
    /// Index of the node above it; the root has none.
    pub parent: Option<usize>,
    /// Indices of the nodes below it, in the order in which they were found.
    pub children: Vec<usize>,
    /// The costs of the node with all nodes below it.
    pub costs: Costs,
    /// By [`Metric`]: for each processor Σ over supersteps (equation 5 is the largest of them).
    pub each: [Vec<f64>; 4],
    /// For each processor, how often its computation was the longest of a superstep. Supersteps in which all took
    /// equally long do not count.
    pub last: Vec<u64>,
}

/// Where a profile comes from.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "source", rename_all = "kebab-case")]
pub enum Source {
    /// A superstep log.
    Log {
        /// The engine, empty if not known.
        engine: String,
        /// Whether times are those of virtual processors.
        virtually: bool,
        /// Whether the program was partitioned.
        parts: bool,
        /// The program's arguments.
        arguments: Vec<String>,
    },
    /// A profile of the Oxford BSP Toolset.
    Oxford {
        /// When it was made.
        date: String,
        /// Flags of the compiler.
        flags: String,
        /// The architecture.
        architecture: String,
        /// The device, if it is given.
        device: String,
    },
    /// Calls of MPI without supersteps: the whole run counts as one. In place of supersteps calls are counted, of all
    /// processors; in place of the h-relation bytes sent and received.
    Calls {
        /// The name and version that the MPI library gives.
        library: String,
        /// Whether waiting is known: all processes had one clock.
        waiting: bool,
    },
}

/// A call-graph profile.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Profile {
    /// Where it comes from.
    pub source: Source,
    /// Processors of the program.
    pub processors: u32,
    /// From the first processor's beginning to the last one's end.
    #[serde(rename = "elapsed_s")]
    pub elapsed: Seconds,
    /// Bytes of a unit of the h-relation: 1, or 4 if it is given in words.
    pub h_unit: u32,
    /// The root first, each node after the one above it.
    pub nodes: Vec<Node>,
    /// Notes that readers should know about the profile.
    pub notes: Vec<Note>,
}

impl Profile {
    /// Whether it is of calls of MPI: it has bytes in place of the h-relation, calls in place of supersteps.
    pub fn is_by_calls(&self) -> bool {
        matches!(self.source, Source::Calls { .. })
    }

    /// The whole program.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// The name of the program.
    pub fn name(&self) -> &str {
        match &self.root().kind {
            NodeKind::Program { name } => name,
            _ => "",
        }
    }

    /// R, whether the imbalance is always on the same processor: max over processors of Σ over supersteps, divided by Σ
    /// of max. 1: the same processor is always the slowest. Well below 1: different ones are. 1 if the node has no
    /// costs.
    pub fn steadiness(&self, node: usize, metric: Metric) -> f64 {
        let node = &self.nodes[node];
        let largest = node.each[metric.index()].iter().copied().fold(0.0, f64::max);
        let maximum = node.costs.summary(metric).maximum;
        if maximum == 0.0 { 1.0 } else { largest / maximum }
    }

    /// Whether the sums of the processors and the sum of the supersteps' maxima are consistent: no processor has more
    /// than the sum of the maxima, and all together do not have less. Profiles of other tools may be inconsistent; then
    /// it is not known which processor has most.
    pub fn fits(&self, node: usize, metric: Metric) -> bool {
        let node = &self.nodes[node];
        let each = &node.each[metric.index()];
        let (sum, largest) = (each.iter().sum::<f64>(), each.iter().copied().fold(0.0, f64::max));
        let maximum = node.costs.summary(metric).maximum;
        let slack = 1e-6 * maximum.abs();
        largest <= maximum + slack && maximum <= sum + slack
    }

    /// The h-relation in 32-bit words.
    #[must_use]
    pub fn in_words(mut self) -> Profile {
        let factor = f64::from(self.h_unit) / 4.0;
        let h = Metric::HRelation.index();
        for node in &mut self.nodes {
            node.costs.metrics[h] = node.costs.metrics[h].times(factor);
            node.each[h].iter_mut().for_each(|value| *value *= factor);
        }
        self.h_unit = 4;
        self
    }

    /// Names from the root to a node, outermost first; of more than [`LONGEST_PATH`] the first and the last.
    pub(crate) fn names(&self, node: usize, name: impl Fn(&NodeKind) -> String) -> Vec<String> {
        let path = self.path(node).into_iter().map(Some).collect();
        let name = |index: Option<usize>| {
            index.map_or_else(|| "...".to_owned(), |index| name(&self.nodes[index].kind))
        };
        brief(path, None).into_iter().map(name).collect()
    }

    /// The functions from the root to a node, outermost first, with the node itself last.
    pub fn path(&self, node: usize) -> Vec<usize> {
        let mut path = vec![node];
        while let Some(parent) = self.nodes[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }
}

impl NodeKind {
    /// `main`, `bcast.c:16`, `bcast.c:22, 35`, `start`, `end bcast.c:40`: foreign text unchanged.
    pub fn label(&self) -> String {
        match self {
            NodeKind::Program { name } => name.clone(),
            NodeKind::Function(frame) => frame.function.clone(),
            NodeKind::Centre { ends } => places(ends),
            NodeKind::End { ends } => match places(ends) {
                unknown if unknown == UNKNOWN => "end".to_owned(),
                known => format!("end {known}"),
            },
            NodeKind::Start => "start".to_owned(),
            NodeKind::Call { call, file, line } => match file.rsplit('/').next() {
                None | Some("") => call.clone(),
                Some(name) => format!("{call} {name}:{line}"),
            },
        }
    }

    /// Whether it is a cost centre, including `start` and `end`.
    pub fn is_centre(&self) -> bool {
        matches!(
            self,
            NodeKind::Centre { .. }
                | NodeKind::End { .. }
                | NodeKind::Start
                | NodeKind::Call { .. }
        )
    }
}

/// Names of a path that are written out.
pub const LONGEST_PATH: usize = 100;

/// A path with at most [`LONGEST_PATH`] names. A longer one keeps its first and last names, with a gap between them.
pub(crate) fn brief<T>(mut path: Vec<T>, gap: T) -> Vec<T> {
    if path.len() > LONGEST_PATH {
        let half = LONGEST_PATH / 2;
        path.splice(half..path.len() - half, [gap]);
    }
    path
}

const UNKNOWN: &str = "unknown place";

fn places(ends: &[End]) -> String {
    let mut out = String::new();
    let mut before: Option<&str> = None;
    let mut written: Vec<(&str, u32)> = Vec::new();
    for end in ends {
        let file = end.file.rsplit('/').next().unwrap_or(&end.file);
        if file.is_empty() && end.line == 0 || written.contains(&(file, end.line)) {
            continue;
        }
        written.push((file, end.line));
        match before {
            Some(same) if same == file => out.push_str(&format!(", {}", end.line)),
            Some(_) => out.push_str(&format!(", {file}:{}", end.line)),
            None => out.push_str(&format!("{file}:{}", end.line)),
        }
        before = Some(file);
    }
    if out.is_empty() { UNKNOWN.to_owned() } else { out }
}
