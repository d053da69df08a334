//! Parallelism that a program does not use: what no message orders, by the low-level graph.
//!
//! Within a task a process waits for nobody, so no message makes a later segment of it depend on an earlier one.

use std::collections::BTreeMap;

use cll_result::{
    GraphFlow, GraphLoop, GraphSegment, GraphStep, MpiGraph, UnusedKind, UnusedParallelism,
};

use super::tasks::waits;

/// Something that could be done at the same time, with the nodes of its segments.
#[derive(Clone, Debug)]
pub(crate) struct ParallelCandidate {
    pub(crate) parallelism: UnusedParallelism,
    /// The flow, by its index.
    pub(crate) flow: usize,
    /// Nodes of the segments.
    pub(crate) nodes: Vec<usize>,
}

/// All candidates of a low-level graph whose nodes have tasks, in the order of the graph.
pub(crate) fn candidates(graph: &MpiGraph) -> Vec<ParallelCandidate> {
    let mut all = Vec::new();
    for (flow_index, flow) in graph.flows.iter().enumerate() {
        let mut search = Search {
            flow,
            flow_index,
            ranks: graph.ranks,
            has_times: !graph.is_source,
            all: &mut all,
        };
        search.body(&flow.steps);
    }
    all
}

/// A unit of a task that could be moved.
enum MovableUnit<'g> {
    Segment(&'g GraphSegment),
    /// A loop in which nobody is waited for.
    Passages(&'g GraphLoop, Vec<&'g GraphSegment>),
}

impl<'g> MovableUnit<'g> {
    fn segments(&self) -> Vec<&'g GraphSegment> {
        match self {
            MovableUnit::Segment(segment) => vec![segment],
            MovableUnit::Passages(_, all) => all.clone(),
        }
    }
}

struct Search<'a, 'g> {
    flow: &'g GraphFlow,
    flow_index: usize,
    ranks: u32,
    has_times: bool,
    all: &'a mut Vec<ParallelCandidate>,
}

impl<'g> Search<'_, 'g> {
    fn body(&mut self, steps: &'g [GraphStep]) {
        let mut by_task: BTreeMap<u32, Vec<MovableUnit<'g>>> = BTreeMap::new();
        let mut inner = Vec::new();
        units(steps, &mut by_task, &mut inner);
        for (task, units) in &by_task {
            self.task(*task, units);
        }
        for body in inner {
            self.body(body);
        }
    }

    fn task(&mut self, task: u32, units: &[MovableUnit<'g>]) {
        let mut before: Vec<&GraphSegment> = Vec::new();
        for unit in units {
            let segments = unit.segments();
            match unit {
                MovableUnit::Segment(_) if before.is_empty() => {}
                MovableUnit::Segment(_) => self.add(UnusedKind::Beside, task, &segments, &before),
                // What is before the loop is told from the loop's own passages by the segments' names.
                MovableUnit::Passages(graph_loop, _) if graph_loop.most != 1 => {
                    self.add(UnusedKind::Passages, task, &segments, &before);
                }
                MovableUnit::Passages(..) => {}
            }
            // Without times each segment would be one.
            if self.has_times && (self.flow.ranks.len() as u32) < self.ranks {
                for segment in &segments {
                    self.add(UnusedKind::Divided, task, std::slice::from_ref(segment), &[]);
                }
            }
            before.extend(segments);
        }
    }

    fn add(
        &mut self,
        kind: UnusedKind,
        task: u32,
        segments: &[&GraphSegment],
        beside: &[&GraphSegment],
    ) {
        let numbers =
            |group: &[&GraphSegment]| group.iter().map(|segment| segment.number).collect();
        let among = if kind == UnusedKind::Divided { self.ranks } else { 0 };
        self.all.push(ParallelCandidate {
            parallelism: UnusedParallelism {
                kind,
                segments: numbers(segments),
                beside: numbers(beside),
                task,
                ranks: self.flow.ranks.clone(),
                among,
                gain: None,
                places: segments.iter().map(|segment| segment.to.clone()).collect(),
            },
            flow: self.flow_index,
            nodes: segments.iter().map(|segment| segment.node).collect(),
        });
    }
}

/// The units of steps by their tasks, and the bodies of loops that have tasks of their own.
fn units<'g>(
    steps: &'g [GraphStep],
    by_task: &mut BTreeMap<u32, Vec<MovableUnit<'g>>>,
    inner: &mut Vec<&'g [GraphStep]>,
) {
    for step in steps {
        match step {
            GraphStep::Segment(segment) => {
                by_task.entry(segment.task).or_default().push(MovableUnit::Segment(segment));
            }
            GraphStep::Loop(graph_loop) if waits(&graph_loop.steps) => {
                inner.push(&graph_loop.steps)
            }
            // What is done under a condition is done once.
            GraphStep::Loop(graph_loop) if graph_loop.is_choice => {
                units(&graph_loop.steps, by_task, inner)
            }
            GraphStep::Loop(graph_loop) => {
                let mut all = Vec::new();
                segments(&graph_loop.steps, &mut all);
                if let Some(first) = all.first() {
                    let unit = MovableUnit::Passages(graph_loop, all.clone());
                    by_task.entry(first.task).or_default().push(unit);
                }
            }
            GraphStep::Call(_) | GraphStep::Task(_) => {}
        }
    }
}

fn segments<'g>(steps: &'g [GraphStep], all: &mut Vec<&'g GraphSegment>) {
    for step in steps {
        match step {
            GraphStep::Segment(segment) => all.push(segment),
            GraphStep::Loop(graph_loop) => segments(&graph_loop.steps, all),
            _ => {}
        }
    }
}
