//! What was counted beside the times.

use cll_units::Seconds;
use serde::{Deserialize, Serialize};

use crate::number;

/// What of an observable was recorded with an experiment's samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterModel {
    /// Its name: `page-faults`.
    pub name: String,
    /// Unit of its values: `faults`.
    pub unit: String,
    /// Samples that have it. Others are of runs that recorded something else, or it could not be read.
    pub samples: u64,
    /// Its values at each point that has any.
    pub points: Vec<CounterPoint>,
}

/// Values of an observable at a point, in its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

/// Misses of an experiment beside the accesses that they are of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MissesModel {
    /// What counted the misses: `sim::D1mr`.
    pub misses: String,
    /// What counted the accesses: `sim::Dr`.
    pub accesses: String,
    /// Misses per access, added over all samples that have both.
    #[serde(deserialize_with = "number::one")]
    pub share: f64,
    /// The same at each point that has accesses.
    pub points: Vec<MissesPoint>,
}

/// Misses at a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MissesPoint {
    /// The values of the experiment's variables.
    #[serde(deserialize_with = "number::all")]
    pub values: Vec<f64>,
    /// The median time of its samples, seconds; `None` where times mean nothing.
    #[serde(rename = "time_s")]
    pub time: Option<Seconds>,
    /// Misses per access.
    #[serde(deserialize_with = "number::one")]
    pub share: f64,
}
