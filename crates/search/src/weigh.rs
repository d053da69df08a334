//! The most probable of many small models, each weighed from its inner products.

use std::collections::HashSet;

use crate::block::Column;
use crate::evidence::{Noise, Solved, evidence, solve};
use crate::term::Model;
use crate::weighted::Weighted;

/// Models whose evidence is smaller than the best one's by so much, in logarithms, are left out.
pub(crate) const NEGLIGIBLE: f64 = 12.0;

/// The models found, best ones only.
pub(crate) struct WeighedModels {
    pub(crate) models: Vec<(f64, Model)>,
    best_likelihood: f64,
    best: f64,
}

impl WeighedModels {
    pub(crate) fn new() -> WeighedModels {
        WeighedModels {
            models: Vec::new(),
            best_likelihood: f64::NEG_INFINITY,
            best: f64::NEG_INFINITY,
        }
    }

    fn push(&mut self, evidence: f64, model: impl FnOnce() -> Model) {
        if evidence > self.best - NEGLIGIBLE && evidence.is_finite() {
            self.best = self.best.max(evidence);
            self.models.push((evidence, model()));
        }
    }

    /// The largest residual sum of squares beside `constants` constants with which a model may matter.
    pub(crate) fn largest_rss(&self, noise: &Noise, constants: usize) -> f64 {
        noise.rss_of(self.best_likelihood - 2.0 * NEGLIGIBLE, constants)
    }

    /// Best first, without those that are negligible.
    pub(crate) fn finish(mut self) -> Vec<(f64, Model)> {
        let least = self.best - NEGLIGIBLE;
        self.models.retain(|(evidence, _)| *evidence > least);
        self.models.sort_by(|a, b| b.0.total_cmp(&a.0));
        // Some kinds of sums hold others of common factors.
        let mut seen = HashSet::new();
        self.models.retain(|(_, model)| seen.insert(model.clone()));
        self.models
    }
}

/// A model of P columns: their inner products (lower triangle) and columns.
pub(crate) fn weigh<const P: usize>(
    candidates: &mut WeighedModels,
    problem: &Weighted,
    prior: f64,
    gram: [[f64; P]; P],
    columns: [Column; P],
    model: impl FnOnce() -> Model,
) {
    weigh_priced(candidates, problem, || prior, gram, columns, model);
}

/// A model of P columns whose prior takes long: it is asked for if the model may matter.
#[inline]
pub(crate) fn weigh_priced<const P: usize>(
    candidates: &mut WeighedModels,
    problem: &Weighted,
    prior: impl FnOnce() -> f64,
    gram: [[f64; P]; P],
    columns: [Column; P],
    model: impl FnOnce() -> Model,
) {
    let noise: &Noise = &problem.noise;
    if noise.residual_dof(P) < 1.0 {
        return;
    }
    let with_b = columns.map(|c| c.with_b);
    let Some(solved) = solve(&gram, &with_b, problem.square) else { return };
    let likelihood = noise.likelihood(solved.rss, P);
    // The other parts of the evidence seldom make good for so much.
    if likelihood < candidates.best_likelihood - 2.0 * NEGLIGIBLE {
        return;
    }
    let (visible, far) = (columns.map(|c| c.visible), columns.map(|c| c.far));
    let Solved { constants, inverse, ln_determinant, rss } = &solved;
    let value =
        evidence(noise, constants, inverse, &visible, &far, *ln_determinant, *rss) + prior();
    if value > candidates.best {
        candidates.best_likelihood = candidates.best_likelihood.max(likelihood);
    }
    candidates.push(value, model);
}
