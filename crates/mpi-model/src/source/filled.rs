//! The values that a run adds to the graph of its source: passages, sizes, partners and times that the source does
//! not show.
//!
//! Calls are the same if function and place are; if a flow has several such, their call paths must be equal, too. The
//! passages of a loop follow from how often a call in it was made, by how often its surroundings were passed through.

use std::collections::{BTreeSet, HashMap};

use cll_result::{GraphCall, GraphFlow, GraphLoop, GraphStep, MpiGraph};
use cll_trace::layout::call::Op;
use cll_units::{Bytes, Seconds};

/// Adds what a run shows to the graph of its source. Returns the calls of the run that the source does not have.
pub fn fill(graph: &mut MpiGraph, run: &MpiGraph) -> Vec<String> {
    let mut missing = BTreeSet::new();
    for flow in &mut graph.flows {
        let of_run: Vec<OfRun<'_>> =
            run.flows.iter().filter_map(|graph_flow| OfRun::new(graph_flow, &flow.ranks)).collect();
        let mut places: HashMap<(String, String), usize> = HashMap::new();
        each_call(&flow.steps, &mut |call| {
            *places.entry((call.call.clone(), short(&call.place))).or_default() += 1;
        });
        for seen in of_run.iter().flat_map(|run| &run.calls) {
            let key = (seen.call.clone(), short(&seen.place));
            let is_life = Op::of_function(&seen.call).is_some_and(Op::is_life);
            if !places.contains_key(&key) && !is_life {
                missing.insert(format!("{} at {}", seen.call, seen.place));
            }
        }
        let filling = Filling { of_run, places, equal: equal(&flow.steps) };
        let once = vec![1.0; filling.of_run.len()];
        filling.steps(&mut flow.steps, Some(&once));
        filling.segments(&mut flow.steps, &[String::new()], &[], &mut BTreeSet::new());
    }
    graph.runtime = run.runtime;
    graph.one_clock = run.one_clock;
    graph.is_measured = true;
    missing.into_iter().collect()
}

/// A flow of the run with ranks of a flow of the source.
struct OfRun<'r> {
    /// How many ranks both have, and how many the flow of the run has.
    both: f64,
    all: f64,
    calls: Vec<&'r GraphCall>,
    /// Places of the calls before and behind it, how often, and the time of one.
    segments: Vec<(String, String, f64, Seconds)>,
}

impl<'r> OfRun<'r> {
    fn new(flow: &'r GraphFlow, ranks: &[u32]) -> Option<OfRun<'r>> {
        let both = flow.ranks.iter().filter(|rank| ranks.contains(rank)).count();
        let mut calls = Vec::new();
        each_call(&flow.steps, &mut |call| calls.push(call));
        let mut segments = Vec::new();
        between(&flow.steps, &mut Vec::new(), &mut segments);
        let (both, all) = (both as f64, flow.ranks.len() as f64);
        (both > 0.0).then_some(OfRun { both, all, calls, segments })
    }
}

struct Filling<'r> {
    of_run: Vec<OfRun<'r>>,
    /// How many calls of the flow have this function and place.
    places: HashMap<(String, String), usize>,
    /// How many calls before have the same function, place and path, and how many there are in the flow, by node.
    equal: HashMap<usize, (usize, usize)>,
}

