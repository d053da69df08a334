//! Communication of a profile as predicted for another machine: g·h + l.

use cll_machine::{ClassicCost, Uncertain};
use serde::Serialize;

use crate::metric::Metric;
use crate::profile::Profile;

/// The communication time on a machine, in seconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Priced {
    /// Seconds per byte.
    pub g: Uncertain,
    /// Seconds per superstep.
    pub l: Uncertain,
    /// For each node g · Σ h + supersteps · l.
    pub nodes: Vec<Uncertain>,
}

/// Communication of each node, as predicted with (s, g, l) of a machine. This g is the cost of a byte in the
/// synchronisation only, since the cost of the requests is in the measured computation. The end of the program and the
/// time before its first superstep have no synchronisation.
pub fn price(profile: &Profile, costs: &ClassicCost) -> Priced {
    let g = costs.synchronisation();
    let mut unsynchronised = vec![0.0; profile.nodes.len()];
    for at in (0..profile.nodes.len()).rev() {
        let node = &profile.nodes[at];
        if matches!(node.kind, crate::NodeKind::End { .. } | crate::NodeKind::Start) {
            unsynchronised[at] = node.costs.supersteps;
        }
        if let Some(parent) = node.parent {
            unsynchronised[parent] += unsynchronised[at];
        }
    }
    let nodes = profile.nodes.iter().zip(unsynchronised).map(|(node, without)| {
        let bytes = node.costs.of(Metric::HRelation).maximum * f64::from(profile.h_unit);
        let supersteps = (node.costs.supersteps - without).max(0.0);
        let (of_h, of_l) = (g.times(bytes), costs.l.times(supersteps));
        Uncertain {
            value: of_h.value + of_l.value,
            low: of_h.low + of_l.low,
            high: of_h.high + of_l.high,
        }
    });
    Priced { g, l: costs.l, nodes: nodes.collect() }
}
