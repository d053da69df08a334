//! Builds the graph while calls are read.

use std::collections::{BTreeMap, BTreeSet};

use cll_trace::layout::call::{ANY, NOBODY, Op};
use cll_units::{Bytes, Seconds};

use super::details::Remembered;
use super::fold::{Folded, Parents};
use super::node::{Item, Node, Partner, merge};
use super::{Edge, Flow, Graph, NodeId, PathNames};
use crate::FastMap as HashMap;
use crate::{Call, CallData, LastCall, Message, Overview, SiteId, Thread, Waiting};

/// A call of a process that names a node: process and number.
type Name = (usize, u32);

/// The number of different edges from which on those of nodes that have become one are added up: so many stay in a cache.
const CROWDED: usize = 1 << 12;

/// Builds a [`Graph`].
#[derive(Debug)]
pub(crate) struct Builder {
    parents: Vec<Parents>,
    threads: BTreeMap<Thread, Folding>,
    edges: HashMap<(Name, Name), u64>,
    joined: HashMap<(Name, Name), u64>,
    waits: HashMap<Name, f64>,
    /// The first path with the same name, for each path.
    same: HashMap<SiteId, SiteId>,
    names: HashMap<(Op, String), SiteId>,
    crowded: usize,
    /// If ranks are kept apart, with details of their calls: what is remembered of each.
    apart: Option<Vec<Remembered>>,
}

#[derive(Debug, Default)]
struct Folding {
    folded: Folded,
    /// Unsuccessful polls since the last other call: how many, time, computation before.
    polls: (u64, Seconds, Seconds),
}

impl Builder {
    pub(crate) fn new(processes: usize) -> Builder {
        Builder {
            parents: (0..processes).map(|_| Parents::default()).collect(),
            threads: BTreeMap::new(),
            edges: HashMap::default(),
            joined: HashMap::default(),
            waits: HashMap::default(),
            same: HashMap::default(),
            names: HashMap::default(),
            crowded: CROWDED,
            apart: None,
        }
    }

    /// One that keeps the processes apart, and details of their calls.
    pub(crate) fn by_rank(processes: usize) -> Builder {
        let remembered = (0..processes).map(|_| Remembered::default()).collect();
        Builder { apart: Some(remembered), ..Builder::new(processes) }
    }

    /// The path that stands for all with the same name: a compiler may have made several calls of one in the source.
    fn same(&mut self, site: SiteId, op: Op, name: impl FnOnce() -> String) -> SiteId {
        if let Some(&same) = self.same.get(&site) {
            return same;
        }
        let same = match name() {
            unknown if unknown.is_empty() => site,
            name => *self.names.entry((op, name)).or_insert(site),
        };
        self.same.insert(site, same);
        same
    }

    /// Takes the next call of a process, its path, and the computation before it.
    pub(crate) fn add(
        &mut self,
        process: usize,
        overview: &Overview,
        call: &Call,
        (site, computed): (SiteId, Seconds),
        names: &mut PathNames<'_>,
    ) {
        let place = overview.place(call.lane, call.point);
        let name = || place.map_or(String::new(), |(point, _)| names(overview, call.lane, point));
        let site = self.same(site, call.op, name);
        let parents = &mut self.parents[process];
        let thread = self.threads.entry(Thread { process, lane: call.lane }).or_default();
        let time = call.time().unwrap_or_default();
        if call.unsuccessful > 0 {
            let (count, in_polls, before) = thread.polls;
            let count = count + u64::from(call.unsuccessful);
            thread.polls = (count, in_polls + time, before + computed);
            parents.skip();
            return;
        }
        let (polls, in_polls, before) = std::mem::take(&mut thread.polls);
        let mut node = Node::new(site, parents.next());
        node.polls = polls;
        node.time = time + in_polls;
        node.computed = before + computed;
        node.open = u64::from(call.end.is_none());
        describe(&mut node, overview, call);
        if let Some(apart) = &mut self.apart {
            node.details = Some(Box::new(apart[process].details(overview, call)));
        }
        parents.push();
        thread.folded.push(node, parents);
    }

