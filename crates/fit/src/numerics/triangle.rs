//! The triangular factor of a growing least-squares problem.

/// `[R z]` of `[A b]`, upper triangular, `columns + 1` wide. Rows are appended by Givens rotations (Golub and Van
/// Loan, section 6.5.3). The last diagonal element is the norm of the residual. Appending allocates
/// nothing.
#[derive(Clone, Debug)]
pub(crate) struct Triangle {
    columns: usize,
    /// Row-major, `(columns + 1)²`.
    factor: Vec<f64>,
    row: Vec<f64>,
}

impl Triangle {
    /// The factor of no rows.
    pub(crate) fn new(columns: usize) -> Triangle {
        let width = columns + 1;
        Triangle { columns, factor: vec![0.0; width * width], row: vec![0.0; width] }
    }

    /// Back to no rows.
    pub(crate) fn clear(&mut self) {
        self.factor.fill(0.0);
    }

    /// Back to no rows, of fewer or as many columns as it was made for.
    pub(crate) fn reset(&mut self, columns: usize) {
        let width = columns + 1;
        self.columns = columns;
        self.factor.resize(width * width, 0.0);
        self.row.resize(width, 0.0);
        self.clear();
    }

    /// Appends the row `[a | b]`, `columns + 1` numbers.
    pub(crate) fn append(&mut self, row: &[f64]) {
        let width = self.columns + 1;
        self.row.copy_from_slice(row);
        for k in 0..width {
            let b = self.row[k];
            if b == 0.0 {
                continue;
            }
            let upper = &mut self.factor[k * width + k..(k + 1) * width];
            let lower = &mut self.row[k..];
            let a = upper[0];
            if a == 0.0 {
                upper.copy_from_slice(lower);
                return;
            }
            let inverse = 1.0 / (a * a + b * b).sqrt();
            let (c, s) = (a * inverse, b * inverse);
            for (u, l) in upper.iter_mut().zip(lower.iter_mut()) {
                let (x, y) = (*u, *l);
                *u = c * x + s * y;
                *l = c * y - s * x;
            }
        }
    }

    /// Appends the rows of another factor of the same width.
    pub(crate) fn append_factor(&mut self, other: &Triangle) {
        for k in 0..=self.columns {
            self.append(other.factor_row(k));
        }
    }

    /// Row `k` of the factor, zeros below the diagonal included.
    pub(crate) fn factor_row(&self, k: usize) -> &[f64] {
        let width = self.columns + 1;
        &self.factor[k * width..(k + 1) * width]
    }

    /// Sum of squared residuals of the rows so far.
    pub(crate) fn rss(&self) -> f64 {
        let last = self.factor[self.factor.len() - 1];
        last * last
    }

    /// Whether the rows so far determine every column.
    pub(crate) fn full_rank(&self) -> bool {
        let width = self.columns + 1;
        (0..self.columns).all(|j| {
            let norm: f64 = (0..=j).map(|i| self.factor[i * width + j].powi(2)).sum();
            let diagonal = self.factor[j * width + j];
            norm > 0.0 && diagonal * diagonal > RANK * RANK * norm
        })
    }

    /// The solution into `out` (`columns` numbers); the factor must have full rank.
    pub(crate) fn solution(&self, out: &mut [f64]) {
        let width = self.columns + 1;
        for k in (0..self.columns).rev() {
            let row = &self.factor[k * width..(k + 1) * width];
            let known: f64 = (k + 1..self.columns).map(|j| row[j] * out[j]).sum();
            out[k] = (row[self.columns] - known) / row[k];
        }
    }
}

/// A column is not determined if its part independent of the columns before is smaller than this.
/// The limit is stricter than for all data: constants with only four of sixteen digits are not
/// accepted for an interval.
const RANK: f64 = 1e-10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_three_points() {
        let mut triangle = Triangle::new(2);
        for (x, y) in [(1.0, 1.0), (2.0, 2.0), (3.0, 2.0)] {
            triangle.append(&[1.0, x, y]);
        }
        let mut constants = [0.0; 2];
        triangle.solution(&mut constants);
        assert!((constants[0] - 2.0 / 3.0).abs() < 1e-14);
        assert!((constants[1] - 0.5).abs() < 1e-14);
        assert!((triangle.rss() - 1.0 / 6.0).abs() < 1e-14);
        assert!(triangle.full_rank());
    }

    #[test]
    fn factors_append_like_their_rows() {
        let rows: Vec<[f64; 3]> =
            (1..9).map(|i| [1.0, f64::from(i), f64::from(i * i % 7)]).collect();
        let (mut all, mut left, mut right) = (Triangle::new(2), Triangle::new(2), Triangle::new(2));
        for (i, row) in rows.iter().enumerate() {
            all.append(row);
            if i < 4 { left.append(row) } else { right.append(row) }
        }
        left.append_factor(&right);
        assert!((all.rss() - left.rss()).abs() < 1e-12);
    }

    #[test]
    fn equal_columns_are_not_of_full_rank() {
        let mut triangle = Triangle::new(2);
        for x in 1..6 {
            let x = f64::from(x).ln();
            triangle.append(&[x, x / 2f64.ln(), 1.0]);
        }
        assert!(!triangle.full_rank());
    }
}
