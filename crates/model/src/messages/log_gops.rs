//! LogGOPS: Hoefler, Schneider, Lumsdaine, *LogGOPSim: simulating large-scale applications in the LogGOPS model*, 2010.

use cll_trace::layout::call::Op;

use super::MessageCosts;

/// The parameters of the model, in seconds; collectives are messages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LogGops {
    /// L: latency of a message.
    pub latency: f64,
    /// o: how long a processor is busy with a message.
    pub overhead: f64,
    /// g: from a message to the next one of a sender, at least.
    pub gap: f64,
    /// G: the time of each byte after the first on the way.
    pub gap_per_byte: f64,
    /// O: the time of each byte after the first on a processor.
    pub overhead_per_byte: f64,
    /// S: messages above this size in bytes wait for their receiver.
    pub synchronous: f64,
}

impl LogGops {
    fn busy(&self, bytes: f64) -> f64 {
        self.overhead + (bytes - 1.0).max(0.0) * self.overhead_per_byte
    }
}

impl MessageCosts for LogGops {
    fn emission(&self, bytes: f64) -> f64 {
        self.busy(bytes)
    }

    fn transit(&self, bytes: f64) -> f64 {
        self.latency + (bytes - 1.0).max(0.0) * self.gap_per_byte
    }

    fn reception(&self, bytes: f64) -> f64 {
        self.busy(bytes)
    }

    fn gap(&self, bytes: f64) -> f64 {
        self.gap + (bytes - 1.0).max(0.0) * self.gap_per_byte
    }

    fn is_rendezvous(&self, bytes: f64) -> bool {
        bytes > self.synchronous
    }

    fn collective(&self, _op: Op, _processes: u32, _bytes: f64) -> Option<f64> {
        None
    }
}
