//! The evidence of a model: how probable the data are under it, all constants considered.
//!
//! A model is y = Σ c_k t_k with normal noise of unknown variance, about which repetitions may say something. Costs
//! are not negative and may have any magnitude, so the prior of each constant is uniform in log c over
//! [`DECADES`] decades, cut off where the term would matter nowhere. With the columns A of the weighted terms, b the
//! weighted observations, ĉ the least-squares constants, p their number, n that of points, and a variance s² of the
//! repetitions with ν degrees of freedom, Laplace's approximation gives, up to a number common to all models,
//!
//!   ln E = ln Γ(m) - m ln(ν s² + RSS) + p/2 ln π - 1/2 ln |A'A| + Σ ln(Φ(z_k) / (ĉ_k ln 10^D)),  m = (ν + n - p)/2,
//!
//! where z_k is the distance of ĉ_k from its least visible value in standard errors (Tierney and Kadane 1986;
//! Zellner 1971, section 3.2 for the integral over the variance).

use statrs::function::gamma::ln_gamma;

/// Decades over which a constant's magnitude is taken as uniform.
const DECADES: f64 = 5.0;
/// A term that is nowhere more than this share of the value is none...
const MIN_SHARE: f64 = 0.02;
/// ...or than so many standard errors of the mean of all points, if that is less.
const MIN_ERRORS: f64 = 2.0;

/// Terms are expected to have this share at the far corner of the data...
const FAR_SHARE: f64 = 0.05;
/// ...and are the less probable, by this power of their share, the smaller it is there...
const FAR_PRICE: f64 = 6.0;
/// ...but not by more than this, in logarithms: a constant may be visible at small sizes alone.
const MAX_FAR_PRICE: f64 = 5.0;

/// The noise that the evidences of all models of the same data share.
#[derive(Clone)]
pub(crate) struct Noise {
    /// Variance of an observation with weight 1, from repetitions.
    pub(crate) variance: f64,
    /// The degrees of freedom; 0: nothing is known.
    pub(crate) dof: f64,
    points: f64,
    /// Sum of squares of the weighted observations.
    square: f64,
    /// Residual sum of squares below which nothing can be distinguished.
    floor: f64,
    /// By so much, as a logarithm, a term that is small at the far corner makes a model less probable at most.
    pub(crate) far_price: f64,
    /// By number of constants: ln Γ(m) + p/2 ln π - p ln(ln 10^D).
    constant: [f64; MAX_CONSTANTS + 1],
}

/// Most constants of a model.
pub(crate) const MAX_CONSTANTS: usize = 8;

impl Noise {
    pub(crate) fn new(variance: f64, dof: f64, points: usize, square: f64, floor: f64) -> Noise {
        let range = (DECADES * std::f64::consts::LN_10).ln();
        let constant = std::array::from_fn(|p| {
            let m = 0.5 * (dof + points as f64 - p as f64);
            if m <= 0.0 {
                return f64::NEG_INFINITY;
            }
            ln_gamma(m) + p as f64 * (0.5 * std::f64::consts::PI.ln() - range)
        });
        let points = points as f64;
        Noise { variance, dof, points, square, floor, far_price: MAX_FAR_PRICE, constant }
    }

    /// Degrees of freedom of the variance beside p constants.
    pub(crate) fn residual_dof(&self, p: usize) -> f64 {
        self.dof + self.points - p as f64
    }

    /// The residual sum of squares with which a model of p constants has this likelihood; below 0 if none has.
    pub(crate) fn rss_of(&self, likelihood: f64, p: usize) -> f64 {
        let dof = self.residual_dof(p);
        if dof < 1.0 || likelihood == f64::NEG_INFINITY {
            return f64::INFINITY;
        }
        (2.0 * (self.constant[p] - likelihood) / dof).exp() - self.dof * self.variance
    }

    /// ν s² + RSS.
    pub(crate) fn total(&self, rss: f64) -> f64 {
        self.dof * self.variance + rss.max(self.floor)
    }

    /// The variance of an observation of weight 1, beside a model.
    pub(crate) fn variance_with(&self, rss: f64, p: usize) -> f64 {
        self.total(rss) / self.residual_dof(p).max(1.0)
    }

    /// The part of ln E that depends on the residuals and the number of constants alone.
    pub(crate) fn likelihood(&self, rss: f64, p: usize) -> f64 {
        self.constant[p] - 0.5 * self.residual_dof(p) * self.total(rss).ln()
    }
}

/// A least-squares problem of few columns, solved: everything in terms of columns of length 1.
pub(crate) struct Solved<const P: usize> {
    /// Constants times the lengths of their columns.
    pub(crate) constants: [f64; P],
    pub(crate) rss: f64,
    /// ln of the determinant of the columns' inner products.
    pub(crate) ln_determinant: f64,
    /// Diagonal of the inverse of the inner products.
    pub(crate) inverse: [f64; P],
}

/// Smallest pivot: columns of length 1 that are nearer to each other are one.
const MIN_PIVOT: f64 = 1e-9;

