//! Predictions averaged over the candidates.

use crate::mixture::{Component, most_probable, quantile};
use crate::result::{Member, Search};
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
    /// What the best candidate alone says.
    pub best: f64,
}

impl Search {
    /// Predicts the observable where the variables of the data have these values, in their order.
    ///
    /// `None` if a term has no value there.
    pub fn predict(&self, at: &[f64]) -> Option<Averaged> {
        let mut components = Vec::with_capacity(self.members.len());
        for member in &self.members {
            let (value, error) = self.at(member, at)?;
            components.push(Component {
                weight: member.weight,
                value,
                scale: (error * error + self.new_variance_at(value)).sqrt(),
                dof: member.solution.dof,
            });
        }
        if components.iter().any(|c| !c.value.is_finite()) {
            return None;
        }
        let tail = 0.5 * (1.0 - self.confidence);
        Some(Averaged {
            value: most_probable(&components, WITHIN),
            low: quantile(&components, tail),
            high: quantile(&components, 1.0 - tail),
            best: components[0].value,
        })
    }

    /// Value and standard error of one model.
    pub(crate) fn at(&self, member: &Member, at: &[f64]) -> Option<(f64, f64)> {
        let terms = self.columns.values(&member.model, at);
        terms.iter().all(|t| t.is_finite()).then(|| member.solution.at(&terms))
    }

    /// Variance of a new measurement about this value.
    pub(crate) fn new_variance_at(&self, value: f64) -> f64 {
        let scale = if self.weights == Weights::Relative { value } else { 1.0 };
        self.new_variance * scale * scale
    }
}
