//! What `model.json` tells: `docs/formats/model.md`. Fields that a model does not have yet, or not
//! any more, are as if they were not known.

use cll_fit::Fit;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::counted::{Counter, Misses};
use super::sampling::{Sampling, Verdict};
use crate::model::Memory;

/// A model as JSON, that has been read.
#[derive(Clone, Debug)]
pub struct ModelJson {
    raw: Box<RawValue>,
    told: Told,
}

/// Why a text is no model.
#[derive(Debug, thiserror::Error)]
#[error("the model cannot be read: {0}")]
pub struct ModelJsonError(serde_json::Error);

impl ModelJson {
    /// Reads `model.json`, with or without `predictions`.
    pub fn read(json: &str) -> Result<ModelJson, ModelJsonError> {
        let raw: &RawValue = serde_json::from_str(json).map_err(ModelJsonError)?;
        let told = serde_json::from_str(json).map_err(ModelJsonError)?;
        Ok(ModelJson { raw: raw.to_owned(), told })
    }

    pub(crate) fn raw(&self) -> &RawValue {
        &self.raw
    }

    pub(crate) fn told(&self) -> &Told {
        &self.told
    }
}

/// What the page says in words.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Told {
    #[serde(default)]
    pub tool: String,
    #[serde(default)]
    pub created: String,
    pub program: Option<Program>,
    pub machine: Option<Machine>,
    #[serde(default)]
    pub clock: String,
    pub seed: Option<u64>,
    #[serde(default)]
    pub runs: Vec<Run>,
    #[serde(default)]
    pub experiments: Vec<Experiment>,
    #[serde(default)]
    pub warnings: Vec<Notice>,
    pub sampling: Option<Sampling>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Program {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub model: String,
    pub compiled: Option<Compiled>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Compiled {
    #[serde(default)]
    pub command: String,
    #[serde(default)]
    pub version: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Machine {
    #[serde(default)]
    pub host: String,
    #[serde(default)]
    pub cpu: String,
    #[serde(default)]
    pub processors: u32,
    #[serde(default)]
    pub caches: Vec<Cache>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Cache {
    pub name: String,
    pub bytes: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Run {
    #[serde(default)]
    pub arguments: Vec<String>,
    pub processors: Option<u32>,
    pub round: Option<u32>,
    #[serde(default)]
    pub order: String,
    pub exit: Option<i32>,
    pub signal: Option<i32>,
    #[serde(default)]
    pub timed_out: bool,
    pub seconds: Option<f64>,
    /// What it has recorded, where runs differ.
    #[serde(default)]
    pub counters: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Experiment {
    #[serde(default)]
    name: String,
    #[serde(default)]
    pub formula: String,
    #[serde(default)]
    pub places: Vec<String>,
    #[serde(default)]
    pub variables: Vec<String>,
    #[serde(default)]
    pub time: String,
    #[serde(default)]
    pub observable: String,
    #[serde(default)]
    pub samples: u64,
    pub working_set: Option<String>,
    pub imbalance: Option<Imbalance>,
    pub sync: Option<Sync>,
    #[serde(default)]
    pub counters: Vec<Counter>,
    #[serde(default)]
    pub misses: Vec<Misses>,
    pub fit: Option<Fit>,
    pub failure: Option<String>,
}

/// How alike the processors took, beside their mean.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Imbalance {
    pub processors: u32,
    pub passages: u64,
    pub slowest: f64,
    pub fastest: f64,
}

/// How the processors began the samples together.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Sync {
    pub barrier: u64,
    pub window: u64,
    pub late: u64,
    pub left_out: u64,
    pub within_ns: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Notice {
    #[serde(default)]
    pub code: String,
    #[serde(default)]
    pub text: String,
}

impl Told {
    /// Whether the machine was not fit to be measured on.
    pub(crate) fn is_doubtful(&self) -> bool {
        let verdict = self.sampling.as_ref().and_then(|sampling| sampling.verdict.as_ref());
        verdict.is_some_and(Verdict::is_doubtful)
    }

    /// Name and bytes of each cache of the machine.
    pub(crate) fn caches(&self) -> Vec<(String, u64)> {
        let caches = self.machine.iter().flat_map(|machine| &machine.caches);
        caches.map(|cache| (cache.name.clone(), cache.bytes)).collect()
    }

    /// What was measured: the program, or what the data speak of.
    pub(crate) fn name(&self) -> String {
        let program = self.program.as_ref().map(|program| program.name.as_str());
        match (program.filter(|name| !name.is_empty()), &self.experiments[..]) {
            (Some(name), _) => name.to_owned(),
            (None, [one]) if !one.name.is_empty() => one.name.clone(),
            _ => "Data".to_owned(),
        }
    }
}

impl Experiment {
    /// What its boundaries are compared with, given the machine's caches.
    pub(crate) fn memory<'a>(&'a self, caches: &'a [(String, u64)]) -> Option<Memory<'a>> {
        self.working_set.as_deref().map(|working_set| Memory { working_set, caches })
    }

    /// Its name; one that has none is called by its kind.
    pub(crate) fn name(&self) -> &str {
        if self.name.is_empty() { "experiment" } else { &self.name }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_any_age_are_read() {
        let model = ModelJson::read("{\"format\":\"cll-model\",\"new\":[1]}").unwrap();
        assert_eq!(model.told().name(), "Data");
        assert!(model.told().sampling.is_none());
        assert_eq!(model.raw().get(), "{\"format\":\"cll-model\",\"new\":[1]}");
        let model =
            ModelJson::read("{\"experiments\":[{\"name\":\"rows\",\"fit\":null}]}").unwrap();
        assert_eq!(model.told().name(), "rows");
        assert!(ModelJson::read("{").is_err());
        assert!(ModelJson::read("[]").is_err());
    }
}
