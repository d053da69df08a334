//! The solution of a division: constants, residuals and their sums.

use super::division::{Division, ranges};
use super::ordered_points::OrderedPoints;
use super::segments::Segments;
use crate::numerics::{Solution, Triangle, non_negative, solve};

/// A constant whose solution without the bound is fewer standard errors below zero may be above it.
const POSSIBLE: f64 = 2.0;

/// The solution of a division with its segments.
pub(crate) struct Solved {
    pub(crate) segments: Segments,
    /// Over the parameters, in units of the scaled columns.
    pub(crate) solution: Solution,
    /// (AᵀA)⁻¹ as the covariance needs it: also over constants that are held at zero where the data allow more.
    pub(crate) inverse: Vec<f64>,
    /// Number of free parameters: all but those that the bound holds at zero.
    pub(crate) free: usize,
    /// One per row.
    pub(crate) rows: Vec<SolvedRow>,
    /// One per interval.
    pub(crate) intervals: Vec<SolvedInterval>,
    pub(crate) rss: f64,
    /// Number of places and widths of changes between levels, which the data chose too.
    pub(crate) places: usize,
}

/// The residual of one row, in weighted units.
pub(crate) struct SolvedRow {
    pub(crate) residual: f64,
    pub(crate) leverage: f64,
}

/// Sums over an interval.
pub(crate) struct SolvedInterval {
    pub(crate) rows: usize,
    pub(crate) rss: f64,
    /// Rows less the trace of the hat matrix: the interval's part of the degrees of freedom.
    pub(crate) dof: f64,
}

impl Solved {
    /// The variance of the residuals, in weighted units; infinite if there are no more rows than parameters.
    pub(crate) fn variance(&self) -> f64 {
        let dof = self.rows.len() as f64 - (self.free + self.places) as f64;
        if dof > 0.0 { self.rss / dof } else { f64::INFINITY }
    }

    /// Solves over all rows by pivoted QR.
    pub(crate) fn new(
        ordered: &OrderedPoints,
        division: &Division,
        segments: Segments,
        bounded: bool,
    ) -> Solved {
        let parameters = segments.parameters();
        let n = ordered.len();
        let mut design = vec![0.0; n * parameters];
        let mut rhs = vec![0.0; n];
        for (interval, (from, to)) in ranges(ordered, division).enumerate() {
            for row in ordered.row_range(from, to) {
                let out = &mut design[row * parameters..(row + 1) * parameters];
                segments.expand(interval, ordered.row(row), out);
                rhs[row] = ordered.row(row)[ordered.columns()];
            }
        }
        let mut solution = solve(&design, parameters, &rhs);
        let mut inverse = None;
        if bounded && solution.constants.iter().any(|&c| c < 0.0) {
            let bounded = bounded_solution(&design, parameters, &rhs);
            inverse = with_possible(&design, &rhs, (&solution, &bounded));
            solution = bounded;
        }
        let inverse = inverse.unwrap_or_else(|| solution.inverse.clone());
        let free = solution.basic.len();
        let mut rows = Vec::with_capacity(n);
        let mut intervals = Vec::with_capacity(segments.intervals());
        for (from, to) in ranges(ordered, division) {
            let range = ordered.row_range(from, to);
            let mut sums = SolvedInterval { rows: range.len(), rss: 0.0, dof: range.len() as f64 };
            for row in range {
                let x = &design[row * parameters..(row + 1) * parameters];
                let model: f64 = x.iter().zip(&solution.constants).map(|(x, c)| x * c).sum();
                let residual = rhs[row] - model;
                let leverage = solution.leverage(x).min(1.0);
                sums.rss += residual * residual;
                sums.dof -= leverage;
                rows.push(SolvedRow { residual, leverage });
            }
            intervals.push(sums);
        }
        let rss = solution.rss;
        Solved { segments, solution, inverse, free, rows, intervals, rss, places: 0 }
    }
}

/// (AᵀA)⁻¹ over the constants that are above zero and those that are held there but may be above it, by the solution
/// without the bound. `None` if all that are held there are certainly below zero, or if the error is not known.
fn with_possible(
    design: &[f64],
    rhs: &[f64],
    (free, bounded): (&Solution, &Solution),
) -> Option<Vec<f64>> {
    let parameters = free.constants.len();
    let dof = rhs.len().checked_sub(free.basic.len()).filter(|&dof| dof > 0)? as f64;
    let variance = free.rss / dof;
    let is_possible = |&column: &usize| {
        let error = (free.inverse[column * parameters + column] * variance).sqrt();
        bounded.constants[column] > 0.0
            || (error > 0.0 && free.constants[column] > -POSSIBLE * error)
    };
    let columns: Vec<usize> = (0..parameters).filter(is_possible).collect();
    (columns.len() > bounded.basic.len())
        .then(|| among(&part(design, parameters, &columns, rhs), &columns, parameters))
}

/// The solution over some of the columns.
fn part(design: &[f64], parameters: usize, columns: &[usize], rhs: &[f64]) -> Solution {
    let rows = 0..rhs.len();
    let reduced: Vec<f64> =
        rows.flat_map(|row| columns.iter().map(move |&j| design[row * parameters + j])).collect();
    solve(&reduced, columns.len(), rhs)
}

/// The inverse of a part among all columns, zero for the others.
fn among(part: &Solution, columns: &[usize], parameters: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; parameters * parameters];
    for (a, &i) in columns.iter().enumerate() {
        for (b, &j) in columns.iter().enumerate() {
            inverse[i * parameters + j] = part.inverse[a * columns.len() + b];
        }
    }
    inverse
}

/// The solution without negative constants: the active set first, then QR of its columns.
fn bounded_solution(design: &[f64], parameters: usize, rhs: &[f64]) -> Solution {
    let mut triangle = Triangle::new(parameters);
    let mut row = vec![0.0; parameters + 1];
    for (i, y) in rhs.iter().enumerate() {
        row[..parameters].copy_from_slice(&design[i * parameters..(i + 1) * parameters]);
        row[parameters] = *y;
        triangle.append(&row);
    }
    let mut constants = vec![0.0; parameters];
    non_negative(&triangle, parameters, &mut constants);
    let passive: Vec<usize> = (0..parameters).filter(|&j| constants[j] > 0.0).collect();
    let part = part(design, parameters, &passive, rhs);
    constants.fill(0.0);
    for (constant, &column) in part.constants.iter().zip(&passive) {
        constants[column] = constant.max(0.0);
    }
    let inverse = among(&part, &passive, parameters);
    Solution {
        constants,
        inverse,
        basic: part.basic.iter().map(|&k| passive[k]).collect(),
        dependent: Vec::new(),
        rss: part.rss,
        factor: part.factor,
    }
}
