//! The report on a model: what it is, where it holds, how good it is, what it predicts.

mod formula;

use cll_fit::{Fit, PredictError, Prediction};

pub(crate) use formula::{fitted, place_of};

/// What a prediction was asked for, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictionView {
    /// Values of [`Fit::variables`], in that order.
    pub at: Vec<f64>,
    /// The prediction, or why there is none.
    pub result: Result<Prediction, PredictError>,
}

impl PredictionView {
    /// The prediction of a fit where its variables have these values, in their order.
    pub fn of(fit: &Fit, at: &[f64]) -> PredictionView {
        PredictionView { at: at.to_vec(), result: fit.predict(at) }
    }
}

/// What is reported about one experiment.
#[derive(Clone, Copy, Debug)]
pub struct ModelView<'a> {
    /// The fit.
    pub fit: &'a Fit,
    /// Where the experiment stands in the program, `matrix.c:12`; empty if that is not known.
    pub place: &'a str,
    /// Predictions that were asked for.
    pub predictions: &'a [PredictionView],
}