impl Filling<'_> {
    /// The calls of a flow of the run that are this one.
    fn calls_in<'a>(
        &'a self,
        call: &'a GraphCall,
        run: &'a OfRun<'a>,
    ) -> impl Iterator<Item = &'a GraphCall> {
        let place = short(&call.place);
        let is_alone = self.places.get(&(call.call.clone(), place.clone())) == Some(&1);
        let is_it = |seen: &&GraphCall| {
            seen.call == call.call
                && short(&seen.place) == place
                && (is_alone || seen.path.starts_with(&call.path))
        };
        let all: Vec<&GraphCall> = run.calls.iter().copied().filter(is_it).collect();
        let (index, equal) = self.equal.get(&call.node).copied().unwrap_or((0, 1));
        // Of several that are equal, it is known which is which if the run has as many.
        let range = match (equal, all.len() == equal) {
            (0 | 1, _) => 0..all.len(),
            (_, true) => index..index + 1,
            (_, false) => 0..0,
        };
        all.into_iter().skip(range.start).take(range.len())
    }

    /// How often each rank of each flow of the run made a call.
    fn counts(&self, call: &GraphCall) -> Vec<f64> {
        let count_in = |run: &OfRun<'_>| {
            self.calls_in(call, run).map(|seen| seen.times as f64).sum::<f64>() / run.all
        };
        self.of_run.iter().map(count_in).collect()
    }

    /// How often steps were passed through, by a call in them that is made each time.
    fn passed(&self, steps: &[GraphStep]) -> Option<Vec<f64>> {
        steps.iter().find_map(|step| match step {
            GraphStep::Call(call) => Some(self.counts(call)),
            GraphStep::Loop(graph_loop)
                if !graph_loop.is_choice
                    && graph_loop.is_known
                    && graph_loop.least == graph_loop.most
                    && graph_loop.most > 0 =>
            {
                let inner = self.passed(&graph_loop.steps)?;
                Some(inner.into_iter().map(|count| count / graph_loop.most as f64).collect())
            }
            _ => None,
        })
    }

    /// Whether the run has made none of the calls in steps; `false` if there are none.
    fn is_unused(&self, steps: &[GraphStep]) -> bool {
        let mut most: Option<f64> = None;
        each_call(steps, &mut |call| {
            let count = self.counts(call).into_iter().fold(0.0, f64::max);
            most = Some(most.unwrap_or(0.0).max(count));
        });
        most == Some(0.0)
    }

    fn steps(&self, steps: &mut [GraphStep], executions: Option<&[f64]>) {
        // Of two branches of a condition one is always taken if the other one never is.
        let head = |step: &GraphStep| match step {
            GraphStep::Loop(graph_loop) if graph_loop.is_choice => {
                let (_, condition) = graph_loop.head.split_once(' ').unwrap_or_default();
                Some((condition.to_owned(), self.is_unused(&graph_loop.steps)))
            }
            _ => None,
        };
        let heads: Vec<_> = steps.iter().map(head).collect();
        for (index, step) in steps.iter_mut().enumerate() {
            match step {
                GraphStep::Call(call) => self.call(call),
                GraphStep::Loop(graph_loop) => {
                    let own = heads[index].as_ref();
                    let beside = [index.checked_sub(1), Some(index + 1)].into_iter().flatten();
                    let is_other_unused = own.is_some_and(|own| {
                        let mut others =
                            beside.filter_map(|neighbour| heads.get(neighbour)?.as_ref());
                        others.any(|other| other.0 == own.0 && other.1)
                    });
                    let none = vec![0.0; self.of_run.len()];
                    let branch = match own {
                        Some((_, true)) => Some(&none[..]),
                        Some(_) if is_other_unused => executions,
                        _ => None,
                    };
                    self.repeated(graph_loop, executions, branch);
                }
                GraphStep::Segment(segment) => {
                    segment.times = executions.map_or(0, |counts| self.all(counts).round() as u64);
                }
                GraphStep::Task(_) => {}
            }
        }
    }

    /// Returns the sum over all ranks of the flow.
    fn all(&self, counts: &[f64]) -> f64 {
        counts.iter().zip(&self.of_run).map(|(count, run)| count * run.both).sum()
    }

    /// `taken`: how often it was passed through, if it is a branch of which that is known.
    fn repeated(
        &self,
        graph_loop: &mut GraphLoop,
        executions: Option<&[f64]>,
        taken: Option<&[f64]>,
    ) {
        let known = (graph_loop.is_known && graph_loop.least == graph_loop.most)
            .then_some(graph_loop.most as f64);
        let passed = match (self.passed(&graph_loop.steps), known, executions) {
            (None, ..) if taken.is_some() => taken.map(<[f64]>::to_vec),
            (Some(passed), ..) => Some(passed),
            (None, Some(known), Some(executions)) if !graph_loop.is_choice => {
                Some(executions.iter().map(|count| count * known).collect())
            }
            _ => None,
        };
        if let (Some(passed), Some(executions)) = (&passed, executions) {
            let each = passed.iter().zip(executions).filter(|(_, around)| **around > 0.0);
            let each: Vec<f64> = each.map(|(count, around)| count / around).collect();
            if graph_loop.is_choice {
                let (taken, of_all) = (self.all(passed).round(), self.all(executions).round());
                (graph_loop.least, graph_loop.most) = (taken as u64, of_all as u64);
                graph_loop.is_measured = of_all > 0.0;
            } else if !graph_loop.is_known && !each.is_empty() {
                let least = each.iter().copied().fold(f64::INFINITY, f64::min);
                let most = each.iter().copied().fold(0.0, f64::max);
                (graph_loop.least, graph_loop.most) = (least.floor() as u64, most.ceil() as u64);
                (graph_loop.is_known, graph_loop.is_measured) = (true, true);
            }
        }
        self.steps(&mut graph_loop.steps, passed.as_deref());
    }

    fn call(&self, call: &mut GraphCall) {
        let seen: Vec<(&GraphCall, f64)> = self
            .of_run
            .iter()
            .flat_map(|run| self.calls_in(call, run).map(|seen| (seen, run.both / run.all)))
            .collect();
        let times: f64 = seen.iter().map(|(call, share)| call.times as f64 * share).sum();
        let mean = |value: &dyn Fn(&GraphCall) -> Option<Seconds>| -> Option<Seconds> {
            let all =
                seen.iter().map(|&(call, share)| Some(value(call)? * (call.times as f64 * share)));
            let sum = all.sum::<Option<Seconds>>()?;
            (times > 0.0).then(|| sum / times)
        };
        let (time, waiting) = (mean(&|call| call.time), mean(&|call| call.waiting));
        let sum_of = |value_of: fn(&GraphCall) -> u64| -> u64 {
            seen.iter().map(|(call, share)| value_of(call) as f64 * share).sum::<f64>().round()
                as u64
        };
        let partners: BTreeSet<&str> = seen
            .iter()
            .map(|(call, _)| bare(&call.partners))
            .filter(|partner| !partner.is_empty() && *partner != "any rank")
            .collect();
        let (polls, sent, received) = (
            sum_of(|call| call.polls),
            sum_of(|call| call.sent.get()),
            sum_of(|call| call.received.get()),
        );
        let least = seen.iter().map(|(call, _)| call.least_bytes).min().unwrap_or_default();
        let most = seen.iter().map(|(call, _)| call.most_bytes).max().unwrap_or_default();
        let open = seen.iter().map(|(call, _)| call.open).sum();
        if call.are_partners_open && !partners.is_empty() {
            let partners: Vec<&str> = partners.into_iter().collect();
            call.partners.push_str(&format!(" (measured: {})", partners.join("; ")));
        }
        (call.time, call.waiting) = (time, waiting);
        (call.times, call.polls) = (times.round() as u64, polls);
        (call.sent, call.received) = (Bytes(sent), Bytes(received));
        (call.least_bytes, call.most_bytes, call.open) = (least, most, open);
        call.is_measured = true;
    }

    /// Segments get the computation between the calls that may be next to them. If two are between the same calls, at the
    /// end and the begin of a loop, the first one gets it.
    fn segments(
        &self,
        steps: &mut [GraphStep],
        before: &[String],
        after: &[String],
        taken: &mut BTreeSet<(String, String)>,
    ) {
        for index in 0..steps.len() {
            let (left, right) = steps.split_at_mut(index);
            let Some((step, right)) = right.split_first_mut() else { break };
            let mut earlier = ends(left.iter().rev(), true);
            if earlier.1 {
                earlier.0.extend_from_slice(before);
            }
            let mut afters = ends(right.iter(), false);
            if afters.1 {
                afters.0.extend_from_slice(after);
            }
            match step {
                GraphStep::Loop(graph_loop) => {
                    let (mut before, mut after) = (earlier.0, afters.0);
                    if !graph_loop.is_choice {
                        before.extend(ends(graph_loop.steps.iter().rev(), true).0);
                        after.extend(ends(graph_loop.steps.iter(), false).0);
                    }
                    self.segments(&mut graph_loop.steps, &before, &after, taken);
                }
                GraphStep::Segment(segment) => {
                    let mut sum = Seconds::ZERO;
                    let mut times = 0.0;
                    for run in &self.of_run {
                        for (from, to, count, time) in &run.segments {
                            let pair = (from.clone(), to.clone());
                            let fits = earlier.0.contains(from) && afters.0.contains(to);
                            if !fits || taken.contains(&pair) {
                                continue;
                            }
                            let count = count * run.both / run.all;
                            times += count;
                            sum += *time * count;
                        }
                    }
                    for from in &earlier.0 {
                        taken.extend(afters.0.iter().map(|to| (from.clone(), to.clone())));
                    }
                    // A segment of the run may be passed through more often: it is also what lies between two calls of
                    // one inner loop.
                    match segment.times {
                        0 => segment.times = times.round() as u64,
                        known => times = known as f64,
                    }
                    let has_time = sum > Seconds::ZERO;
                    segment.time = (has_time && times > 0.0).then(|| sum / times);
                    segment.is_measured = segment.time.is_some();
                }
                GraphStep::Call(_) | GraphStep::Task(_) => {}
            }
        }
    }
}

