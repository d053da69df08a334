//! Non-negative least squares.

use super::Triangle;

/// Non-negative least squares by the active-set method of Lawson and Hanson (*Solving Least Squares
/// Problems*, 1974, chapter 23) on the triangular factor of the problem. Writes the constants and
/// returns the sum of squared residuals. Constants that would be negative are exactly zero.
pub(crate) fn non_negative(factor: &Triangle, columns: usize, out: &mut [f64]) -> f64 {
    let rows: Vec<&[f64]> = (0..=columns).map(|k| factor.factor_row(k)).collect();
    let mut passive = vec![false; columns];
    out.fill(0.0);
    let mut work = vec![0.0; columns];
    // Each pass frees one constant, and the inner loop only binds some again with a strictly
    // smaller residual: so the method terminates. 3 passes for each constant are the usual bound.
    for _ in 0..3 * columns.max(1) {
        let gradient = gradient(&rows, columns, out);
        let scale = rows.iter().map(|r| r[columns] * r[columns]).sum::<f64>().sqrt();
        let candidate = (0..columns)
            .filter(|&j| !passive[j] && gradient[j] > 1e-12 * scale * norm(&rows, j))
            .max_by(|&a, &b| gradient[a].total_cmp(&gradient[b]));
        let Some(j) = candidate else { break };
        passive[j] = true;
        loop {
            unconstrained(&rows, columns, &passive, &mut work);
            let step = (0..columns)
                .filter(|&j| passive[j] && work[j] <= 0.0)
                .map(|j| out[j] / (out[j] - work[j]))
                .fold(None, |least: Option<f64>, s| Some(least.map_or(s, |l| l.min(s))));
            let Some(step) = step else {
                out.copy_from_slice(&work);
                break;
            };
            let step = if step.is_finite() { step } else { 0.0 };
            for j in 0..columns {
                out[j] += step * (work[j] - out[j]);
                if passive[j] && work[j] <= 0.0 && out[j] <= 1e-14 * (out[j] - work[j]).abs() {
                    out[j] = 0.0;
                    passive[j] = false;
                }
            }
        }
    }
    rows.iter()
        .map(|row| {
            let model: f64 = (0..columns).map(|j| row[j] * out[j]).sum();
            (row[columns] - model).powi(2)
        })
        .sum()
}

fn norm(rows: &[&[f64]], j: usize) -> f64 {
    rows.iter().map(|r| r[j] * r[j]).sum::<f64>().sqrt()
}

fn gradient(rows: &[&[f64]], columns: usize, at: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; columns];
    for row in rows {
        let model: f64 = (0..columns).map(|j| row[j] * at[j]).sum();
        let residual = row[columns] - model;
        for (j, slope) in gradient.iter_mut().enumerate() {
            *slope += row[j] * residual;
        }
    }
    gradient
}

/// The unconstrained solution over the passive columns, zero elsewhere.
fn unconstrained(rows: &[&[f64]], columns: usize, passive: &[bool], out: &mut [f64]) {
    let free: Vec<usize> = (0..columns).filter(|&j| passive[j]).collect();
    let mut triangle = Triangle::new(free.len());
    let mut row = vec![0.0; free.len() + 1];
    for source in rows {
        for (cell, &j) in row.iter_mut().zip(&free) {
            *cell = source[j];
        }
        row[free.len()] = source[columns];
        triangle.append(&row);
    }
    out.fill(0.0);
    if triangle.full_rank() {
        let mut solution = vec![0.0; free.len()];
        triangle.solution(&mut solution);
        for (&j, value) in free.iter().zip(solution) {
            out[j] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(rows: &[[f64; 3]]) -> (Vec<f64>, f64) {
        let mut factor = Triangle::new(2);
        rows.iter().for_each(|row| factor.append(row));
        let mut out = vec![0.0; 2];
        let rss = non_negative(&factor, 2, &mut out);
        (out, rss)
    }

    #[test]
    fn positive_solutions_are_the_ordinary_ones() {
        let (out, rss) = solve(&[[1.0, 1.0, 1.0], [1.0, 2.0, 2.0], [1.0, 3.0, 2.0]]);
        assert!((out[0] - 2.0 / 3.0).abs() < 1e-12 && (out[1] - 0.5).abs() < 1e-12);
        assert!((rss - 1.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn a_negative_intercept_becomes_zero() {
        // y = 2x - 1 exactly; without an intercept the slope is Σxy/Σx² = 22/14.
        let (out, _) = solve(&[[1.0, 1.0, 1.0], [1.0, 2.0, 3.0], [1.0, 3.0, 5.0]]);
        assert_eq!(out[0], 0.0);
        assert!((out[1] - 22.0 / 14.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_positive_gives_zeros() {
        let (out, rss) = solve(&[[1.0, 1.0, -1.0], [1.0, 2.0, -2.0], [1.0, 3.0, -1.0]]);
        assert_eq!(out, [0.0, 0.0]);
        assert!((rss - 6.0).abs() < 1e-12);
    }
}
