//! The quantities of times: constants, g, L, each with its spread if it is known.

use cll_statistics::{NORMAL_95, normal};
use std::collections::HashMap;

use cll_machine::Uncertain;
use schemars::JsonSchema;
use serde::Serialize;

use crate::program::Parameter;

/// A quantity that the model's times are linear in, as long as the critical path stays.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Quantity {
    /// `G[1] (N in (32, 4096])`, `g (shift, p = 4, up to 4 KiB)`.
    pub name: String,
    /// The kind of the quantity.
    pub kind: QuantityKind,
    /// The value of the quantity in seconds, or seconds per byte (g), or without unit (a scale).
    pub value: Uncertain,
}

/// The kind of a [`Quantity`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum QuantityKind {
    /// Seconds of computation that were measured, or a scale of them.
    Computation,
    /// A constant of a block's formula.
    Constant,
    /// Time per byte of an h-relation.
    G,
    /// The fixed cost of a superstep.
    L,
}

/// All quantities of a model, and how they vary together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantities {
    all: Vec<Quantity>,
    groups: Vec<FittedTogether>,
    grouped: Vec<bool>,
    known: HashMap<Key, Parameter>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key(QuantityKind, [u64; 3], [u64; 2]);

/// Constants that were fitted together: they vary together.
#[derive(Clone, Debug, PartialEq)]
struct FittedTogether {
    members: Vec<Parameter>,
    /// Lower triangle of the root of their covariance.
    root: Vec<Vec<f64>>,
    /// Degrees of freedom of the spread.
    dof: f64,
    /// Relative spread of the measured values around the formula. It changes all members by the same factor.
    noise: f64,
}

impl Quantities {
    /// Adds one that varies on its own.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        kind: QuantityKind,
        value: Uncertain,
    ) -> Parameter {
        let parameter = Parameter(self.all.len() as u32);
        self.all.push(Quantity { name: name.into(), kind, value });
        self.grouped.push(false);
        parameter
    }

    /// Gives one another value and name.
    pub(crate) fn set(&mut self, parameter: Parameter, name: String, value: Uncertain) {
        let quantity = &mut self.all[parameter.index()];
        (quantity.name, quantity.value) = (name, value);
    }

    /// Adds a g or an L of a machine, once: the same numbers from the same sizes on are the same
    /// quantity, for all users.
    pub(crate) fn shared(
        &mut self,
        name: impl FnOnce() -> String,
        kind: QuantityKind,
        value: Uncertain,
        range: (f64, f64),
    ) -> Parameter {
        let bits = [value.value, value.low, value.high].map(f64::to_bits);
        let key = Key(kind, bits, [range.0.to_bits(), range.1.to_bits()]);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let added = self.add(name(), kind, value);
        self.known.insert(key, added);
        added
    }

    /// Makes quantities vary together, by the covariance of a fit; `noise` is the relative spread of
    /// measurements about the fitted formula.
    ///
    /// If a matrix is not a covariance (not symmetric and positive), only the valid part is used.
    pub fn correlate(
        &mut self,
        members: Vec<Parameter>,
        covariance: &[Vec<f64>],
        dof: f64,
        noise: f64,
    ) {
        members.iter().for_each(|member| self.grouped[member.index()] = true);
        self.groups.push(FittedTogether {
            root: root(covariance, members.len()),
            members,
            dof,
            noise,
        });
    }

    /// All, by number.
    pub fn all(&self) -> &[Quantity] {
        &self.all
    }

    /// Their values.
    pub fn values(&self) -> Vec<f64> {
        self.all.iter().map(|quantity| quantity.value.value).collect()
    }

    /// Values as they may be just as well, given what is known of them. None is below zero that is not
    /// so itself.
    pub fn draw(&self, random: &mut fastrand::Rng, values: &mut Vec<f64>) {
        values.clear();
        for (quantity, &grouped) in self.all.iter().zip(&self.grouped) {
            let Uncertain { value, low, high } = quantity.value;
            if grouped || (low >= value && high <= value) {
                values.push(value);
                continue;
            }
            let quantity = normal(|| random.f64());
            let side = if quantity > 0.0 { high - value } else { value - low };
            values.push(above_zero(value, value + quantity * side.max(0.0) / NORMAL_95));
        }
        for group in &self.groups {
            let normals: Vec<f64> = group.members.iter().map(|_| normal(|| random.f64())).collect();
            // Student's distribution: the spread itself is only estimated.
            let stretch = if group.dof.is_finite() {
                (group.dof / chi_squared(random, group.dof)).sqrt()
            } else {
                1.0
            };
            let shift = 1.0 + group.noise * normal(|| random.f64()) * stretch;
            for (member, row) in group.members.iter().zip(&group.root) {
                let off: f64 = row.iter().zip(&normals).map(|(r, n)| r * n).sum();
                let value = values[member.index()];
                // Constants of a fit may be negative where their sum is not.
                values[member.index()] = (value + off * stretch) * shift;
            }
        }
    }
}

