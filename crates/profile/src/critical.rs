//! The seventeen critical paths: each a ranking of nodes, a shading, and a path from the root to a leaf.

use schemars::JsonSchema;
use serde::Serialize;

use crate::metric::{Costs, Metric};
use crate::profile::Profile;

/// One of the seventeen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(tag = "path", content = "metric", rename_all = "kebab-case")]
pub enum Ranking {
    /// Supersteps, by those of the root.
    Synchronisation,
    /// M / M0: the maximum, by the root's.
    Absolute(Metric),
    /// (M - A) / (M0 - A0): the possible gain, divided by that of the root.
    Imbalance(Metric),
    /// (M - A) / A, divided by the largest value of all nodes.
    Relative(Metric),
    /// (M - A) / A · M / M0, divided by the largest value of all nodes.
    Weighted(Metric),
}

/// There is no ranking of a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such critical path: did you mean {near}?")]
pub struct UnknownRanking {
    /// The name that is nearest to it.
    pub near: String,
}

impl Ranking {
    /// Where to begin: with what has no noise and pays on every machine, then what is left of an imbalance, then
    /// what costs most.
    pub const BEGIN: [Ranking; 7] = [
        Ranking::Imbalance(Metric::HRelation),
        Ranking::Imbalance(Metric::Computation),
        Ranking::Imbalance(Metric::Communication),
        Ranking::Imbalance(Metric::Idle),
        Ranking::Absolute(Metric::HRelation),
        Ranking::Absolute(Metric::Computation),
        Ranking::Synchronisation,
    ];

    /// All seventeen, in the order of the paper.
    pub fn all() -> [Ranking; 17] {
        let kinds: [fn(Metric) -> Ranking; 4] =
            [Ranking::Absolute, Ranking::Imbalance, Ranking::Relative, Ranking::Weighted];
        std::array::from_fn(|index| match index.checked_sub(1) {
            None => Ranking::Synchronisation,
            Some(index) => kinds[index / 4](Metric::ALL[index % 4]),
        })
    }

    /// The name in the command line: `synchronisation`, `weighted:h-relation`.
    pub fn name(self) -> String {
        match self {
            Ranking::Synchronisation => "synchronisation".to_owned(),
            Ranking::Absolute(metric) => format!("absolute:{}", metric.name()),
            Ranking::Imbalance(metric) => format!("imbalance:{}", metric.name()),
            Ranking::Relative(metric) => format!("relative:{}", metric.name()),
            Ranking::Weighted(metric) => format!("weighted:{}", metric.name()),
        }
    }

    /// The one of this name.
    ///
    /// # Errors
    /// The name that is nearest to it.
    pub fn named(name: &str) -> Result<Ranking, UnknownRanking> {
        let wanted = name.to_lowercase().replace("synchronization", "synchronisation");
        let wanted = match wanted.split_once(':') {
            Some((kind, "h" | "hrelation" | "h_relation")) => format!("{kind}:h-relation"),
            _ => wanted,
        };
        let all = Ranking::all();
        if let Some(ranking) = all.into_iter().find(|ranking| ranking.name() == wanted) {
            return Ok(ranking);
        }
        let names = all.map(Ranking::name);
        let distance = |name: &String| strsim::damerau_levenshtein(name, &wanted);
        Err(UnknownRanking { near: names.into_iter().min_by_key(distance).unwrap_or_default() })
    }

    /// Returns the metric that the ranking uses; `None` for [`Ranking::Synchronisation`], since supersteps are no
    /// metric.
    pub fn metric(self) -> Option<Metric> {
        match self {
            Ranking::Synchronisation => None,
            Ranking::Absolute(metric)
            | Ranking::Imbalance(metric)
            | Ranking::Relative(metric)
            | Ranking::Weighted(metric) => Some(metric),
        }
    }

    /// Describes in words what the ranking shows.
    pub fn words(self) -> &'static str {
        match self {
            Ranking::Synchronisation => "most supersteps",
            Ranking::Absolute(_) => "largest cost",
            Ranking::Imbalance(_) => "largest difference of maximum and average",
            Ranking::Relative(_) => "largest difference of maximum and average, by the average",
            Ranking::Weighted(_) => "largest imbalance by the average, times the share of the cost",
        }
    }

    /// Ranks of nodes with these costs, 0 to 1, the root's first. 0/0 is 0; an average of 0 under a maximum
    /// above it ranks like the largest that is finite, or 1 alone.
    pub fn ranks(self, costs: &[Costs]) -> Vec<f64> {
        let Some(root) = costs.first() else { return Vec::new() };
        let quotient = |a: f64, b: f64| if a == 0.0 { 0.0 } else { a / b };
        match self {
            Ranking::Synchronisation => {
                costs.iter().map(|costs| quotient(costs.supersteps, root.supersteps)).collect()
            }
            Ranking::Absolute(metric) => {
                let total = root.summary(metric).maximum;
                costs.iter().map(|costs| quotient(costs.summary(metric).maximum, total)).collect()
            }
            Ranking::Imbalance(metric) => {
                let total = root.summary(metric).imbalance();
                costs
                    .iter()
                    .map(|costs| quotient(costs.summary(metric).imbalance(), total))
                    .collect()
            }
            Ranking::Relative(metric) | Ranking::Weighted(metric) => {
                let total = root.summary(metric).maximum;
                let raw = costs.iter().map(|costs| {
                    let summary = costs.summary(metric);
                    let relative = quotient(summary.imbalance(), summary.average);
                    match self {
                        Ranking::Weighted(_) => relative * quotient(summary.maximum, total),
                        _ => relative,
                    }
                });
                scaled(raw.collect())
            }
        }
        .into_iter()
        .map(|rank| if rank.is_nan() { 0.0 } else { rank.clamp(0.0, 1.0) })
        .collect()
    }
}

