//! Constants and covariances of every interval, over all columns: the formula's terms, or their levels.

use super::ordered_points::OrderedPoints;
use super::residual_deviation::Sigma;
use super::solution::Solved;

/// Constants and covariance of an interval, over all columns.
pub(crate) struct Table {
    pub(crate) constants: Vec<f64>,
    pub(crate) covariance: Vec<Vec<f64>>,
}

pub(crate) fn tables(
    (basis, ordered): (&[usize], &OrderedPoints),
    columns: usize,
    solved: &Solved,
    each: &[Option<Sigma>],
) -> Vec<Table> {
    let parameters = solved.segments.parameters();
    let scale = ordered.scale();
    (0..solved.segments.intervals())
        .map(|interval| {
            let mut constants = vec![0.0; columns];
            let place: Vec<usize> = (0..basis.len())
                .map(|column| solved.segments.parameter(column, interval))
                .collect();
            for (column, &term) in basis.iter().enumerate() {
                constants[term] = solved.solution.constants[place[column]] / scale[column];
            }
            let covariance = each[interval].map_or_else(Vec::new, |sigma| {
                let mut covariance = vec![vec![0.0; columns]; columns];
                for (a, &i) in basis.iter().enumerate() {
                    for (b, &j) in basis.iter().enumerate() {
                        let unscaled = solved.inverse[place[a] * parameters + place[b]];
                        covariance[i][j] =
                            unscaled * sigma.value / scale[a] * sigma.value / scale[b];
                    }
                }
                covariance
            });
            Table { constants, covariance }
        })
        .collect()
}