/// The computation between calls. What begins the passages of a loop in the run lies between the last call of a passage and
/// the first one of the next, but for the first passage: `begun` are the loops, outermost first, which begin here.
fn between<'a>(
    steps: &'a [GraphStep],
    begun: &mut Vec<&'a GraphLoop>,
    segments: &mut Vec<(String, String, f64, Seconds)>,
) {
    for step in steps {
        match step {
            GraphStep::Segment(segment) => {
                let (to, time) = (short(&segment.to), segment.time.unwrap_or_default());
                let mut times = segment.times as f64;
                for graph_loop in begun.iter().rev() {
                    let passages = (graph_loop.least + graph_loop.most) as f64 / 2.0;
                    let entries = if passages > 0.0 { times / passages } else { times };
                    for last in ends(graph_loop.steps.iter().rev(), true).0 {
                        segments.push((last, to.clone(), times - entries, time));
                    }
                    times = entries;
                }
                segments.push((short(&segment.from), to, times, time));
            }
            GraphStep::Loop(inner_loop) => {
                begun.push(inner_loop);
                between(&inner_loop.steps, begun, segments);
            }
            GraphStep::Call(_) | GraphStep::Task(_) => {}
        }
        begun.clear();
    }
}

/// The places of calls with which steps may begin, or end if they come in reverse; whether they may have none.
fn ends<'a>(steps: impl Iterator<Item = &'a GraphStep>, is_reverse: bool) -> (Vec<String>, bool) {
    let mut texts = Vec::new();
    for step in steps {
        match step {
            GraphStep::Call(call) => {
                texts.push(short(&call.place));
                return (texts, false);
            }
            GraphStep::Loop(graph_loop) => {
                let inner = if is_reverse {
                    ends(graph_loop.steps.iter().rev(), true)
                } else {
                    ends(graph_loop.steps.iter(), false)
                };
                let is_certain = !graph_loop.is_choice
                    && graph_loop.is_known
                    && graph_loop.least > 0
                    && !inner.1;
                texts.extend(inner.0);
                if is_certain {
                    return (texts, false);
                }
            }
            GraphStep::Segment(_) | GraphStep::Task(_) => {}
        }
    }
    (texts, true)
}

