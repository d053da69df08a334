//! Functions whose leading constant changes within the data, with known truth and seeded noise; each inner
//! size is left out in turn, on all numbers of processors.

#![allow(dead_code, reason = "the test and the example use different parts")]

use cll_fit::{Data, Intervals, Options, hold_out};
use cll_formula::Formula;
use cll_statistics::normal;
use fastrand::Rng;

const NOISE: f64 = 0.02;
const REPETITIONS: usize = 9;
/// Figure 4's formula, and one of one variable.
const FFT: &str = "f[0] + f[1]*log(P) + f[2]*(N/P)*log(N/P) + f[3]*N*(P-1)/P";
const SEQUENTIAL: &str = "f[0] + f[1]*N*log(N)";

/// How the leading constant changes along N/P.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steps {
    /// It does not change.
    None,
    /// It jumps at two values.
    Sharp,
    /// The same, each over a factor of about 8.
    Smooth,
}

/// The measurements of a class of cases.
pub struct Class {
    pub name: &'static str,
    formula: &'static str,
    sizes: Vec<f64>,
    processors: Vec<f64>,
}

/// The plans of the table in `docs/statistics.md`.
pub fn classes() -> [Class; 4] {
    let doubling = |from: i32, to: i32| (from..=to).map(|k| 2f64.powi(k)).collect::<Vec<f64>>();
    let dense = (0..25).map(|k| (1024.0 * 2f64.powf(7.0 * f64::from(k) / 24.0)).round());
    let class = |name, formula, sizes, processors| Class { name, formula, sizes, processors };
    [
        class("8 sizes, P = 1, 2", FFT, doubling(10, 17), vec![1.0, 2.0]),
        class("8 sizes, P = 1 to 32", FFT, doubling(10, 17), doubling(0, 5)),
        class("8 sizes", SEQUENTIAL, doubling(10, 17), vec![1.0]),
        class("25 sizes", SEQUENTIAL, dense.collect(), vec![1.0]),
    ]
}

impl Class {
    /// The formula's text, parsed.
    pub fn formula(&self) -> Formula {
        cll_formula::parse("f", self.formula).formula.expect("a formula")
    }
}

/// Errors at the sizes that were left out.
#[derive(Clone, Default)]
pub struct Tally {
    pub errors: Vec<f64>,
    pub covered: usize,
    pub follows: usize,
}

impl Tally {
    pub fn with(mut self, other: &Tally) -> Tally {
        self.errors.extend(&other.errors);
        self.covered += other.covered;
        self.follows += other.follows;
        self
    }

    /// Median, 90th percentile and largest error, coverage, share of predictions that follow the
    /// data: per cent.
    pub fn summary(&self) -> [f64; 5] {
        let mut errors = self.errors.clone();
        errors.sort_by(f64::total_cmp);
        let n = errors.len() as f64;
        let percentile = |share: f64| 100.0 * errors[(share * (n - 1.0)) as usize];
        let share = |count: usize| 100.0 * count as f64 / n;
        [
            percentile(0.5),
            percentile(0.9),
            percentile(1.0),
            share(self.covered),
            share(self.follows),
        ]
    }
}

/// The errors of a function with the formula alone, and when following the data.
pub fn one_function(
    class: &Class,
    steps: Steps,
    intervals: &Intervals,
    rng: &mut Rng,
) -> [Tally; 2] {
    let formula = class.formula();
    let data = data(class, &formula, steps, rng);
    [false, true].map(|follow| {
        let options = Options { follow, ..intervals.clone().into() };
        let mut tally = Tally::default();
        for &size in &class.sizes[1..class.sizes.len() - 1] {
            let held = hold_out(&formula, &data, &options, |_, point| point.values[0] == size);
            for point in held.expect("a fit").points {
                tally.errors.push(point.error.map_or(1.0, f64::abs));
                tally.covered += usize::from(point.covered == Some(true));
                tally.follows += usize::from(point.prediction.is_some_and(|p| p.follows));
            }
        }
        tally
    })
}

/// Times of about a microsecond to a second. The constant of N/P log(N/P) becomes 1.3 to 2 times as large at
/// each of two places.
pub fn data(class: &Class, formula: &Formula, steps: Steps, rng: &mut Rng) -> Data {
    let (low, high) = (1024f64.ln(), 131_072f64.ln());
    let place = |rng: &mut Rng, from: f64| low + (high - low) * (from + 0.3 * rng.f64());
    let places = [place(rng, 0.15), place(rng, 0.55)];
    let factors = [1.3 + 0.7 * rng.f64(), 1.3 + 0.7 * rng.f64()];
    let constants: Vec<f64> = formula
        .terms()
        .iter()
        .enumerate()
        .map(|(k, _)| match k {
            0 => 1e-6 * (1.0 + rng.f64()),
            1 if class.processors.len() > 1 => 1e-5 * (1.0 + rng.f64()),
            3 => 1e-9 * (1.0 + 4.0 * rng.f64()),
            _ => 3e-9 * (1.0 + rng.f64()),
        })
        .collect();
    let leading = if class.processors.len() > 1 { 2 } else { 1 };
    let mut rows = Vec::new();
    for &n in &class.sizes {
        for &p in &class.processors {
            let values: Vec<f64> =
                formula.variables().iter().map(|v| if v.name == "P" { p } else { n }).collect();
            let mut terms = vec![0.0; constants.len()];
            formula.terms_at(&values, &mut terms);
            let axis = (n / p).ln();
            let share = |place: f64| match steps {
                Steps::None => 0.0,
                Steps::Sharp => f64::from(u8::from(axis > place)),
                Steps::Smooth => 1.0 / (1.0 + (-(axis - place) * 4.0 / 8f64.ln()).exp()),
            };
            let slower: f64 =
                places.iter().zip(factors).map(|(&position, f)| f.powf(share(position))).product();
            terms[leading] *= slower;
            let truth: f64 = terms.iter().zip(&constants).map(|(t, c)| t * c).sum();
            rows.extend(
                (0..REPETITIONS)
                    .map(|_| (vec![n, p], truth * (1.0 + NOISE * normal(|| rng.f64())))),
            );
        }
    }
    Data::from_rows(vec!["N".into(), "P".into()], rows)
}
