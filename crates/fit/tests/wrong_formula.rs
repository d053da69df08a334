//! A wrong formula is named and not hidden by intervals; a right one, and true jumps, are left alone. Known
//! truth, seeded noise.

mod synthetic;

use cll_fit::{Data, Fit, Options, fit};
use cll_formula::Formula;
use fastrand::Rng;
use synthetic::normal;

const SEED: u64 = 20_030_401;
const CASES: usize = 200;

fn formula(text: &str) -> Formula {
    cll_formula::parse("f", text).formula.expect(text)
}

/// Sizes from 2^6 to 2^18, evenly spread over the logarithm.
fn sizes(points: usize) -> Vec<f64> {
    (0..points).map(|i| 2f64.powf(6.0 + 12.0 * i as f64 / (points - 1) as f64).round()).collect()
}

/// Data of one variable with relative normal noise.
fn measured(
    sizes: &[f64],
    truth: &dyn Fn(f64) -> f64,
    noise: f64,
    repetitions: usize,
    rng: &mut Rng,
) -> Data {
    let mut rows = Vec::new();
    for &n in sizes {
        for _ in 0..repetitions {
            rows.push((vec![n], truth(n) * (1.0 + noise * normal(rng)).max(0.01)));
        }
    }
    Data::from_rows(vec!["N".into()], rows)
}

/// Shares of cases in which something is told.
#[derive(Debug, Default)]
struct Told {
    cases: usize,
    /// Any sign of a wrong formula.
    any: usize,
    /// Another formula is named.
    other: usize,
    divided: usize,
}

impl Told {
    fn count(&mut self, fit: &Fit) {
        let doubts = ["lack-of-fit", "runs", "other-formula", "pattern"];
        self.cases += 1;
        self.any += usize::from(fit.warnings.iter().any(|w| doubts.contains(&w.code())));
        self.other += usize::from(fit.other.is_some());
        self.divided += usize::from(fit.intervals.len() > 1);
    }

    fn share(&self, part: usize) -> f64 {
        part as f64 / self.cases as f64
    }

    fn any(&self) -> f64 {
        self.share(self.any)
    }

    fn other(&self) -> f64 {
        self.share(self.other)
    }

    fn print(&self, what: &str) {
        println!(
            "{what}: told {:.3}, another formula {:.3}, divided {:.3}",
            self.any(),
            self.other(),
            self.share(self.divided)
        );
    }
}

/// Many fits of `fitted` to a truth that is drawn anew for each.
fn told(
    fitted: &str,
    points: usize,
    (noise, repetitions): (f64, usize),
    mut draw: impl FnMut(&[f64], &mut Rng) -> Box<dyn Fn(f64) -> f64>,
) -> Told {
    let mut rng = Rng::with_seed(SEED);
    let (formula, sizes) = (formula(fitted), sizes(points));
    let mut told = Told::default();
    let options = Options { follow: false, ..Options::default() };
    for _ in 0..CASES {
        let truth = draw(&sizes, &mut rng);
        let data = measured(&sizes, &truth, noise, repetitions, &mut rng);
        told.count(&fit(&formula, &data, &options).expect("a fit"));
    }
    told
}

const PLANS: [(usize, f64, usize); 16] = [
    (7, 0.005, 5),
    (7, 0.02, 5),
    (7, 0.005, 1),
    (7, 0.02, 1),
    (13, 0.005, 5),
    (13, 0.02, 5),
    (13, 0.005, 1),
    (13, 0.02, 1),
    (25, 0.005, 5),
    (25, 0.02, 5),
    (25, 0.005, 1),
    (25, 0.02, 1),
    (49, 0.005, 5),
    (49, 0.02, 5),
    (49, 0.005, 1),
    (49, 0.02, 1),
];

fn log2(n: f64) -> f64 {
    n.log2()
}

/// The truth, a formula of another growth, the size of the smallest constant term.
type Wrong = (&'static str, fn(f64) -> f64, &'static str);
const WRONG: [Wrong; 6] = [
    ("N log N", |n| n * log2(n), "f[1]*N"),
    ("N log N", |n| n * log2(n), "f[0] + f[1]*N"),
    ("N^2", |n| n * n, "f[0] + f[1]*N^(3/2)"),
    ("N^(3/2)", |n| n.powf(1.5), "f[0] + f[1]*N*log2(N)"),
    ("N", |n| n, "f[0] + f[1]*N*log2(N)"),
    ("N^2", |n| n * n, "f[0] + f[1]*N + f[2]*N*log2(N)"),
];