/// Returns for each call how many before it have the same function, place and path, and how many there are.
fn equal(steps: &[GraphStep]) -> HashMap<usize, (usize, usize)> {
    let mut groups: HashMap<(&str, &str, &[String]), Vec<usize>> = HashMap::new();
    each_call(steps, &mut |call| {
        groups.entry((&call.call, &call.place, &call.path)).or_default().push(call.node);
    });
    let number_group = |group: Vec<usize>| {
        let count = group.len();
        group.into_iter().enumerate().map(move |(index, node)| (node, (index, count)))
    };
    groups.into_values().flat_map(number_group).collect()
}

fn each_step<'a>(steps: &'a [GraphStep], visit: &mut dyn FnMut(&'a GraphStep)) {
    for step in steps {
        visit(step);
        if let GraphStep::Loop(graph_loop) = step {
            each_step(&graph_loop.steps, visit);
        }
    }
}

fn each_call<'a>(steps: &'a [GraphStep], visit: &mut dyn FnMut(&'a GraphCall)) {
    each_step(steps, &mut |step| {
        if let GraphStep::Call(call) = step {
            visit(call);
        }
    });
}

/// A place without folders: debug information and the command may name them differently.
fn short(place: &str) -> String {
    place.rsplit('/').next().unwrap_or(place).to_owned()
}

/// Partners without the word before them.
fn bare(partners: &str) -> &str {
    let words = ["to ", "from ", "with "];
    words.iter().find_map(|word| partners.strip_prefix(word)).unwrap_or(partners)
}
