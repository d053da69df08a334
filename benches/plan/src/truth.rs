//! Synthetic truths, as those of `bench-search` with two parameters.

use cll_fit::{Growth, growths};
use cll_statistics::normal;
use fastrand::Rng;

/// Values of each parameter.
pub const SIZES: [f64; 5] = [4.0, 8.0, 16.0, 32.0, 64.0];
/// Where it is predicted.
pub const TARGET: f64 = 256.0;
/// Least share of a term at the far corner.
const SHARE: f64 = 0.05;

/// A class of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// c0 + c1 f(x) + c2 g(y)
    Sum,
    /// c0 + c1 f(x) g(y)
    Product,
    /// c0 + c1 f(x) + c2 f(x) g(y)
    Mixed,
}

impl Class {
    pub const ALL: [Class; 3] = [Class::Sum, Class::Product, Class::Mixed];

    fn terms(self, f: f64, g: f64) -> Vec<f64> {
        match self {
            Class::Sum => vec![f, g],
            Class::Product => vec![f * g],
            Class::Mixed => vec![f, f * g],
        }
    }
}

/// A function.
pub struct Truth {
    class: Class,
    f: Growth,
    g: Growth,
    constants: Vec<f64>,
}

impl Truth {
    pub fn draw(class: Class, random: &mut Rng) -> Truth {
        let all: Vec<Growth> = growths().filter(|growth| growth.exponent() <= 3.0).collect();
        loop {
            let (f, g) = (all[random.usize(..all.len())], all[random.usize(..all.len())]);
            let far = SIZES[SIZES.len() - 1];
            let terms = class.terms(f.value(far), g.value(far));
            let constants: Vec<f64> =
                (0..=terms.len()).map(|_| 10f64.powf(random.f64() * 5.0 - 2.0)).collect();
            let truth = Truth { class, f, g, constants };
            let total = truth.value(far, far);
            let mut shares =
                std::iter::once(1.0).chain(terms).zip(&truth.constants).map(|(t, c)| t * c / total);
            if shares.all(|share| share >= SHARE) {
                return truth;
            }
        }
    }

    /// Returns the formula as text.
    pub fn formula(&self) -> String {
        let (f, g) = (self.f.text("x"), self.g.text("y"));
        match self.class {
            Class::Sum => format!("f[0] + f[1]*{f} + f[2]*{g}"),
            Class::Product => format!("f[0] + f[1]*{f}*{g}"),
            Class::Mixed => format!("f[0] + f[1]*{f} + f[2]*{f}*{g}"),
        }
    }

    pub fn value(&self, x: f64, y: f64) -> f64 {
        let terms = self.class.terms(self.f.value(x), self.g.value(y));
        self.constants[0] + terms.iter().zip(&self.constants[1..]).map(|(t, c)| t * c).sum::<f64>()
    }

    /// Runs of a point.
    pub fn runs(
        &self,
        point: &[f64],
        count: u32,
        noise: f64,
        random: &mut Rng,
    ) -> Vec<(Vec<f64>, f64)> {
        let value = self.value(point[0], point[1]);
        let mut sample_run = || (point.to_vec(), value * (1.0 + noise * normal(|| random.f64())));
        (0..count).map(|_| sample_run()).collect()
    }
}
