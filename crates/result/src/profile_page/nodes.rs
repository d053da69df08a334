//! Nodes of the tree and of the graph in columns, and what is known of each processor.

use cll_profile::{Costs, End, Graph, Metric, NodeKind, Profile, synchronised};
use serde::Serialize;

use super::columns::Columns;
use super::strings::Strings;

/// Values of each metric of which each processor is kept; beyond it there are quantiles.
const ROOM: usize = 1 << 19;

/// A node, of either kind.
struct One<'a> {
    kind: &'a NodeKind,
    costs: &'a Costs,
    each: &'a [Vec<f64>; 4],
    synchronised: f64,
    parent: Option<usize>,
    recursive: bool,
}

pub(super) struct Nodes<'a> {
    nodes: Vec<One<'a>>,
}

impl<'a> Nodes<'a> {
    pub(super) fn of_tree(profile: &'a Profile) -> Nodes<'a> {
        let nodes = profile.nodes.iter().zip(synchronised(profile));
        let nodes = nodes.map(|(node, synchronised)| One {
            kind: &node.kind,
            costs: &node.costs,
            each: &node.each,
            synchronised,
            parent: node.parent,
            recursive: false,
        });
        Nodes { nodes: nodes.collect() }
    }

    pub(super) fn of_graph(graph: &'a Graph, profile: &Profile) -> Nodes<'a> {
        let all = synchronised(profile);
        let nodes = graph.nodes.iter().map(|node| {
            // Within a recursion a node of the tree is part of another one; its share of supersteps tells how many
            // of those counted are synchronised.
            let (with, counted) =
                node.tree_nodes.iter().fold((0.0, 0.0), |(with, counted), &tree_node| {
                    (with + all[tree_node], counted + profile.nodes[tree_node].costs.supersteps)
                });
            let share: f64 = if counted == 0.0 { 0.0 } else { with / counted };
            One {
                kind: &node.kind,
                costs: &node.costs,
                each: &node.each,
                synchronised: share * node.costs.supersteps,
                parent: None,
                recursive: node.recursive,
            }
        });
        Nodes { nodes: nodes.collect() }
    }

    /// Costs, and values of each processor.
    pub(super) fn each(&self) -> impl Iterator<Item = (&Costs, &[Vec<f64>; 4])> {
        self.nodes.iter().map(|node| (node.costs, node.each))
    }

    pub(super) fn write(
        &self,
        prefix: &str,
        columns: &mut Columns,
        strings: &mut Strings,
        processors: &mut Processors,
    ) {
        let name = |what: &str| format!("{prefix}.{what}");
        let nodes = || self.nodes.iter();
        columns.index(name("parent"), nodes().map(|node| node.parent));
        columns.u8(name("kind"), nodes().map(|node| kind(node.kind)));
        columns.u8(name("flags"), nodes().map(|node| flags(node.kind, node.recursive)));
        let labels: Vec<usize> = nodes().map(|node| strings.number(&node.kind.label())).collect();
        columns.u32(name("label"), labels);
        let places: Vec<(usize, u32)> = nodes()
            .map(|node| {
                let (file, line) = place(node.kind);
                (strings.number(file), line)
            })
            .collect();
        columns.u32(name("file"), places.iter().map(|place| place.0));
        columns.u32(name("line"), places.iter().map(|place| place.1 as usize));
        columns.f64(name("supersteps"), nodes().map(|node| node.costs.supersteps));
        columns.f64(name("synchronised"), nodes().map(|node| node.synchronised));
        columns.f64(name("barrier"), nodes().map(|node| node.costs.idle_at_barrier));
        for metric in Metric::ALL {
            let summary_of = |node: &One<'_>| *node.costs.summary(metric);
            let index = metric.index();
            columns.f64(name(&format!("max{index}")), nodes().map(|node| summary_of(node).maximum));
            columns.f64(name(&format!("avg{index}")), nodes().map(|node| summary_of(node).average));
            columns.f64(name(&format!("min{index}")), nodes().map(|node| summary_of(node).minimum));
        }
        let rows = nodes().map(|node| processors.row(node.each));
        let rows: Vec<(Option<usize>, Option<usize>)> = rows.collect();
        columns.index(name("row"), rows.iter().map(|row| row.0));
        columns.index(name("quantiles"), rows.iter().map(|row| row.1));
    }
}

/// Which nodes have all processors, and their values.
pub(super) struct Processors {
    count: usize,
    /// By node in the order of writing.
    chosen: Vec<bool>,
    next: usize,
    rows: [Vec<f32>; 4],
    quantiles: [Vec<f32>; 4],
}

impl Processors {
    pub(super) fn new(count: usize) -> Processors {
        Processors {
            count,
            chosen: Vec::new(),
            next: 0,
            rows: Default::default(),
            quantiles: Default::default(),
        }
    }

    /// Chooses the nodes of the largest imbalance in time, and the first one.
    pub(super) fn choose<'a>(
        &mut self,
        nodes: impl Iterator<Item = (&'a Costs, &'a [Vec<f64>; 4])>,
    ) {
        let mut order: Vec<(f64, usize)> = Vec::new();
        for (index, (costs, each)) in nodes.enumerate() {
            self.chosen.push(false);
            let times = Metric::ALL.into_iter().filter(|metric| metric.is_time());
            let imbalance: f64 = times.map(|metric| costs.summary(metric).imbalance()).sum();
            if each.iter().all(|values| values.len() == self.count) {
                order.push((if index == 0 { f64::INFINITY } else { imbalance }, index));
            }
        }
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.truncate((ROOM / self.count.max(1)).max(1));
        order.into_iter().for_each(|(_, index)| self.chosen[index] = true);
    }

    /// Where a node's values are: its row, or its quantiles.
    fn row(&mut self, each: &[Vec<f64>; 4]) -> (Option<usize>, Option<usize>) {
        let chosen = self.chosen.get(self.next).copied().unwrap_or(false);
        self.next += 1;
        if chosen {
            for (rows, own) in self.rows.iter_mut().zip(each) {
                rows.extend(own.iter().map(|&value| value as f32));
            }
            return (Some(self.rows() - 1), None);
        }
        if each.iter().any(Vec::is_empty) {
            return (None, None);
        }
        for (to, own) in self.quantiles.iter_mut().zip(each) {
            let mut sorted = own.clone();
            sorted.sort_by(f64::total_cmp);
            let last = (sorted.len() - 1) as f64;
            let quantile = |share: f64| {
                let place = share * last;
                let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
                (low + (high - low) * place.fract()) as f32
            };
            to.extend([0.0, 0.25, 0.5, 0.75, 1.0].map(quantile));
        }
        (None, Some(self.quantiles() - 1))
    }

    /// How many nodes have all processors.
    pub(super) fn rows(&self) -> usize {
        self.rows[0].len() / self.count.max(1)
    }

    /// How many have quantiles.
    pub(super) fn quantiles(&self) -> usize {
        self.quantiles[0].len() / 5
    }

    /// Writes the values, and how often each processor was the last, of the nodes with all processors.
    pub(super) fn write<'a>(&self, columns: &mut Columns, last: impl Iterator<Item = &'a [u64]>) {
        for metric in 0..4 {
            columns.f32(format!("rows{metric}"), self.rows[metric].iter().copied());
            columns.f32(format!("quantiles{metric}"), self.quantiles[metric].iter().copied());
        }
        let chosen = self.chosen.iter().zip(last).filter(|(chosen, _)| **chosen);
        let width = self.count;
        let last = chosen.flat_map(|(_, last)| {
            (0..width).map(|processor| last.get(processor).map_or(0, |&count| count as usize))
        });
        columns.u32("last", last.collect::<Vec<usize>>());
    }
}

