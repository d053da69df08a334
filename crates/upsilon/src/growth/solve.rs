//! Small least squares.

/// A column that others explain up to this, relative, gets the factor 0.
const DEPENDENT: f64 = 1e-9;

/// The factors of the columns that give the counts with the smallest relative error; `None` with fewer points than
/// columns, or without a point. By orthogonalisation, twice for precision.
pub(super) fn least_squares(rows: &[&[f64]], counts: &[f64]) -> Option<Vec<f64>> {
    let columns = rows.first()?.len();
    if rows.len() < columns {
        return None;
    }
    let weight: Vec<f64> = counts.iter().map(|count| 1.0 / count.max(1.0)).collect();
    let weighted = |column: usize| -> Vec<f64> {
        rows.iter().zip(&weight).map(|(row, weight)| row[column] * weight).collect()
    };
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    // Orthonormal columns, and those before them as sums of these.
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut upper: Vec<Vec<f64>> = Vec::new();
    let mut used: Vec<usize> = Vec::new();
    for column in 0..columns {
        let mut rest = weighted(column);
        let size = dot(&rest, &rest).sqrt();
        let mut along = vec![0.0; basis.len()];
        for _ in 0..2 {
            for (index, unit) in basis.iter().enumerate() {
                let part = dot(unit, &rest);
                along[index] += part;
                rest.iter_mut().zip(unit).for_each(|(rest, unit)| *rest -= part * unit);
            }
        }
        let length = dot(&rest, &rest).sqrt();
        if length <= DEPENDENT * size || size == 0.0 {
            continue;
        }
        rest.iter_mut().for_each(|rest| *rest /= length);
        along.push(length);
        basis.push(rest);
        upper.push(along);
        used.push(column);
    }
    let target: Vec<f64> =
        counts.iter().zip(&weight).map(|(count, weight)| count * weight).collect();
    let mut along: Vec<f64> = basis.iter().map(|unit| dot(unit, &target)).collect();
    let mut factors = vec![0.0; columns];
    for index in (0..used.len()).rev() {
        let factor = along[index] / upper[index][index];
        factors[used[index]] = factor;
        for (below, part) in along.iter_mut().enumerate().take(index) {
            *part -= factor * upper[index][below];
        }
    }
    Some(factors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_columns_are_found() {
        let rows: Vec<Vec<f64>> =
            (1..8).map(f64::from).map(|x| vec![1.0, x, x * x, 2.0 * x]).collect();
        let rows: Vec<&[f64]> = rows.iter().map(|row| &row[..]).collect();
        let counts: Vec<f64> = rows.iter().map(|row| 3.0 + 0.5 * row[2]).collect();
        let values = least_squares(&rows, &counts).unwrap();
        for (value, expected) in values.iter().zip([3.0, 0.0, 0.5, 0.0]) {
            assert!((value - expected).abs() < 1e-9, "{value} {expected}");
        }
        assert_eq!(least_squares(&rows[..2], &counts[..2]), None);
        assert_eq!(least_squares(&[], &[]), None);
    }
}
