//! The points to measure next: the JSON `cll-next` of `docs/formats/next.md`.

use cll_units::Seconds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::doubt::Doubts;
use crate::notice::Notice;

/// The points to measure next, and what they bring.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NextPoints {
    format: &'static str,
    version: u32,
    /// The time that the points may take.
    #[serde(rename = "budget_s")]
    pub budget: Seconds,
    /// Whether times are core time: a second of a run counts once for each of its processors.
    pub core_time: bool,
    /// The time that the points will take, by the model.
    #[serde(rename = "cost_s")]
    pub cost: Seconds,
    /// The points, cheapest first.
    pub points: Vec<NextPoint>,
    /// The predictions, now and with these points.
    pub predictions: Vec<NextPrediction>,
    /// How the measurements of each experiment vary.
    pub noise: Vec<NextNoise>,
    /// Notices that the reader should know.
    pub notes: Vec<Notice>,
    /// The doubts in the model that they are planned by.
    #[serde(flatten)]
    pub doubts: Doubts,
}

/// A point to measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NextPoint {
    /// Variables with their values.
    pub at: Vec<(String, f64)>,
    /// How often it is to be run.
    pub runs: u32,
    /// The time that these runs take.
    #[serde(rename = "cost_s", alias = "cost_seconds")]
    pub cost: Seconds,
    /// `narrows`, `distinguishes`, `checks`, `bisects`.
    pub reason: String,
    /// The reason in words; empty in models.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// A prediction, now and with the points.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NextPrediction {
    /// The experiment.
    pub experiment: String,
    /// Variables with their values.
    pub at: Vec<(String, f64)>,
    /// The expected value.
    pub value: f64,
    /// The unit of the value.
    pub unit: String,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// Half the width of the interval now, as a share of the value; `None` if the measurements do not determine it.
    pub now: Option<f64>,
    /// The same when the points are measured.
    pub after: f64,
    /// The same if all constants were known: what remains is the noise of a new measurement.
    pub least: f64,
}

/// How the measurements of an experiment vary from run to run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NextNoise {
    /// The experiment.
    pub experiment: String,
    /// `absolute`, `relative`, `both`.
    pub kind: &'static str,
    /// Standard deviation that does not depend on the value, in the experiment's unit.
    pub absolute: f64,
    /// Standard deviation as a share of the value.
    pub relative: f64,
}

impl NextPoints {
    /// Without points.
    pub fn new(budget: f64, core_time: bool) -> NextPoints {
        NextPoints {
            format: "cll-next",
            version: 1,
            budget: Seconds(budget),
            core_time,
            cost: Seconds(0.0),
            points: Vec::new(),
            predictions: Vec::new(),
            noise: Vec::new(),
            notes: Vec::new(),
            doubts: Doubts::default(),
        }
    }
}
