//! The weighted problem: factors and observations as columns over the points.

use cll_fit::Weights;
use statrs::function::gamma::ln_gamma;

use crate::evidence::Noise;
use crate::factor::Factor;
use crate::observed::Observed;

/// Relative residuals below this are rounding.
const RESOLUTION: f64 = 1e-7;
/// Factors with a fractional exponent or a squared logarithm are so many times as probable as others.
const RARE: f64 = 0.5;

/// So many times more processors than measured are the far corner for what is not divided.
const BEYOND: f64 = 10.0;

/// The factors of each variable, at the points.
pub(crate) struct Columns {
    /// For each variable its factors that can be evaluated at all points and vary.
    pub(crate) factors: Vec<Vec<Factor>>,
    /// For each variable and factor the values at the points.
    pub(crate) values: Vec<Vec<Vec<f64>>>,
    /// For each variable and factor the value at the variable's largest value: together the far corner of the data.
    pub(crate) far: Vec<Vec<f64>>,
    /// Whether each variable is expected in a model; with given terms, which are variables here, none is.
    pub(crate) are_expected: bool,
}

impl Columns {
    /// Without variables.
    pub(crate) fn none() -> Columns {
        Columns { factors: Vec::new(), values: Vec::new(), far: Vec::new(), are_expected: false }
    }

    /// Makes the columns of these factors alone, for the prior of models.
    pub(crate) fn from_factors(factors: &[Vec<Factor>], are_expected: bool) -> Columns {
        Columns { factors: factors.to_vec(), are_expected, ..Columns::none() }
    }

    /// All of these factors at other points; `None` if one cannot be evaluated there.
    pub(crate) fn same(
        observed: &Observed,
        factors: &[Vec<Factor>],
        are_expected: bool,
    ) -> Option<Columns> {
        let mut columns = Columns::from_factors(factors, are_expected);
        for (values, factors) in observed.values.iter().zip(factors) {
            let column =
                |factor: &Factor| -> Vec<f64> { values.iter().map(|&x| factor.value(x)).collect() };
            let all: Vec<Vec<f64>> = factors.iter().map(column).collect();
            if all.iter().flatten().any(|v| !v.is_finite() || *v < 0.0) {
                return None;
            }
            let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            columns.far.push(factors.iter().map(|factor| factor.value(largest)).collect());
            columns.values.push(all);
        }
        Some(columns)
    }

    pub(crate) fn new(
        observed: &Observed,
        dictionary: &[Vec<Factor>],
        are_expected: bool,
    ) -> Columns {
        let mut columns =
            Columns { factors: Vec::new(), values: Vec::new(), far: Vec::new(), are_expected };
        for (values, factors) in observed.values.iter().zip(dictionary) {
            let mut kept = Vec::new();
            let mut at_points = Vec::new();
            for &factor in factors {
                let column: Vec<f64> = values.iter().map(|&x| factor.value(x)).collect();
                let usable = column.iter().all(|v| v.is_finite() && *v >= 0.0);
                if usable && column.iter().any(|v| *v != column[0]) {
                    kept.push(factor);
                    at_points.push(column);
                }
            }
            let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            columns.far.push(kept.iter().map(|factor| factor.value(largest)).collect());
            columns.factors.push(kept);
            columns.values.push(at_points);
        }
        columns
    }

    /// Adds columns that are no factors of a variable, each with its value at the far corner; as the factors of one
    /// more variable, whose index is returned.
    pub(crate) fn add(&mut self, given: Vec<(Vec<f64>, f64)>) -> usize {
        let (values, far) = given.into_iter().unzip();
        self.factors.push(Vec::new());
        self.values.push(values);
        self.far.push(far);
        self.factors.len() - 1
    }

    /// -ln of the probability that a term of variable `v` has its factor `k`.
    pub(crate) fn price(&self, v: usize, k: usize) -> f64 {
        let all: f64 = self.factors[v].iter().map(|factor| factor.common(RARE)).sum();
        let own = self.factors[v].get(k).map_or(1.0, |factor| factor.common(RARE));
        (all / own).ln()
    }

    /// The value of a constant term at the far corner. Beside work that is divided it matters beyond the data even if
    /// it is small within them: as at ten times more processors.
    pub(crate) fn far_constant(&self) -> f64 {
        let falls = |factor: &Factor| matches!(factor, Factor::Falling(_));
        if self.factors.iter().flatten().any(falls) { BEYOND } else { 1.0 }
    }

