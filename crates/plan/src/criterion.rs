//! How uncertain predictions are with a set of chosen points.
//!
//! The information of a formula is the sum of x xᵀ/σ² over measured and chosen points (Atkinson, Donev and Tobias,
//! *Optimum Experimental Designs, with SAS*, 2007, chapter 10). The criterion is the variance of predictions at the
//! targets, relative to their squares, averaged over the formulas, plus how much the formulas differ there: the product of
//! two weights times the squared difference, which decreases with what the points tell of it by the Bhattacharyya
//! bound exp(-Σ d²/8σ²). Without targets it is the geometric mean of the variances of the constants (D-optimality).

use nalgebra::{DMatrix, DVector};

use crate::problem::{Problem, Subject};

/// A weak prior: the part of a term in a value has a standard deviation of a hundred times the value. Constants that no
/// point determines are very uncertain, but not infinitely.
const PRIOR: f64 = 1e-4;

/// A problem in the form in which it is evaluated often.
pub(crate) struct Criterion<'a> {
    pub(crate) problem: &'a Problem,
    models: Vec<ScaledModel>,
    /// For each subject its runs so far at each candidate, and its value there.
    runs: Vec<Vec<u32>>,
    values: Vec<Vec<f64>>,
    pairs: Vec<Pair>,
}

/// A formula of a subject, with scaled columns.
struct ScaledModel {
    subject: usize,
    /// Weight within the subject.
    weight: f64,
    rows: Vec<DVector<f64>>,
    /// Each with 1/value².
    targets: Vec<(DVector<f64>, f64)>,
    /// Information of the measured points, with the prior.
    base: DMatrix<f64>,
}

/// Two formulas of a subject.
struct Pair {
    subject: usize,
    /// Product of their weights.
    weight: f64,
    /// Squared difference at each candidate.
    differences: Vec<f64>,
    /// Squared relative difference, summed over the targets.
    targets: f64,
}

/// Chosen points.
#[derive(Clone)]
pub(crate) struct CriterionState {
    /// How often each candidate is chosen.
    pub(crate) chosen: Vec<u32>,
    /// The part of the budget that the chosen points take.
    pub(crate) cost: f64,
    /// Inverse information of each model, and the logarithm of its determinant.
    inverses: Vec<DMatrix<f64>>,
    determinants: Vec<f64>,
    /// Variance at each target of each model.
    variances: Vec<Vec<f64>>,
    /// For each pair the sum of d²/σ².
    separations: Vec<f64>,
    /// The criterion.
    pub(crate) value: f64,
}

