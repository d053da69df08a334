//! The ceiling of a repair: how often anybody who knew the noise and the prior of the constants would name the term.
//!
//! Two bounds. *Of two*: only the given and the right formula are possible, and the more probable one is taken.
//! *Of all*: the place of the term is known, and each term of the dictionary, or none, may stand in it; the right one
//! must be among the five most probable. Evidence is Laplace's approximation of the integral over the constants, with
//! the prior of the generator (log-uniform; each term with its share at one end) and the true noise.

use cll_fit::{Data, growths};
use cll_formula::Formula;

use crate::ceiling::{invert, ln_normal};

/// So many terms are named by a repair: the best, and those that are as good.
const NAMED: usize = 5;

/// A formula's terms at the sizes of the data.
pub struct Terms {
    columns: Vec<Vec<f64>>,
}

impl Terms {
    pub fn from_formula(formula: &Formula, data: &Data) -> Terms {
        let count = formula.terms().len();
        let mut columns = vec![Vec::new(); count];
        let mut row = vec![0.0; count];
        for point in &data.points {
            formula.terms_at(&point.values[..formula.variables().len()], &mut row);
            columns.iter_mut().zip(&row).for_each(|(column, v)| column.push(*v));
        }
        Terms { columns }
    }

    fn with(&self, column: Vec<f64>) -> Terms {
        let mut columns = self.columns.clone();
        columns.push(column);
        Terms { columns }
    }

    /// Whether both have the same terms, in any order.
    fn is(&self, other: &Terms) -> bool {
        self.columns.len() == other.columns.len()
            && self.columns.iter().all(|column| other.columns.iter().any(|b| same(column, b)))
    }
}

fn same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(1e-300))
}

/// ln of the evidence of a formula: constants log-uniform, each term with a share of at least `share` at one end.
pub fn evidence(terms: &Terms, data: &Data, noise: f64, share: f64) -> Option<f64> {
    let y: Vec<f64> = data
        .points
        .iter()
        .map(|p| p.observations.iter().sum::<f64>() / p.observations.len() as f64)
        .collect();
    let (n, p) = (y.len(), terms.columns.len());
    let mut level = y.clone();
    let mut answer = None;
    for _ in 0..3 {
        let sigma = |i: usize| noise * level[i] / (data.points[i].observations.len() as f64).sqrt();
        let weighted = |i: usize, j: usize| terms.columns[j][i] / sigma(i);
        let scale: Vec<f64> =
            (0..p).map(|j| (0..n).map(|i| weighted(i, j).powi(2)).sum::<f64>().sqrt()).collect();
        let mut a = vec![vec![0.0; p]; p];
        let mut b = vec![0.0; p];
        for (i, value) in y.iter().enumerate() {
            for j in 0..p {
                b[j] += weighted(i, j) / scale[j] * value / sigma(i);
                for k in 0..p {
                    a[j][k] += weighted(i, j) / scale[j] * weighted(i, k) / scale[k];
                }
            }
        }
        let (inverse, determinant) = invert(&a)?;
        let c: Vec<f64> = (0..p).map(|j| (0..p).map(|k| inverse[j][k] * b[k]).sum()).collect();
        let fitted: Vec<f64> =
            (0..n).map(|i| (0..p).map(|j| c[j] / scale[j] * terms.columns[j][i]).sum()).collect();
        let rss: f64 = (0..n).map(|i| ((y[i] - fitted[i]) / sigma(i)).powi(2)).sum();
        let logs: f64 = (0..n).map(|i| sigma(i).ln()).sum();
        let each = (2.0 * std::f64::consts::PI).sqrt() / (5.0 * std::f64::consts::LN_10);
        let mut value = -0.5 * rss - logs - 0.5 * determinant.ln() + p as f64 * each.ln();
        for j in 0..p {
            let least = [0, n - 1]
                .into_iter()
                .map(|i| share * fitted[i].abs() / terms.columns[j][i].max(1e-300) * scale[j])
                .fold(f64::INFINITY, f64::min);
            let z = (c[j] - least) / inverse[j][j].sqrt();
            value += ln_normal(z) - c[j].max(least).ln();
        }
        let near = fitted.iter().zip(&y).all(|(f, y)| *f > 0.2 * y && *f < 5.0 * y);
        answer = Some(value);
        if !near {
            break;
        }
        // The noise is relative to the true value.
        level = fitted;
    }
    answer
}

/// Whether the right formula is more probable than the given one.
pub fn of_two(given: &Terms, right: &Terms, data: &Data, noise: f64, share: f64) -> bool {
    let evidence_of =
        |terms: &Terms| evidence(terms, data, noise, share).unwrap_or(f64::NEG_INFINITY);
    evidence_of(right) > evidence_of(given)
}

/// Whether the right formula is among the most probable ones of all that differ from the given one in the same place.
pub fn of_all(kept: &Terms, right: &Terms, data: &Data, noise: f64, share: f64) -> bool {
    let sizes: Vec<f64> = data.points.iter().map(|point| point.values[0]).collect();
    let constant = vec![1.0; sizes.len()];
    let grown = growths().map(|growth| sizes.iter().map(|&n| growth.value(n)).collect());
    let evidence_of = |terms: &Terms| evidence(terms, data, noise, share);
    let mut all: Vec<(f64, bool)> = std::iter::once(constant)
        .chain(grown)
        .filter(|column: &Vec<f64>| !kept.columns.iter().any(|own| same(own, column)))
        .map(|column| kept.with(column))
        .filter_map(|terms| Some((evidence_of(&terms)?, terms.is(right))))
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.iter().take(NAMED).any(|pair| pair.1)
}