/// Places of a centre that has several.
#[derive(Serialize)]
pub(super) struct Ends<'a> {
    node: usize,
    ends: &'a [End],
}

/// Lists the places of all centres that have several.
pub(super) fn ends(profile: &Profile) -> Vec<Ends<'_>> {
    let several = profile.nodes.iter().enumerate().filter_map(|(node, profile_node)| {
        match &profile_node.kind {
            NodeKind::Centre { ends } | NodeKind::End { ends } if ends.len() > 1 => {
                Some(Ends { node, ends })
            }
            _ => None,
        }
    });
    several.collect()
}

fn kind(kind: &NodeKind) -> u8 {
    match kind {
        NodeKind::Program { .. } => 0,
        NodeKind::Function(_) => 1,
        NodeKind::Centre { .. } => 2,
        NodeKind::End { .. } => 3,
        NodeKind::Start => 4,
        NodeKind::Call { .. } => 5,
    }
}

/// 1 inlined, 2 tail-called, 4 recursive.
fn flags(kind: &NodeKind, recursive: bool) -> u8 {
    let own = match kind {
        NodeKind::Function(frame) => u8::from(frame.inlined) | u8::from(frame.tail_called) << 1,
        _ => 0,
    };
    own | u8::from(recursive) << 2
}

fn place(kind: &NodeKind) -> (&str, u32) {
    match kind {
        NodeKind::Function(frame) => (&frame.file, frame.line),
        NodeKind::Centre { ends } | NodeKind::End { ends } => {
            ends.first().map_or(("", 0), |end| (&end.file, end.line))
        }
        NodeKind::Call { file, line, .. } => (file, *line),
        NodeKind::Program { .. } | NodeKind::Start => ("", 0),
    }
}