#[test]
fn a_wrong_growth_is_told() {
    for (name, grows, fitted) in WRONG {
        for (points, noise, repetitions) in PLANS {
            let told = told(fitted, points, (noise, repetitions), |sizes, rng| {
                // A start-up cost of 5 to 50 % at the smallest size.
                let start = if fitted.contains("f[0]") {
                    (0.05 + 0.45 * rng.f64()) * grows(sizes[0])
                } else {
                    0.0
                };
                Box::new(move |n| 1e-9 * (start + grows(n)))
            });
            told.print(&format!(
                "{name} as {fitted}, {points} points, noise {noise}, {repetitions} repetitions"
            ));
        }
    }
}

#[test]
fn a_right_formula_is_left_alone() {
    for fitted in ["f[0] + f[1]*N", "f[0] + f[1]*N*log2(N)", "f[0] + f[1]*N + f[2]*N^2"] {
        let right = formula(fitted);
        for (points, noise, repetitions) in PLANS {
            let told = told(fitted, points, (noise, repetitions), |sizes, rng| {
                let mut terms = vec![0.0; right.terms().len()];
                right.terms_at(&sizes[..1], &mut terms);
                let constants: Vec<f64> =
                    terms.iter().map(|t| 1e-9 * (0.1 + 0.9 * rng.f64()) / t).collect();
                let right = right.clone();
                Box::new(move |n| right.evaluate(&[n], &constants))
            });
            told.print(&format!(
                "right {fitted}, {points} points, noise {noise}, {repetitions} repetitions"
            ));
        }
    }
}

#[test]
fn a_jump_is_no_other_formula() {
    for (points, noise, repetitions) in PLANS.into_iter().skip(4) {
        for kink in [false, true] {
            let fitted = "f[0] + f[1]*N";
            let told = told(fitted, points, (noise, repetitions), |sizes, rng| {
                let least = 4 + sizes.len() / 10;
                let at = sizes[rng.usize(least..sizes.len() - least)];
                let start = (0.05 + 0.45 * rng.f64()) * sizes[0];
                let by = if kink { 1.5 + 1.5 * rng.f64() } else { 1.1 + 0.4 * rng.f64() };
                Box::new(move |n| {
                    let grown = match (n < at, kink) {
                        (true, _) => n,
                        (false, false) => by * n,
                        (false, true) => at + by * (n - at),
                    };
                    1e-9 * (start + grown)
                })
            });
            let what = if kink { "kink" } else { "jump" };
            told.print(&format!(
                "{what}, {points} points, noise {noise}, {repetitions} repetitions"
            ));
        }
    }
}

#[test]
fn spikes_are_no_pattern() {
    for (fitted, points) in [("f[0] + f[1]*N", 25), ("f[0] + f[1]*N*log2(N)", 49), ("f[1]*N", 16)] {
        let mut rng = Rng::with_seed(SEED);
        let (formula, sizes) = (formula(fitted), sizes(points));
        let (mut patterns, mut doubts, mut divided) = (0, 0, 0);
        for _ in 0..CASES {
            let mut data = Data::from_rows(vec!["N".into()], sizes.iter().map(|&n| {
                let mut terms = vec![0.0; formula.terms().len()];
                formula.terms_at(&[n], &mut terms);
                let value: f64 = terms.iter().sum();
                (vec![n], value * (1.0 + 0.02 * normal(&mut rng)))
            }).collect::<Vec<_>>());
            for point in &mut data.points {
                if rng.f64() < 0.05 {
                    point.observations[0] *= 2.0 * 35f64.powf(rng.f64());
                }
            }
            let fit = fit(&formula, &data, &Options { follow: false, ..Options::default() }).expect("a fit");
            patterns += usize::from(fit.warnings.iter().any(|w| w.code() == "pattern"));
            doubts += usize::from(fit.warnings.iter().any(|w| ["runs", "other-formula"].contains(&w.code())));
            divided += usize::from(fit.intervals.len() > 1);
        }
        println!("spikes {fitted} {points}: patterns {patterns}, doubts {doubts}, divided {divided} of {CASES}");
    }
}
