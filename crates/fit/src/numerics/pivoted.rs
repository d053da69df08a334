//! Solutions by column-pivoted Householder QR of a column-scaled matrix.

use nalgebra::{DMatrix, DVector};

/// A least-squares solution with everything the statistics need.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    /// One per column; zero for dependent ones.
    pub(crate) constants: Vec<f64>,
    /// (AᵀA)⁻¹ over the independent columns, zero elsewhere; row-major.
    pub(crate) inverse: Vec<f64>,
    /// Columns that are determined, in order of pivoting.
    pub(crate) basic: Vec<usize>,
    /// Columns that are combinations of the basic ones: `(column, [(basic column, factor)])`.
    pub(crate) dependent: Vec<(usize, Vec<(usize, f64)>)>,
    /// Sum of squared residuals.
    pub(crate) rss: f64,
    /// The leading triangle of the scaled factor, over the basic columns.
    pub(crate) factor: DMatrix<f64>,
}

impl Solution {
    /// `xᵀ(AᵀA)⁻¹x`.
    pub(crate) fn leverage(&self, x: &[f64]) -> f64 {
        let p = self.constants.len();
        let mut sum = 0.0;
        for i in 0..p {
            let row = &self.inverse[i * p..(i + 1) * p];
            sum += x[i] * row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
        }
        sum
    }
}

/// Solves `min |A x - b|`, A given row-major with `columns` columns. Columns are scaled to length
/// 1 first, so that the rank decision and the condition number do not depend on units.
pub(crate) fn solve(rows: &[f64], columns: usize, rhs: &[f64]) -> Solution {
    let n = rhs.len();
    let mut a = DMatrix::from_row_slice(n, columns, rows);
    let mut norms = vec![0.0; columns];
    for (j, norm) in norms.iter_mut().enumerate() {
        // Scaled twice, so that squares of extreme numbers neither overflow nor underflow.
        let largest = a.column(j).amax();
        if largest > 0.0 {
            let mut column = a.column_mut(j);
            column /= largest;
            let length = column.norm();
            column /= length;
            *norm = largest * length;
        }
    }
    let qr = a.col_piv_qr();
    let mut order = DMatrix::from_fn(1, columns, |_, j| j);
    qr.p().permute_columns(&mut order);
    let order: Vec<usize> = order.iter().copied().collect();
    let r = qr.r();
    let mut z = DVector::from_column_slice(rhs);
    if n > 0 {
        qr.q_tr_mul(&mut z);
    }

    let most = n.min(columns);
    let tolerance = 64.0 * f64::EPSILON * (n.max(columns) as f64).sqrt();
    let rank = (0..most).take_while(|&k| r[(k, k)].abs() > tolerance * r[(0, 0)].abs()).count();
    let factor = r.view((0, 0), (rank, rank)).into_owned();

    let mut constants = vec![0.0; columns];
    let solution = upper_solve(&factor, z.rows(0, rank).iter().copied().collect());
    for (k, value) in solution.into_iter().enumerate() {
        constants[order[k]] = value / norms[order[k]];
    }

    let mut inverse = vec![0.0; columns * columns];
    let inverse_factor: Vec<Vec<f64>> = (0..rank)
        .map(|k| upper_solve(&factor, (0..rank).map(|i| f64::from(u8::from(i == k))).collect()))
        .collect();
    for i in 0..rank {
        for j in 0..=i {
            let sum: f64 = (0..rank).map(|k| inverse_factor[k][i] * inverse_factor[k][j]).sum();
            let (a, b) = (order[i], order[j]);
            let value = sum / (norms[a] * norms[b]);
            inverse[a * columns + b] = value;
            inverse[b * columns + a] = value;
        }
    }

    let dependent = (rank..columns)
        .map(|k| {
            let column = order[k];
            let part = (0..rank).map(|i| if k < r.ncols() { r[(i, k)] } else { 0.0 }).collect();
            let mut of: Vec<(usize, f64)> = upper_solve(&factor, part)
                .into_iter()
                .enumerate()
                .filter(|(_, factor)| norms[column] > 0.0 && factor.abs() > 1e-9)
                .map(|(i, factor)| (order[i], factor * norms[column] / norms[order[i]]))
                .collect();
            of.sort_by_key(|&(column, _)| column);
            (column, of)
        })
        .collect();

    Solution {
        constants,
        inverse,
        basic: order[..rank].to_vec(),
        dependent,
        rss: z.rows(rank.min(n), n - rank.min(n)).norm_squared(),
        factor,
    }
}

