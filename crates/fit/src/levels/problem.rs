//! The rows of a fit of levels: weighted observations, and terms at any place of the axis.

use std::collections::HashSet;

use cll_formula::Formula;

use super::columns::columns;
use super::gram::Gram;
use crate::LevelChange;

/// For each constant its changes, in the order of their places.
pub(crate) type Structure = Vec<Vec<LevelChange>>;

/// Weighted observations along an axis.
pub(crate) struct Problem<'f> {
    formula: &'f Formula,
    /// The terms that are independent of each other, by their numbers in the formula.
    pub(crate) basis: Vec<usize>,
    /// The variable of the formula that is the axis. None of an expression: kinks are not sought then.
    pub(crate) axis: Option<usize>,
    rows: Vec<Observation>,
    /// The terms of each row.
    terms: Vec<f64>,
    /// Whether the axis is the only variable: a term at a place is the same for all rows then.
    is_single: bool,
    /// Weighted observations.
    pub(crate) observations: Vec<f64>,
    /// The distinct values of the axis, ascending.
    pub(crate) values: Vec<f64>,
    /// Number of different values of the variables.
    pub(crate) points: usize,
    /// Residuals below this are rounding.
    pub(crate) resolution: f64,
    /// The standard deviation of a weighted observation by its repetitions; 0 if it is not known.
    pub(crate) noise: f64,
    /// Whether constants are at least 0.
    pub(crate) is_bounded: bool,
    /// Number of axes to choose from.
    pub(crate) axes: usize,
}

/// An observation.
pub(crate) struct Observation {
    /// The value of the axis.
    pub(crate) axis_value: f64,
    /// The values of the formula's variables.
    pub(crate) values: Vec<f64>,
    /// The factor of terms and observation.
    pub(crate) weight: f64,
    /// The observation, without weight.
    pub(crate) observation: f64,
}

/// The solution of a structure.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    /// The levels, those of a constant beside each other.
    pub(crate) constants: Vec<f64>,
    /// The sum of the squared residuals, weighted.
    pub(crate) rss: f64,
}

/// Memory that solutions are computed in.
pub(crate) struct Work {
    pub(crate) gram: Gram,
    design: Vec<f64>,
}

impl Work {
    /// For structures with at most so many levels.
    pub(crate) fn new(levels: usize) -> Work {
        Work { gram: Gram::new(levels), design: Vec::new() }
    }
}

impl<'f> Problem<'f> {
    pub(crate) fn new(
        formula: &'f Formula,
        basis: Vec<usize>,
        axis: Option<usize>,
        rows: Vec<Observation>,
    ) -> Problem<'f> {
        let observations: Vec<f64> = rows.iter().map(|row| row.observation * row.weight).collect();
        let mut values: Vec<f64> = rows.iter().map(|row| row.axis_value).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let points = different(&rows);
        let squares: f64 = observations.iter().map(|y| y * y).sum();
        let size = (squares / observations.len().max(1) as f64).sqrt();
        let width = formula.terms().len();
        let mut terms = vec![0.0; width * rows.len()];
        for (row, out) in rows.iter().zip(terms.chunks_exact_mut(width)) {
            formula.terms_at(&row.values, out);
        }
        Problem {
            formula,
            basis,
            axis,
            rows,
            terms,
            is_single: axis.is_some() && formula.variables().len() == 1,
            observations,
            values,
            points,
            resolution: (1e-10 * size).max(f64::MIN_POSITIVE.sqrt()),
            noise: 0.0,
            is_bounded: true,
            axes: 1,
        }
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The position of a row's axis among the distinct values.
    pub(crate) fn position(&self, row: usize) -> usize {
        let axis_value = self.rows[row].axis_value;
        self.values.partition_point(|value| *value < axis_value)
    }

    /// The position in the basis of the term that is largest where the axis ends, with these constants of one level each.
    pub(crate) fn largest(&self, constants: &[f64]) -> usize {
        let sizes = self.sizes(constants);
        (0..sizes.len()).max_by(|&a, &b| sizes[a].total_cmp(&sizes[b])).unwrap_or(0)
    }

