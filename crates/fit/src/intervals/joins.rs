//! How much the residuals grow if a constant is equal in two neighbouring intervals.

use crate::numerics::Triangle;

/// The constants of all intervals, initially independent, with their covariance. Joining two is a
/// linear constraint on least squares: its cost follows without solving again (Seber and Lee,
/// *Linear Regression Analysis*, section 3.8).
pub(crate) struct Joins {
    columns: usize,
    /// The constants, interval by interval.
    values: Vec<f64>,
    /// The inverse of the normal matrix, row by row.
    inverse: Vec<f64>,
}

impl Joins {
    /// From the factors of the intervals; `None` if one does not determine all constants.
    pub(crate) fn new(intervals: &[Triangle], columns: usize) -> Option<Joins> {
        let all = columns * intervals.len();
        let mut joins = Joins { columns, values: vec![0.0; all], inverse: vec![0.0; all * all] };
        for (index, factor) in intervals.iter().enumerate() {
            if !factor.full_rank() {
                return None;
            }
            let first = index * columns;
            factor.solution(&mut joins.values[first..first + columns]);
            let root = inverse_root(factor, columns);
            for i in 0..columns {
                for j in 0..columns {
                    let (a, b) = (&root[i * columns..], &root[j * columns..]);
                    let sum = (i.max(j)..columns).map(|k| a[k] * b[k]).sum();
                    joins.inverse[(first + i) * all + first + j] = sum;
                }
            }
        }
        Some(joins)
    }

    /// The increase of the sum of squared residuals if a constant is equal on both sides of a
    /// boundary.
    pub(crate) fn cost(&self, constant: usize, boundary: usize) -> f64 {
        let (left, right) = self.sides(constant, boundary);
        self.cost_between(left, right)
    }

    /// The same for any two of the constants of all intervals, by their places.
    pub(crate) fn cost_between(&self, left: usize, right: usize) -> f64 {
        let apart = self.values[left] - self.values[right];
        let variance = self.variance(left, right);
        if variance > 0.0 { apart * apart / variance } else { 0.0 }
    }

    /// Makes the constant equal on both sides of the boundary.
    pub(crate) fn join(&mut self, constant: usize, boundary: usize) {
        let (left, right) = self.sides(constant, boundary);
        self.join_between(left, right);
    }

    /// The same for any two of the constants of all intervals, by their places.
    pub(crate) fn join_between(&mut self, left: usize, right: usize) {
        let all = self.values.len();
        let variance = self.variance(left, right);
        if variance <= 0.0 {
            return;
        }
        let column: Vec<f64> = (0..all)
            .map(|k| self.inverse[k * all + left] - self.inverse[k * all + right])
            .collect();
        let step = (self.values[left] - self.values[right]) / variance;
        for (value, c) in self.values.iter_mut().zip(&column) {
            *value -= step * c;
        }
        for (row, c) in self.inverse.chunks_exact_mut(all).zip(&column) {
            let factor = c / variance;
            row.iter_mut().zip(&column).for_each(|(entry, other)| *entry -= factor * other);
        }
    }

    fn sides(&self, constant: usize, boundary: usize) -> (usize, usize) {
        (boundary * self.columns + constant, (boundary + 1) * self.columns + constant)
    }

    /// Variance of the difference of two constants, relative to that of a measurement.
    fn variance(&self, left: usize, right: usize) -> f64 {
        let all = self.values.len();
        let entry = |i: usize, j: usize| self.inverse[i * all + j];
        let variance = entry(left, left) + entry(right, right) - 2.0 * entry(left, right);
        // The rounding error of a difference that is constrained to zero.
        let scale = entry(left, left).abs() + entry(right, right).abs();
        if variance > 1e-12 * scale { variance } else { 0.0 }
    }
}

/// The inverse of the triangular factor, row by row.
fn inverse_root(factor: &Triangle, columns: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; columns * columns];
    for column in 0..columns {
        for row in (0..=column).rev() {
            let source = factor.factor_row(row);
            let unit = if row == column { 1.0 } else { 0.0 };
            let known: f64 =
                (row + 1..=column).map(|k| source[k] * inverse[k * columns + column]).sum();
            inverse[row * columns + column] = (unit - known) / source[row];
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three intervals of a line each: the sums of squares by constraint and by solving again are
    /// equal.
    #[test]
    fn costs_are_those_of_solving_again() {
        let truth = [(1.0, 2.0), (1.5, 2.0), (3.0, 2.5)];
        let interval = |(a, b): (f64, f64), first: i32| -> Vec<[f64; 2]> {
            (first..first + 9)
                .map(|k| [f64::from(k), a + b * f64::from(k) + 0.1 * f64::from(k * k % 7)])
                .collect()
        };
        let data: Vec<Vec<[f64; 2]>> = truth
            .iter()
            .zip([1, 10, 19])
            .map(|(&ordered, first)| interval(ordered, first))
            .collect();
        let factor = |rows: &[[f64; 2]]| {
            let mut triangle = Triangle::new(2);
            rows.iter().for_each(|[x, y]| triangle.append(&[1.0, *x, *y]));
            triangle
        };
        let factors: Vec<Triangle> = data.iter().map(|rows| factor(rows)).collect();
        let free: f64 = factors.iter().map(Triangle::rss).sum();
        let mut joins = Joins::new(&factors, 2).unwrap();

        // The slopes of the first two in common: five parameters left, a1 a2 a3 b12 b3.
        let solved = |place: &dyn Fn(usize) -> (usize, usize), parameters: usize| {
            let mut triangle = Triangle::new(parameters);
            for (index, rows) in data.iter().enumerate() {
                for [x, y] in rows {
                    let mut row = vec![0.0; parameters + 1];
                    let (a, b) = place(index);
                    (row[a], row[b], row[parameters]) = (1.0, *x, *y);
                    triangle.append(&row);
                }
            }
            triangle.rss()
        };
        let first = solved(&|index| (index, [3, 3, 4][index]), 5);
        assert!((free + joins.cost(1, 0) - first).abs() < 1e-9);
        let with_first = joins.cost(1, 0);
        joins.join(1, 0);
        let second = solved(&|index| (index, 3), 4);
        assert!((free + with_first + joins.cost(1, 1) - second).abs() < 1e-9);
        assert!(joins.cost(1, 0) == 0.0, "joined already");
    }

    #[test]
    fn what_is_not_determined_has_no_covariance() {
        let mut triangle = Triangle::new(2);
        triangle.append(&[1.0, 2.0, 3.0]);
        assert!(Joins::new(&[triangle], 2).is_none());
    }
}