/// Condition number of a column-scaled triangular factor, and for each of its columns the share of
/// the variance of its constant that belongs to the smallest singular value (Belsley, Kuh and
/// Welsch, Regression Diagnostics, 1980, section 3.2). The columns are scaled to length 1 here.
pub(crate) fn condition_and_shares(factor: &DMatrix<f64>) -> (f64, Vec<f64>) {
    let p = factor.ncols();
    if p <= 1 {
        return (1.0, vec![0.0; p]);
    }
    let mut scaled = factor.clone();
    for mut column in scaled.column_iter_mut() {
        let norm = column.norm();
        if norm > 0.0 {
            column /= norm;
        }
    }
    let svd = scaled.svd(false, true);
    let (Some(v), Some(last)) = (svd.v_t, svd.singular_values.iter().copied().reduce(f64::min))
    else {
        return (1.0, vec![0.0; p]);
    };
    let largest = svd.singular_values.max();
    let smallest = svd.singular_values.imin();
    let shares = (0..p)
        .map(|j| {
            let part =
                |k: usize| (v[(k, j)] / svd.singular_values[k].max(f64::MIN_POSITIVE)).powi(2);
            let all: f64 = (0..p).map(part).sum();
            if all > 0.0 { part(smallest) / all } else { 0.0 }
        })
        .collect();
    (if last > 0.0 { largest / last } else { f64::MAX }, shares)
}

fn upper_solve(factor: &DMatrix<f64>, mut rhs: Vec<f64>) -> Vec<f64> {
    for k in (0..rhs.len()).rev() {
        let known: f64 = (k + 1..rhs.len()).map(|j| factor[(k, j)] * rhs[j]).sum();
        rhs[k] = (rhs[k] - known) / factor[(k, k)];
    }
    rhs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_column_depends_on_the_intercept() {
        let rows: Vec<f64> = (1..6).flat_map(|i| [1.0, 4.0, f64::from(i)]).collect();
        let rhs: Vec<f64> = (1..6).map(|i| 3.0 + 2.0 * f64::from(i)).collect();
        let solution = solve(&rows, 3, &rhs);
        assert_eq!(solution.basic.len(), 2);
        let (column, related) = &solution.dependent[0];
        assert!(*column < 2 && related.len() == 1 && related[0].0 < 2);
        let expected = if *column == 1 { 4.0 } else { 0.25 };
        assert!((related[0].1 - expected).abs() < 1e-12);
        assert!(solution.rss < 1e-24);
    }

    #[test]
    fn units_do_not_change_the_rank() {
        let rows: Vec<f64> =
            (1..9).map(f64::from).flat_map(|x| [1e-12, 1e9 * x, 1e150 * x * x]).collect();
        let rhs: Vec<f64> = (1..9).map(f64::from).map(|x| 1.0 + x + x * x).collect();
        let solution = solve(&rows, 3, &rhs);
        assert_eq!(solution.basic.len(), 3);
        assert!((solution.constants[2] * 1e150 - 1.0).abs() < 1e-10);
    }

    #[test]
    fn orthogonal_columns_have_condition_one() {
        let rows = [1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0];
        let solution = solve(&rows, 2, &[1.0, 2.0, 3.0, 4.0]);
        let (condition, _) = condition_and_shares(&solution.factor);
        assert!((condition - 1.0).abs() < 1e-12);
    }

    #[test]
    fn zero_columns_are_dependent_on_nothing() {
        let solution = solve(&[1.0, 0.0, 1.0, 0.0, 1.0, 0.0], 2, &[1.0, 2.0, 3.0]);
        assert_eq!(solution.dependent, [(1, vec![])]);
        assert!((solution.constants[0] - 2.0).abs() < 1e-14);
    }
}