/// By the largest that is finite.
fn scaled(raw: Vec<f64>) -> Vec<f64> {
    let largest = raw.iter().copied().filter(|rank| rank.is_finite()).fold(0.0, f64::max);
    let scale = |rank: f64| match rank {
        rank if rank.is_infinite() && rank > 0.0 => 1.0,
        _ if largest == 0.0 => 0.0,
        rank => rank / largest,
    };
    raw.into_iter().map(scale).collect()
}

/// A ranking of a profile's tree.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Critical {
    /// Which.
    pub ranking: Ranking,
    /// The rank of each node, 0 to 1: white to red.
    pub ranks: Vec<f64>,
    /// From the root to a leaf, at each node to the child with the highest rank.
    pub path: Vec<usize>,
}

impl Critical {
    /// Whether no node has a rank above 0, so that the path ends at the root.
    pub fn is_empty(&self) -> bool {
        self.path.len() < 2
    }
}

/// The critical path to begin with, and those that come before it in [`Ranking::BEGIN`] and are empty.
pub fn first(profile: &Profile) -> (Critical, Vec<Ranking>) {
    if profile.is_by_calls() {
        let critical = critical(profile, Ranking::Absolute(Metric::Idle));
        if !critical.is_empty() {
            return (critical, Vec::new());
        }
    }
    let mut empty = Vec::new();
    for ranking in Ranking::BEGIN {
        let critical = critical(profile, ranking);
        if !critical.is_empty() {
            return (critical, empty);
        }
        empty.push(ranking);
    }
    let [first, ..] = Ranking::BEGIN;
    (critical(profile, first), Vec::new())
}

/// Ranks a profile's tree.
pub fn critical(profile: &Profile, ranking: Ranking) -> Critical {
    let costs: Vec<Costs> = profile.nodes.iter().map(|node| node.costs).collect();
    let ranks = ranking.ranks(&costs);
    let mut path = vec![0];
    // The first of those with equal ranks.
    while let Some(next) = (profile.nodes[path[path.len() - 1]].children.iter().copied())
        .reduce(|best, child| if ranks[child] > ranks[best] { child } else { best })
        .filter(|child| ranks[*child] > 0.0)
    {
        path.push(next);
    }
    Critical { ranking, ranks, path }
}

#[cfg(test)]
mod tests {
    use crate::metric::Summary;

    use super::*;

    fn costs(supersteps: f64, maximum: f64, average: f64) -> Costs {
        let summary = Summary { maximum, average, minimum: 0.0 };
        Costs { supersteps, metrics: [summary; 4], idle_at_barrier: 0.0 }
    }

    #[test]
    fn there_are_seventeen_and_each_has_its_name() {
        let all = Ranking::all();
        for ranking in all {
            assert_eq!(Ranking::named(&ranking.name()), Ok(ranking));
        }
        assert_eq!(Ranking::named("weighted:h"), Ok(Ranking::Weighted(Metric::HRelation)));
        assert_eq!(
            Ranking::named("wieghted:idle"),
            Err(UnknownRanking { near: "weighted:idle".to_owned() })
        );
    }

    #[test]
    fn ranks_are_those_of_the_table() {
        // Root, a node that costs most and is balanced, one that is small and is not.
        let nodes = [costs(10.0, 20.0, 15.0), costs(8.0, 16.0, 14.0), costs(2.0, 4.0, 1.0)];
        let idle = Metric::Idle;
        let near = |ranking: Ranking, expected: [f64; 3]| {
            for (rank, expected) in ranking.ranks(&nodes).into_iter().zip(expected) {
                assert!((rank - expected).abs() < 1e-12, "{ranking:?}: {rank} {expected}");
            }
        };
        near(Ranking::Synchronisation, [1.0, 0.8, 0.2]);
        near(Ranking::Absolute(idle), [1.0, 0.8, 0.2]);
        near(Ranking::Imbalance(idle), [1.0, 0.4, 0.6]);
        near(Ranking::Relative(idle), [1.0 / 3.0 / 3.0, 1.0 / 7.0 / 3.0, 1.0]);
        let weighted = [1.0 / 3.0, 1.0 / 7.0 * 0.8, 3.0 * 0.2];
        near(Ranking::Weighted(idle), weighted.map(|rank| rank / 0.6));
    }

    #[test]
    fn nothing_by_nothing_is_nothing() {
        let nodes = [Costs::default(), Costs::default()];
        for ranking in Ranking::all() {
            assert_eq!(ranking.ranks(&nodes), [0.0, 0.0], "{ranking:?}");
        }
    }
}