/// Solves for P columns of length 1, from their inner products (lower triangle), those with b, and |b|².
///
/// Normal equations: used to rank many small problems; the best are solved again by orthogonalisation. `None` if
/// the columns depend on each other.
#[allow(clippy::needless_range_loop)] // Indices of a triangular matrix.
#[inline]
pub(crate) fn solve<const P: usize>(
    gram: &[[f64; P]; P],
    with_b: &[f64; P],
    b: f64,
) -> Option<Solved<P>> {
    // gram = L L'
    let mut l = *gram;
    let mut ln_determinant = 1.0;
    for j in 0..P {
        let mut d = l[j][j];
        for k in 0..j {
            d -= l[j][k] * l[j][k];
        }
        if d < MIN_PIVOT {
            return None;
        }
        ln_determinant *= d;
        let root = d.sqrt();
        l[j][j] = root;
        for i in j + 1..P {
            let mut s = l[i][j];
            for k in 0..j {
                s -= l[i][k] * l[j][k];
            }
            l[i][j] = s / root;
        }
    }
    let mut z = *with_b;
    let mut explained = 0.0;
    for j in 0..P {
        for k in 0..j {
            z[j] -= l[j][k] * z[k];
        }
        z[j] /= l[j][j];
        explained += z[j] * z[j];
    }
    let mut constants = z;
    for j in (0..P).rev() {
        for k in j + 1..P {
            constants[j] -= l[k][j] * constants[k];
        }
        constants[j] /= l[j][j];
    }
    // Columns of L^-1: the inverse is their inner products.
    let mut inverse = [0.0; P];
    for j in 0..P {
        let mut column = [0.0; P];
        column[j] = 1.0 / l[j][j];
        inverse[j] += column[j] * column[j];
        for i in j + 1..P {
            let mut s = 0.0;
            for k in j..i {
                s -= l[i][k] * column[k];
            }
            column[i] = s / l[i][i];
            inverse[j] += column[i] * column[i];
        }
    }
    Some(Solved {
        constants,
        rss: (b - explained).max(0.0),
        ln_determinant: ln_determinant.ln(),
        inverse,
    })
}

/// The value of a column at the far corner of the data.
#[derive(Clone, Copy)]
pub(crate) struct Far {
    /// There.
    pub(crate) value: f64,
    /// Where the column should matter: there, or beyond.
    pub(crate) beyond: f64,
}

impl Far {
    /// At the far corner alone.
    pub(crate) fn new(value: f64) -> Far {
        Far { value, beyond: value }
    }
}

/// ln E of a model, from constants, inverse and determinant in terms of columns of length 1.
///
/// -∞ if a constant is not positive. `visible`: for each column its largest share of a value. `far`: its value at the far corner of the data, where a
/// term of a formula should matter.
pub(crate) fn evidence(
    noise: &Noise,
    constants: &[f64],
    inverse: &[f64],
    visible: &[f64],
    far: &[Far],
    ln_determinant: f64,
    rss: f64,
) -> f64 {
    let p = constants.len();
    if constants.iter().any(|c| *c <= 0.0) {
        return f64::NEG_INFINITY;
    }
    let variance = noise.variance_with(rss, p);
    let visible_share = MIN_SHARE.min(MIN_ERRORS * (variance / noise.square).sqrt());
    let mut sum = noise.likelihood(rss, p) - 0.5 * ln_determinant;
    for k in 0..p {
        let least = visible_share / visible[k];
        let error = (variance * inverse[k]).sqrt();
        let z = (constants[k] - least) / error;
        sum += ln_normal(z) - constants[k].max(least).ln();
    }
    let whole: f64 = (0..p).map(|k| (constants[k] * far[k].value).abs()).sum();
    for k in 0..p {
        let share = (constants[k].max(visible_share / visible[k]) * far[k].beyond / whole)
            .max(f64::MIN_POSITIVE);
        if share < FAR_SHARE {
            sum -= (FAR_PRICE * (FAR_SHARE / share).ln()).min(noise.far_price);
        }
    }
    sum
}

/// ln Φ(z).
fn ln_normal(z: f64) -> f64 {
    if z > 6.0 {
        return 0.0;
    }
    if z < -30.0 {
        // Φ(z) ~ φ(z)/|z|
        return -0.5 * z * z - (-z).ln() - 0.918_938_533_204_672_8;
    }
    (0.5 * statrs::function::erf::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_problem_is_solved() {
        // Columns (1, 1)/√2 and (0, 1); b = (1, 3): constants √2 and 2.
        let h = 0.5f64.sqrt();
        let solved = solve(&[[1.0, h], [h, 1.0]], &[4.0 * h, 3.0], 10.0).expect("independent");
        assert!((solved.constants[0] - 2.0f64.sqrt()).abs() < 1e-12);
        assert!((solved.constants[1] - 2.0).abs() < 1e-12);
        assert!(solved.rss.abs() < 1e-12);
        assert!((solved.ln_determinant - 0.5f64.ln()).abs() < 1e-12);
        assert!((solved.inverse[0] - 2.0).abs() < 1e-12 && (solved.inverse[1] - 2.0).abs() < 1e-12);
        assert!(solve(&[[1.0, 1.0], [1.0, 1.0]], &[1.0, 1.0], 1.0).is_none());
    }

    #[test]
    fn a_residual_has_the_likelihood_that_it_is_asked_for() {
        let noise = Noise::new(0.3, 4.0, 9, 50.0, 0.0);
        for p in 1..=3 {
            let likelihood = noise.likelihood(1.7, p);
            assert!((noise.rss_of(likelihood, p) - 1.7).abs() < 1e-9);
        }
    }

    #[test]
    fn logarithms_of_the_normal_distribution() {
        for (z, ln) in [
            (0.0, -std::f64::consts::LN_2),
            (-1.0, -1.841_022),
            (-29.9, -451.324),
            (-31.0, -484.854),
        ] {
            assert!((ln_normal(z) - ln).abs() < 2e-3 * ln.abs().max(1.0), "{z}: {}", ln_normal(z));
        }
    }
}
