//! Fitted models as values of the language: called with values of variables, taken apart into constants.

mod call;
mod constants;
mod fitted;
mod predict;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use cll_fit::Fit;
use cll_result::{Doubts, ExperimentModel, ModelFile};

pub(crate) use fitted::{formula_of, sentence};
pub use predict::Prediction;

use crate::error::Error;
use crate::samples::Samples;
use crate::value::UncertaintySource;

/// A model: one or more fitted experiments.
#[derive(Clone, Debug)]
pub struct Model {
    /// The file it would be written to.
    pub file: Arc<ModelFile>,
    /// The experiments of the file that it has.
    pub experiments: Vec<usize>,
    /// The first source of uncertainty of each experiment of the file.
    sources: Arc<[UncertaintySource]>,
    /// The samples that the model was fitted to, if it was fitted here.
    pub samples: Option<Arc<Samples>>,
    /// The relative standard deviation between the launches of the samples, once it was asked for.
    launches: Arc<OnceLock<f64>>,
}

/// The next unused source of uncertainty. Sources only have to differ.
static NEXT: AtomicU64 = AtomicU64::new(call::OF_PROCESSORS + 1);

impl Model {
    /// Makes a model of a file, with all its experiments.
    pub fn new(file: ModelFile, samples: Option<Arc<Samples>>) -> Model {
        let sources = file.experiments.iter().map(|experiment| {
            let fit = experiment.fit.as_ref();
            let needed = fit
                .map_or(0, |fit| 1 + fit.intervals.len() as u64 * (fit.owners().len() as u64 + 1));
            NEXT.fetch_add(needed, Ordering::Relaxed)
        });
        Model {
            sources: sources.collect(),
            experiments: (0..file.experiments.len()).collect(),
            file: Arc::new(file),
            samples,
            launches: Arc::default(),
        }
    }

    /// The relative standard deviation between launches of what it was fitted to; 0 if that is not known.
    pub(crate) fn deviation_of_launches(&self) -> f64 {
        let deviation = |samples: &Arc<Samples>| samples.prepared().deviation_of_launches();
        *self.launches.get_or_init(|| self.samples.as_ref().map_or(0.0, deviation))
    }

    /// The experiments.
    pub fn experiments(&self) -> impl Iterator<Item = &ExperimentModel> {
        self.experiments.iter().map(|&index| &self.file.experiments[index])
    }

    /// The index of its only experiment.
    ///
    /// # Errors
    /// If it has several; names are in the text.
    pub fn only(&self) -> Result<usize, Error> {
        match self.experiments[..] {
            [number] => Ok(number),
            _ => Err(Error::Several(
                self.experiments().map(|experiment| experiment.name.clone()).collect(),
            )),
        }
    }

    /// The fit of an experiment.
    ///
    /// # Errors
    /// Why there is none.
    pub fn fit(&self, experiment: usize) -> Result<&Fit, Error> {
        let experiment = &self.file.experiments[experiment];
        experiment.fit.as_ref().ok_or_else(|| {
            let why = experiment.failure.as_deref().unwrap_or("it was not fitted");
            Error::NoFit { name: experiment.name.clone(), why: why.to_owned() }
        })
    }

    /// The doubts in the numbers of an experiment.
    pub fn doubts(&self, experiment: usize) -> Doubts {
        self.file.doubts_of(&self.file.experiments[experiment])
    }

    /// The text to print when numbers of the experiments are taken, if they are not reliable.
    pub fn reservation(&self) -> Option<String> {
        let all = self.experiments.iter().flat_map(|&index| self.doubts(index));
        Doubts::new(all).reservation()
    }

    /// The file with its experiments alone.
    pub fn chosen(&self) -> ModelFile {
        let mut file = ModelFile::clone(&self.file);
        file.experiments = self.experiments().cloned().collect();
        file
    }

    /// With one of its experiments.
    pub fn experiment(&self, name: &str) -> Option<Model> {
        let index =
            self.experiments.iter().find(|&&index| self.file.experiments[index].name == name)?;
        Some(Model { experiments: vec![*index], ..self.clone() })
    }

    /// Lists the names that may stand after a dot: experiments, and the parts of a single one.
    pub fn members(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.experiments().map(|experiment| experiment.name.clone()).collect();
        names.extend(["formula", "constants", "points", "error"].map(str::to_owned));
        names
    }
}
