//! Constants as levels: each constant is a cost, and a function of one axis that is made of levels and changes.
//!
//! A change is a [`Change::Jump`], a [`Change::Rise`] or a [`Change::Kink`]. The model is linear in the levels for given
//! places and widths: non-negative least squares. The changes are searched one after the other, their number and kinds
//! by the criterion of divisions and by what they gain at sizes that are left out. Predictions average over all places,
//! widths and kinds that the data allow.

mod candidate;
mod change;
mod draws;
mod gram;
mod problem;
mod refine;
mod score;
mod search;

use cll_formula::Formula;

use crate::axis::{Axis, NamedAxis, candidates};
use crate::linalg::solve;
use crate::mixture::{Component, quantile};
use crate::samples::{Samples, columns, constant_name, term_text};
use crate::spread::pure_error;
use crate::{Aggregate, Band, Data, FitError, Options};
pub use change::Change;
use draws::{Drawn, draws};
use problem::{Problem, Row, Structure, Work};
use search::{Choice, search};

/// A formula whose constants have levels along an axis.
#[derive(Clone, Debug)]
pub struct LevelFit {
    /// The axis: a variable, or an expression over variables. None if nothing varies.
    pub axis: Option<String>,
    /// The constants, in the order of the formula's terms.
    pub constants: Vec<LevelConstant>,
    /// The standard deviation of an observation about the model, relative with relative weights.
    pub sigma: f64,
    /// Degrees of freedom of `sigma`.
    pub dof: f64,
    formula: Formula,
    along: Option<(Axis, Option<usize>)>,
    basis: Vec<usize>,
    chosen: usize,
    models: Vec<Model>,
    relative: bool,
    confidence: f64,
}

/// A constant: its levels, and the changes between them.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelConstant {
    /// Its name, `f[2]`.
    pub constant: String,
    /// Its term's expression, as text.
    pub term: String,
    /// The levels, in the observable's unit per unit of the term: one more than changes. Empty for a term that is a
    /// linear combination of others.
    pub levels: Vec<f64>,
    /// The changes, in the order of their places.
    pub changes: Vec<Change>,
}

/// One of the structures that predictions average over.
#[derive(Clone, Debug)]
struct Model {
    structure: Structure,
    constants: Vec<f64>,
    covariance: Vec<f64>,
    sigma: f64,
    dof: f64,
    weight: f64,
}

/// Most changes of all constants together.
const CHANGES: usize = 4;

