//! The changes that are chosen along the best axis, and others that the data allow.

use cll_formula::Formula;

use super::columns::owners;
use super::draws::{Drawn, draws};
use super::noise::aggregated_noise;
use super::problem::{Observation, Problem, Structure, Work};
use super::score::left_out;
use super::search::{Choice, first_gain, search};
use crate::input::{Axis, NamedAxis, Sample, Samples, columns as columns_of_data};
use crate::intervals::{Fitted, criterion};
use crate::numerics::solve;
use crate::{Alternative, Data, FitError, LevelChange};

/// Axes that are searched; where there are more, those along which one change explains most.
const AXES: usize = 4;
/// Points that are searched; where there are more, so many evenly along the axis,
const ROWS: usize = 500;
/// and so many to compare axes.
const FEW_ROWS: usize = 120;
/// The changes that were chosen, and what else the data allow.
pub(crate) struct Levels {
    /// The position of the axis among the candidates. `None` if nothing varies.
    pub(crate) axis: Option<usize>,
    /// The terms that are independent of each other, ascending.
    pub(crate) basis: Vec<usize>,
    /// For each term of the formula the changes of its constant, in the order of their places.
    pub(crate) changes: Vec<Vec<LevelChange>>,
    /// The criterion of divisions.
    pub(crate) score: f64,
    /// The root mean square of the weighted errors at sizes that are left out, with the changes and without.
    pub(crate) left_out: (f64, f64),
    /// Other changes that the data allow, with their weights.
    pub(crate) alternatives: Vec<Alternative>,
}

/// The parts that only a fit of levels has, beside those of a fit with one interval.
pub(crate) struct LevelParts<'a> {
    pub(crate) levels: &'a Levels,
    /// The fit with one level of each constant, and its samples: with terms, not columns.
    pub(crate) plain: (&'a Samples, &'a Fitted<'a>),
}

