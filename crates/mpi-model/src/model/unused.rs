//! The bounds of the gain from unused parallelism: by how much the longest path through a run would be shorter.

use std::collections::{BTreeSet, HashMap};

use cll_calls::Peer;
use cll_model::graph::{Action, CallStep, Cost, Passages, Peer as Partner, Step, longest_path};
use cll_result::{GraphStep, MpiGraph, MpiUnused, UnusedKind};
use cll_trace::layout::call::{Class, Op};
use cll_units::Seconds;

use crate::graph::{ParallelCandidate, candidates};

use super::program::{collective, completes, is_begun, waits_for_receiver};
use super::run::{MeasuredRun, Passed, RankSteps};
use super::structure::{Fitted, RankStep, Structure};

/// The share of the longest path below which a gain is left out.
const SMALL: f64 = 1e-3;
/// So many are evaluated, those first that take most time.
const EVALUATED: usize = 24;
/// So many calls are walked through for all of them together.
const BUDGET: u64 = 20_000_000;

/// The assumption that holds for all bounds.
const ASSUMED: &str = "assumed: a segment needs what its rank has received before it, not what an earlier segment of its \
    task has computed: data in memory are not seen here";

/// The parallelism that a program does not use, by its low-level graph; the gain by its run, which is read only for
/// graphs of runs.
pub fn unused_parallelism(
    graph: &MpiGraph,
    run: impl FnOnce() -> Result<MeasuredRun, String>,
) -> MpiUnused {
    let all = candidates(graph);
    let mut unused = MpiUnused::default();
    if !all.is_empty() {
        unused.notes.push(ASSUMED.to_owned());
    }
    if graph.is_source {
        unused.list = all.into_iter().map(|candidate| candidate.parallelism).collect();
        unused.notes.push(if graph.is_measured {
            "gains are in the graph of the run: cll mpi graph LOG... --parallelism".to_owned()
        } else {
            "nothing was run, so no gain is known".to_owned()
        });
        return unused;
    }
    match run() {
        Ok(run) => evaluate(graph, all, &run, &mut unused),
        Err(why) => {
            unused.list = all.into_iter().map(|candidate| candidate.parallelism).collect();
            unused.notes.push(format!("no gain is known: {why}"));
        }
    }
    unused
}

/// The changes to a program, by flow and number of the call in it.
#[derive(Default)]
struct Changed {
    /// The computation before these begins when the process has last waited.
    beside: BTreeSet<(usize, usize)>,
    /// That before these takes so much of its time.
    factors: HashMap<(usize, usize), f64>,
}

impl Changed {
    /// The change by one candidate, where a segment has the number of the call behind it.
    fn by(candidate: &ParallelCandidate, behind: &HashMap<usize, usize>) -> Changed {
        let calls =
            candidate.nodes.iter().filter_map(|node| Some((candidate.flow, *behind.get(node)?)));
        let mut changed = Changed::default();
        match candidate.parallelism.kind {
            UnusedKind::Divided => {
                let factor = candidate.parallelism.ranks.len() as f64
                    / f64::from(candidate.parallelism.among.max(1));
                changed.factors.extend(calls.map(|call| (call, factor)));
            }
            UnusedKind::Beside | UnusedKind::Passages => changed.beside.extend(calls),
        }
        changed
    }
}

