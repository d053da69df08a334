//! Counters that were recorded beside the times.

use cll_units::Seconds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number;

/// The values of an observable that were recorded with an experiment's samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CounterModel {
    /// The name of the counter: `page-faults`.
    pub name: String,
    /// Unit of its values: `faults`.
    pub unit: String,
    /// Number of samples that have it. In other samples it could not be read, or their run recorded other observables.
    pub samples: u64,
    /// The values of the counter at each point that has any.
    pub points: Vec<CounterPoint>,
}

/// Values of an observable at a point, in its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CounterPoint {
    /// The values of the experiment's variables.
    #[serde(deserialize_with = "number::all")]
    pub values: Vec<f64>,
    /// Number of samples that have it.
    pub count: u64,
    /// Their median.
    #[serde(deserialize_with = "number::one")]
    pub median: f64,
    /// The least of them.
    #[serde(deserialize_with = "number::one")]
    pub minimum: f64,
    /// The most.
    #[serde(deserialize_with = "number::one")]
    pub maximum: f64,
}

/// Cache misses of an experiment, and the accesses among which they occurred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissesModel {
    /// The observable that counts misses: `sim::D1mr`.
    pub misses: String,
    /// The observable that counts accesses: `sim::Dr`.
    pub accesses: String,
    /// All misses divided by all accesses, over the samples that have both.
    #[serde(deserialize_with = "number::one")]
    pub share: f64,
    /// The same at each point that has accesses.
    pub points: Vec<MissesPoint>,
}

/// Misses at a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissesPoint {
    /// The values of the experiment's variables.
    #[serde(deserialize_with = "number::all")]
    pub values: Vec<f64>,
    /// The median time of its samples, seconds; `None` if times have no meaning (simulated runs).
    #[serde(rename = "time_s")]
    pub time: Option<Seconds>,
    /// Misses per access.
    #[serde(deserialize_with = "number::one")]
    pub share: f64,
}
