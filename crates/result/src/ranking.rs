//! Where a program spends its time: the `ranking` part of `model.json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Functions and loops by their share of the program's time at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ranking {
    /// The variables of the program's arguments (and `P`) with their values there.
    pub at: Vec<(String, f64)>,
    /// Whether a value is larger or smaller than all that were measured.
    pub is_beyond: bool,
    /// The values that were asked for, if they are not `at`: regions that matter have no formula, so their shares there
    /// are not known. Then `at` are the largest measured values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<(String, f64)>,
    /// The command of the run that was ranked, if it is a measured one. The formulas are then those of one passage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run: Vec<String>,
    /// The observable in place of the time; `None`: the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observable: Option<String>,
    /// The unit of that; `None`: seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The time of the whole program there.
    pub total: Option<TotalTime>,
    /// The share of that time which the regions cover; the rest is in `main` itself, and in what was not measured.
    pub covered: Option<f64>,
    /// The sum of all regions, if that is not the time of the whole program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum: Option<RegionSum>,
    /// The regions, largest share first.
    pub spots: Vec<HotSpot>,
    /// Functions and loops that are not measured.
    pub left_out: Vec<NotMeasured>,
    /// Regions that the program did not reach in any run.
    pub not_reached: Vec<String>,
    /// Whether shares are of the sum of all experiments, and not of a program's time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_experiments: bool,
    /// The cost of the markers; `None` in models of older versions, and where times mean nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markers: Option<MarkerCost>,
}

/// The sum of all regions, which have formulas of their own, beside the whole program.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RegionSum {
    /// Seconds, or the unit of the ranking.
    pub value: f64,
    /// By how much it is more than the whole program, as a share of that; negative: less.
    pub excess: f64,
}

/// The cost of the markers that remain after short and frequent regions were left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MarkerCost {
    /// The markers of one passage, seconds.
    pub each: f64,
    /// Whether that was measured here; else it is assumed.
    pub is_measured: bool,
    /// Passages of all regions in a run of the largest values.
    pub passages: f64,
    /// The share of that run that they take.
    pub share: f64,
    /// These values.
    pub at: Vec<(String, f64)>,
}

/// A time with its interval and the formula that it is from; or another observable, in its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TotalTime {
    /// The formula that was found, in the variables of the arguments, or those of a passage where a run is ranked;
    /// `None`: none was found.
    pub formula: Option<String>,
    /// The constants, in the order of the terms.
    pub constants: Vec<f64>,
    /// Other formulas that the data can hardly distinguish from it.
    pub ties: Vec<String>,
    /// The time where it is ranked, predicted or measured; `None`: it was not measured there, and no formula predicts it.
    #[serde(flatten)]
    pub estimate: Option<Estimate>,
    /// The time at the asked values, if it is ranked elsewhere; `None`: no formula predicts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted: Option<Estimate>,
    /// Why there is no formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A value with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// Seconds, or the unit of the ranking.
    pub value: f64,
    /// Where a new measurement is expected.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl TotalTime {
    /// The value; 0 where nothing is known.
    pub fn value(&self) -> f64 {
        self.estimate.map_or(0.0, |estimate| estimate.value)
    }
}

/// A function or loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HotSpot {
    /// Name of the experiment.
    pub name: String,
    /// Where it begins: `prog.c:12`.
    pub place: String,
    /// The share of the program's time: that of the experiments inside is not counted.
    pub share: f64,
    /// The time in a run, without the experiments inside.
    pub time: TotalTime,
    /// The number of passages in a run, at the largest measured size.
    pub passages: f64,
    /// The measured time at that size.
    pub measured: f64,
}

/// A function or loop that is not measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NotMeasured {
    /// The name of the function or loop.
    pub name: String,
    /// Where it begins.
    pub place: String,
    /// Why.
    pub why: String,
    /// The number of passages in a pilot run; `None` if it was not measured there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passages: Option<f64>,
    /// The time of one passage in the pilot run, seconds.
    #[serde(
        rename = "time_s",
        alias = "seconds",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub seconds: Option<f64>,
    /// The share of the pilot run's time that measuring it would take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}