fn evaluate(
    graph: &MpiGraph,
    all: Vec<ParallelCandidate>,
    run: &MeasuredRun,
    unused: &mut MpiUnused,
) {
    let rank = |(rank, rank_steps): (usize, &RankSteps)| {
        let flow = graph.flows.iter().position(|flow| flow.ranks.contains(&(rank as u32)))?;
        let structure = Structure::new(&rank_steps.steps);
        let fitted = structure.fit(&rank_steps.steps).ok()?;
        Some(Rank { flow, begin: rank_steps.begin, structure, fitted })
    };
    let ranks: Option<Vec<Rank>> = run.ranks.iter().enumerate().map(rank).collect();
    let Some(ranks) = ranks else {
        unused.list = all.into_iter().map(|candidate| candidate.parallelism).collect();
        unused.notes.push("no gain is known: the steps of a rank are not understood".to_owned());
        return;
    };
    let before: Vec<HashMap<usize, usize>> =
        graph.flows.iter().map(|flow| calls_behind(&flow.steps)).collect();
    let program = |changed: &Changed| -> f64 {
        let processes: Vec<Vec<Step>> = ranks.iter().map(|rank| rank.steps(changed)).collect();
        let begins: Vec<Cost> =
            ranks.iter().map(|rank| Cost { source: 0, seconds: rank.begin }).collect();
        longest_path(&processes, &begins, &[], 0).time
    };
    let total = program(&Changed::default());
    unused.longest_path = Some(Seconds(total));
    // Those that take most time.
    let mut order: Vec<(f64, ParallelCandidate)> = all
        .into_iter()
        .map(|candidate| {
            (
                candidate.nodes.iter().map(|&node| seconds(graph, candidate.flow, node)).sum(),
                candidate,
            )
        })
        .collect();
    order.sort_by(|left, other| other.0.total_cmp(&left.0));
    let most = (BUDGET / graph.calls.max(1)) as usize;
    let mut together = Changed::default();
    for (index, (time, mut candidate)) in order.into_iter().enumerate() {
        let changed = Changed::by(&candidate, &before[candidate.flow]);
        together.beside.extend(&changed.beside);
        if time < SMALL * total {
            unused.small += 1;
            continue;
        }
        let gain = if index < EVALUATED.min(most.max(1)) {
            (total - program(&changed)).max(0.0)
        } else {
            // Its time is a bound, too.
            time.min(total)
        };
        if gain < SMALL * total {
            unused.small += 1;
            continue;
        }
        candidate.parallelism.gain = Some(Seconds(gain));
        unused.list.push(candidate.parallelism);
    }
    unused.list.sort_by(|parallelism, other| {
        let gain = |item: &cll_result::UnusedParallelism| item.gain.unwrap_or_default();
        gain(other).total_cmp(&gain(parallelism))
    });
    if !together.beside.is_empty() {
        unused.together = Some(Seconds(program(&together)));
    }
}

/// Seconds of a segment, of the process that spends most on average.
fn seconds(graph: &MpiGraph, flow: usize, node: usize) -> f64 {
    fn find_time(steps: &[GraphStep], node: usize) -> Option<f64> {
        steps.iter().find_map(|step| match step {
            GraphStep::Segment(segment) if segment.node == node => {
                Some(segment.time.unwrap_or_default().get() * segment.times as f64)
            }
            GraphStep::Loop(inner) => find_time(&inner.steps, node),
            _ => None,
        })
    }
    let flow = &graph.flows[flow];
    find_time(&flow.steps, node).unwrap_or(0.0) / flow.ranks.len().max(1) as f64
}

/// For each segment the number of the call behind it, counted from the last beginning of MPI.
fn calls_behind(steps: &[GraphStep]) -> HashMap<usize, usize> {
    fn walk(
        steps: &[GraphStep],
        count: &mut usize,
        segment: &mut Option<usize>,
        all: &mut HashMap<usize, usize>,
    ) {
        for step in steps {
            match step {
                GraphStep::Segment(graph_segment) => *segment = Some(graph_segment.node),
                GraphStep::Loop(graph_loop) => walk(&graph_loop.steps, count, segment, all),
                GraphStep::Call(call)
                    if Op::of_function(&call.call).is_some_and(Op::begins_mpi) =>
                {
                    (*count, *segment) = (0, None);
                    all.clear();
                }
                GraphStep::Call(_) => {
                    if let Some(node) = segment.take() {
                        all.insert(node, *count);
                    }
                    *count += 1;
                }
                GraphStep::Task(_) => {}
            }
        }
    }
    let mut all = HashMap::new();
    walk(steps, &mut 0, &mut None, &mut all);
    all
}

/// A rank of the run.
struct Rank {
    flow: usize,
    begin: f64,
    structure: Structure,
    fitted: Fitted,
}

impl Rank {
    fn steps(&self, changed: &Changed) -> Vec<Step> {
        self.parts(&self.structure.parts, changed)
    }

