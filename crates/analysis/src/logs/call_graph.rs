//! The graph of a run, as a result with the names of functions and files.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use crate::Error;
use cll_calls::{Flow, Graph, Item, Node, NodeId, Overview, Partner, Site, Summary};
use cll_profile::Frame;
use cll_result::{GraphCall, GraphEdge, GraphFlow, GraphLoop, GraphSegment, GraphStep, MpiGraph};
use cll_supersteps::Processor;
use cll_trace::layout::call::{Class, Op};
use cll_trace::meta::Point;
use cll_units::Seconds;

use cll_mpi_model::{Observed, Roots, symbol, synchronises, with_tasks};

use super::call_details::{CallNames, deadlock};
use super::{Symbols, opener, unusable};

/// The part of the time of a flow's processes below which a segment is left out.
const SMALL: f64 = 1e-3;
/// Ranks that are named one by one.
const NAMED: usize = 6;

/// The graph of the logs of one run, whose tables were read; `None` if there are no calls in them.
///
/// # Errors
/// If a log cannot be read.
pub fn call_graph(
    paths: &[PathBuf],
    mut surveys: Vec<Overview>,
) -> Result<Option<MpiGraph>, Error> {
    if surveys.iter().all(|survey| survey.mpi.is_none()) {
        return Ok(None);
    }
    let mut symbols = Symbols::default();
    let mut path_names = |survey: &Overview, lane: u32, point: &Point| {
        let modules = survey.lanes.get(&lane).map_or(Vec::new(), |lane| lane.modules.clone());
        let processor = Processor { modules, ..Processor::default() };
        path_name(&symbols.functions(&processor, point))
    };
    let (summary, graph) = Summary::with_graph(&mut surveys, &mut opener(paths), &mut path_names)
        .map_err(|error| unusable(&paths[0], &error))?;
    let mut names = CallNames::new(&surveys);
    let sites: Vec<Site> = summary.account.sites.iter().map(|total| total.site).collect();
    let program = surveys.iter().map(|survey| survey.process.program.as_str()).next();
    let mut writer = GraphWriter {
        surveys: &surveys,
        names: &mut names,
        sites: &sites,
        one_clock: summary.one_clock,
        numbers: HashMap::new(),
        nodes: 0,
        segments: 0,
        small: 0,
    };
    let mut order: Vec<usize> = (0..graph.flows.len()).collect();
    order.sort_by_key(|&index| writer.ranks(&graph.flows[index]).first().copied());
    let flows = order.iter().map(|&index| writer.flow(index, &graph)).collect();
    let number = |id: &NodeId| writer.numbers.get(id).copied();
    let messages = graph.edges.iter().filter_map(|edge| {
        let (from, to) = (number(&edge.from)?, number(&edge.to)?);
        Some(GraphEdge { from, to, messages: edge.messages })
    });
    let collectives =
        graph.collectives.iter().map(|group| group.iter().filter_map(number).collect());
    let (messages, collectives) = (messages.collect(), collectives.collect());
    let small_segments = writer.small;
    Ok(Some(with_tasks(MpiGraph {
        program: program.unwrap_or("").rsplit('/').next().unwrap_or("").to_owned(),
        ranks: summary.ranks,
        calls: summary.calls,
        runtime: summary.account.efficiency.map(|efficiency| efficiency.runtime),
        one_clock: summary.one_clock,
        flows,
        messages,
        collectives,
        small_segments,
        deadlock: deadlock(&summary, &mut names),
        missing: summary.missing(),
        files: names.files(&sites),
        ..MpiGraph::new()
    })))
}

/// The functions of a path with their lines; empty if the line of one is not known: then calls of one function could not
/// be distinguished.
pub(crate) fn path_name(frames: &[Frame]) -> String {
    let main = frames.iter().position(|frame| frame.function == "main");
    let frames = &frames[..main.map_or(frames.len(), |main| main + 1)];
    if frames.iter().any(|frame| frame.line == 0) {
        return String::new();
    }
    let frame = |frame: &Frame| format!("{} {}:{}", frame.function, frame.file, frame.line);
    frames.iter().map(frame).collect::<Vec<_>>().join("\n")
}

