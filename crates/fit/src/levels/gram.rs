//! Non-negative least squares of a few columns, from their products.

/// The products of the columns with each other and with the observations, which are divided by their length.
pub(crate) struct Gram {
    most: usize,
    columns: usize,
    products: Vec<f64>,
    right: Vec<f64>,
    scale: Vec<f64>,
    factor: Vec<f64>,
    free: Vec<usize>,
    part: Vec<f64>,
}

/// Relative to the length of a column, what is left of it that others do not explain: less is rounding.
const RANK: f64 = 1e-10;

impl Gram {
    /// With room for this many columns.
    pub(crate) fn new(most: usize) -> Gram {
        Gram {
            most,
            columns: 0,
            products: vec![0.0; most * most],
            right: vec![0.0; most],
            scale: vec![0.0; most],
            factor: vec![0.0; most * most],
            free: Vec::with_capacity(most),
            part: vec![0.0; most],
        }
    }

    /// Takes the rows of a design and their observations; rows for which `is_used` says no are left out.
    pub(crate) fn take(
        &mut self,
        design: &[f64],
        columns: usize,
        observations: &[f64],
        is_used: impl Fn(usize) -> bool,
    ) {
        self.columns = columns;
        self.products[..columns * columns].fill(0.0);
        self.right[..columns].fill(0.0);
        let rows = design.chunks_exact(columns).zip(observations).enumerate();
        for (_, (row, &y)) in rows.filter(|(index, _)| is_used(*index)) {
            for (i, &x) in row.iter().enumerate() {
                if x != 0.0 {
                    self.right[i] += x * y;
                    for (j, &other) in row.iter().enumerate().take(i + 1) {
                        self.products[i * columns + j] += x * other;
                    }
                }
            }
        }
        for i in 0..columns {
            let length = self.products[i * columns + i].sqrt();
            self.scale[i] = if length > 0.0 { length } else { 1.0 };
        }
        for i in 0..columns {
            self.right[i] /= self.scale[i];
            for j in 0..=i {
                let product = self.products[i * columns + j] / (self.scale[i] * self.scale[j]);
                self.products[i * columns + j] = product;
                self.products[j * columns + i] = product;
            }
        }
    }

    /// Writes the constants, at least 0, or any if they may be negative.
    pub(crate) fn solve(&mut self, is_bounded: bool, out: &mut [f64]) {
        let columns = self.columns;
        let mut passive = vec![true; columns];
        loop {
            self.unconstrained(&passive);
            let negative = (0..columns).filter(|&j| passive[j] && self.part[j] < 0.0);
            let negative: Vec<usize> = if is_bounded { negative.collect() } else { Vec::new() };
            if negative.is_empty() {
                break;
            }
            negative.into_iter().for_each(|j| passive[j] = false);
        }
        out[..columns].copy_from_slice(&self.part[..columns]);
        // What was taken out together may be better back in: as Lawson and Hanson, one after the other.
        for _ in 0..2 * columns {
            let slope = |j: usize| {
                let model: f64 =
                    (0..columns).map(|k| self.products[j * columns + k] * out[k]).sum();
                self.right[j] - model
            };
            let size = self.right[..columns].iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let candidate = (0..columns)
                .filter(|&j| !passive[j] && slope(j) > 1e-9 * size)
                .max_by(|&a, &b| slope(a).total_cmp(&slope(b)));
            let Some(entering) = candidate else { break };
            passive[entering] = true;
            loop {
                self.unconstrained(&passive);
                let step = (0..columns)
                    .filter(|&j| passive[j] && self.part[j] <= 0.0)
                    .map(|j| out[j] / (out[j] - self.part[j]))
                    .fold(f64::INFINITY, f64::min);
                if !step.is_finite() {
                    out[..columns].copy_from_slice(&self.part[..columns]);
                    break;
                }
                for j in 0..columns {
                    out[j] += step.clamp(0.0, 1.0) * (self.part[j] - out[j]);
                    if passive[j] && self.part[j] <= 0.0 && out[j] <= 1e-14 {
                        out[j] = 0.0;
                        passive[j] = false;
                    }
                }
                if !passive[entering] {
                    break;
                }
            }
        }
        for (value, scale) in out.iter_mut().zip(&self.scale).take(columns) {
            *value /= scale;
        }
    }