    fn parts(&self, parts: &[RankStep], changed: &Changed) -> Vec<Step> {
        let mut steps = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                RankStep::Loop { number, body } => steps.push(Step::Repeat {
                    passages: Passages::Times(self.fitted.loops[*number]),
                    body: self.parts(body, changed),
                }),
                RankStep::Call { node, .. } => {
                    let Some(passed) = &self.fitted.nodes[*node] else { continue };
                    let key = (self.flow, *node);
                    let factor = changed.factors.get(&key).copied().unwrap_or(1.0);
                    let called = Cost { source: 0, seconds: passed.called };
                    steps.push(Step::Call(Box::new(CallStep {
                        node: *node,
                        computed: Cost { source: 0, seconds: passed.computed * factor },
                        waited: called,
                        direct: called,
                        action: action(passed),
                        is_beside: changed.beside.contains(&key),
                    })));
                }
            }
        }
        steps
    }
}

/// Returns the action of a call, as it was seen.
fn action(passed: &Passed) -> Action {
    let partner = |peer: &Peer| match *peer {
        Peer::Rank(rank) => Partner::Process(rank as usize),
        Peer::Any => Partner::Any,
        Peer::Nobody => Partner::Nobody,
    };
    let details = &passed.details;
    let is_reply = details.replies == details.to.len() as u64
        && details.to.windows(2).any(|pair| pair[0] != pair[1]);
    Action {
        to: if is_reply {
            vec![Partner::LastSource]
        } else {
            details.to.iter().map(partner).collect()
        },
        from: details.from.iter().map(partner).collect(),
        is_begun: is_begun(passed.op),
        is_rendezvous: passed.op.class() == Class::Send
            && match passed.op.plain() {
                Op::Ssend => true,
                Op::Bsend => false,
                _ => waits_for_receiver(passed),
            },
        is_probe: passed.op.class() == Class::Probe,
        completes: completes(std::iter::once(passed)),
        collective: details.collective.map(|kind| collective(kind, passed.root, &details.members)),
    }
}

#[cfg(test)]
mod tests {
    use cll_calls::Details;
    use cll_result::{GraphCall, GraphFlow, GraphLoop, GraphSegment, GraphSync};

    use super::super::run::RunStep;
    use super::*;

    /// A call of a rank with the computation before it: seconds of both, in the graph and in the run.
    struct Made {
        name: &'static str,
        to: Option<u32>,
        from: Option<u32>,
        computed: f64,
        called: f64,
    }

    fn timed_call(name: &'static str, computed: f64, called: f64) -> Made {
        Made { name, to: None, from: None, computed, called }
    }

    /// Both, with the calls in a loop of so many passages; nodes and segments are numbered on.
    fn rank(
        calls: &[Made],
        passages: u64,
        (nodes, segments): (&mut usize, &mut u32),
    ) -> (Vec<GraphStep>, Vec<RunStep>) {
        let (mut steps, mut run) = (Vec::new(), Vec::new());
        for call in calls {
            if call.computed > 0.0 {
                *segments += 1;
                steps.push(GraphStep::Segment(GraphSegment {
                    node: *nodes,
                    number: *segments,
                    times: passages,
                    time: Some(Seconds(call.computed)),
                    ..GraphSegment::default()
                }));
                *nodes += 1;
            }
            let waits = call.from.is_some();
            steps.push(GraphStep::Call(GraphCall {
                node: *nodes,
                call: format!("MPI_{}", call.name),
                symbol: if call.to.is_some() {
                    cll_result::GraphSymbol::Send
                } else {
                    cll_result::GraphSymbol::Other
                },
                synchronises: if waits { GraphSync::Receive } else { GraphSync::No },
                ..GraphCall::default()
            }));
            *nodes += 1;
            let peers = |partner: Option<u32>| partner.into_iter().map(Peer::Rank).collect();
            run.push(RunStep::Call(Box::new(Passed {
                site: *nodes as u32,
                op: Op::named(call.name).expect("a call"),
                times: passages as f64,
                computed: call.computed,
                called: call.called,
                waited: 0.0,
                root: None,
                details: Details {
                    to: peers(call.to),
                    from: peers(call.from),
                    ..Details::default()
                },
            })));
        }
        if passages > 1 {
            let graph_loop =
                GraphLoop { least: passages, most: passages, steps, ..GraphLoop::default() };
            steps = vec![GraphStep::Loop(graph_loop)];
            run = vec![RunStep::Loop { passages: (passages, passages), body: run }];
        }
        (steps, run)
    }