/// Numbers nodes and segments while it converts flows.
struct GraphWriter<'a, 's> {
    surveys: &'s [Overview],
    names: &'a mut CallNames<'s>,
    sites: &'a [Site],
    one_clock: bool,
    numbers: HashMap<NodeId, usize>,
    nodes: usize,
    segments: u32,
    small: u64,
}

/// The data that the steps of a flow have in common.
struct Of {
    flow: u32,
    /// The time below which a segment is left out.
    least: Seconds,
    ranks: Vec<u32>,
}

impl GraphWriter<'_, '_> {
    fn ranks(&self, flow: &Flow) -> Vec<u32> {
        let rank = |process: usize| self.surveys[process].rank().map_or(0, |(rank, _)| rank);
        let mut ranks: Vec<u32> = flow.threads.iter().map(|thread| rank(thread.process)).collect();
        ranks.sort_unstable();
        ranks
    }

    fn flow(&mut self, index: usize, graph: &Graph) -> GraphFlow {
        let flow = &graph.flows[index];
        let ranks = self.ranks(flow);
        let lanes: BTreeSet<u32> = flow.threads.iter().map(|thread| thread.lane).collect();
        let is_threaded =
            flow.threads.iter().any(|thread| self.surveys[thread.process].lanes.len() > 1);
        let thread = lanes.first().copied().filter(|_| is_threaded);
        let context = Of { flow: index as u32, least: self.total(&flow.items) * SMALL, ranks };
        let mut last = None;
        let steps = self.steps(&context, &flow.items, &mut last);
        GraphFlow { ranks: context.ranks, thread, steps }
    }

    /// The time of all processes, without that of beginning and ending MPI.
    fn total(&self, items: &[Item]) -> Seconds {
        let time_of = |item: &Item| match item {
            Item::Call(node) => match self.sites[node.site.0 as usize].op.class() {
                Class::Life => node.computed,
                _ => node.computed + node.time,
            },
            Item::Loop(loop_item) => self.total(&loop_item.body),
        };
        items.iter().map(time_of).sum()
    }

    /// `last` is the place of the call before.
    fn steps(&mut self, context: &Of, items: &[Item], last: &mut Option<Site>) -> Vec<GraphStep> {
        let mut steps = Vec::new();
        for item in items {
            match item {
                Item::Loop(loop_item) => {
                    let (least, most) = loop_item.passages;
                    let body = self.steps(context, &loop_item.body, last);
                    let graph_loop = GraphLoop {
                        least,
                        most,
                        is_known: true,
                        steps: body,
                        ..GraphLoop::default()
                    };
                    steps.push(GraphStep::Loop(graph_loop));
                }
                Item::Call(node) => {
                    let site = self.sites[node.site.0 as usize];
                    if node.computed >= context.least && node.computed > Seconds::ZERO {
                        let before = last.as_ref();
                        steps.push(GraphStep::Segment(self.segment(node, before, &site)));
                    } else if node.computed > Seconds::ZERO {
                        self.small += 1;
                    }
                    steps.push(GraphStep::Call(self.call(context, node, &site)));
                    *last = Some(site);
                }
            }
        }
        steps
    }

    fn segment(&mut self, node: &Node, before: Option<&Site>, site: &Site) -> GraphSegment {
        self.nodes += 1;
        self.segments += 1;
        GraphSegment {
            node: self.nodes - 1,
            number: self.segments,
            function: self.names.common_function(before, site),
            from: before.map_or(String::new(), |site| self.names.place_of(site)),
            to: self.names.place_of(site),
            times: node.times,
            time: Some(node.computed / node.times as f64),
            ..GraphSegment::default()
        }
    }

