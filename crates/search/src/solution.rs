//! One model, solved by orthogonalisation: constants, their covariance, its evidence.

use cll_fit::vectors::{dot, norm, subtract};

use crate::evidence::{Far, MAX_CONSTANTS, evidence};
use crate::term::{Model, Term};
use crate::weighted::{Columns, Weighted};

/// Columns of length 1 whose rest beside the others is shorter depend on them.
const MIN_REST: f64 = 1e-6;

/// A solved model.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    /// In the observable's unit: the constant first, if there is one, then one for each term.
    pub(crate) constants: Vec<f64>,
    /// R⁻¹ of the columns' QR decomposition, by columns: the constants' covariance is σ² R⁻¹ R⁻ᵀ.
    inverse: Vec<Vec<f64>>,
    /// Weighted residual sum of squares.
    pub(crate) rss: f64,
    /// Variance of an observation of weight 1, and its degrees of freedom.
    pub(crate) variance: f64,
    pub(crate) dof: f64,
    /// ln of the evidence, with the prior of the model.
    pub(crate) evidence: f64,
    /// ln of the evidence if constants may have any sign.
    pub(crate) signless: f64,
}

/// A solution with ln of its evidence and the index of its model.
pub(crate) type Weighed = (Solution, f64, usize);

/// Values of a term at the points.
pub(crate) fn term_values(columns: &Columns, term: &Term, points: usize) -> Vec<f64> {
    let mut values = vec![1.0; points];
    for &(variable, factor) in term {
        let column = &columns.values[variable as usize][factor as usize];
        values.iter_mut().zip(column).for_each(|(value, factor)| *value *= factor);
    }
    values
}

/// Value of a term at the far corner of the data.
pub(crate) fn far_value(columns: &Columns, term: &Term) -> f64 {
    term.iter().map(|&(variable, factor)| columns.far[variable as usize][factor as usize]).product()
}

/// A matrix by columns or rows.
type Matrix = Vec<Vec<f64>>;

/// Columns with orthogonal ones of length 1 in their place, and the triangle R that makes the columns of them; `None` if
/// columns depend on each other.
fn orthogonal(mut q: Matrix) -> Option<(Matrix, Matrix)> {
    let p = q.len();
    let mut r = vec![vec![0.0; p]; p];
    for j in 0..p {
        // Modified Gram-Schmidt, twice for each column: orthogonal to rounding.
        for _ in 0..2 {
            for i in 0..j {
                let (head, tail) = q.split_at_mut(j);
                let s = dot(&head[i], &tail[0]);
                r[i][j] += s;
                subtract(&mut tail[0], s, &head[i]);
            }
        }
        let rest = norm(&q[j]);
        if rest < MIN_REST {
            return None;
        }
        r[j][j] = rest;
        q[j].iter_mut().for_each(|v| *v /= rest);
    }
    Some((q, r))
}

/// The inverse of a triangle, by columns.
fn inverse(r: &[Vec<f64>]) -> Matrix {
    let p = r.len();
    let mut inverse = vec![vec![0.0; p]; p];
    for j in 0..p {
        inverse[j][j] = 1.0 / r[j][j];
        for i in (0..j).rev() {
            let s: f64 = (i + 1..=j).map(|k| r[i][k] * inverse[j][k]).sum();
            inverse[j][i] = -s / r[i][i];
        }
    }
    inverse
}

impl Solution {
    /// Solves `model`; `None` if its columns depend on each other or there are too few points.
    pub(crate) fn new(
        problem: &Weighted,
        columns: &Columns,
        model: &Model,
        prior: f64,
    ) -> Option<Solution> {
        let (n, p) = (problem.b.len(), model.constants());
        if p == 0 || p > MAX_CONSTANTS || problem.noise.residual_dof(p) < 1.0 || n < p {
            return None;
        }
        let mut visible = Vec::with_capacity(p);
        let mut far = Vec::with_capacity(p);
        let mut lengths = Vec::with_capacity(p);
        let mut q: Vec<Vec<f64>> = Vec::with_capacity(p);
        let ones = model
            .constant
            .then(|| (vec![1.0; n], Far { value: 1.0, beyond: columns.far_constant() }));
        let terms = model
            .terms
            .iter()
            .map(|t| (term_values(columns, t, n), Far::new(far_value(columns, t))));
        for (values, at_far) in ones.into_iter().chain(terms) {
            let shares = values.iter().zip(&problem.level).map(|(v, l)| (v / l).abs());
            let share = shares.fold(0.0, f64::max);
            let mut column: Vec<f64> =
                values.iter().zip(&problem.weight).map(|(v, w)| v * w).collect();
            let length = norm(&column);
            if !(length > 0.0 && length.is_finite()) {
                return None;
            }
            column.iter_mut().for_each(|v| *v /= length);
            visible.push(share / length);
            far.push(Far { value: at_far.value / length, beyond: at_far.beyond / length });
            lengths.push(length);
            q.push(column);
        }
        let (q, r) = orthogonal(q)?;
        let mut residuals = problem.b.clone();
        let mut z = vec![0.0; p];
        for (column, z) in q.iter().zip(&mut z) {
            *z = dot(column, &residuals);
            subtract(&mut residuals, *z, column);
        }
        let rss = dot(&residuals, &residuals);
        let inverse = inverse(&r);
        let unit: Vec<f64> = (0..p).map(|i| (i..p).map(|j| inverse[j][i] * z[j]).sum()).collect();
        let diagonal: Vec<f64> =
            (0..p).map(|i| (i..p).map(|j| inverse[j][i].powi(2)).sum()).collect();
        let ln_determinant = 2.0 * (0..p).map(|j| r[j][j].ln()).sum::<f64>();
        let noise = &problem.noise;
        let ln_evidence =
            evidence(noise, &unit, &diagonal, &visible, &far, ln_determinant, rss) + prior;
        let sizes: Vec<f64> = unit.iter().map(|c| c.abs()).collect();
        // Half of the prior for either sign.
        let halves = p as f64 * std::f64::consts::LN_2;
        let signless = evidence(noise, &sizes, &diagonal, &visible, &far, ln_determinant, rss)
            + prior
            - halves;
        Some(Solution {
            constants: unit.iter().zip(&lengths).map(|(c, l)| c / l).collect(),
            inverse: inverse
                .into_iter()
                .map(|column| column.iter().zip(&lengths).map(|(v, l)| v / l).collect())
                .collect(),
            rss,
            variance: noise.variance_with(rss, p),
            dof: noise.residual_dof(p),
            evidence: ln_evidence,
            signless,
        })
    }

