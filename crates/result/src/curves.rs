//! Times along a variable: the JSON `cll-curves` of `docs/formats/obsp.md`.

use cll_model::curves::{Crossover, Scaling};
use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;

use crate::doubt::Doubts;

/// All curves.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Curves {
    format: &'static str,
    version: u32,
    /// The variable that the curves follow.
    pub variable: String,
    /// One for each program.
    pub curves: Vec<TimedCurve>,
    /// The values at which one becomes faster than another.
    pub crossovers: Vec<CurveCrossover>,
    /// Notes that the reader should know.
    pub notes: Vec<String>,
}

impl Curves {
    /// Along a variable.
    pub fn new(
        variable: String,
        curves: Vec<TimedCurve>,
        crossovers: Vec<CurveCrossover>,
        notes: Vec<String>,
    ) -> Curves {
        Curves { format: "cll-curves", version: 1, variable, curves, crossovers, notes }
    }
}

/// The times of one program.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TimedCurve {
    /// The program's name.
    pub name: String,
    /// The kind of the time: `OBSP*`, `fit`.
    pub kind: &'static str,
    /// Whether its points are measured runs, which are marked in the plot.
    #[serde(skip)]
    pub of_runs: bool,
    /// Why its numbers are not to be believed as they stand.
    #[serde(flatten)]
    pub doubts: Doubts,
    /// In ascending order.
    pub points: Vec<TimedPoint>,
}

/// A time.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TimedPoint {
    /// The value of the variable.
    pub at: f64,
    /// The time.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// Lower end of its interval.
    #[serde(rename = "low_s")]
    pub low: Option<Seconds>,
    /// Upper end.
    #[serde(rename = "high_s")]
    pub high: Option<Seconds>,
    /// Whether it is beyond the data that the time is from; `None` if it is not from data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<bool>,
    /// The times of other models, seconds.
    pub beside: serde_json::Map<String, serde_json::Value>,
    /// Speed-up and efficiency, along the processors.
    pub scaling: Option<Scaling>,
    /// The smallest size with the requested efficiency; absent if none was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isoefficiency_size: Option<Option<f64>>,
    /// For logs: the number of runs of which it is the median.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<usize>,
}

/// Where one of two becomes the quicker.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CurveCrossover {
    /// One program.
    pub first: String,
    /// The other.
    pub second: String,
    /// The value, and which one is faster from there on.
    #[serde(flatten)]
    pub place: Crossover,
}