    /// Adds the facts that the analysis has found after that call.
    pub(crate) fn add_facts(&mut self, founds: &[LastCall]) {
        for fact in founds {
            match *fact {
                LastCall::Matched { from, to, .. } => {
                    if let (Some(from), Some(to)) = (self.name(from), self.name(to)) {
                        *self.edges.entry((from, to)).or_default() += 1;
                    }
                }
                LastCall::Joined { one: first, other } => {
                    if let (Some(pair), Some(other)) = (self.name(first), self.name(other)) {
                        *self.joined.entry((pair, other)).or_default() += 1;
                    }
                }
                _ => {}
            }
        }
        if self.edges.len() + self.joined.len() + self.waits.len() > self.crowded {
            self.edges = resolved(&mut self.parents, std::mem::take(&mut self.edges));
            self.joined = resolved(&mut self.parents, std::mem::take(&mut self.joined));
            let mut waits = HashMap::default();
            for ((process, node), seconds) in std::mem::take(&mut self.waits) {
                let node = self.parents[process].node_of(u64::from(node)).unwrap_or(node);
                *waits.entry((process, node)).or_default() += seconds;
            }
            self.waits = waits;
            let kept = self.edges.len() + self.joined.len() + self.waits.len();
            self.crowded = CROWDED.max(2 * kept);
        }
    }

    /// A call has waited so much longer than was known.
    pub(crate) fn waited(&mut self, waiting: &Waiting, more: Seconds) {
        if let Some(name) = self.name((waiting.who, waiting.call)) {
            *self.waits.entry(name).or_default() += more.get();
        }
    }

    fn name(&mut self, (thread, call): (Thread, u64)) -> Option<Name> {
        Some((thread.process, self.parents[thread.process].node_of(call)?))
    }

    pub(crate) fn finish(mut self) -> Graph {
        let mut flows: Vec<Flow> = Vec::new();
        let mut by_keys: HashMap<Vec<u64>, usize> = HashMap::default();
        // The node of a flow that each node of a thread has become.
        let mut names: HashMap<Name, NodeId> = HashMap::default();
        for (thread, mut folding) in std::mem::take(&mut self.threads) {
            folding.folded.close(&mut self.parents[thread.process]);
            let Folded { items, keys } = folding.folded;
            let index = match self.apart {
                Some(_) => flows.len(),
                None => *by_keys.entry(keys).or_insert(flows.len()),
            };
            if index == flows.len() {
                each_node(&items, &mut |node| {
                    let id = NodeId { flow: index as u32, node: node.first };
                    names.insert((thread.process, node.first), id);
                });
                flows.push(Flow { threads: vec![thread], items });
                continue;
            }
            let flow = &mut flows[index];
            flow.threads.push(thread);
            merge(&mut flow.items, items, &mut |into, from| {
                names.insert((thread.process, from), NodeId { flow: index as u32, node: into });
            });
        }
        let parents = &mut self.parents;
        let mut edges: BTreeMap<(NodeId, NodeId), u64> = BTreeMap::new();
        for ((from, to), count) in resolved(parents, self.edges) {
            if let (Some(&from), Some(&to)) = (names.get(&from), names.get(&to)) {
                *edges.entry((from, to)).or_default() += count;
            }
        }
        let mut waits: HashMap<NodeId, f64> = HashMap::default();
        for ((process, node), seconds) in self.waits {
            let node = parents[process].node_of(u64::from(node)).unwrap_or(node);
            if let Some(&id) = names.get(&(process, node)) {
                *waits.entry(id).or_default() += seconds;
            }
        }
        for (index, flow) in flows.iter_mut().enumerate() {
            each_node_mut(&mut flow.items, &mut |node| {
                let id = NodeId { flow: index as u32, node: node.first };
                node.waiting = Seconds(waits.get(&id).copied().unwrap_or(0.0));
            });
        }
        let joined = resolved(parents, self.joined);
        let pairs = joined
            .into_keys()
            .filter_map(|(first, other)| Some((*names.get(&first)?, *names.get(&other)?)));
        let collectives = groups(pairs.collect());
        let edges = edges.into_iter().map(|((from, to), messages)| Edge { from, to, messages });
        Graph { flows, edges: edges.collect(), collectives }
    }
}