impl<'a> Criterion<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Criterion<'a> {
        let mut models = Vec::new();
        let mut pairs = Vec::new();
        let mut runs = Vec::new();
        let mut values = Vec::new();
        for (index, subject) in problem.subjects.iter().enumerate() {
            let whole: f64 = subject.beliefs.iter().map(|belief| belief.weight).sum();
            let average = |at: usize| {
                let parts = subject.beliefs.iter().map(|belief| belief.weight * belief.values[at]);
                parts.sum::<f64>() / whole
            };
            values.push((0..problem.candidates.len()).map(average).collect::<Vec<f64>>());
            let before = |values: &[f64]| {
                let same =
                    subject.measured.iter().filter(|measurement| measurement.values == values);
                same.map(|measurement| measurement.runs).sum::<u32>()
            };
            runs.push(
                problem.candidates.iter().map(|candidate| before(&candidate.values)).collect(),
            );
            for (number, belief) in subject.beliefs.iter().enumerate() {
                models.push(model(index, belief.weight / whole, subject, number));
                for other in &subject.beliefs[..number] {
                    let squares = belief.values.iter().zip(&other.values);
                    let targets = belief.targets.iter().zip(&other.targets).map(|(a, b)| {
                        let size = 0.5 * (a.1.abs() + b.1.abs());
                        if size > 0.0 { ((a.1 - b.1) / size).powi(2) } else { 0.0 }
                    });
                    pairs.push(Pair {
                        subject: index,
                        weight: belief.weight * other.weight / (whole * whole),
                        differences: squares.map(|(a, b)| (a - b).powi(2)).collect(),
                        targets: targets.sum(),
                    });
                }
            }
        }
        Criterion { problem, models, runs, values, pairs }
    }

    /// Nothing chosen.
    pub(crate) fn empty(&self) -> CriterionState {
        let mut state = CriterionState {
            chosen: vec![0; self.problem.candidates.len()],
            cost: 0.0,
            inverses: Vec::new(),
            determinants: Vec::new(),
            variances: Vec::new(),
            separations: Vec::new(),
            value: 0.0,
        };
        self.update(&mut state);
        state
    }

    /// These candidates chosen.
    pub(crate) fn state_of(&self, chosen: impl IntoIterator<Item = usize>) -> CriterionState {
        let mut state = self.empty();
        for candidate in chosen {
            state.chosen[candidate] += 1;
        }
        self.update(&mut state);
        state
    }

    /// Adds a candidate once more.
    pub(crate) fn add(&self, state: &mut CriterionState, candidate: usize) {
        state.chosen[candidate] += 1;
        self.update(state);
    }

    /// Takes it out once.
    pub(crate) fn remove(&self, state: &mut CriterionState, candidate: usize) {
        state.chosen[candidate] = state.chosen[candidate].saturating_sub(1);
        self.update(state);
    }

    /// Information (1/σ²) that a subject gets of a candidate that is chosen `times` times.
    fn information(&self, subject: usize, candidate: usize, times: u32) -> f64 {
        let before = self.runs[subject][candidate];
        let noise = &self.problem.subjects[subject].noise;
        let value = self.values[subject][candidate];
        let precision = |runs: u32| if runs == 0 { 0.0 } else { 1.0 / noise.variance(value, runs) };
        precision(before + times * self.problem.runs) - precision(before)
    }

    fn update(&self, state: &mut CriterionState) {
        let chosen: Vec<(usize, u32)> =
            state.chosen.iter().copied().enumerate().filter(|(_, times)| *times > 0).collect();
        state.cost = chosen.iter().map(|&(c, times)| f64::from(times) * self.problem.cost(c)).sum();
        state.inverses.clear();
        state.determinants.clear();
        state.variances.clear();
        for model in &self.models {
            let mut information = model.base.clone();
            for &(candidate, times) in &chosen {
                let row = &model.rows[candidate];
                information.ger(self.information(model.subject, candidate, times), row, row, 1.0);
            }
            let (inverse, determinant) = invert(&information);
            let variance = |(x, _): &(DVector<f64>, f64)| x.dot(&(&inverse * x)).max(0.0);
            state.variances.push(model.targets.iter().map(variance).collect());
            state.inverses.push(inverse);
            state.determinants.push(determinant);
        }
        let separation = |pair: &Pair| {
            let each = chosen.iter().map(|&(candidate, times)| {
                pair.differences[candidate] * self.information(pair.subject, candidate, times)
            });
            each.sum()
        };
        state.separations = self.pairs.iter().map(separation).collect();
        let (variance, difference) = self.parts(state);
        state.value = variance + difference;
    }

    /// The criterion's parts: by the constants, and by the difference of formulas.
    pub(crate) fn parts(&self, state: &CriterionState) -> (f64, f64) {
        let models = self.models.iter().enumerate().map(|(k, model)| {
            self.part(model, state.variances[k].iter().copied(), state.determinants[k])
        });
        let pairs = self.pairs.iter().zip(&state.separations);
        (models.sum(), pairs.map(|(pair, sum)| pair.part(*sum)).sum())
    }

    fn part(
        &self,
        model: &ScaledModel,
        variances: impl Iterator<Item = f64>,
        determinant: f64,
    ) -> f64 {
        if model.targets.is_empty() {
            return model.weight * (-determinant / model.base.nrows() as f64).exp();
        }
        let parts = variances.zip(&model.targets).map(|(variance, (_, scale))| variance * scale);
        model.weight * parts.sum::<f64>()
    }

    /// The criterion if a candidate is added once more (Sherman and Morrison, 1950).
    pub(crate) fn with(&self, state: &CriterionState, candidate: usize) -> f64 {
        let times = state.chosen[candidate];
        let more = |subject: usize| {
            self.information(subject, candidate, times + 1)
                - self.information(subject, candidate, times)
        };
        let mut value = 0.0;
        for (k, model) in self.models.iter().enumerate() {
            let more = more(model.subject);
            let row = &model.rows[candidate];
            let image = &state.inverses[k] * row;
            let growth = 1.0 + more * row.dot(&image);
            let variances = state.variances[k].iter().zip(&model.targets);
            let variances = variances
                .map(|(variance, (x, _))| variance - more * x.dot(&image).powi(2) / growth);
            value += self.part(model, variances, state.determinants[k] + growth.ln());
        }
        for (pair, sum) in self.pairs.iter().zip(&state.separations) {
            value += pair.part(sum + pair.differences[candidate] * more(pair.subject));
        }
        value
    }

    /// For each subject and target the relative variance of its prediction, with the difference of formulas.
    pub(crate) fn relative_variances(&self, state: &CriterionState) -> Vec<Vec<f64>> {
        let variances_of = |subject: usize| {
            let targets = self.problem.subjects[subject].beliefs[0].targets.len();
            let mut all = vec![0.0; targets];
            for (k, model) in self.models.iter().enumerate().filter(|(_, m)| m.subject == subject) {
                for (target, variance) in state.variances[k].iter().enumerate() {
                    all[target] += model.weight * variance * model.targets[target].1;
                }
            }
            let pairs = self.pairs.iter().zip(&state.separations);
            let apart: f64 = pairs
                .filter(|(pair, _)| pair.subject == subject)
                .map(|(pair, sum)| pair.part(*sum))
                .sum();
            all.iter_mut().for_each(|value| *value += apart / targets.max(1) as f64);
            all
        };
        (0..self.problem.subjects.len()).map(variances_of).collect()
    }
}

