//! Ordinary kriging: interpolation by a Gaussian process with unknown mean (Rasmussen and Williams,
//! *Gaussian Processes for Machine Learning*, 2006, section 2.7).

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// Covariance of two values: `sigma²` times a correlation that depends on their distance, each
/// coordinate divided by its length; `sigma² noise` is added to the variance of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kernel {
    /// Correlation length of each coordinate; infinite if values do not depend on it.
    pub(crate) lengths: Vec<f64>,
    pub(crate) noise: f64,
    /// Matérn's correlation function with parameter 5/2, for values that change smoothly; else with
    /// 1/2, for jumps.
    pub(crate) smooth: bool,
}

impl Kernel {
    fn correlation(&self, a: &[f64], b: &[f64]) -> f64 {
        let distance = self.distance(a, b);
        if self.smooth {
            let d = 5f64.sqrt() * distance;
            (1.0 + d + d * d / 3.0) * (-d).exp()
        } else {
            (-distance).exp()
        }
    }

    /// Euclidean distance, each coordinate in units of its length.
    pub(crate) fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let parts =
            self.lengths.iter().zip(a.iter().zip(b)).map(|(l, (a, b))| ((a - b) / l).powi(2));
        parts.sum::<f64>().sqrt()
    }
}

/// How well a kernel explains the values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Evidence {
    /// Logarithm of the restricted likelihood, up to a constant.
    pub(crate) log: f64,
    pub(crate) mean: f64,
    pub(crate) sigma: f64,
}

/// At most this many points are solved at a time: those further away have no influence.
const TOGETHER: usize = 48;

/// The restricted likelihood (REML) of a kernel (Patterson and Thompson 1971), with the best mean
/// and sigma. With many points it is the product over groups of neighbours, as if these were
/// independent. `None` if rounding prevents it, or for fewer than three points.
pub(crate) fn evidence(places: &[Vec<f64>], values: &[f64], kernel: &Kernel) -> Option<Evidence> {
    let (mut ones, mut cross, mut square, mut determinant) = (0.0, 0.0, 0.0, 0.0);
    let parts = values.len().div_ceil(TOGETHER).max(1);
    let size = values.len().div_ceil(parts).max(1);
    for (places, values) in places.chunks(size).zip(values.chunks(size)) {
        let factor = factor(&places.iter().collect::<Vec<_>>(), kernel)?;
        let matrix = DVector::from_element(values.len(), 1.0);
        let value = DVector::from_column_slice(values);
        let solved = factor.solve(&matrix);
        ones += solved.dot(&matrix);
        cross += solved.dot(&value);
        square += factor.solve(&value).dot(&value);
        determinant += 2.0 * factor.l_dirty().diagonal().iter().map(|d| d.ln()).sum::<f64>();
    }
    let free = values.len() as f64 - 1.0;
    let mean = cross / ones;
    let variance = (square - cross * mean) / free;
    let log = -0.5 * (free * variance.ln() + determinant + ones.ln());
    (free >= 2.0 && variance > 0.0 && log.is_finite()).then(|| Evidence {
        log,
        mean,
        sigma: variance.sqrt(),
    })
}

/// The value at a point, and the standard deviation of a new measurement there in units of sigma,
/// from the values at the nearest points.
pub(crate) fn value_at(
    place: &[f64],
    places: &[Vec<f64>],
    values: &[f64],
    kernel: &Kernel,
    mean: f64,
) -> Option<(f64, f64)> {
    let mut near: Vec<(f64, usize)> =
        places.iter().map(|p| kernel.distance(p, place)).zip(0..).collect();
    if near.len() > TOGETHER {
        near.select_nth_unstable_by(TOGETHER, |a, b| a.0.total_cmp(&b.0));
        near.truncate(TOGETHER);
    }
    let here: Vec<&Vec<f64>> = near.iter().map(|&(_, k)| &places[k]).collect();
    let factor = factor(&here, kernel)?;
    let off = DVector::from_iterator(near.len(), near.iter().map(|&(_, k)| values[k] - mean));
    let to = DVector::from_iterator(near.len(), here.iter().map(|p| kernel.correlation(p, place)));
    let matrix = DVector::from_element(near.len(), 1.0);
    let weights = factor.solve(&to);
    let unknown = 1.0 - weights.sum();
    let ones = factor.solve(&matrix).sum();
    let variance = 1.0 + kernel.noise - weights.dot(&to) + unknown * unknown / ones;
    let value = mean + weights.dot(&off);
    (value.is_finite() && variance.is_finite()).then(|| (value, variance.max(kernel.noise).sqrt()))
}

fn factor(places: &[&Vec<f64>], kernel: &Kernel) -> Option<Cholesky<f64, Dyn>> {
    let n = places.len();
    let matrix = DMatrix::from_fn(n, n, |i, j| {
        let own = if i == j { kernel.noise } else { 0.0 };
        kernel.correlation(places[i], places[j]) + own
    });
    Cholesky::new(matrix)
}