/// The same with the names of nodes that others have become part of.
fn resolved(
    parents: &mut [Parents],
    all: HashMap<(Name, Name), u64>,
) -> HashMap<(Name, Name), u64> {
    let mut name = |(process, call): Name| {
        (process, parents[process].node_of(u64::from(call)).unwrap_or(call))
    };
    let mut sums = HashMap::default();
    for ((first, other), count) in all {
        *sums.entry((name(first), name(other))).or_default() += count;
    }
    sums
}

/// Sets of nodes that are connected by pairs.
fn groups(pairs: BTreeSet<(NodeId, NodeId)>) -> Vec<Vec<NodeId>> {
    let mut groups: Vec<BTreeSet<NodeId>> = Vec::new();
    for (id, other) in pairs {
        let (with, without): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.contains(&id) || group.contains(&other));
        groups = without;
        let mut group: BTreeSet<NodeId> = with.into_iter().flatten().collect();
        group.extend([id, other]);
        groups.push(group);
    }
    let mut groups: Vec<Vec<NodeId>> =
        groups.into_iter().map(|group| group.into_iter().collect()).collect();
    groups.sort();
    groups
}

fn each_node(items: &[Item], visit: &mut dyn FnMut(&Node)) {
    for item in items {
        match item {
            Item::Call(node) => visit(node),
            Item::Loop(loop_item) => each_node(&loop_item.body, visit),
        }
    }
}

fn each_node_mut(items: &mut [Item], visit: &mut dyn FnMut(&mut Node)) {
    for item in items {
        match item {
            Item::Call(node) => visit(node),
            Item::Loop(loop_item) => each_node_mut(&mut loop_item.body, visit),
        }
    }
}

/// Partners, bytes and group of a call.
fn describe(node: &mut Node, overview: &Overview, call: &Call) {
    let own = overview.rank().map(|(rank, _)| i64::from(rank));
    let mut partner = |message: &Message| {
        let partner = match message.partner {
            NOBODY => Partner::Nobody,
            ANY => Partner::Any,
            rank => match overview.world_rank(message.communicator, rank) {
                Some(rank) => Partner::Rank(rank),
                None => Partner::Outside,
            },
        };
        if let (Partner::Rank(rank), Some(own)) = (partner, own) {
            node.offsets.insert(i64::from(rank) - own);
        }
        node.partners.insert(partner);
    };
    let mut communicator = None;
    match &call.what {
        CallData::Send(message) | CallData::Receive(message) | CallData::Probe(message) => {
            partner(message);
            communicator = Some(message.communicator);
        }
        CallData::Exchange { sent, received } => {
            partner(sent);
            partner(received);
            communicator = Some(sent.communicator);
        }
        CallData::Collective { communicator: id, root, .. } => {
            root.iter().for_each(|&root| node.partners.insert(Partner::Root(root)));
            communicator = Some(*id);
        }
        CallData::Create { communicator: id } => communicator = Some(*id),
        _ => {}
    }
    let table = communicator.and_then(|id| overview.communicators.get(&id));
    node.group = table.map_or(0, |table| table.size + table.remote_size);
    let (sent, received) = call.bytes();
    node.moved = (sent, received);
    let asked = match call.what {
        // Of a request for a message, the size of the buffer is not what comes.
        CallData::Receive(_) if call.request.is_some() => Bytes(0),
        _ => Bytes(sent.get().max(received.get())),
    };
    node.bytes = (asked, asked);
}
