//! Synthetic truths: seeded functions of one or two parameters with noise.
//!
//! Parameters on {4, 8, 16, 32, 64}; f and g are x^i log2(x)^j with i in {0, 1/4, 1/3, 1/2, 2/3, 3/4, 1, 4/3, 3/2,
//! 5/3, 2, 5/2, 3} and j in {0, 1, 2}, not both 0; constants log-uniform in [1e-2, 1e3], every term at least 5 % at
//! the far corner; relative normal noise, 5 repetitions. The target is 4 times beyond in each parameter.

use cll_fit::{Data, Growth, Point, growths};
use cll_statistics::normal;
use fastrand::Rng;

/// Values of each parameter.
pub const SIZES: [f64; 5] = [4.0, 8.0, 16.0, 32.0, 64.0];
/// Where it is predicted.
pub const TARGET: f64 = 256.0;
/// Repetitions of each point.
pub const REPETITIONS: usize = 5;
/// Least share of a term at the far corner.
pub const SHARE: f64 = 0.05;

/// A class of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// c0 + c1 f(x)
    Single,
    /// c0 + c1 f(x) + c2 g(y)
    Sum,
    /// c0 + c1 f(x) g(y)
    Product,
    /// c0 + c1 f(x) + c2 f(x) g(y)
    Mixed,
}

impl Class {
    pub fn name(self) -> &'static str {
        match self {
            Class::Single => "one variable",
            Class::Sum => "sum",
            Class::Product => "product",
            Class::Mixed => "mixed",
        }
    }

    /// The terms beside the constant.
    pub fn terms(self, f: f64, g: f64) -> Vec<f64> {
        match self {
            Class::Single => vec![f],
            Class::Sum => vec![f, g],
            Class::Product => vec![f * g],
            Class::Mixed => vec![f, f * g],
        }
    }
}

/// A function of a class.
#[derive(Clone, Debug)]
pub struct Truth {
    pub class: Class,
    pub f: Growth,
    pub g: Growth,
    pub constants: Vec<f64>,
}

impl Truth {
    pub fn draw(class: Class, random: &mut Rng) -> Truth {
        let all: Vec<Growth> = growths().collect();
        loop {
            let (f, g) = (all[random.usize(..all.len())], all[random.usize(..all.len())]);
            let far = SIZES[SIZES.len() - 1];
            let terms = class.terms(f.value(far), g.value(far));
            let constants: Vec<f64> =
                (0..=terms.len()).map(|_| 10f64.powf(random.f64() * 5.0 - 2.0)).collect();
            let truth = Truth { class, f, g, constants };
            let total = truth.value(far, far);
            let shares =
                std::iter::once(1.0).chain(terms).zip(&truth.constants).map(|(t, c)| t * c / total);
            if shares.into_iter().all(|share| share >= SHARE) {
                return truth;
            }
        }
    }

    pub fn value(&self, x: f64, y: f64) -> f64 {
        let terms = self.class.terms(self.f.value(x), self.g.value(y));
        self.constants[0] + terms.iter().zip(&self.constants[1..]).map(|(t, c)| t * c).sum::<f64>()
    }

    /// Samples at these points, with relative noise.
    pub fn sample(&self, points: &[(f64, f64)], noise: f64, random: &mut Rng) -> Data {
        let names = if self.class == Class::Single { vec!["x"] } else { vec!["x", "y"] };
        let mut data = Data::new(names.into_iter().map(str::to_owned).collect());
        for &(x, y) in points {
            let value = self.value(x, y);
            let observations =
                (0..REPETITIONS).map(|_| value * (1.0 + noise * normal(|| random.f64())));
            let values = if self.class == Class::Single { vec![x] } else { vec![x, y] };
            data.points.push(Point::new(values, observations.collect()));
        }
        data
    }
}

/// All combinations.
pub fn grid() -> Vec<(f64, f64)> {
    SIZES.iter().flat_map(|&x| SIZES.map(|y| (x, y))).collect()
}

/// The two lines through the smallest point.
pub fn cross() -> Vec<(f64, f64)> {
    let along = SIZES.iter().map(|&x| (x, SIZES[0]));
    along.chain(SIZES[1..].iter().map(|&y| (SIZES[0], y))).collect()
}

/// One line.
pub fn line() -> Vec<(f64, f64)> {
    SIZES.iter().map(|&x| (x, SIZES[0])).collect()
}