    fn unused_of(ranks: Vec<(Vec<GraphStep>, Vec<RunStep>)>) -> MpiUnused {
        let mut graph = MpiGraph { ranks: ranks.len() as u32, calls: 10, ..MpiGraph::new() };
        let mut all = Vec::new();
        for (rank, (steps, run)) in ranks.into_iter().enumerate() {
            graph.flows.push(GraphFlow { ranks: vec![rank as u32], thread: None, steps });
            all.push(RankSteps { begin: 0.0, steps: run, end: 0.0 });
        }
        let graph = crate::graph::with_tasks(graph);
        let run = MeasuredRun {
            values: Vec::new(),
            processors: graph.ranks,
            seconds: 0.0,
            around: None,
            width: None,
            ranks: all,
            library: String::new(),
            errors: 0,
            unrecorded: Vec::new(),
        };
        let mut unused = MpiUnused::default();
        evaluate(&graph, candidates(&graph), &run, &mut unused);
        unused
    }

    #[test]
    fn gains_are_those_computed_by_hand() {
        // Rank 0: I 0-3, send -3.5, II -5.5, receive -6.5 (the message was sent at 4.5), III -7.5.
        // Rank 1: receives at 3, -3.5; IV -4.5; send -4.75.
        let (mut nodes, mut segments) = (0, 0);
        let mades = [
            Made { to: Some(1), ..timed_call("Send", 3.0, 0.5) },
            Made { from: Some(1), ..timed_call("Recv", 2.0, 1.0) },
            timed_call("Finalize", 1.0, 0.0),
        ];
        let other = [
            Made { from: Some(0), ..timed_call("Recv", 0.0, 0.5) },
            Made { to: Some(0), ..timed_call("Send", 1.0, 0.25) },
            timed_call("Finalize", 0.0, 0.0),
        ];
        let ranks = vec![
            rank(&mades, 1, (&mut nodes, &mut segments)),
            rank(&other, 1, (&mut nodes, &mut segments)),
        ];
        let unused = unused_of(ranks);
        assert_eq!(unused.longest_path, Some(Seconds(7.5)));
        let list: Vec<_> = unused
            .list
            .iter()
            .map(|parallelism| {
                (
                    parallelism.kind,
                    &parallelism.segments[..],
                    &parallelism.beside[..],
                    parallelism.gain.unwrap_or_default(),
                )
            })
            .collect();
        use UnusedKind::{Beside, Divided};
        // I in 1.5: all is 1.5 earlier. II beside I: the receive ends at 4.5 + 1. II in 1: it ends at 4.5, too.
        // III in 0.5. IV in 0.5: its message comes at 4, before II has ended.
        let expected: [(UnusedKind, &[u32], &[u32], Seconds); 4] = [
            (Divided, &[1], &[], Seconds(1.5)),
            (Beside, &[2], &[1], Seconds(1.0)),
            (Divided, &[2], &[], Seconds(1.0)),
            (Divided, &[3], &[], Seconds(0.5)),
        ];
        for mades in &expected {
            assert!(list.contains(mades), "{mades:?} is not in {list:?}");
        }
        assert_eq!((list.len(), list[0], unused.small), (4, expected[0], 1));
        assert_eq!(unused.together, Some(Seconds(6.5)));
        assert_eq!((unused.list[0].task, unused.list[0].among), (1, 2));
    }

    #[test]
    fn passages_of_a_loop_without_waits_are_bounded_by_one_of_them() {
        // Four times 1 and 0.5: 6. Beside each other: 1, and four times 0.5.
        let (mut nodes, mut segments) = (0, 0);
        let mades = [Made { to: Some(1), ..timed_call("Send", 1.0, 0.5) }];
        let other = [Made { from: Some(0), ..timed_call("Recv", 0.0, 0.0) }];
        let ranks = vec![
            rank(&mades, 4, (&mut nodes, &mut segments)),
            rank(&other, 4, (&mut nodes, &mut segments)),
        ];
        let unused = unused_of(ranks);
        assert_eq!(unused.longest_path, Some(Seconds(6.0)));
        let passages =
            unused.list.iter().find(|parallelism| parallelism.kind == UnusedKind::Passages);
        assert_eq!(passages.and_then(|mades| mades.gain), Some(Seconds(3.0)));
    }
}
