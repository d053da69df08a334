//! What curves tell, as JSON.

use cll_model::curves::{Crossover, Scaling};
use serde::Serialize;

/// All curves: the JSON `cll-curves` of `docs/formats/obsp.md`.
#[derive(Serialize)]
pub struct Answer {
    pub format: &'static str,
    pub version: u32,
    pub variable: String,
    pub curves: Vec<CurveAnswer>,
    pub crossovers: Vec<CrossoverAnswer>,
    pub notes: Vec<String>,
}

#[derive(Serialize)]
pub struct CurveAnswer {
    pub name: String,
    pub kind: &'static str,
    /// Its points are of runs: they are marked.
    #[serde(skip)]
    pub of_runs: bool,
    pub points: Vec<PointAnswer>,
}

#[derive(Serialize)]
pub struct PointAnswer {
    pub at: f64,
    pub time_s: f64,
    pub low_s: Option<f64>,
    pub high_s: Option<f64>,
    pub beside: serde_json::Map<String, serde_json::Value>,
    pub scaling: Option<Scaling>,
    /// The least size that has the efficiency that was asked for; absent where none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isoefficiency_size: Option<Option<f64>>,
    /// Of logs: of how many runs it is the one in the middle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<usize>,
}

#[derive(Serialize)]
pub struct CrossoverAnswer {
    pub first: String,
    pub second: String,
    #[serde(flatten)]
    pub place: Crossover,
}
