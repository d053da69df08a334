//! Predictions of a model's experiments.

use cll_fit::{Fit, PredictError, Prediction};
use cll_search::{AverageError, Averaged};

/// The sentence that says which of two answers to use: that of the formula, or the average over all formulas.
pub const DISPUTED: &str = "the formula and the average over all possible formulas differ by more than their intervals: use the average; other formulas are about as probable";

/// The values of a prediction, and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictionView {
    /// Values of [`Fit::variables`], in that order.
    pub at: Vec<f64>,
    /// The prediction, or why there is none.
    pub result: Result<Prediction, PredictError>,
    /// The measured value, if this is a point that was not used for the fit.
    pub measured: Option<f64>,
    /// If the formula was searched: the prediction averaged over all possible formulas, or why there is none.
    pub averaged: Option<Result<Averaged, AverageError>>,
}

impl PredictionView {
    /// The prediction of a fit for these values of its variables, in their order.
    pub fn new(fit: &Fit, values: &[f64]) -> PredictionView {
        let result = fit.predict(values);
        PredictionView { at: values.to_vec(), result, measured: None, averaged: None }
    }

    /// Whether the formula and the average over all possible formulas contradict each other: the value of one is outside
    /// of the interval of the other.
    pub fn is_disputed(&self) -> bool {
        let (Ok(prediction), Some(Ok(averaged))) = (&self.result, &self.averaged) else {
            return false;
        };
        let holds = |low: f64, high: f64, value: f64| low <= value && value <= high;
        let in_average = holds(averaged.low, averaged.high, prediction.value);
        !in_average || prediction.band.is_some_and(|b| !holds(b.low, b.high, averaged.value))
    }

    /// The value of a fit where something was measured that it was not fitted to.
    pub fn beside(fit: &Fit, values: &[f64], measured: f64) -> PredictionView {
        let result = fit.estimate(values);
        PredictionView { at: values.to_vec(), result, measured: Some(measured), averaged: None }
    }

    /// (measured - predicted)/measured, if the point was measured.
    pub fn error(&self) -> Option<f64> {
        let measured = self.measured.filter(|measured| *measured != 0.0)?;
        let prediction = self.result.as_ref().ok()?;
        Some((measured - prediction.value) / measured)
    }
}

/// A prediction of one experiment of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicted {
    /// Index of the experiment in the model.
    pub experiment: usize,
    /// The values: those that were given, and those of variables that have only one value in the data.
    pub at: Vec<(String, f64)>,
    /// The variables that were not given.
    pub assumed: Vec<String>,
    /// The result, with a value for each variable of the formula.
    pub view: PredictionView,
    /// Why there is no value, in words.
    pub failure: Option<String>,
}

impl Predicted {
    /// A prediction for which the values of all variables were given.
    pub fn new(experiment: usize, fit: &Fit, view: PredictionView) -> Predicted {
        let values = fit.variables.iter().cloned().zip(view.at.iter().copied()).collect();
        let failure = view.result.as_ref().err().map(PredictError::to_string);
        Predicted { experiment, at: values, assumed: Vec::new(), view, failure }
    }

    /// Whether a value that it needs was not given.
    pub fn is_missing(&self) -> bool {
        matches!(self.view.result, Err(PredictError::Missing { .. }))
    }
}
