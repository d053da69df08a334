//! The graph of an MPI program from its source: without running it, for a number of ranks.
//!
//! Each rank is followed through `main` and the functions that communicate. Conditions are decided where their values
//! are known from the rank, the number of ranks, constants and assignments; where they are not, the steps are kept as a
//! choice. Ranks with the same steps are one flow.

mod evaluate;
mod filled;
mod matching;
mod operations;
mod program;
mod walk;

use cll_result::{GraphCall, GraphFlow, GraphLoop, GraphSegment, GraphStep, MpiGraph};
use cll_trace::layout::call::{Class, Op};

use crate::graph::{Roots, symbol, synchronises, with_tasks};

pub use filled::fill;
use program::Program;
use walk::{Side, Step, Walk};

/// The largest number of ranks that are followed.
pub const MAX_RANKS: u32 = 1024;

/// The graph of a program's files (name and content) for so many ranks; `None`: there is no `main` in them, or it calls
/// no MPI.
pub fn source_graph(files: &[(String, Vec<u8>)], ranks: u32) -> Option<MpiGraph> {
    let program = Program::new(files);
    let mut flows: Vec<(String, Vec<u32>, Vec<Vec<Step>>)> = Vec::new();
    for rank in 0..ranks.min(MAX_RANKS) {
        let steps = Walk::rank(&program, i64::from(rank), i64::from(ranks))?;
        let shape = shape(&steps);
        match flows.iter_mut().find(|flow| flow.0 == shape) {
            Some(flow) => {
                flow.1.push(rank);
                flow.2.push(steps);
            }
            None => flows.push((shape, vec![rank], vec![steps])),
        }
    }
    let mut writer = Writer::default();
    let mut graph = MpiGraph {
        program: files
            .first()
            .map_or(String::new(), |file| file.0.rsplit('/').next().unwrap_or(&file.0).to_owned()),
        ranks,
        is_source: true,
        files: files.iter().map(|file| file.0.clone()).collect(),
        ..MpiGraph::new()
    };
    for (index, (_, ranks, steps)) in flows.iter().enumerate() {
        let all: Vec<&[Step]> = steps.iter().map(Vec::as_slice).collect();
        let steps = writer.steps(index, ranks, &all);
        graph.flows.push(GraphFlow { ranks: ranks.clone(), thread: None, steps });
    }
    graph.messages = matching::messages(&writer.sides);
    graph.collectives = matching::collectives(&writer.collectives);
    graph.calls = writer.calls;
    (writer.calls > 0).then(|| with_tasks(graph))
}

/// Returns the shape that the ranks of one flow have in common.
fn shape(steps: &[Step]) -> String {
    let step_text = |step: &Step| match step {
        Step::Segment { function, lines, .. } => format!("s{function}{lines:?}"),
        Step::Call(call) => format!("c{}{}{:?}", call.op.name(), call.place, call.path),
        Step::Loop { head, steps, .. } => format!("l{head}({})", shape(steps)),
    };
    steps.iter().map(step_text).collect::<Vec<_>>().join(";")
}

/// Numbers nodes.
#[derive(Default)]
struct Writer {
    nodes: usize,
    segments: u32,
    calls: u64,
    sides: Vec<matching::MatchedCall>,
    collectives: Vec<(usize, usize, Op, String)>,
}

