//! Columns of length 1, and how much of the observations one or two of them explain.

use crate::evidence::Far;
use crate::weighted::Weighted;

/// A column of the weighted problem: all of it that every model needs.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    /// 1 over its length.
    pub(crate) scale: f64,
    /// Inner product with the observations, with length 1.
    pub(crate) with_b: f64,
    /// Largest share of the value that a constant of 1 gives, with length 1.
    pub(crate) visible: f64,
    /// Value at the far corner of the data, with length 1.
    pub(crate) far: Far,
}

/// Columns of one kind, each with length 1.
pub(crate) struct Block {
    pub(crate) columns: Vec<Column>,
    /// Weighted, not scaled.
    pub(crate) values: Vec<Vec<f64>>,
}

/// The inner product.
#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Four sums: the compiler may not reorder one.
    let mut sums = [0.0; 4];
    let (heads, tails) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = heads.remainder().iter().zip(tails.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in heads.zip(tails) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

impl Block {
    pub(crate) fn new<'a>(
        problem: &Weighted,
        columns: impl Iterator<Item = (&'a [f64], f64)>,
    ) -> Block {
        let mut block = Block { columns: Vec::new(), values: Vec::new() };
        for (column, far) in columns {
            let values: Vec<f64> = problem.weight.iter().zip(column).map(|(w, v)| w * v).collect();
            let share = column.iter().zip(&problem.level).map(|(v, l)| v / l).fold(0.0, f64::max);
            let scale = 1.0 / dot(&values, &values).sqrt();
            let with_b = scale * dot(&values, &problem.b);
            block.columns.push(Column {
                scale,
                with_b,
                visible: share * scale,
                far: Far::new(far * scale),
            });
            block.values.push(values);
        }
        block
    }
}

/// Two columns of length 1 with their inner product.
pub(crate) struct Pair {
    pub(crate) a: Column,
    pub(crate) b: Column,
    pub(crate) inner: f64,
}

impl Pair {
    /// Residual sum of squares beside both; not below 0 but for rounding. Smaller than it is, never larger, if the columns
    /// depend on each other.
    #[inline]
    pub(crate) fn rss(&self, problem: &Weighted) -> f64 {
        rest(problem.square, [self.a.with_b, self.b.with_b], [1.0, 1.0], self.inner)
    }

    /// The same beside a third column `c`, with its inner products with both.
    #[inline]
    pub(crate) fn rss_beside(
        &self,
        problem: &Weighted,
        c: Column,
        with_a: f64,
        with_b: f64,
    ) -> f64 {
        let rests = [self.a.with_b - with_a * c.with_b, self.b.with_b - with_b * c.with_b];
        let squares = [1.0 - with_a * with_a, 1.0 - with_b * with_b];
        rest(problem.square - c.with_b * c.with_b, rests, squares, self.inner - with_a * with_b)
    }
}

/// The rest of a square beside two columns, by their inner products with the vector, their squares, and their inner product.
#[inline]
fn rest(square: f64, with: [f64; 2], squares: [f64; 2], inner: f64) -> f64 {
    let determinant = (squares[0] * squares[1] - inner * inner).max(f64::MIN_POSITIVE);
    let [a, b] = with;
    let explained = a * a * squares[1] - 2.0 * inner * a * b + b * b * squares[0];
    square - explained / determinant
}
