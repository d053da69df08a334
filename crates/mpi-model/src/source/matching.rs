//! Which sends and receipts of the source belong together, as far as ranks and tags are known.

use std::collections::{BTreeMap, HashMap};

use cll_result::GraphEdge;
use cll_trace::layout::call::Op;

use super::walk::Side;

/// A call that sends or receives, with its sides for each rank of its flow.
pub(super) struct MatchedCall {
    pub(super) node: usize,
    pub(super) flow: usize,
    pub(super) to: Vec<(u32, Side)>,
    pub(super) from: Vec<(u32, Side)>,
}

/// Nodes that send, and nodes that receive.
type Ends = (Vec<usize>, Vec<usize>);

/// The place of a collective, and how often its flow has been there before.
type PlaceOf<'a> = (Op, &'a str, usize);

/// Edges from sends to receipts. If several of one flow fit several of another one, they belong together in their order.
pub(super) fn messages(nodes: &[MatchedCall]) -> Vec<GraphEdge> {
    // By flows and tag: the sends and the receipts that fit one of the other side.
    let mut edges = BTreeMap::new();
    let mut groups: BTreeMap<(usize, usize, String), Ends> = BTreeMap::new();
    for sender in nodes {
        for receiver in nodes {
            let Some(tag) = fits(sender, receiver) else { continue };
            let group = groups.entry((sender.flow, receiver.flow, tag)).or_default();
            for (list, node) in [(&mut group.0, sender.node), (&mut group.1, receiver.node)] {
                if !list.contains(&node) {
                    list.push(node);
                }
            }
        }
    }
    let known: HashMap<usize, &MatchedCall> = nodes.iter().map(|node| (node.node, node)).collect();
    for (sends, receipts) in groups.into_values() {
        for index in 0..sends.len().max(receipts.len()) {
            let from = sends[index.min(sends.len() - 1)];
            let to = receipts[index.min(receipts.len() - 1)];
            if fits(known[&from], known[&to]).is_some() {
                edges.insert((from, to), ());
            }
        }
    }
    edges.into_keys().map(|(from, to)| GraphEdge { from, to, messages: 0 }).collect()
}

/// The tag by which a send of one node may be received at another one.
fn fits(sender: &MatchedCall, receiver: &MatchedCall) -> Option<String> {
    for (source, sent) in &sender.to {
        for (destination, received) in &receiver.from {
            let is_there = match sent.rank {
                Some(rank) => rank == i64::from(*destination),
                None => sent.partner != "MPI_PROC_NULL" && source != destination,
            };
            let is_asked = match received.rank {
                Some(rank) => rank == i64::from(*source),
                None => received.partner != "MPI_PROC_NULL" && source != destination,
            };
            let is_tag = match (sent.tag_value, received.tag_value) {
                _ if received.tag == "MPI_ANY_TAG" => true,
                (Some(number), Some(other)) => number == other,
                // What is not known may be equal, unless it is written in another way in the same function.
                _ => {
                    sent.tag == received.tag
                        || sent.tag_value.is_none() != received.tag_value.is_none()
                }
            };
            if is_there && is_asked && is_tag {
                return Some(sent.tag.clone());
            }
        }
    }
    None
}

/// Nodes of one collective: those at one place, and then the k-th of each flow that remain.
pub(super) fn collectives(nodes: &[(usize, usize, Op, String)]) -> Vec<Vec<usize>> {
    let mut by_place: BTreeMap<PlaceOf<'_>, Vec<(usize, usize)>> = BTreeMap::new();
    let mut counts: HashMap<(usize, Op, &str), usize> = HashMap::new();
    for (node, flow, op, place) in nodes {
        let count = counts.entry((*flow, *op, place)).or_default();
        by_place.entry((*op, place, *count)).or_default().push((*node, *flow));
        *count += 1;
    }
    let mut groups = Vec::new();
    let mut alone: BTreeMap<Op, BTreeMap<usize, Vec<usize>>> = BTreeMap::new();
    for ((op, ..), group) in by_place {
        match group[..] {
            [(node, flow)] => alone.entry(op).or_default().entry(flow).or_default().push(node),
            _ => groups.push(group.iter().map(|group| group.0).collect::<Vec<_>>()),
        }
    }
    for flows in alone.into_values() {
        let most = flows.values().map(Vec::len).max().unwrap_or(0);
        for index in 0..most {
            let mut group: Vec<usize> =
                flows.values().filter_map(|nodes| nodes.get(index).copied()).collect();
            group.sort_unstable();
            if group.len() > 1 {
                groups.push(group);
            }
        }
    }
    groups.sort();
    groups
}
