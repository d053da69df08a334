//! The call graph: a node for each function, edges with the share of each caller.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::Serialize;

use crate::metric::{Costs, Metric};
use crate::profile::{NodeKind, Profile};

/// A profile, merged.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Graph {
    /// The root first.
    pub nodes: Vec<GraphNode>,
    /// From callers to what they call.
    pub edges: Vec<Edge>,
}

/// A function, or a cost centre of one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GraphNode {
    /// The kind of the node.
    pub kind: NodeKind,
    /// Nodes of the tree that it represents.
    #[serde(rename = "of")]
    pub tree_nodes: Vec<usize>,
    /// The costs of the node, including everything that it calls. In a recursion each cost counts once.
    pub costs: Costs,
    /// By [`Metric`]: sums of the processors.
    pub each: [Vec<f64>; 4],
    /// Whether it calls itself, directly or through others.
    pub recursive: bool,
}

/// A function's calls of another.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Edge {
    /// Index of the caller.
    pub from: usize,
    /// Index of what it calls.
    pub to: usize,
    /// The costs of the calls. Calls within a recursion are counted in the call that began it.
    pub costs: Costs,
    /// By [`Metric`]: the share of this caller in the costs of the called function, 0 to 1.
    pub shares: [f64; 4],
}

impl Graph {
    /// Creates the graph of a profile.
    pub fn new(profile: &Profile) -> Graph {
        let mut index: HashMap<(usize, Identity), usize> = HashMap::new();
        let mut nodes: Vec<GraphNode> = Vec::new();
        // For each node of the tree the node of the graph.
        let mut merged = vec![0; profile.nodes.len()];
        for (position, node) in profile.nodes.iter().enumerate() {
            let parent = node.parent.map(|parent| merged[parent]);
            // All centres at a place of a function are one node, for all callers; a function is one node everywhere.
            let scope =
                if node.kind.is_centre() { parent.map_or(0, |parent| parent + 1) } else { 0 };
            let own = *index.entry((scope, Identity::new(&node.kind))).or_insert_with(|| {
                nodes.push(GraphNode {
                    kind: node.kind.clone(),
                    tree_nodes: Vec::new(),
                    costs: Costs::default(),
                    each: std::array::from_fn(|_| vec![0.0; profile.processors as usize]),
                    recursive: false,
                });
                nodes.len() - 1
            });
            merged[position] = own;
            nodes[own].tree_nodes.push(position);
        }
        let within = within(profile, &merged, nodes.len());
        let mut edges: BTreeMap<(usize, usize), Costs> = BTreeMap::new();
        for (position, node) in profile.nodes.iter().enumerate() {
            let (own, within) = (merged[position], within[position]);
            let parent = node.parent.map(|parent| merged[parent]);
            let graph = &mut nodes[own];
            graph.recursive |= within;
            if !within {
                graph.costs += node.costs;
                for (sums, own) in graph.each.iter_mut().zip(&node.each) {
                    sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
                }
            }
            if let Some(parent) = parent {
                let edge = edges.entry((parent, own)).or_default();
                if !within {
                    *edge += node.costs;
                }
            }
        }
        let edges = edges.into_iter().map(|((from, to), costs)| {
            let share = |metric: Metric| {
                let total = nodes[to].costs.summary(metric).maximum;
                if total == 0.0 { 0.0 } else { costs.summary(metric).maximum / total }
            };
            Edge { from, to, costs, shares: Metric::ALL.map(share) }
        });
        let edges = edges.collect();
        Graph { nodes, edges }
    }
}

/// For each node of the tree, whether a node above it is the same node of the graph.
fn within(profile: &Profile, merged: &[usize], count: usize) -> Vec<bool> {
    let mut within = vec![false; profile.nodes.len()];
    // How many nodes on the path from the root are this node of the graph.
    let mut above = vec![0usize; count];
    let mut stack = vec![(0, false)];
    while let Some((node, done)) = stack.pop() {
        let own = merged[node];
        if done {
            above[own] -= 1;
            continue;
        }
        within[node] = above[own] > 0;
        above[own] += 1;
        stack.push((node, true));
        stack.extend(profile.nodes[node].children.iter().map(|&child| (child, false)));
    }
    within
}

/// The identity of nodes of the tree: equal ones become one node.
#[derive(PartialEq, Eq, Hash)]
enum Identity {
    Program,
    Function(String, String),
    Places(String),
    Start,
}

impl Identity {
    fn new(kind: &NodeKind) -> Identity {
        match kind {
            NodeKind::Program { .. } => Identity::Program,
            NodeKind::Function(frame) => {
                Identity::Function(frame.function.clone(), frame.file.clone())
            }
            NodeKind::Centre { .. } | NodeKind::End { .. } | NodeKind::Call { .. } => {
                Identity::Places(kind.label())
            }
            NodeKind::Start => Identity::Start,
        }
    }
}