    /// The value for these terms, and its standard error.
    pub(crate) fn value_at(&self, terms: &[f64]) -> (f64, f64) {
        let value = dot(terms, &self.constants);
        let square: f64 = self.inverse.iter().map(|column| dot(column, terms).powi(2)).sum();
        (value, (square * self.variance).sqrt())
    }

    /// The rows r of a factor of the constants' covariance, which is the sum of r r'.
    pub(crate) fn spread(&self) -> Vec<Vec<f64>> {
        let deviation = self.variance.sqrt();
        self.inverse.iter().map(|row| row.iter().map(|v| v * deviation).collect()).collect()
    }

    /// Standard error of each constant.
    pub(crate) fn errors(&self) -> Vec<f64> {
        let p = self.constants.len();
        (0..p)
            .map(|k| {
                (self.variance * self.inverse.iter().map(|column| column[k].powi(2)).sum::<f64>())
                    .sqrt()
            })
            .collect()
    }
}

/// By so much less probable, in logarithms, is a model for each term whose variables all stand in another term, too,
/// as f(x) beside f(x) g(y): sums, products, and what is between them are then about as probable.
pub(crate) const NESTED: f64 = 0.7;
/// By so much less probable is a model for each two products of the same variables that share a factor, as f g + f g':
/// what is sent seldom grows exactly as the work.
pub(crate) const DISTRIBUTED: f64 = 3.0;
/// By so much less probable is a model without a constant term.
pub(crate) const NO_CONSTANT: f64 = 2.0;
/// By so much less probable is a model for each variable that it has not: what was varied is expected to matter, if not
/// where it was measured then beyond that, as in a product along whose other variable little was measured.
pub(crate) const UNUSED: f64 = 3.0;

/// ln of the prior of a model: its structure ([`NESTED`], [`DISTRIBUTED`], [`NO_CONSTANT`], [`UNUSED`]), and for each variable one of its factors;
/// a factor that stands in several terms is chosen once.
pub(crate) fn prior(model: &Model, columns: &Columns) -> f64 {
    let mut factors: Vec<(u16, u16)> = model.terms.iter().flatten().copied().collect();
    factors.sort_unstable();
    factors.dedup();
    let chosen: f64 =
        factors.iter().map(|&(v, k)| columns.price(usize::from(v), usize::from(k))).sum();
    // Terms of one kind have no order.
    let mut kinds: Vec<Vec<u16>> =
        model.terms.iter().map(|t| t.iter().map(|f| f.0).collect()).collect();
    kinds.sort_unstable();
    let orders: f64 = kinds
        .chunk_by(|a, b| a == b)
        .map(|same| (1..=same.len()).map(|k| (k as f64).ln()).sum::<f64>())
        .sum();
    let holds = |a: &[u16], b: &[u16]| b.len() < a.len() && b.iter().all(|v| a.contains(v));
    let nested = kinds.iter().filter(|kind| kinds.iter().any(|other| holds(other, kind))).count();
    let shares =
        |a: &Term, b: &Term| a.len() > 1 && a.len() == b.len() && a.iter().any(|f| b.contains(f));
    let pairs = model.terms.iter().enumerate();
    let distributed: usize =
        pairs.map(|(k, a)| model.terms[k + 1..].iter().filter(|b| shares(a, b)).count()).sum();
    let without = if model.constant || model.terms.is_empty() { 0.0 } else { NO_CONSTANT };
    let used = |v: &usize| factors.iter().any(|factor| usize::from(factor.0) == *v);
    let unused = columns.expected().filter(|v| !used(v)).count();
    orders
        - chosen
        - NESTED * nested as f64
        - DISTRIBUTED * distributed as f64
        - without
        - UNUSED * unused as f64
}
