//! Profiles as JSON: `docs/formats/profile.md`.

use cll_profile::critical::{Ranking, critical};
use cll_profile::diff::{Difference, Verdict};
use cll_profile::headline::{Headline, headline};
use cll_profile::{Efficiency, Graph, Metric, Priced, Profile, Summary};
use schemars::JsonSchema;
use serde::Serialize;

use crate::NodeWaits;

/// The predicted communication time on another machine.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AsOn {
    /// The machine's name.
    pub machine: String,
    /// The predicted communication time on that machine.
    #[serde(flatten)]
    pub priced: Priced,
    /// Notes that the reader should know about it.
    pub notes: Vec<String>,
}

/// A profile with all that follows from it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProfileJson<'a> {
    format: &'static str,
    version: u32,
    profile: &'a Profile,
    /// The headline: the most important facts; none if nothing took time.
    #[serde(skip_serializing_if = "Option::is_none")]
    headline: Option<Headline>,
    efficiency: Efficiency,
    /// By node and metric.
    steadiness: Vec<[f64; 4]>,
    critical: Vec<Path>,
    graph: Graph,
    #[serde(skip_serializing_if = "Option::is_none")]
    as_on: Option<&'a AsOn>,
    #[serde(skip_serializing_if = "<[Waits<'_>]>::is_empty")]
    waits: Vec<Waits<'a>>,
}

/// Waiting of each node by kind: maximum, average and minimum over the ranks, seconds.
#[derive(Debug, Serialize, JsonSchema)]
struct Waits<'a> {
    kind: &'static str,
    nodes: &'a [Summary],
}

/// A critical path.
#[derive(Debug, Serialize, JsonSchema)]
struct Path {
    name: String,
    ranks: Vec<f64>,
    path: Vec<usize>,
}

impl<'a> ProfileJson<'a> {
    /// The same with the waiting of each node, if the profile is of calls of MPI.
    #[must_use]
    pub fn with_waits(self, waits: &'a [NodeWaits]) -> ProfileJson<'a> {
        let to_waits =
            |node_waits: &'a NodeWaits| Waits { kind: node_waits.kind, nodes: &node_waits.nodes };
        ProfileJson { waits: waits.iter().map(to_waits).collect(), ..self }
    }

    /// All that is known of a profile.
    pub fn of(profile: &'a Profile, as_on: Option<&'a AsOn>) -> ProfileJson<'a> {
        let nodes = 0..profile.nodes.len();
        let steadiness = |node| Metric::ALL.map(|metric| profile.steadiness(node, metric));
        let paths = Ranking::all().into_iter().map(|ranking| {
            let critical = critical(profile, ranking);
            Path { name: ranking.name(), ranks: critical.ranks, path: critical.path }
        });
        ProfileJson {
            format: "cll-profile",
            version: 1,
            headline: headline(profile),
            efficiency: Efficiency::new(profile),
            steadiness: nodes.map(steadiness).collect(),
            critical: paths.collect(),
            graph: Graph::new(profile),
            profile,
            as_on,
            waits: Vec::new(),
        }
    }
}

/// Two sets of profiles compared.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DifferenceJson<'a> {
    format: &'static str,
    version: u32,
    h_unit: u32,
    difference: &'a Difference,
    conditions: &'a [Verdict],
}

impl<'a> DifferenceJson<'a> {
    /// The differences, with the unit of the h-relation in bytes, and the results of the conditions.
    pub fn new(
        h_unit: u32,
        difference: &'a Difference,
        conditions: &'a [Verdict],
    ) -> DifferenceJson<'a> {
        let format = "cll-profile-diff";
        DifferenceJson { format, version: 1, h_unit, difference, conditions }
    }
}
