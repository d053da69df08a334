//! Prediction errors at left-out values (cross-validation), in closed form.

use nalgebra::{DMatrix, DVector};

use super::candidate::Candidate;
use crate::solve::{Division, OrderedPoints, Segments, Solved, ranges};

/// If a value has more rows than this, they are left out one by one.
const BLOCK: usize = 64;

/// Root mean square of the weighted prediction errors at values of the axis left out one at a time,
/// each with all its points. With the hat matrix H of the fit the errors of a left-out block of
/// rows b are (1 - H_bb)^-1 e_b (Cook and Weisberg, *Residuals and Influence in Regression*, 1982,
/// section 2.2), for a single row e/(1 - h). Infinite if the other values do not determine all
/// constants.
pub(crate) fn left_out(ordered: &OrderedPoints, division: &Division, solved: &Solved) -> f64 {
    let values = 0..ordered.values().len();
    let blocks: Vec<Vec<usize>> =
        values.map(|value| ordered.row_range(value, value + 1).collect()).collect();
    left_out_blocks(ordered, division, solved, &blocks)
}

/// The same with these blocks of rows.
pub(crate) fn left_out_blocks(
    ordered: &OrderedPoints,
    division: &Division,
    solved: &Solved,
    blocks: &[Vec<usize>],
) -> f64 {
    let design = design(ordered, division, solved);
    let parameters = solved.segments.parameters();
    let squares: f64 =
        blocks.iter().map(|block| block_errors(block, &design, parameters, solved)).sum();
    (squares / ordered.len() as f64).sqrt()
}

/// The design matrix over the parameters.
fn design(ordered: &OrderedPoints, division: &Division, solved: &Solved) -> Vec<f64> {
    let parameters = solved.segments.parameters();
    let mut design = vec![0.0; ordered.len() * parameters];
    for (interval, (from, to)) in ranges(ordered, division).enumerate() {
        for row in ordered.row_range(from, to) {
            let out = &mut design[row * parameters..(row + 1) * parameters];
            solved.segments.expand(interval, ordered.row(row), out);
        }
    }
    design
}

/// These errors for a division and for one interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeftOut {
    pub(crate) divided: f64,
    pub(crate) undivided: f64,
}

impl LeftOut {
    pub(crate) fn new(ordered: &OrderedPoints, candidate: &Candidate) -> LeftOut {
        let error_of = |division: &Division, segments: Segments| {
            left_out(
                ordered,
                division,
                &Solved::new(ordered, division, segments, ordered.is_bounded()),
            )
        };
        let undivided = Division { breaks: Vec::new(), rss: 0.0 };
        LeftOut {
            divided: error_of(&candidate.division, candidate.segments.clone()),
            undivided: error_of(&undivided, Segments::free(ordered.columns(), 0)),
        }
    }

    /// Whether the division predicts left-out values better than one interval.
    pub(crate) fn is_better(&self) -> bool {
        self.divided < self.undivided || !self.undivided.is_finite()
    }
}

/// Sum of the squared errors of a left-out block.
fn block_errors(block: &[usize], design: &[f64], parameters: usize, solved: &Solved) -> f64 {
    let single = |row: usize| match 1.0 - solved.rows[row].leverage {
        left if left > 1e-9 => (solved.rows[row].residual / left).powi(2),
        _ => f64::INFINITY,
    };
    if block.len() == 1 || block.len() > BLOCK {
        return block.iter().map(|&row| single(row)).sum();
    }
    let inverse = &solved.solution.inverse;
    let row_at = |row: usize| &design[row * parameters..(row + 1) * parameters];
    let weighted: Vec<Vec<f64>> = block
        .iter()
        .map(|&row| {
            let column = |j: usize| {
                (0..parameters).map(|i| row_at(row)[i] * inverse[i * parameters + j]).sum()
            };
            (0..parameters).map(column).collect()
        })
        .collect();
    let size = block.len();
    let left = DMatrix::from_fn(size, size, |a, b| {
        let h: f64 = weighted[a].iter().zip(row_at(block[b])).map(|(x, y)| x * y).sum();
        f64::from(u8::from(a == b)) - h
    });
    let errors = DVector::from_iterator(size, block.iter().map(|&row| solved.rows[row].residual));
    let Some(factor) = left.cholesky().filter(|c| c.l_dirty().diagonal().min() > 1e-6) else {
        return f64::INFINITY;
    };
    factor.solve(&errors).norm_squared()
}