    /// The size of each term of the basis where the axis ends, with these constants.
    pub(crate) fn sizes(&self, constants: &[f64]) -> Vec<f64> {
        let last =
            self.rows.iter().enumerate().max_by(|a, b| a.1.axis_value.total_cmp(&b.1.axis_value));
        let width = self.formula.terms().len();
        let size = |position: usize| {
            let term = last.map_or(0.0, |(row, _)| self.terms[row * width + self.basis[position]]);
            (term * constants[position]).abs()
        };
        (0..self.basis.len()).map(size).collect()
    }

    /// The number of levels of a structure.
    pub(crate) fn columns(structure: &Structure) -> usize {
        structure.iter().map(|changes| changes.len() + 1).sum()
    }

    /// The parts of all terms for a structure where the axis is `axis_value`, from the terms there and from a term at another
    /// place by its number in the formula.
    fn parts_of(
        &self,
        structure: &Structure,
        terms: &[f64],
        axis_value: f64,
        term_at: &dyn Fn(usize, f64) -> f64,
        out: &mut [f64],
    ) {
        columns(
            structure,
            |position| terms[self.basis[position]],
            axis_value,
            |position, place| term_at(self.basis[position], place),
            out,
        );
    }

    /// The terms where the axis has another value.
    fn terms_at(&self, values: &[f64], place: f64) -> Vec<f64> {
        let mut moved = values.to_vec();
        if let Some(axis) = self.axis {
            moved[axis] = place;
        }
        let mut terms = vec![0.0; self.formula.terms().len()];
        self.formula.terms_at(&moved, &mut terms);
        terms
    }

    /// The least squares of a structure, and the memory with its products.
    pub(crate) fn solve(&self, structure: &Structure, work: &mut Work) -> Solution {
        self.solve_among(structure, work, |_| true)
    }

    /// The same of the rows that are used; the residuals are those of all others, if some are not used.
    pub(crate) fn solve_among(
        &self,
        structure: &Structure,
        work: &mut Work,
        is_used: impl Fn(usize) -> bool,
    ) -> Solution {
        let columns = Problem::columns(structure);
        let mut design = std::mem::take(&mut work.design);
        design.clear();
        design.resize(columns * self.rows.len(), 0.0);
        let kinks = structure.iter().flatten().filter(|change| change.is_kink() && self.is_single);
        let known: Vec<(f64, Vec<f64>)> = kinks
            .map(|kink| (kink.position(), self.terms_at(&[kink.position()], kink.position())))
            .collect();
        let terms = self.terms.chunks_exact(self.formula.terms().len());
        for ((row, terms), out) in self.rows.iter().zip(terms).zip(design.chunks_exact_mut(columns))
        {
            let term_at =
                |term: usize, place: f64| match known.iter().find(|(kink, _)| *kink == place) {
                    Some((_, terms)) => terms[term],
                    None => self.terms_at(&row.values, place)[term],
                };
            self.parts_of(structure, terms, row.axis_value, &term_at, out);
            out.iter_mut().for_each(|x| *x *= row.weight);
        }
        work.gram.take(&design, columns, &self.observations, &is_used);
        let mut constants = vec![0.0; columns];
        work.gram.solve(self.is_bounded, &mut constants);
        let all = (0..self.rows.len()).all(&is_used);
        let mut rss = 0.0;
        for (index, row) in design.chunks_exact(columns).enumerate() {
            if all || !is_used(index) {
                let model: f64 = row.iter().zip(&constants).map(|(x, c)| x * c).sum();
                rss += (self.observations[index] - model).powi(2);
            }
        }
        work.design = design;
        Solution { constants, rss }
    }
}

/// The number of different values of the variables.
fn different(rows: &[Observation]) -> usize {
    let bits =
        |row: &Observation| row.values.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
    rows.iter().map(bits).collect::<HashSet<_>>().len()
}
