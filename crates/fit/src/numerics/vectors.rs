//! Inner products, and columns without what others explain.

/// The inner product, added up in order: results do not hang on the compiler.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The length.
#[inline]
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Subtracts a multiple of another vector.
#[inline]
pub fn subtract(from: &mut [f64], factor: f64, other: &[f64]) {
    from.iter_mut().zip(other).for_each(|(a, b)| *a -= factor * b);
}

/// Subtracts the projection onto orthonormal columns, one after the other. A column is orthogonal to rounding after
/// the second time (Björck 1994).
#[inline]
pub fn reduce(column: &mut [f64], base: &[Vec<f64>]) {
    for values in base {
        subtract(column, dot(values, column), values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduced_column_is_orthogonal_to_the_base() {
        let base = [vec![0.6, 0.8, 0.0], vec![-0.8, 0.6, 0.0]];
        let mut column = vec![3.0, -2.0, 5.0];
        reduce(&mut column, &base);
        assert!(base.iter().all(|one| dot(one, &column).abs() < 1e-12), "{column:?}");
        assert!((norm(&column) - 5.0).abs() < 1e-12);
        subtract(&mut column, 2.0, &[0.0, 0.0, 2.5]);
        assert!(norm(&column) < 1e-12);
    }
}
