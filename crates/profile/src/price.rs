//! Communication of a profile as predicted for another machine: g·h + l.

use cll_machine::{ClassicCost, Uncertain};
use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;

use crate::metric::{Metric, Summary};
use crate::profile::{NodeKind, Profile};

/// The communication time on a machine, in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Priced {
    /// Seconds per byte.
    pub g: Uncertain,
    /// Seconds per superstep.
    pub l: Uncertain,
    /// The sum of the measured times.
    #[serde(rename = "measured_s")]
    pub measured: Seconds,
    /// For each node g · Σ h + supersteps · l.
    pub nodes: Vec<Uncertain>,
}

/// Communication of each node, as predicted with (s, g, l) of a machine. This g is the cost of a byte in the
/// synchronisation only, since the cost of the requests is in the measured computation. The end of the program and the
/// time before its first superstep have no synchronisation.
pub fn price(profile: &Profile, costs: &ClassicCost) -> Priced {
    let g = costs.synchronisation();
    let synchronised = synchronised(profile);
    let nodes = profile.nodes.iter().zip(synchronised).map(|(node, supersteps)| {
        let bytes = node.costs.summary(Metric::HRelation).maximum * f64::from(profile.h_unit);
        let (of_h, of_l) = (g.times(bytes), costs.l.times(supersteps));
        Uncertain {
            value: of_h.value + of_l.value,
            low: of_h.low + of_l.low,
            high: of_h.high + of_l.high,
        }
    });
    let measured = Seconds(profile.root().costs.summary(Metric::Communication).maximum);
    Priced { g, l: costs.l, measured, nodes: nodes.collect() }
}

/// For each node its supersteps that end with a synchronisation: all but the end of the program and what came before its
/// first superstep. Those of parts that run side by side count as those of the node above them do: never more than its
/// supersteps.
pub fn synchronised(profile: &Profile) -> Vec<f64> {
    let mut values = vec![0.0; profile.nodes.len()];
    for index in (0..profile.nodes.len()).rev() {
        let node = &profile.nodes[index];
        let supersteps = node.costs.supersteps;
        values[index] = match node.kind {
            NodeKind::End { .. } | NodeKind::Start | NodeKind::Call { .. } => 0.0,
            NodeKind::Centre { .. } => supersteps,
            // What is below it has been added.
            NodeKind::Program { .. } | NodeKind::Function(_) => supersteps.min(values[index]),
        };
        if let Some(parent) = node.parent {
            values[parent] += values[index];
        }
    }
    values
}

impl Profile {
    /// The profile as it would be on a machine, section 5 of Jarvis et al. (2002): the measured communication of every
    /// node is replaced by g·h + l, its maximum, average and minimum by those of h, that of each processor by its own h.
    /// Computation and waiting stay as measured.
    #[must_use]
    pub fn as_on(mut self, costs: &ClassicCost) -> Profile {
        let (g, l) = (costs.synchronisation().value * f64::from(self.h_unit), costs.l.value);
        let synchronised = synchronised(&self);
        let (c, h) = (Metric::Communication.index(), Metric::HRelation.index());
        for (node, supersteps) in self.nodes.iter_mut().zip(synchronised) {
            let of_l = supersteps * l;
            let summary = node.costs.metrics[h].times(g);
            node.costs.metrics[c] = Summary {
                maximum: summary.maximum + of_l,
                average: summary.average + of_l,
                minimum: summary.minimum + of_l,
            };
            node.each[c] = node.each[h].iter().map(|bytes| bytes * g + of_l).collect();
        }
        self
    }
}
