//! Two models of one program compared: `docs/formats/model.md`.

use cll_fit::{CompareOptions, Fit, FitComparison, Unit, compare_among};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Notice;
use crate::model::{ExperimentModel, ModelFile};

/// The changes between two models.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModelComparison {
    format: &'static str,
    version: u32,
    /// The confidence of the intervals of all constants of all experiments together.
    pub confidence: f64,
    /// A smaller relative change is of no practical importance.
    pub threshold: f64,
    /// Whether some value of an experiment has grown for certain.
    pub slower: bool,
    /// The experiments that both have.
    pub experiments: Vec<ExperimentComparison>,
    /// Experiments of the old model that the new one does not have, or without a fit.
    pub gone: Vec<String>,
    /// Experiments of the new model that the old one does not have, or without a fit there.
    pub added: Vec<String>,
    /// In what the runs differ: machine, compiler.
    pub differs: Vec<ModelDiffering>,
    /// Causes that the intervals do not contain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
}

/// A property of the measurements that differs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModelDiffering {
    /// The name of the property: `machine`, `compiler`.
    pub what: &'static str,
    /// The value in the old model.
    pub old: String,
    /// The value in the new model.
    pub new: String,
}

/// An experiment in both models.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExperimentComparison {
    /// The name of the experiment.
    pub experiment: String,
    /// The quantity that was fitted: `time`.
    pub observable: String,
    /// The comparison; `None` if there can be none.
    pub comparison: Option<FitComparison>,
    /// Why there is none.
    pub failure: Option<String>,
}

impl ModelComparison {
    /// Compares the experiments that both models have, by their names.
    pub fn new(old: &ModelFile, new: &ModelFile, options: &CompareOptions) -> ModelComparison {
        let mut comparison = ModelComparison {
            format: "cll-model-compare",
            version: 1,
            confidence: options.confidence,
            threshold: options.threshold,
            slower: false,
            experiments: Vec::new(),
            gone: Vec::new(),
            added: Vec::new(),
            differs: differs(old, new),
            notices: Vec::new(),
        };
        for (which, model) in [("old", old), ("new", new)] {
            let doubts = model.doubts();
            comparison.notices.extend(doubts.iter().map(|doubt| {
                Notice::new(doubt.kind.code(), format!("the {which} model: {}", doubt.text))
            }));
        }
        let fits = |candidate: &ExperimentModel| {
            old.experiments.iter().any(|other| other.name == candidate.name && other.fit.is_some())
                && candidate.fit.is_some()
        };
        let count = new.experiments.iter().filter(|experiment| fits(experiment)).count();
        let mut one_occasion = false;
        for experiment in &new.experiments {
            let before = old.experiments.iter().find(|other| other.name == experiment.name);
            let fits = before
                .and_then(|before| Some((before, before.fit.as_ref()?, experiment.fit.as_ref()?)));
            let Some((before, old_fit, fit)) = fits else {
                comparison.added.push(experiment.name.clone());
                continue;
            };
            let result = if before.observable == experiment.observable {
                compare_among(old_fit, fit, options, count).map_err(|error| error.to_string())
            } else {
                Err(format!(
                    "the old model is of {}, the new one of {}",
                    before.observable, experiment.observable
                ))
            };
            one_occasion |= [old_fit, fit].into_iter().any(is_of_one_occasion);
            let (compared, failure) = match result {
                Ok(compared) => (Some(compared), None),
                Err(failure) => (None, Some(failure)),
            };
            comparison.slower |= compared.as_ref().is_some_and(FitComparison::is_slower);
            comparison.experiments.push(ExperimentComparison {
                experiment: experiment.name.clone(),
                observable: experiment.observable.clone(),
                comparison: compared,
                failure,
            });
        }
        comparison.notices.extend(one_occasion.then(|| {
            let text = "how much runs at different times differ is not in the intervals: the data of a model do not \
                        say of which run a time is, or are of fewer than three (a column `run`, or traces of \
                        several runs)";
            Notice::new("one-occasion", text.to_owned())
        }));
        let known = |name: &String| {
            comparison.experiments.iter().any(|comparison| comparison.experiment == *name)
        };
        let gone = old.experiments.iter().filter(|experiment| !known(&experiment.name));
        comparison.gone = gone.map(|experiment| experiment.name.clone()).collect();
        comparison
    }

    /// Whether no experiment can be compared.
    pub fn is_empty(&self) -> bool {
        self.experiments.iter().all(|comparison| comparison.comparison.is_none())
    }
}

/// Whether a fit of times knows nothing of how much runs differ.
fn is_of_one_occasion(fit: &Fit) -> bool {
    fit.unit == Unit::Seconds && fit.between_runs.is_none() && fit.widening.common == 0.0
}

fn differs(old: &ModelFile, new: &ModelFile) -> Vec<ModelDiffering> {
    let machine = |model: &ModelFile| {
        model.machine.as_ref().map(|machine| format!("{}: {}", machine.host, machine.cpu))
    };
    let compiled = |model: &ModelFile| {
        let compiled = model.program.as_ref()?.compiled.as_ref()?;
        Some(format!("{}; {}", compiled.version, compiled.command))
    };
    let each =
        [("machine", machine(old), machine(new)), ("compiler", compiled(old), compiled(new))];
    let both = each.into_iter().filter_map(|(what, old, new)| Some((what, old?, new?)));
    both.filter(|(_, old, new)| old != new)
        .map(|(what, old, new)| ModelDiffering { what, old, new })
        .collect()
}