    /// The covariance of the constants that are not 0, for residuals of variance 1: a square matrix of all columns.
    pub(crate) fn covariance(&mut self, constants: &[f64]) -> Vec<f64> {
        let columns = self.columns;
        let mut passive = vec![false; columns];
        (0..columns).for_each(|j| passive[j] = constants[j] != 0.0);
        self.factorize(&passive);
        let mut covariance = vec![0.0; columns * columns];
        let free = self.free.clone();
        let mut column = vec![0.0; free.len()];
        for (b, &j) in free.iter().enumerate() {
            column.fill(0.0);
            column[b] = 1.0;
            self.substitute(&mut column);
            for (a, &i) in free.iter().enumerate() {
                covariance[i * columns + j] = column[a] / (self.scale[i] * self.scale[j]);
            }
        }
        covariance
    }

    /// Solves for the passive columns; what others explain is 0.
    fn unconstrained(&mut self, passive: &[bool]) {
        self.factorize(passive);
        let mut solution: Vec<f64> = self.free.iter().map(|&j| self.right[j]).collect();
        self.substitute(&mut solution);
        self.part[..self.columns].fill(0.0);
        for (&j, value) in self.free.iter().zip(solution) {
            self.part[j] = value;
        }
    }

    /// The triangular factor of the passive columns that are independent.
    fn factorize(&mut self, passive: &[bool]) {
        let columns = self.columns;
        self.free.clear();
        for j in (0..columns).filter(|&j| passive[j]) {
            let rank = self.free.len();
            let mut left = self.products[j * columns + j];
            for k in 0..rank {
                let mut sum = self.products[j * columns + self.free[k]];
                for l in 0..k {
                    sum -= self.factor[rank * self.most + l] * self.factor[k * self.most + l];
                }
                let entry = sum / self.factor[k * self.most + k];
                self.factor[rank * self.most + k] = entry;
                left -= entry * entry;
            }
            if left > RANK {
                self.factor[rank * self.most + rank] = left.sqrt();
                self.free.push(j);
            }
        }
    }

    /// Forward and backward substitution.
    fn substitute(&self, values: &mut [f64]) {
        let rank = values.len();
        for k in 0..rank {
            let known: f64 = (0..k).map(|l| self.factor[k * self.most + l] * values[l]).sum();
            values[k] = (values[k] - known) / self.factor[k * self.most + k];
        }
        for k in (0..rank).rev() {
            let known: f64 =
                (k + 1..rank).map(|l| self.factor[l * self.most + k] * values[l]).sum();
            values[k] = (values[k] - known) / self.factor[k * self.most + k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::{Triangle, non_negative};

    #[test]
    fn the_solution_is_that_of_the_triangular_factor() {
        let mut random = fastrand::Rng::with_seed(1974);
        let mut bound = 0;
        for case in 0..300 {
            let columns = 1 + case % 6;
            let mut factor = Triangle::new(columns);
            let (mut design, mut observations) = (Vec::new(), Vec::new());
            for _ in 0..columns + 5 {
                let common = random.f64();
                let row: Vec<f64> = (0..columns).map(|_| common + 0.3 * random.f64()).collect();
                let y = 2.0 * random.f64() - 0.4;
                design.extend(&row);
                observations.push(y);
                factor.append(&[row, vec![y]].concat());
            }
            let mut gram = Gram::new(6);
            gram.take(&design, columns, &observations, |_| true);
            let (mut own, mut other) = (vec![0.0; columns], vec![0.0; columns]);
            gram.solve(true, &mut own);
            non_negative(&factor, columns, &mut other);
            for (own, other) in own.iter().zip(&other) {
                assert!((own - other).abs() < 1e-6 * (1.0 + other.abs()), "case {case}");
                bound += usize::from(*other == 0.0);
            }
        }
        assert!(bound > 200, "{bound}");
    }
}
