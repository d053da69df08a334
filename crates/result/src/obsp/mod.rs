//! A prediction by BSP, OBSP and OBSP*, with all its details: `docs/formats/obsp.md`
//! describes its JSON.

mod predict;

use cll_model::formula::Refusal;
use cll_model::log::Measured;
use cll_model::{Influence, Interval, Parts, Quantity, Rule, Taken, Target};
use cll_units::{ProcessorId, Seconds};
use schemars::JsonSchema;
use serde::Serialize;

pub use predict::{Subject, predict};

/// Predictions as `cll obsp --json` writes them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Predictions<'a> {
    format: &'static str,
    version: u32,
    subject: &'a str,
    machine: &'a str,
    engine: Option<&'a str>,
    at: &'static str,
    predictions: &'a [Prediction],
}

impl<'a> Predictions<'a> {
    /// Makes the answer from the predictions of a program for a target machine.
    pub fn new(
        subject: &'a str,
        target: &'a Target<'a>,
        predictions: &'a [Prediction],
    ) -> Predictions<'a> {
        Predictions {
            format: "cll-obsp",
            version: 1,
            subject,
            machine: &target.machine.name,
            engine: target.engine,
            at: target.combine.name(),
            predictions,
        }
    }
}

/// The time by a model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Said {
    /// Which one.
    pub model: Rule,
    /// The time with its interval; `None` if there is no interval.
    #[serde(flatten)]
    pub time: Option<Interval>,
    /// (measured - model)/measured.
    pub error: Option<f64>,
    /// Why there is no time.
    pub missing: Option<String>,
}

/// A superstep and its account.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SuperstepRow {
    /// Index of the machine object.
    pub object: usize,
    /// Number of the superstep in it, from 1.
    pub superstep: usize,
    /// Where it ended.
    pub place: String,
    /// The pattern of its communication.
    pub pattern: &'static str,
    /// The largest h-relation of equal ones, bytes.
    pub h_bytes: f64,
    /// How many are equal.
    pub times: u64,
    /// Mean over the processors.
    #[serde(flatten)]
    pub mean: Parts,
    /// The measured time, if there is one.
    pub measured: Option<Measured>,
}

/// A machine object, over all equal ones.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ObjectRow {
    /// The name of the object.
    pub name: String,
    /// How many processors.
    pub processors: u32,
    /// How many supersteps it has.
    pub supersteps: usize,
    /// Mean over the processors.
    #[serde(flatten)]
    pub mean: Parts,
    /// The measured time, if there is one.
    pub measured: Option<Measured>,
}

/// A stretch of the critical path.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Stretch {
    /// Index of the machine object.
    pub object: usize,
    /// Number of the superstep in it, from 1.
    pub superstep: usize,
    /// The processor that computes.
    pub processor: ProcessorId,
    /// Whether it determines the time of the next one.
    pub decides: bool,
    /// The parts of the time.
    #[serde(flatten)]
    pub parts: Parts,
}

/// Where the time of OBSP* goes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Account {
    /// By machine object.
    pub objects: Vec<ObjectRow>,
    /// By superstep.
    pub supersteps: Vec<SuperstepRow>,
    /// By processor.
    pub processors: Vec<Parts>,
    /// Time outside of all objects.
    #[serde(rename = "outside_s")]
    pub outside: Seconds,
    /// From the begin to the end.
    pub critical_path: Vec<Stretch>,
    /// The processor that ends last.
    pub last: ProcessorId,
    /// The quantities that determine the time, the largest influence first.
    pub influences: Vec<QuantityInfluence>,
}

/// The influence of a quantity on the total.
#[derive(Debug, Serialize, JsonSchema)]
pub struct QuantityInfluence {
    /// The quantity.
    #[serde(flatten)]
    pub quantity: Quantity,
    /// The influence of the quantity.
    #[serde(flatten)]
    pub influence: Influence,
}

/// Everything in the report on one prediction.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Prediction {
    /// Values of variables; empty for a log.
    pub at: serde_json::Map<String, serde_json::Value>,
    /// How many processors.
    pub processors: u32,
    /// The time of the log.
    #[serde(rename = "measured_s")]
    pub measured: Option<Seconds>,
    /// Whether the measured time is the time on virtual processors.
    pub of_virtual_processors: bool,
    /// The predictions of the three models.
    pub models: Vec<Said>,
    /// The parts of the time of OBSP*, if they were requested.
    pub account: Option<Account>,
    /// Costs that were used in place of missing ones.
    pub substitutions: Vec<Taken>,
    /// Notes that the reader should know.
    pub notes: Vec<String>,
    /// Why the data of blocks give no time; empty if they do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refusals: Vec<String>,
}

impl Prediction {
    /// The answer where blocks have no value.
    pub fn refused(
        values: &[(String, f64)],
        processors: u32,
        refusals: &[Refusal],
        notes: Vec<String>,
    ) -> Prediction {
        let blocks: Vec<&str> = refusals.iter().map(|refusal| refusal.block.as_str()).collect();
        let missing = format!("the data refuse a value of {}", blocks.join(", "));
        let estimate_of =
            |model| Said { model, time: None, error: None, missing: Some(missing.clone()) };
        Prediction {
            at: values.iter().map(|(name, value)| (name.clone(), (*value).into())).collect(),
            processors,
            measured: None,
            of_virtual_processors: false,
            models: Rule::ALL.into_iter().map(estimate_of).collect(),
            account: None,
            substitutions: Vec::new(),
            notes,
            refusals: refusals.iter().map(ToString::to_string).collect(),
        }
    }
}