fn above_zero(value: f64, drawn: f64) -> f64 {
    if value >= 0.0 { drawn.max(0.0) } else { drawn }
}

/// Cholesky's root of a matrix. If the remainder of a column is 0 or less, the column is zero.
fn root(covariance: &[Vec<f64>], size: usize) -> Vec<Vec<f64>> {
    let mut root = vec![vec![0.0; size]; size];
    if covariance.len() != size || covariance.iter().any(|row| row.len() != size) {
        return root;
    }
    for i in 0..size {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| root[i][k] * root[j][k]).sum();
            let left = covariance[i][j] - known;
            root[i][j] = match i == j {
                true if left > 1e-12 * covariance[i][i].abs() => left.sqrt(),
                false if root[j][j] > 0.0 => left / root[j][j],
                _ => 0.0,
            };
        }
    }
    root
}

/// Marsaglia and Tsang's, for a gamma of half as many.
fn chi_squared(random: &mut fastrand::Rng, dof: f64) -> f64 {
    let pattern = 0.5 * dof.max(1e-3);
    let (boosted, power) = if pattern < 1.0 {
        (pattern + 1.0, (1.0 - random.f64()).powf(1.0 / pattern))
    } else {
        (pattern, 1.0)
    };
    let d = boosted - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(|| random.f64());
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && (1.0 - random.f64()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return 2.0 * d * v * power;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[f64]) -> (f64, f64) {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        (mean, values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0))
    }

    #[test]
    fn draws_have_the_spread_that_is_known() {
        let mut all = Quantities::default();
        let g = all.add("g", QuantityKind::G, Uncertain { value: 5.0, low: 4.0, high: 6.0 });
        let exact = all.add("L", QuantityKind::L, Uncertain::exact(2.0));
        let a = all.add("a", QuantityKind::Constant, Uncertain::exact(10.0));
        let b = all.add("b", QuantityKind::Constant, Uncertain::exact(20.0));
        all.correlate(vec![a, b], &[vec![4.0, -3.0], vec![-3.0, 9.0]], f64::INFINITY, 0.0);
        let mut random = fastrand::Rng::with_seed(7);
        let mut values = Vec::new();
        let rows: Vec<Vec<f64>> = (0..20_000)
            .map(|_| {
                all.draw(&mut random, &mut values);
                values.clone()
            })
            .collect();
        let column = |p: Parameter| rows.iter().map(|row| row[p.index()]).collect::<Vec<f64>>();
        let (mean, variance) = moments(&column(g));
        assert!((mean - 5.0).abs() < 0.02 && (variance.sqrt() - 1.0 / NORMAL_95).abs() < 0.02);
        assert!(column(exact).iter().all(|&value| value == 2.0));
        let (_, of_a) = moments(&column(a));
        let sums: Vec<f64> = rows.iter().map(|row| row[a.index()] + row[b.index()]).collect();
        let (mean, of_sum) = moments(&sums);
        assert!((of_a - 4.0).abs() < 0.2, "{of_a}");
        assert!((mean - 30.0).abs() < 0.1 && (of_sum - 7.0).abs() < 0.4, "{mean} {of_sum}");
    }

    #[test]
    fn chi_squared_has_its_moments() {
        let mut random = fastrand::Rng::with_seed(3);
        for dof in [0.8, 2.0, 9.5] {
            let draws: Vec<f64> = (0..40_000).map(|_| chi_squared(&mut random, dof)).collect();
            let (mean, variance) = moments(&draws);
            assert!((mean / dof - 1.0).abs() < 0.05, "{dof}: {mean}");
            assert!((variance / (2.0 * dof) - 1.0).abs() < 0.1, "{dof}: {variance}");
        }
    }
}
