//! From the low-level graph, DP\*Graph, to the high-level one, T-Graph\*: a task is what a process does from one
//! synchronisation point to the next, so tasks are joined by messages and collectives only where one waits.
//!
//! Why: decision 0144.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cll_result::{
    GraphCall, GraphEdge, GraphFlow, GraphLoop, GraphSegment, GraphStep, GraphSymbol, GraphTask,
    MpiGraph,
};
use cll_trace::layout::call::{Class, Op};
use cll_units::Seconds;

/// The graph with the number of its task at each segment and call.
pub fn with_tasks(mut graph: MpiGraph) -> MpiGraph {
    let tasks = tasks(&graph).of_node;
    for flow in &mut graph.flows {
        each(&mut flow.steps, &mut |step| {
            let number = |node: &usize| tasks.get(node).map_or(0, |task| task + 1);
            match step {
                GraphStep::Segment(segment) => segment.task = number(&segment.node),
                GraphStep::Call(call) => call.task = number(&call.node),
                _ => {}
            }
        });
    }
    graph
}

fn each(steps: &mut [GraphStep], change: &mut dyn FnMut(&mut GraphStep)) {
    for step in steps {
        change(step);
        if let GraphStep::Loop(graph_loop) = step {
            each(&mut graph_loop.steps, change);
        }
    }
}

/// The graph of tasks of a low-level graph. Segments keep their numbers, and the nodes of a task are those of the graph.
pub fn task_graph(graph: &MpiGraph) -> MpiGraph {
    let Tasks { flows, of_node, joining, sent } = tasks(graph);
    let task_of = |node: &usize| of_node.get(node).map(|&number| number as usize);
    let mut edges: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for edge in &graph.messages {
        // What is only begun is received by the task that waits for it.
        let to = joining.get(&edge.to).unwrap_or(&edge.to);
        if let (Some(from), Some(to)) = (task_of(&edge.from), task_of(to)) {
            *edges.entry((from, to)).or_default() += edge.messages;
        }
    }
    let mut collectives = Vec::new();
    for group in &graph.collectives {
        // Who waits needs the others; who does not only gives. A wait for a request comes later.
        let (mut waits, mut gives) = (BTreeSet::new(), BTreeSet::new());
        for node in group {
            match joining.get(node) {
                Some(later) => waits.extend(task_of(later)),
                None if sent.contains(node) => gives.extend(task_of(node)),
                None => waits.extend(task_of(node)),
            }
        }
        for &from in &gives {
            for &to in &waits {
                edges.entry((from, to)).or_default();
            }
        }
        if waits.len() > 1 && gives.is_empty() {
            collectives.push(waits.into_iter().collect());
        }
    }
    let messages = edges.into_iter().map(|((from, to), messages)| GraphEdge { from, to, messages });
    MpiGraph { is_tasks: true, flows, messages: messages.collect(), collectives, ..graph.clone() }
}

/// The tasks of all flows.
struct Tasks {
    flows: Vec<GraphFlow>,
    /// The task of each node, from 0.
    of_node: HashMap<usize, u32>,
    /// The call that waits for what a node has only begun.
    joining: HashMap<usize, usize>,
    /// Nodes of collectives that do not wait.
    sent: BTreeSet<usize>,
}

fn tasks(graph: &MpiGraph) -> Tasks {
    let is_source = graph.is_source && !graph.is_measured;
    let mut builder = Builder {
        tasks: Tasks {
            flows: Vec::new(),
            of_node: HashMap::new(),
            joining: HashMap::new(),
            sent: BTreeSet::new(),
        },
        sends: HashMap::new(),
        is_source,
        one_clock: graph.one_clock,
        begun: Vec::new(),
        next: 0,
    };
    for edge in &graph.messages {
        *builder.sends.entry(edge.from).or_default() += edge.messages;
    }
    for flow in &graph.flows {
        builder.begun.clear();
        let times = flow.ranks.len() as u64;
        let steps = builder.steps(&flow.steps, if is_source { 0 } else { times });
        builder.tasks.flows.push(GraphFlow { steps, ..flow.clone() });
    }
    builder.tasks
}

struct Builder {
    tasks: Tasks,
    /// Messages that each node sends.
    sends: HashMap<usize, u64>,
    is_source: bool,
    one_clock: bool,
    /// Nodes of the flow whose requests are not known to be complete.
    begun: Vec<usize>,
    next: u32,
}

/// A task that is not complete.
#[derive(Default)]
struct OpenTask {
    task: GraphTask,
    /// Whether it computes, or sends something.
    has_work: bool,
    /// Seconds of all passages: computation, calls, waiting.
    sums: (f64, f64, f64),
}

impl Builder {
    /// The tasks of steps that are done so often by all processes.
    fn steps(&mut self, steps: &[GraphStep], times: u64) -> Vec<GraphStep> {
        let mut done = Vec::new();
        let mut open: Option<OpenTask> = None;
        for step in steps {
            match step {
                GraphStep::Loop(graph_loop)
                    if waits(&graph_loop.steps) && !only_waits(&graph_loop.steps) =>
                {
                    self.close(open.take(), times, &mut done);
                    let inner = if graph_loop.least == graph_loop.most && !graph_loop.is_choice {
                        times * graph_loop.most
                    } else {
                        largest(&graph_loop.steps)
                    };
                    let steps =
                        self.steps(&graph_loop.steps, if self.is_source { 0 } else { inner });
                    done.push(GraphStep::Loop(GraphLoop { steps, ..graph_loop.clone() }));
                }
                GraphStep::Call(call) if is_life(call) => {}
                step => {
                    if joins(step) && open.as_ref().is_some_and(|open| open.has_work) {
                        self.close(open.take(), times, &mut done);
                    }
                    self.take(step, open.get_or_insert_default());
                }
            }
        }
        self.close(open, times, &mut done);
        done
    }

