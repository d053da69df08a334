//! Samples with the model by the formula of their source.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::error::Error;
use crate::model::Model;
use crate::samples::Samples;

/// Samples, and their own model once it was asked for.
#[derive(Clone, Debug)]
pub struct Experiment {
    samples: Arc<Samples>,
    model: OnceLock<Result<Arc<Model>, Error>>,
}

impl Experiment {
    /// Makes an experiment from these samples.
    pub fn new(samples: impl Into<Arc<Samples>>) -> Experiment {
        Experiment { samples: samples.into(), model: OnceLock::new() }
    }

    /// The samples.
    pub fn samples(&self) -> &Arc<Samples> {
        &self.samples
    }

    /// The model by the formula of the source, fitted when it is first needed.
    ///
    /// # Errors
    /// Why there is none.
    pub fn model(&self) -> Result<Arc<Model>, Error> {
        self.model.get_or_init(|| Model::of_samples(&self.samples).map(Arc::new)).clone()
    }
}

impl Deref for Experiment {
    type Target = Samples;

    fn deref(&self) -> &Samples {
        &self.samples
    }
}
