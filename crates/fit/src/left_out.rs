//! How well values that are left out are predicted, in closed form.

use cll_formula::Formula;
use nalgebra::{DMatrix, DVector};

use crate::intervals::{Division, Line};
use crate::pieces::{Solved, ranges};
use crate::samples::Samples;
use crate::spread::relative;

/// Points of more rows than this for one value are left out one by one.
const BLOCK: usize = 64;

/// Root of the mean square of the relative errors at values that are left out: for each variable of the
/// formula each of its values in turn, with all their points. With the hat matrix H of the fit the errors
/// of a block of rows b that is left out are (1 - H_bb)^-1 e_b (Cook and Weisberg, *Residuals and Influence in
/// Regression*, 1982, section 2.2), for a single row e/(1 - h). Infinite where the other values do not determine
/// all constants.
pub(crate) fn left_out(
    formula: &Formula,
    samples: &Samples,
    line: &Line,
    division: &Division,
    solved: &Solved,
    columns: &[usize],
) -> f64 {
    let parameters = solved.pieces.parameters();
    let mut design = vec![0.0; line.len() * parameters];
    for (interval, (from, to)) in ranges(line, division).enumerate() {
        for row in line.row_range(from, to) {
            let out = &mut design[row * parameters..(row + 1) * parameters];
            solved.pieces.spread(interval, line.row(row), out);
        }
    }
    let (mut squares, mut count) = (0.0, 0.0);
    for &column in columns.iter().take(formula.variables().len()) {
        let value = |row: usize| samples.points[line.point(row)].values[column];
        let mut rows: Vec<usize> = (0..line.len()).collect();
        rows.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
        let blocks: Vec<&[usize]> = rows.chunk_by(|&a, &b| value(a) == value(b)).collect();
        if blocks.len() < 3 {
            continue;
        }
        for block in blocks {
            squares += block_errors(block, &design, parameters, solved);
            count += block.len() as f64;
        }
    }
    if count == 0.0 { f64::NAN } else { relative(line, samples, (squares / count).sqrt()) }
}

/// Sum of the squared errors of a block that is left out.
fn block_errors(block: &[usize], design: &[f64], parameters: usize, solved: &Solved) -> f64 {
    let single = |row: usize| match 1.0 - solved.rows[row].leverage {
        left if left > 1e-9 => (solved.rows[row].residual / left).powi(2),
        _ => f64::INFINITY,
    };
    if block.len() == 1 || block.len() > BLOCK {
        return block.iter().map(|&row| single(row)).sum();
    }
    let inverse = &solved.solution.inverse;
    let at = |row: usize| &design[row * parameters..(row + 1) * parameters];
    let weighted: Vec<Vec<f64>> = block
        .iter()
        .map(|&row| {
            let column = |j: usize| {
                (0..parameters).map(|i| at(row)[i] * inverse[i * parameters + j]).sum()
            };
            (0..parameters).map(column).collect()
        })
        .collect();
    let size = block.len();
    let left = DMatrix::from_fn(size, size, |a, b| {
        let h: f64 = weighted[a].iter().zip(at(block[b])).map(|(x, y)| x * y).sum();
        f64::from(u8::from(a == b)) - h
    });
    let errors = DVector::from_iterator(size, block.iter().map(|&row| solved.rows[row].residual));
    let Some(factor) = left.cholesky().filter(|c| c.l_dirty().diagonal().min() > 1e-6) else {
        return f64::INFINITY;
    };
    factor.solve(&errors).norm_squared()
}