    fn call(&mut self, context: &Of, node: &Node, site: &Site) -> GraphCall {
        self.nodes += 1;
        let number = self.nodes - 1;
        self.numbers.insert(NodeId { flow: context.flow, node: node.first }, number);
        let times = node.times as f64;
        let symbol = symbol(site.op, roots(node, context));
        let (waited, called) = (node.waiting / times, (node.time - node.waiting) / times);
        let seen = Observed { polls: node.polls, waited: waited.get(), called: called.get() };
        GraphCall {
            node: number,
            call: format!("MPI_{}", site.op.name()),
            symbol,
            nonblocking: site.op.has_request(),
            place: self.names.place_of(site),
            path: self.names.functions(site),
            partners: partners(site.op, node, context),
            group: node.group,
            times: node.times,
            polls: node.polls,
            least_bytes: node.bytes.0,
            most_bytes: node.bytes.1,
            sent: node.moved.0,
            received: node.moved.1,
            time: Some(node.time / times),
            waiting: self.one_clock.then_some(waited),
            open: node.open,
            synchronises: synchronises(site.op, symbol, Some(seen)),
            ..GraphCall::default()
        }
    }
}

/// Who of the flow's ranks is the root of a collective.
fn roots(node: &Node, context: &Of) -> Roots {
    let root = |partner: &Partner| match partner {
        Partner::Root(root) => Some(*root),
        _ => None,
    };
    let roots: BTreeSet<u32> = node.partners.iter().filter_map(root).collect();
    let is_root = |rank: &u32| roots.contains(rank);
    match (context.ranks.iter().all(is_root), context.ranks.iter().any(is_root)) {
        (true, _) => Roots::All,
        (false, true) => Roots::Some,
        (false, false) => Roots::None,
    }
}

/// `rank 0`, `rank+1`, `ranks 1-3`; the same for all processes of the flow if there are several.
fn partners(op: Op, node: &Node, context: &Of) -> String {
    let mut words = Vec::new();
    let ranks: Vec<u32> = node
        .partners
        .iter()
        .filter_map(|partner| match partner {
            Partner::Rank(rank) => Some(*rank),
            _ => None,
        })
        .collect();
    if context.ranks.len() > 1 && !ranks.is_empty() && node.offsets.len() < ranks.len() {
        let offset = |offset: &i64| format!("rank{offset:+}");
        words.extend(node.offsets.iter().take(NAMED).map(offset));
        if node.offsets.len() > NAMED {
            words.push("…".to_owned());
        }
    } else if !ranks.is_empty() {
        words.push(rank_list(&ranks, node.more_partners));
    }
    for partner in node.partners.iter() {
        match partner {
            Partner::Rank(_) => {}
            Partner::Any => words.push("any rank".to_owned()),
            Partner::Nobody => words.push("nobody".to_owned()),
            Partner::Outside => words.push("another program".to_owned()),
            Partner::Root(root) => words.push(format!("root {root}")),
        }
    }
    let direction = match op.class() {
        _ if words.is_empty() => "",
        Class::Send => "to ",
        Class::Receive | Class::Probe => "from ",
        Class::Exchange => "with ",
        _ => "",
    };
    format!("{direction}{}", words.join(", "))
}

/// `rank 3`, `ranks 0, 2`, `ranks 1-7`.
fn rank_list(ranks: &[u32], has_more: bool) -> String {
    let (Some(first), Some(last)) = (ranks.first(), ranks.last()) else { return String::new() };
    let is_stretch = ranks.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let text = match ranks {
        [number] => return format!("rank {number}"),
        _ if is_stretch && ranks.len() > 2 => format!("{first}-{last}"),
        _ => {
            let shown: Vec<String> = ranks.iter().take(NAMED).map(u32::to_string).collect();
            let more = if ranks.len() > NAMED { ", …" } else { "" };
            format!("{}{more}", shown.join(", "))
        }
    };
    format!("ranks {text}{}", if has_more { ", …" } else { "" })
}
