//! in and out: the bytes that each processor receives and sends, and which processor sends to which.

use std::sync::Arc;

use cll_machine::{Combine, Pattern};
use schemars::JsonSchema;
use serde::Serialize;

/// Bytes that processors receive and send in a superstep.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Traffic {
    /// Nothing.
    #[default]
    None,
    /// All the same.
    Same {
        /// Received by each, bytes.
        received: f64,
        /// Sent by each, bytes.
        sent: f64,
    },
    /// `(received, sent)` of each, bytes.
    Each(Arc<[(f64, f64)]>),
}

/// in @ out.
pub(crate) fn combined(combine: Combine, received: f64, sent: f64) -> f64 {
    match combine {
        Combine::Max => received.max(sent),
        Combine::Sum => received + sent,
    }
}

impl Traffic {
    /// For how many processors it is given; `None`: for any number.
    pub(crate) fn len(&self) -> Option<usize> {
        match self {
            Traffic::Each(bytes) => Some(bytes.len()),
            _ => None,
        }
    }

    /// in @ out of a processor, bytes.
    pub fn processor_bytes(&self, processor: usize, combine: Combine) -> f64 {
        match self {
            Traffic::None => 0.0,
            Traffic::Same { received, sent } => combined(combine, *received, *sent),
            Traffic::Each(bytes) => combined(combine, bytes[processor].0, bytes[processor].1),
        }
    }

    /// The largest in @ out, bytes.
    pub fn largest(&self, combine: Combine) -> f64 {
        match self {
            Traffic::Each(bytes) => {
                bytes.iter().map(|&(i, o)| combined(combine, i, o)).fold(0.0, f64::max)
            }
            same => same.processor_bytes(0, combine),
        }
    }

    /// Whether anything is sent at all.
    pub fn is_empty(&self) -> bool {
        self.largest(Combine::Sum) <= 0.0
    }
}

/// The pattern of a superstep's traffic: which processors send to which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TrafficPattern {
    /// No processor sends.
    #[default]
    Empty,
    /// Each to at most one, and from at most one.
    Shift,
    /// Each to every other about as much.
    TotalExchange,
    /// One to all others as much to each.
    Broadcast,
    /// One to some others.
    Scatter,
    /// Some to one.
    Gather,
    /// Every pattern that is none of these.
    Random,
}

impl TrafficPattern {
    /// The pattern whose price is used. A superstep in which nothing is sent has no pattern of its own.
    pub fn priced_as(self) -> Pattern {
        match self {
            TrafficPattern::Empty | TrafficPattern::Random => Pattern::Random,
            TrafficPattern::Shift => Pattern::Shift,
            TrafficPattern::TotalExchange => Pattern::TotalExchange,
            TrafficPattern::Broadcast => Pattern::Broadcast,
            TrafficPattern::Scatter => Pattern::Scatter,
            TrafficPattern::Gather => Pattern::Gather,
        }
    }

    /// Returns the name of the pattern in reports.
    pub fn name(self) -> &'static str {
        match self {
            TrafficPattern::Empty => "empty",
            other => other.priced_as().name(),
        }
    }
}
