//! Non-negative least squares.

use super::triangle::Triangle;

/// Non-negative least squares by the active-set method of Lawson and Hanson (*Solving Least Squares
/// Problems*, 1974, chapter 23) on the triangular factor of the problem. Writes the constants and
/// returns the sum of squared residuals. Constants that would be negative are exactly zero.
///
/// The first set of free constants is the solution's without bounds, less those that are negative until none is: of
/// a triangular factor that set is solved with hardly a rotation, and it is nearly always right.
pub(crate) fn non_negative(factor: &Triangle, columns: usize, out: &mut [f64]) -> f64 {
    let rows: Vec<&[f64]> = (0..=columns).map(|k| factor.factor_row(k)).collect();
    let scale = rows.iter().map(|r| r[columns] * r[columns]).sum::<f64>().sqrt();
    let norms: Vec<f64> = (0..columns).map(|j| norm(&rows, j)).collect();
    let mut work = Work::new(columns);
    let mut passive = vec![true; columns];
    out.fill(0.0);
    start(&rows, columns, &mut passive, &mut work);
    out.copy_from_slice(&work.solution);
    // Each pass frees one constant, and the inner loop only binds some again with a strictly
    // smaller residual: so the method terminates. 3 passes for each constant are the usual bound.
    for _ in 0..3 * columns.max(1) {
        work.gradient(&rows, columns, out);
        let gradient = &work.gradient;
        let candidate = (0..columns)
            .filter(|&j| !passive[j] && gradient[j] > 1e-12 * scale * norms[j])
            .max_by(|&a, &b| gradient[a].total_cmp(&gradient[b]));
        let Some(j) = candidate else { break };
        passive[j] = true;
        loop {
            work.unconstrained(&rows, columns, &passive);
            let solution = &work.solution;
            let step = (0..columns)
                .filter(|&j| passive[j] && solution[j] <= 0.0)
                .map(|j| out[j] / (out[j] - solution[j]))
                .fold(None, |least: Option<f64>, s| Some(least.map_or(s, |l| l.min(s))));
            let Some(step) = step else {
                out.copy_from_slice(solution);
                break;
            };
            let step = if step.is_finite() { step } else { 0.0 };
            for j in 0..columns {
                out[j] += step * (solution[j] - out[j]);
                if passive[j]
                    && solution[j] <= 0.0
                    && out[j] <= 1e-14 * (out[j] - solution[j]).abs()
                {
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

/// A set of constants that are positive together, with their values in `work`; empty if the problem does not determine
/// all of them.
fn start(rows: &[&[f64]], columns: usize, passive: &mut [bool], work: &mut Work) {
    for _ in 0..=columns {
        if !work.unconstrained(rows, columns, passive) {
            passive.fill(false);
            work.solution.fill(0.0);
            return;
        }
        let negative = |j: &usize| passive[*j] && work.solution[*j] <= 0.0;
        let bound: Vec<usize> = (0..columns).filter(negative).collect();
        if bound.is_empty() {
            return;
        }
        bound.into_iter().for_each(|j| passive[j] = false);
    }
}

/// The memory of the method, allocated once.
struct Work {
    solution: Vec<f64>,
    gradient: Vec<f64>,
    free: Vec<usize>,
    row: Vec<f64>,
    part: Vec<f64>,
    triangle: Triangle,
}

impl Work {
    fn new(columns: usize) -> Work {
        Work {
            solution: vec![0.0; columns],
            gradient: vec![0.0; columns],
            free: Vec::with_capacity(columns),
            row: vec![0.0; columns + 1],
            part: vec![0.0; columns],
            triangle: Triangle::new(columns),
        }
    }

    fn gradient(&mut self, rows: &[&[f64]], columns: usize, solution: &[f64]) {
        self.gradient.fill(0.0);
        for row in rows {
            let model: f64 = (0..columns).map(|j| row[j] * solution[j]).sum();
            let residual = row[columns] - model;
            for (j, slope) in self.gradient.iter_mut().enumerate() {
                *slope += row[j] * residual;
            }
        }
    }

    /// The solution over the passive columns, zero elsewhere; `false`, and zero everywhere, if they are not determined.
    fn unconstrained(&mut self, rows: &[&[f64]], columns: usize, passive: &[bool]) -> bool {
        self.free.clear();
        self.free.extend((0..columns).filter(|&j| passive[j]));
        let count = self.free.len();
        self.triangle.reset(count);
        for source in rows {
            for (cell, &j) in self.row.iter_mut().zip(&self.free) {
                *cell = source[j];
            }
            self.row[count] = source[columns];
            self.triangle.append(&self.row[..=count]);
        }
        self.solution.fill(0.0);
        if !self.triangle.full_rank() {
            return false;
        }
        self.triangle.solution(&mut self.part[..count]);
        for (&j, value) in self.free.iter().zip(&self.part) {
            self.solution[j] = *value;
        }
        true
    }
}

fn norm(rows: &[&[f64]], j: usize) -> f64 {
    rows.iter().map(|r| r[j] * r[j]).sum::<f64>().sqrt()
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

    /// The conditions of Karush, Kuhn and Tucker hold, of problems whose solution has negative constants.
    #[test]
    fn the_solution_cannot_be_improved() {
        let mut random = fastrand::Rng::with_seed(1974);
        let mut bound = 0;
        for case in 0..300 {
            let columns = 1 + case % 9;
            let mut factor = Triangle::new(columns);
            for _ in 0..columns + 4 {
                // Columns that go together, as those of powers do.
                let common = random.f64();
                let mut row: Vec<f64> = (0..columns).map(|_| common + 0.3 * random.f64()).collect();
                row.push(2.0 * random.f64() - 0.4);
                factor.append(&row);
            }
            let mut out = vec![0.0; columns];
            non_negative(&factor, columns, &mut out);
            assert!(out.iter().all(|value| *value >= 0.0));
            let rows: Vec<&[f64]> = (0..=columns).map(|k| factor.factor_row(k)).collect();
            let mut work = Work::new(columns);
            work.gradient(&rows, columns, &out);
            for (value, slope) in out.iter().zip(&work.gradient) {
                let is_optimal = if *value > 0.0 { slope.abs() < 1e-8 } else { *slope < 1e-8 };
                assert!(is_optimal, "case {case}: {value} with slope {slope}");
                bound += usize::from(*value == 0.0);
            }
        }
        assert!(bound > 300, "{bound}");
    }
}