impl Writer {
    /// The steps of the ranks of a flow, which differ only in values.
    fn steps(&mut self, flow: usize, ranks: &[u32], all: &[&[Step]]) -> Vec<GraphStep> {
        let Some(first) = all.first() else { return Vec::new() };
        let mut steps = Vec::new();
        for (index, step) in first.iter().enumerate() {
            let same: Vec<&Step> = all.iter().filter_map(|steps| steps.get(index)).collect();
            steps.push(match step {
                Step::Segment { function, file, lines, operations } => {
                    self.nodes += 1;
                    self.segments += 1;
                    GraphStep::Segment(GraphSegment {
                        node: self.nodes - 1,
                        number: self.segments,
                        function: function.clone(),
                        from: format!("{file}:{}", lines.0),
                        to: format!("{file}:{}", lines.1),
                        operations: operations.text(),
                        ..GraphSegment::default()
                    })
                }
                Step::Call(_) => GraphStep::Call(self.call(flow, ranks, &same)),
                Step::Loop { head, is_choice, .. } => {
                    let counts: Vec<Option<u64>> = same
                        .iter()
                        .map(|step| match step {
                            Step::Loop { passages, .. } => *passages,
                            _ => None,
                        })
                        .collect();
                    let inner: Vec<&[Step]> = same
                        .iter()
                        .filter_map(|step| match step {
                            Step::Loop { steps, .. } => Some(steps.as_slice()),
                            _ => None,
                        })
                        .collect();
                    let known: Option<Vec<u64>> = counts.into_iter().collect();
                    let known = known.unwrap_or_default();
                    GraphStep::Loop(GraphLoop {
                        least: known.iter().copied().min().unwrap_or(0),
                        most: known.iter().copied().max().unwrap_or(0),
                        is_known: !known.is_empty(),
                        is_choice: *is_choice,
                        head: head.clone(),
                        steps: self.steps(flow, ranks, &inner),
                        ..GraphLoop::default()
                    })
                }
            });
        }
        steps
    }

    fn call(&mut self, flow: usize, ranks: &[u32], same: &[&Step]) -> GraphCall {
        let all: Vec<&walk::Call> = same
            .iter()
            .filter_map(|step| match step {
                Step::Call(call) => Some(call),
                _ => None,
            })
            .collect();
        self.nodes += 1;
        self.calls += 1;
        let node = self.nodes - 1;
        let Some(call) = all.first() else { return GraphCall { node, ..GraphCall::default() } };
        let sides = |side_of: fn(&walk::Call) -> &Option<Side>| -> Vec<(u32, Side)> {
            ranks
                .iter()
                .zip(&all)
                .filter_map(|(&rank, call)| Some((rank, side_of(call).clone()?)))
                .collect()
        };
        let (to, from) = (sides(|call| &call.to), sides(|call| &call.from));
        let are_partners_open = [&to, &from].iter().any(|sides| {
            sides.iter().any(|(_, side)| side.rank.is_none() && side.partner != "MPI_PROC_NULL")
        });
        if !to.is_empty() || !from.is_empty() {
            self.sides.push(matching::MatchedCall { node, flow, to, from });
        }
        if call.op.class() == Class::Collective && !call.op.is_persistent() {
            self.collectives.push((node, flow, call.op, call.place.clone()));
        }
        let is_root = |call: &&&walk::Call, rank: u32| {
            call.root.as_ref().is_some_and(|root| root.rank == Some(i64::from(rank)))
        };
        let roots = all.iter().zip(ranks).filter(|(call, rank)| is_root(call, **rank)).count();
        let has_root_value = call.root.as_ref().is_some_and(|root| root.rank.is_some());
        let roots = match (roots == all.len(), roots == 0 && has_root_value) {
            (true, _) => Roots::All,
            (_, true) => Roots::None,
            _ => Roots::Some,
        };
        let symbol = symbol(call.op, roots);
        GraphCall {
            node,
            call: format!("MPI_{}", call.op.name()),
            symbol,
            nonblocking: call.op.has_request(),
            place: call.place.clone(),
            path: call.path.clone(),
            partners: partners(call),
            size: call.size.clone(),
            are_partners_open,
            synchronises: synchronises(call.op, symbol, None),
            ..GraphCall::default()
        }
    }
}

/// Partners as they are written.
fn partners(call: &walk::Call) -> String {
    let written = |side: &Side| match side.partner.as_str() {
        "MPI_ANY_SOURCE" => "any rank".to_owned(),
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("rank {number}"),
        other => other.to_owned(),
    };
    match (&call.to, &call.from, &call.root) {
        (Some(to), Some(from), _) => format!("to {}, from {}", written(to), written(from)),
        (Some(to), None, _) => format!("to {}", written(to)),
        (None, Some(from), _) => format!("from {}", written(from)),
        (None, None, Some(root)) => format!("root {}", root.partner),
        _ => String::new(),
    }
}