impl Pair {
    fn part(&self, separation: f64) -> f64 {
        self.weight * self.targets * (-separation / 8.0).exp()
    }
}

fn model(index: usize, weight: f64, subject: &Subject, number: usize) -> ScaledModel {
    let belief = &subject.beliefs[number];
    let width = belief.rows.first().or(belief.measured.first()).map_or(0, Vec::len);
    // Columns of relative size 1, so that the prior does not depend on units.
    let mut scale = vec![0.0f64; width];
    let relative = |row: &[f64], value: f64, scale: &mut [f64]| {
        if value != 0.0 {
            scale.iter_mut().zip(row).for_each(|(s, x)| *s = s.max((x / value).abs()));
        }
    };
    for (row, value) in belief.rows.iter().zip(&belief.values) {
        relative(row, *value, &mut scale);
    }
    for (row, measurement) in belief.measured.iter().zip(&subject.measured) {
        relative(row, measurement.value, &mut scale);
    }
    scale.iter_mut().filter(|s| **s <= 0.0 || !s.is_finite()).for_each(|s| *s = 1.0);
    let scaled =
        |row: &[f64]| DVector::from_iterator(width, row.iter().zip(&scale).map(|(x, s)| x / s));
    let mut base = DMatrix::identity(width, width) * PRIOR;
    for (row, measurement) in belief.measured.iter().zip(&subject.measured) {
        let row = scaled(row);
        base.ger(
            1.0 / subject.noise.variance(measurement.value, measurement.runs),
            &row,
            &row,
            1.0,
        );
    }
    let target = |(row, value): &(Vec<f64>, f64)| {
        let size = if *value == 0.0 { 1.0 } else { value.abs() };
        (scaled(row), size.powi(-2))
    };
    ScaledModel {
        subject: index,
        weight,
        rows: belief.rows.iter().map(|row| scaled(row)).collect(),
        targets: belief.targets.iter().map(target).collect(),
        base,
    }
}

/// Inverse and logarithm of the determinant of a positive definite matrix.
fn invert(matrix: &DMatrix<f64>) -> (DMatrix<f64>, f64) {
    let mut more = 0.0;
    loop {
        let mut tried = matrix.clone();
        (0..tried.nrows()).for_each(|k| tried[(k, k)] += more);
        if let Some(factor) = tried.cholesky() {
            let logarithm: f64 = factor.l_dirty().diagonal().iter().map(|d| 2.0 * d.ln()).sum();
            return (factor.inverse(), logarithm);
        }
        // Rounding of large numbers has made it indefinite.
        more = (10.0 * more).max(1e-12 * matrix.amax().max(1.0));
        if !more.is_finite() {
            return (DMatrix::identity(matrix.nrows(), matrix.ncols()), 0.0);
        }
    }
}
