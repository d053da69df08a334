//! Predictions averaged over the candidates.

use crate::mixture::{Component, interval, most_probable};
use crate::result::{AveragedModel, Search};
use cll_fit::Weights;

/// The value is to be within this share of the truth.
const WITHIN: f64 = 0.05;

/// A prediction averaged over all candidates by their weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Averaged {
    /// The value that most probably is within 5 % of the truth, by what the candidates say; in the observable's unit.
    pub value: f64,
    /// Where a new measurement lies with the search's confidence.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The value of the best candidate alone.
    pub best: f64,
}

/// The prediction of one formula: its value, and its standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said {
    pub(crate) weight: f64,
    pub(crate) value: f64,
    pub(crate) error: f64,
    pub(crate) dof: f64,
}

/// Averages what formulas say, the best one first. `variance` is that of a new measurement about a value. With relative
/// weights an observable is above 0, and so is its interval.
///
/// `None` if one of them has no value.
pub(crate) fn averaged(
    predictions: &[Said],
    variance: impl Fn(f64) -> f64,
    weights: Weights,
    confidence: f64,
) -> Option<Averaged> {
    let best = predictions.first()?.value;
    if predictions.iter().any(|prediction| !prediction.value.is_finite()) {
        return None;
    }
    let with = |scale: &dyn Fn(&Said) -> f64| -> Vec<Component> {
        let component = |prediction: &Said| Component {
            weight: prediction.weight,
            value: prediction.value,
            scale: scale(prediction),
            dof: prediction.dof,
        };
        predictions.iter().map(component).collect()
    };
    // The value is near the truth, the interval holds a measurement of it.
    let value = most_probable(&with(&|prediction| prediction.error), WITHIN);
    let measured = with(&|prediction| {
        (prediction.error * prediction.error + variance(prediction.value)).sqrt()
    });
    let (mut low, high) = interval(&measured, value, confidence);
    if weights == Weights::Relative && value >= 0.0 {
        low = low.max(0.0);
    }
    Some(Averaged { value, low, high, best })
}

impl Search {
    /// Predicts the observable where the variables of the data have these values, in their order.
    ///
    /// `None` if a term has no value there.
    pub fn predict(&self, point: &[f64]) -> Option<Averaged> {
        let said: Option<Vec<Said>> = self
            .members
            .iter()
            .map(|member| {
                let (value, error) = self.value_at(member, point)?;
                Some(Said { weight: member.weight, value, error, dof: member.solution.dof })
            })
            .collect();
        averaged(&said?, |value| self.new_variance_at(value), self.weights, self.confidence)
    }

    /// Value and standard error of one model.
    pub(crate) fn value_at(&self, member: &AveragedModel, point: &[f64]) -> Option<(f64, f64)> {
        let terms = self.columns.values(&member.model, point);
        terms.iter().all(|t| t.is_finite()).then(|| member.solution.value_at(&terms))
    }

    /// Variance of a new measurement about this value.
    pub(crate) fn new_variance_at(&self, value: f64) -> f64 {
        let scale = if self.weights == Weights::Relative { value } else { 1.0 };
        self.new_variance * scale * scale
    }
}