/// Fits the constants of a formula as levels along one axis: that whose criterion is smallest.
///
/// # Errors
/// As [`fit`](crate::fit()).
pub fn fit_levels(formula: &Formula, data: &Data, options: &Options) -> Result<LevelFit, FitError> {
    let samples = Samples::new(formula, data, options)?;
    let axes = candidates(formula, data, &samples, options.axis.as_deref())?;
    let basis = independent(&samples);
    if basis.is_empty() {
        return Err(FitError::ZeroTerms);
    }
    let own = columns(formula, data)?;
    let noise = aggregated_noise(&samples);
    let mut work = Work::new(basis.len() + CHANGES);
    let mut best: Option<(Problem<'_>, Choice, Option<&NamedAxis>)> = None;
    for axis in axes.iter().map(Some).chain(axes.is_empty().then_some(None)) {
        let mut problem = rows(formula, &samples, &basis, axis, &own);
        problem.axes = axes.len().max(1);
        problem.noise = noise;
        let choice = search(&problem, CHANGES, &mut work);
        if best.as_ref().is_none_or(|(_, other, _)| choice.chosen.score < other.chosen.score - 1e-9)
        {
            best = Some((problem, choice, axis));
        }
    }
    let Some((problem, choice, axis)) = best else { return Err(FitError::NoData) };
    let drawn = draws(&problem, &choice, &mut work);
    let mut models: Vec<Model> =
        drawn.iter().map(|structure| model(&problem, structure, &mut work)).collect();
    let own = Drawn { structure: choice.chosen.structure.clone(), weight: 0.0 };
    models.push(model(&problem, &own, &mut work));
    let chosen = models.len() - 1;
    let (sigma, dof) = (models[chosen].sigma, models[chosen].dof);
    Ok(LevelFit {
        axis: axis.map(|axis| axis.name.clone()),
        constants: constants(formula, &basis, &models[chosen]),
        sigma,
        dof,
        formula: formula.clone(),
        along: axis.map(|axis| (axis.axis.clone(), problem.axis)),
        basis,
        chosen,
        models,
        relative: options.weights == crate::Weights::Relative,
        confidence: options.confidence,
    })
}

impl LevelFit {
    /// The model's value for values of the formula's variables, and the band of a new observation there.
    pub fn estimate(&self, at: &[f64]) -> (f64, Band) {
        let value = self.value(&self.models[self.chosen], at).0;
        let components: Vec<Component> = self
            .models
            .iter()
            .filter(|model| model.weight > 0.0)
            .map(|model| {
                let (value, variance) = self.value(model, at);
                let noise = if self.relative { model.sigma * value } else { model.sigma };
                let scale = (variance * model.sigma.powi(2) + noise * noise).sqrt();
                Component { weight: model.weight, value, scale, dof: model.dof }
            })
            .collect();
        let tail = 0.5 * (1.0 - self.confidence);
        let ends = [tail, 1.0 - tail].map(|share| quantile(&components, share));
        (value, Band { low: ends[0].min(value).max(0.0), high: ends[1].max(value) })
    }

    /// Value and variance, for residuals of variance 1, of one structure.
    fn value(&self, model: &Model, at: &[f64]) -> (f64, f64) {
        let axis = match &self.along {
            Some((_, Some(variable))) => at[*variable],
            Some((axis, None)) => axis.value(at),
            None => 1.0,
        };
        let problem = Problem::new(
            &self.formula,
            self.basis.clone(),
            self.along.as_ref().and_then(|along| along.1),
            Vec::new(),
        );
        let columns = model.constants.len();
        let mut parts = vec![0.0; columns];
        problem.parts(&model.structure, at, axis, &mut parts);
        let value = parts.iter().zip(&model.constants).map(|(x, c)| x * c).sum();
        let rows = model.covariance.chunks_exact(columns).zip(&parts);
        let variance: f64 =
            rows.map(|(row, x)| x * row.iter().zip(&parts).map(|(c, y)| c * y).sum::<f64>()).sum();
        (value, variance.max(0.0))
    }
}

/// A drawn structure with what its predictions need.
fn model(problem: &Problem<'_>, drawn: &Drawn, work: &mut Work) -> Model {
    let solution = problem.solve(&drawn.structure, work);
    let covariance = work.gram.covariance(&solution.constants);
    let changes: Vec<&Change> = drawn.structure.iter().flatten().collect();
    let widths: usize = changes.iter().map(|change| change.widths()).sum();
    let free = solution.constants.iter().filter(|constant| **constant > 0.0).count();
    let parameters = free + changes.len() + widths;
    let dof = (problem.len() as f64 - parameters as f64).max(1.0);
    let sigma = (solution.rss / dof).sqrt().max(problem.resolution);
    Model {
        structure: drawn.structure.clone(),
        constants: solution.constants,
        covariance,
        sigma,
        dof,
        weight: drawn.weight,
    }
}

/// The constants of a structure.
fn constants(formula: &Formula, basis: &[usize], model: &Model) -> Vec<LevelConstant> {
    let mut first = 0;
    let mut own = basis.iter().zip(&model.structure).map(|(&term, changes)| {
        let levels = model.constants[first..=first + changes.len()].to_vec();
        first += levels.len();
        (term, levels, changes.clone())
    });
    let mut next = own.next();
    let mut constants = Vec::with_capacity(formula.terms().len());
    for term in 0..formula.terms().len() {
        let (levels, changes) = match next.take() {
            Some((own_term, levels, changes)) if own_term == term => {
                next = own.next();
                (levels, changes)
            }
            other => {
                next = other;
                (Vec::new(), Vec::new())
            }
        };
        constants.push(LevelConstant {
            constant: constant_name(formula, term),
            term: term_text(formula, term),
            levels,
            changes,
        });
    }
    constants
}

/// The standard deviation of a weighted row by the repetitions; 0 if there are none.
fn aggregated_noise(samples: &Samples) -> f64 {
    let each = pure_error(samples).value;
    let (points, observations) = samples.used().fold((0.0, 0.0), |(points, all), (_, point)| {
        (points + 1.0, all + point.kept.len() as f64)
    });
    let repetitions: f64 = observations / f64::max(points, 1.0);
    match samples.aggregate {
        Aggregate::All | Aggregate::Minimum => each,
        Aggregate::Mean => each / repetitions.sqrt(),
        // That of a median is wider by half of pi (of two it is the mean).
        Aggregate::Median if repetitions > 2.0 => {
            each * (std::f64::consts::FRAC_PI_2 / repetitions).sqrt()
        }
        Aggregate::Median => each / repetitions.sqrt(),
    }
}

/// The terms that are independent of each other at the used points, ascending.
fn independent(samples: &Samples) -> Vec<usize> {
    let (mut design, mut right) = (Vec::new(), Vec::new());
    for (index, point) in samples.used() {
        let weight = samples.weight(index);
        design.extend(point.terms.iter().map(|term| term * weight));
        right.push(point.aggregate * weight);
    }
    let mut basis = solve(&design, samples.terms, &right).basic;
    basis.sort_unstable();
    basis
}

/// The rows along an axis.
fn rows<'f>(
    formula: &'f Formula,
    samples: &Samples,
    basis: &[usize],
    axis: Option<&NamedAxis>,
    own: &[usize],
) -> Problem<'f> {
    let mut rows = Vec::new();
    for (index, point) in samples.used() {
        let at = axis.map_or(1.0, |axis| axis.axis.value(&point.values) + 0.0);
        let weight = samples.weight(index);
        let values: Vec<f64> = own.iter().map(|&column| point.values[column]).collect();
        for &observation in samples.rows_of(index) {
            rows.push(Row { at, values: values.clone(), weight, observation });
        }
    }
    let variable = axis.and_then(|axis| match &axis.axis {
        Axis::Variable(column) => own.iter().position(|own| own == column),
        Axis::Expression(..) => None,
    });
    Problem::new(formula, basis.to_vec(), variable, rows)
}