    /// The variables that a model is expected to have.
    pub(crate) fn expected(&self) -> impl Iterator<Item = usize> {
        let with = |&v: &usize| self.are_expected && !self.factors[v].is_empty();
        (0..self.factors.len()).filter(with)
    }
}

/// Weights of the points for one search.
#[derive(Clone)]
pub(crate) struct Weighted {
    /// The weight of each point: √count / level, or √count.
    pub(crate) weight: Vec<f64>,
    /// The weighted observations, and their square sum.
    pub(crate) b: Vec<f64>,
    pub(crate) square: f64,
    /// By what a term is divided to give its share of the value.
    pub(crate) level: Vec<f64>,
    pub(crate) noise: Noise,
}

impl Weighted {
    /// `level`: the value at each point, as known so far. `lack`: the formula misses the points by more than their
    /// repetitions explain, so that these say nothing of the noise.
    pub(crate) fn new(
        observed: &Observed,
        level: Vec<f64>,
        weights: Weights,
        lack: bool,
    ) -> Weighted {
        let weight = level.iter().zip(&observed.count).map(|(level, count)| {
            let count = if lack { 1.0 } else { count.sqrt() };
            if weights == Weights::Relative { count / level } else { count }
        });
        let weight: Vec<f64> = weight.collect();
        let b: Vec<f64> = weight.iter().zip(&observed.y).map(|(w, y)| w * y).collect();
        let square = b.iter().map(|b| b * b).sum::<f64>();
        let (variance, dof) = if lack { (0.0, 0.0) } else { (observed.variance, observed.dof) };
        let noise = Noise::new(variance, dof, b.len(), square, square * RESOLUTION * RESOLUTION);
        Weighted { weight, b, square, level, noise }
    }

    /// The problem of a model that has these values at the points, judged by ln of the ratios of observations to values:
    /// by ratios an underestimate costs as much as an overestimate, by differences at most all of the value.
    ///
    /// ln y - ln m is linear in small changes of the constants: y/m is 1 + ln(y/m) in the first order.
    pub(crate) fn by_ratios(&self, observed: &Observed, values: &[f64]) -> Weighted {
        let sureness = self.weight.iter().zip(&self.level).map(|(weight, level)| weight * level);
        let (mut weight, mut b) = (Vec::new(), Vec::new());
        for ((sureness, value), y) in sureness.zip(values).zip(&observed.y) {
            weight.push(sureness / value);
            b.push(sureness * (1.0 + (y / value).ln()));
        }
        let square = b.iter().map(|b| b * b).sum::<f64>();
        let Noise { variance, dof, .. } = self.noise;
        let mut noise = Noise::new(variance, dof, b.len(), square, square * RESOLUTION.powi(2));
        noise.far_price = self.noise.far_price;
        Weighted { weight, b, square, level: values.to_vec(), noise }
    }

    /// ln of what the density of the observations is more than that of the weighted ones, with that of the repetitions
    /// if they say nothing of the noise: by it problems of the same observations with other weights are compared.
    pub(crate) fn scale(&self, observed: &Observed) -> f64 {
        let weights: f64 = self.weight.iter().map(|weight| weight.ln()).sum();
        let is_apart = self.noise.dof == 0.0 && observed.dof > 0.0 && observed.variance > 0.0;
        if !is_apart {
            return weights;
        }
        let half = 0.5 * observed.dof;
        weights + ln_gamma(half) - half * (observed.dof * observed.variance).ln()
    }

    /// The problem without the points that are `out`.
    pub(crate) fn without(&self, out: &[bool]) -> Weighted {
        let zero = |values: &[f64]| -> Vec<f64> {
            values.iter().zip(out).map(|(v, out)| if *out { 0.0 } else { *v }).collect()
        };
        let (weight, b) = (zero(&self.weight), zero(&self.b));
        let square = b.iter().map(|b| b * b).sum::<f64>();
        let mut noise = Noise::new(self.noise.variance, self.noise.dof, b.len(), square, 0.0);
        noise.far_price = self.noise.far_price;
        Weighted { weight, b, square, level: self.level.clone(), noise }
    }
}
