//! The metrics of a cost centre, and the maximum, average and minimum over p processors.

use schemars::JsonSchema;
use serde::Serialize;

/// A quantity that each processor has in each superstep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// Seconds from the superstep's beginning to the call that ended it.
    Computation,
    /// Seconds of that call, without waiting.
    Communication,
    /// Seconds of waiting in it.
    Idle,
    /// The larger of bytes received and sent (of 32-bit words in profiles that have those).
    HRelation,
}

impl Metric {
    /// All of them, in the order in which values have them.
    pub const ALL: [Metric; 4] =
        [Metric::Computation, Metric::Communication, Metric::Idle, Metric::HRelation];

    /// `computation`, `communication`, `idle`, `h-relation`.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Computation => "computation",
            Metric::Communication => "communication",
            Metric::Idle => "idle",
            Metric::HRelation => "h-relation",
        }
    }

    /// The name in conditions: `h` for `h-relation`.
    pub fn brief(self) -> &'static str {
        match self {
            Metric::HRelation => "h",
            other => other.name(),
        }
    }

    /// Returns the index of the metric in [`Metric::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Whether it is seconds.
    pub fn is_time(self) -> bool {
        self != Metric::HRelation
    }
}

/// Equations 2 to 4 of Jarvis et al. (2002), over the supersteps of a centre.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Summary {
    /// Σ over supersteps of the maximum over processors.
    pub maximum: f64,
    /// Σ over supersteps of the mean over all p processors.
    pub average: f64,
    /// Σ over supersteps of the minimum over processors.
    pub minimum: f64,
}

impl Summary {
    /// The average in per cent of the maximum; 100 if the maximum is 0.
    pub fn average_percent(&self) -> f64 {
        percent(self.average, self.maximum)
    }

    /// The minimum in per cent of the maximum; 100 if the maximum is 0.
    pub fn minimum_percent(&self) -> f64 {
        percent(self.minimum, self.maximum)
    }

    /// `(12% | 7%)`, whole per cent, halves to even.
    pub fn balance(&self) -> String {
        let rounded = |percent: f64| format!("{}%", percent.round_ties_even());
        format!("({} | {})", rounded(self.average_percent()), rounded(self.minimum_percent()))
    }

    /// The possible gain: maximum - average.
    pub fn imbalance(&self) -> f64 {
        self.maximum - self.average
    }

    /// Every part by a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Summary {
        Summary {
            maximum: self.maximum * factor,
            average: self.average * factor,
            minimum: self.minimum * factor,
        }
    }
}

impl std::ops::AddAssign for Summary {
    fn add_assign(&mut self, other: Summary) {
        self.maximum += other.maximum;
        self.average += other.average;
        self.minimum += other.minimum;
    }
}

fn percent(part: f64, total: f64) -> f64 {
    if total == 0.0 { 100.0 } else { part / total * 100.0 }
}

/// The costs of a node; those of an interior node are those of the nodes below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Costs {
    /// Number of supersteps; if parts ran at the same time, the largest number of one part.
    pub supersteps: f64,
    /// By [`Metric`].
    pub metrics: [Summary; 4],
    /// The part of the average idle time, in seconds, in which processors waited for the slowest computation of the
    /// same superstep. In the rest they waited during communication, or, on engines that only pass messages, for
    /// processors that were late in the previous communication.
    pub idle_at_barrier: f64,
}

impl Costs {
    /// Returns the summary of one metric.
    pub fn summary(&self, metric: Metric) -> &Summary {
        &self.metrics[metric.index()]
    }

    /// The time of the centre: maximum computation + maximum communication, seconds.
    pub fn time(&self) -> f64 {
        self.summary(Metric::Computation).maximum + self.summary(Metric::Communication).maximum
    }
}

impl std::ops::AddAssign for Costs {
    fn add_assign(&mut self, other: Costs) {
        self.supersteps += other.supersteps;
        for (own, other) in self.metrics.iter_mut().zip(other.metrics) {
            *own += other;
        }
        self.idle_at_barrier += other.idle_at_barrier;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_balance_of_figure_3() {
        let one_stage = Summary { maximum: 750e6, average: 93.75e6, minimum: 50e6 };
        assert_eq!(one_stage.balance(), "(12% | 7%)");
        assert_eq!(Summary::default().balance(), "(100% | 100%)");
    }
}