impl Levels {
    /// Searches the changes along the best of the axes.
    pub(crate) fn search(
        formula: &Formula,
        samples: &Samples,
        axes: &[NamedAxis],
        data: &Data,
        (most, is_bounded): (usize, bool),
    ) -> Result<Levels, FitError> {
        let basis = independent(samples);
        if basis.is_empty() {
            return Err(FitError::ZeroTerms);
        }
        let own = columns_of_data(formula, data)?;
        let noise = aggregated_noise(samples);
        let mut work = Work::new(basis.len() + most);
        let mut best: Option<(Problem<'_>, Choice, Option<usize>)> = None;
        let problem_along = |axis: Option<usize>, rows: usize| {
            let along = axis.map(|axis| &axes[axis]);
            let mut problem = problem(formula, samples, &basis, (along, rows), &own);
            problem.axes = axes.len().max(1);
            problem.noise = noise;
            problem.is_bounded = is_bounded;
            problem
        };
        let mut tried: Vec<Option<usize>> = (0..axes.len()).map(Some).collect();
        if tried.len() > AXES {
            let mut gains: Vec<(f64, Option<usize>)> = (tried.into_iter())
                .map(|axis| (first_gain(&problem_along(axis, FEW_ROWS), &mut work), axis))
                .collect();
            gains.sort_by(|a, b| b.0.total_cmp(&a.0));
            tried = gains.into_iter().take(AXES).map(|(_, axis)| axis).collect();
        } else if tried.is_empty() {
            tried.push(None);
        }
        for axis in tried {
            let problem = problem_along(axis, ROWS);
            let choice = search(&problem, most, &mut work);
            if best
                .as_ref()
                .is_none_or(|(_, other, _)| choice.chosen.score < other.chosen.score - 1e-9)
            {
                best = Some((problem, choice, axis));
            }
        }
        let Some((problem, choice, axis)) = best else { return Err(FitError::NoData) };
        let constant: Structure = vec![Vec::new(); basis.len()];
        let errors = [&choice.chosen.structure, &constant]
            .map(|structure| left_out(&problem, structure, &mut work));
        let mut levels = Levels {
            axis,
            changes: of_terms(formula, &basis, &choice.chosen.structure),
            basis,
            score: choice.chosen.score,
            left_out: (errors[0], errors[1]),
            alternatives: Vec::new(),
        };
        levels.alternatives = draws(&problem, &choice, &mut work)
            .into_iter()
            .filter(|drawn| drawn.structure != choice.chosen.structure)
            .map(|drawn| levels.alternative(formula, &problem, &drawn, &mut work, samples))
            .collect();
        Ok(levels)
    }

    /// Computes the criterion of a fit of these levels.
    pub(crate) fn score_by(&mut self, fitted: &Fitted) {
        let changes = || self.basis.iter().flat_map(|&term| &self.changes[term]);
        let (count, widths) =
            (changes().count(), changes().map(LevelChange::widths).sum::<usize>());
        let parameters = self.basis.len() + count + widths;
        self.score = criterion(&fitted.ordered, fitted.solved.rss, parameters, count);
    }

    /// The same without changes.
    pub(crate) fn of_one_level(self) -> Levels {
        let changes = vec![Vec::new(); self.changes.len()];
        let left_out = (self.left_out.1, self.left_out.1);
        Levels { changes, alternatives: Vec::new(), left_out, ..self }
    }

    /// Whether some constant changes.
    pub(crate) fn is_changing(&self) -> bool {
        self.changes.iter().any(|changes| !changes.is_empty())
    }

    /// The places and widths that were chosen by the data.
    pub(crate) fn places(&self) -> usize {
        self.changes.iter().flatten().map(|change| 1 + change.widths()).sum()
    }

    /// Drawn changes with the constants that they have.
    fn alternative(
        &self,
        formula: &Formula,
        problem: &Problem<'_>,
        drawn: &Drawn,
        work: &mut Work,
        samples: &Samples,
    ) -> Alternative {
        let solution = problem.solve(&drawn.structure, work);
        let covariance = work.gram.covariance(&solution.constants);
        let changes: Vec<&LevelChange> = drawn.structure.iter().flatten().collect();
        let places: usize = changes.iter().map(|change| 1 + change.widths()).sum();
        let free = solution.constants.iter().filter(|constant| **constant != 0.0).count();
        let dof = (problem.len() as f64 - (free + places) as f64).max(1.0);
        let squares = samples.inflation * solution.rss;
        let sigma = (squares / dof).sqrt().max(problem.resolution);
        let changes = of_terms(formula, &self.basis, &drawn.structure);
        let owners = owners(&changes);
        // The columns of the terms in the basis, in the order of the solution.
        let columns: Vec<usize> =
            (0..owners.len()).filter(|&column| self.basis.contains(&owners[column])).collect();
        let mut constants = vec![0.0; owners.len()];
        let mut table = vec![vec![0.0; owners.len()]; owners.len()];
        for (a, &row) in columns.iter().enumerate() {
            constants[row] = solution.constants[a];
            for (b, &column) in columns.iter().enumerate() {
                table[row][column] = covariance[a * columns.len() + b] * sigma * sigma;
            }
        }
        Alternative {
            weight: drawn.weight,
            boundaries: Vec::new(),
            splits: Vec::new(),
            changes,
            constants: vec![constants],
            covariance: vec![table],
            sigma: vec![Some(sigma)],
            dof: vec![dof],
        }
    }
}

/// Changes of the terms in a basis as changes of all terms.
fn of_terms(formula: &Formula, basis: &[usize], structure: &Structure) -> Vec<Vec<LevelChange>> {
    let mut changes = vec![Vec::new(); formula.terms().len()];
    for (&term, own) in basis.iter().zip(structure) {
        changes[term].clone_from(own);
    }
    changes
}

/// The terms that are independent of each other at the used points, ascending.
pub(crate) fn independent(samples: &Samples) -> Vec<usize> {
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

/// At most so many rows along an axis, evenly over the points in its order.
fn problem<'f>(
    formula: &'f Formula,
    samples: &Samples,
    basis: &[usize],
    (axis, most): (Option<&NamedAxis>, usize),
    own: &[usize],
) -> Problem<'f> {
    let place = |values: &[f64]| axis.map_or(1.0, |axis| axis.axis.value(values) + 0.0);
    let mut points: Vec<(f64, usize, &Sample)> =
        samples.used().map(|(index, point)| (place(&point.values), index, point)).collect();
    if points.len() > most {
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let last = points.len() - 1;
        points = (0..most).map(|k| points[k * last / (most - 1)]).collect();
    }
    let mut rows = Vec::new();
    for (axis_value, index, point) in points {
        let weight = samples.weight(index);
        let values: Vec<f64> = own.iter().map(|&column| point.values[column]).collect();
        for &observation in samples.rows_of(index) {
            rows.push(Observation { axis_value, values: values.clone(), weight, observation });
        }
    }
    let variable = axis.and_then(|axis| match &axis.axis {
        Axis::Variable(column) => own.iter().position(|own| own == column),
        Axis::Expression(..) => None,
    });
    Problem::new(formula, basis.to_vec(), variable, rows)
}
