//! Two campaigns of one plan compared: `docs/formats/campaign.md`.

use cll_campaign::TimeChange;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// The changes between two campaigns. The fields are in the order of their names, as in the JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Comparison {
    /// The confidence of the intervals.
    pub confidence: f64,
    /// The differences between their environments.
    #[serde(rename = "environments")]
    pub differs: Vec<Differing>,
    format: &'static str,
    /// The points that both have.
    #[serde(rename = "points")]
    #[schemars(with = "Vec<ComparedJson<'static>>")]
    pub compared: Vec<Compared>,
    version: u32,
}

/// A property of the environment that differs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Differing {
    /// The value in the new campaign.
    pub after: String,
    /// The value in the old campaign.
    pub before: String,
    /// The name of the property: `compiler`.
    pub what: &'static str,
}

/// A point that both have.
#[derive(Debug)]
pub struct Compared {
    /// The name of the experiment.
    pub experiment: String,
    /// The values of its variables, in words.
    pub point: String,
    /// By what factor its time has changed.
    pub change: TimeChange,
    /// The number of its runs in both campaigns.
    pub runs: (usize, usize),
}

impl Comparison {
    /// Makes a comparison from the points, and from the differences of the environments (what, before, after).
    pub fn new(
        compared: Vec<Compared>,
        differs: Vec<(&'static str, String, String)>,
        confidence: f64,
    ) -> Comparison {
        let differs = differs.into_iter();
        let differs = differs.map(|(what, before, after)| Differing { after, before, what });
        Comparison {
            confidence,
            differs: differs.collect(),
            format: "cll-campaign-compare",
            compared,
            version: 1,
        }
    }

    /// Whether there is no point that both have.
    pub fn is_empty(&self) -> bool {
        self.compared.is_empty()
    }
}

/// A point that both have, as it is written.
#[derive(Serialize, JsonSchema)]
struct ComparedJson<'a> {
    /// The values of the variables, in words.
    at: &'a str,
    /// Whether the change is seen; `None` if there are too few runs.
    changed: Option<bool>,
    /// The name of the experiment.
    experiment: &'a str,
    /// The upper end of the ratio's interval.
    high: Option<f64>,
    /// The lower end of it.
    low: Option<f64>,
    /// By what factor the time has changed.
    ratio: f64,
    /// The number of runs in the old and in the new campaign.
    runs: (usize, usize),
}

impl Serialize for Compared {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = ComparedJson {
            at: &self.point,
            changed: self.change.is_seen(),
            experiment: &self.experiment,
            high: self.change.interval.map(|(_, high)| high),
            low: self.change.interval.map(|(low, _)| low),
            ratio: self.change.ratio,
            runs: self.runs,
        };
        json.serialize(serializer)
    }
}