    fn close(&mut self, open: Option<OpenTask>, times: u64, done: &mut Vec<GraphStep>) {
        let Some(OpenTask { mut task, sums, .. }) = open else { return };
        task.node = self.next as usize;
        self.next += 1;
        task.number = self.next;
        for &node in &task.nodes {
            self.tasks.of_node.insert(node, task.number - 1);
        }
        task.times = times;
        if !self.is_source {
            let mean = |sum: f64| Some(Seconds(sum / times.max(1) as f64));
            task.computing = mean(sums.0);
            task.calls = mean(sums.1);
            task.waiting = mean(sums.2).filter(|_| self.one_clock);
        }
        done.push(GraphStep::Task(task));
    }

    /// Makes a step part of a task.
    fn take(&mut self, step: &GraphStep, open: &mut OpenTask) {
        match step {
            GraphStep::Segment(segment) => {
                self.segment(segment, open);
                open.has_work = true;
            }
            GraphStep::Call(call) => self.call(call, open),
            GraphStep::Loop(graph_loop) => {
                graph_loop.steps.iter().for_each(|step| self.take(step, open))
            }
            GraphStep::Task(_) => {}
        }
    }

    fn segment(&mut self, graph_segment: &GraphSegment, open: &mut OpenTask) {
        let task = &mut open.task;
        task.nodes.push(graph_segment.node);
        task.segments.push(graph_segment.number);
        if !graph_segment.operations.is_empty() {
            task.operations.push(graph_segment.operations.clone());
        }
        add_place(task, &graph_segment.function, &graph_segment.from, &graph_segment.to);
        open.sums.0 += graph_segment.time.unwrap_or_default().get() * graph_segment.times as f64;
    }

    fn call(&mut self, graph_call: &GraphCall, open: &mut OpenTask) {
        let task = &mut open.task;
        task.nodes.push(graph_call.node);
        let function = graph_call.path.first().map_or("", String::as_str);
        add_place(task, function, &graph_call.place, &graph_call.place);
        let time = graph_call.time.unwrap_or_default();
        let waiting = graph_call.waiting.unwrap_or_default();
        open.sums.1 += (time - waiting).get() * graph_call.times as f64;
        open.sums.2 += waiting.get() * graph_call.times as f64;
        task.messages += self.sends.get(&graph_call.node).copied().unwrap_or(0);
        task.sent += graph_call.sent;
        task.received += graph_call.received;
        let gives = matches!(graph_call.symbol, GraphSymbol::Send | GraphSymbol::Both);
        if gives && !graph_call.size.is_empty() {
            task.sizes.push(graph_call.size.clone());
        }
        if graph_call.nonblocking {
            self.begun.push(graph_call.node);
        }
        if graph_call.synchronises.is_certain() {
            let place = if graph_call.place.is_empty() { "" } else { ", " };
            let words = format!("{} {}", graph_call.call, graph_call.partners);
            task.joins.push(format!("{}{place}{}", words.trim_end(), graph_call.place));
            for begun in self.begun.drain(..) {
                self.tasks.joining.insert(begun, graph_call.node);
            }
        } else {
            if graph_call.group > 0 || gives {
                self.tasks.sent.insert(graph_call.node);
            }
            open.has_work |= gives;
        }
    }
}

/// Adds a place, and a function that is new.
fn add_place(task: &mut GraphTask, function: &str, from: &str, to: &str) {
    if task.from.is_empty() {
        from.clone_into(&mut task.from);
    }
    if !to.is_empty() {
        to.clone_into(&mut task.to);
    }
    if !function.is_empty() && !task.functions.iter().any(|text| text == function) {
        task.functions.push(function.to_owned());
    }
}

fn is_life(call: &GraphCall) -> bool {
    let op = Op::of_function(&call.call);
    op.is_some_and(|op| op.class() == Class::Life)
}

/// Whether a step begins with a wait: a call that waits, or a loop of such calls.
fn joins(step: &GraphStep) -> bool {
    match step {
        GraphStep::Call(call) => call.synchronises.is_certain(),
        GraphStep::Loop(graph_loop) => only_waits(&graph_loop.steps) && waits(&graph_loop.steps),
        _ => false,
    }
}

/// Whether a process waits somewhere in steps.
pub(super) fn waits(steps: &[GraphStep]) -> bool {
    steps.iter().any(|step| match step {
        GraphStep::Call(call) => call.synchronises.is_certain(),
        GraphStep::Loop(graph_loop) => waits(&graph_loop.steps),
        _ => false,
    })
}

/// Whether steps neither compute nor send.
fn only_waits(steps: &[GraphStep]) -> bool {
    steps.iter().all(|step| match step {
        GraphStep::Call(call) => call.synchronises.is_certain(),
        GraphStep::Loop(graph_loop) => only_waits(&graph_loop.steps),
        _ => false,
    })
}

/// The most passages of a call or segment that is directly among steps.
fn largest(steps: &[GraphStep]) -> u64 {
    let times_of = |step: &GraphStep| match step {
        GraphStep::Call(call) => call.times,
        GraphStep::Segment(segment) => segment.times,
        _ => 0,
    };
    steps.iter().map(times_of).max().unwrap_or(0)
}
