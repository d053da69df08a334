//! Functions with known truth and seeded noise.

#![allow(dead_code, reason = "the test and the example use different parts")]

use cll_fit::{Data, Fit, Options, fit};
use cll_formula::Formula;
use cll_statistics::normal;
use fastrand::Rng;

/// Values of both parameters.
pub const SIZES: [f64; 5] = [4.0, 8.0, 16.0, 32.0, 64.0];
/// The target is this many times beyond the data in each parameter.
pub const BEYOND: f64 = 4.0;
const REPETITIONS: usize = 5;
const EXPONENTS: [(f64, &str); 13] = [
    (0.0, "0"),
    (0.25, "1/4"),
    (1.0 / 3.0, "1/3"),
    (0.5, "1/2"),
    (2.0 / 3.0, "2/3"),
    (0.75, "3/4"),
    (1.0, "1"),
    (4.0 / 3.0, "4/3"),
    (1.5, "3/2"),
    (5.0 / 3.0, "5/3"),
    (2.0, "2"),
    (2.5, "5/2"),
    (3.0, "3"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// c0 + c1 f(x) + c2 g(y)
    Sum,
    /// c0 + c1 f(x) g(y)
    Product,
    /// c0 + c1 f(x) + c2 f(x) g(y)
    Mixed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// 9 points, the two lines through (4, 4).
    Cross,
    /// All 25 points.
    Grid,
}

impl Plan {
    pub fn points(self) -> Vec<[f64; 2]> {
        let all = SIZES.iter().flat_map(|&x| SIZES.iter().map(move |&y| [x, y]));
        all.filter(|[x, y]| self == Plan::Grid || *x == SIZES[0] || *y == SIZES[0]).collect()
    }
}

/// A function with its constants.
pub struct Truth {
    pub formula: Formula,
    pub constants: Vec<f64>,
}

impl Truth {
    /// Draws f, g and the constants anew until every term has 5 % at the far corner.
    pub fn draw(class: Class, rng: &mut Rng) -> Truth {
        loop {
            let (f, g) = (Factor::draw(rng), Factor::draw(rng));
            let (at_f, at_g) = (f.value(SIZES[4]), g.value(SIZES[4]));
            let (f, g) = (f.text("x"), g.text("y"));
            let (text, terms) = match class {
                Class::Sum => (format!("f[0] + f[1]*{f} + f[2]*{g}"), vec![1.0, at_f, at_g]),
                Class::Product => (format!("f[0] + f[1]*{f}*{g}"), vec![1.0, at_f * at_g]),
                Class::Mixed => {
                    (format!("f[0] + f[1]*{f} + f[2]*{f}*{g}"), vec![1.0, at_f, at_f * at_g])
                }
            };
            let constants: Vec<f64> =
                terms.iter().map(|_| 10f64.powf(-2.0 + 5.0 * rng.f64())).collect();
            let whole: f64 = terms.iter().zip(&constants).map(|(t, c)| t * c).sum();
            if terms.iter().zip(&constants).all(|(t, c)| t * c >= 0.05 * whole) {
                let formula = cll_formula::parse("f", &text).formula.expect(&text);
                return Truth { formula, constants };
            }
        }
    }

    pub fn value_at(&self, values: &[f64]) -> f64 {
        self.formula.evaluate(values, &self.constants)
    }
}

/// x^i log2(x)^j, not both exponents 0.
struct Factor {
    power: (f64, &'static str),
    logs: i32,
}

impl Factor {
    fn draw(rng: &mut Rng) -> Factor {
        loop {
            let factor =
                Factor { power: EXPONENTS[rng.usize(..EXPONENTS.len())], logs: rng.i32(0..3) };
            if factor.power.0 > 0.0 || factor.logs > 0 {
                return factor;
            }
        }
    }

    fn value(&self, x: f64) -> f64 {
        x.powf(self.power.0) * x.log2().powi(self.logs)
    }

    fn text(&self, x: &str) -> String {
        let log = match self.logs {
            0 => String::new(),
            1 => format!("log2({x})"),
            _ => format!("pow(log2({x}), 2)"),
        };
        match (self.power, self.logs) {
            ((0.0, _), _) => log,
            ((_, power), 0) => format!("pow({x}, {power})"),
            ((_, power), _) => format!("pow({x}, {power})*{log}"),
        }
    }
}

/// Repetitions of a value with relative normal noise.
pub fn repeated(value: f64, noise: f64, rng: &mut Rng) -> Vec<f64> {
    (0..REPETITIONS).map(|_| value * (1.0 + noise * normal(|| rng.f64())).max(0.01)).collect()
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn data(variables: &[&str], points: Vec<(Vec<f64>, Vec<f64>)>) -> Data {
    let rows = points.into_iter().flat_map(|(values, observations)| {
        observations.into_iter().map(move |y| (values.clone(), y))
    });
    Data::from_rows(variables.iter().map(|v| (*v).to_owned()).collect(), rows)
}

/// Totals over many functions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub functions: usize,
    /// Target predicted within 5 % of the truth.
    pub near: usize,
    /// Bands that held a new measurement at the target.
    pub covered: usize,
    /// Number of bands.
    pub bands: usize,
    /// Right number of intervals.
    pub counted: usize,
    /// Reported as wrong although the formula is right.
    pub doubted: usize,
    /// Right constants change: the last one at every break, the others nowhere.
    pub joined: usize,
    /// Breaks in the right gap, of all there were.
    pub placed: usize,
    pub breaks: usize,
    /// Intervals along the right axis.
    pub along: usize,
}

impl Tally {
    pub fn share(part: usize, total: usize) -> f64 {
        part as f64 / total.max(1) as f64
    }
}

/// The gaps between neighbouring values of the axis in which a constant changes: the last value before and the first
/// one after it. Changes of levels lie between any two values.
fn gaps(fit: &Fit) -> Vec<(f64, f64)> {
    let boundaries =
        fit.boundaries.iter().map(|boundary| (boundary.last_left, boundary.first_right));
    let changes = fit.changes.iter().flatten().map(|change| (change.position(), change.position()));
    boundaries.chain(changes).collect()
}

/// Whether a constant changes between two neighbouring values of the axis.
fn is_placed(gaps: &[(f64, f64)], low: f64, high: f64) -> bool {
    gaps.iter().any(|gap| low <= gap.0 && gap.1 <= high)
}

/// How many values each constant has.
fn values(fit: &Fit) -> impl Iterator<Item = usize> {
    fit.constants.iter().map(|constant| constant.segments.len())
}

/// Functions of two parameters, with the form given and intervals searched.
pub fn surfaces(class: Class, plan: Plan, noise: f64, functions: usize, seed: u64) -> Tally {
    let mut rng = Rng::with_seed(seed);
    let mut tally = Tally::default();
    for _ in 0..functions {
        let truth = Truth::draw(class, &mut rng);
        let variables: Vec<&str> =
            truth.formula.variables().iter().map(|v| v.name.as_str()).collect();
        let order: Vec<usize> = variables.iter().map(|v| usize::from(*v == "y")).collect();
        let points = plan
            .points()
            .into_iter()
            .map(|p| {
                let values: Vec<f64> = order.iter().map(|&k| p[k]).collect();
                let observations = repeated(truth.value_at(&values), noise, &mut rng);
                (values, observations)
            })
            .collect();
        let fit = fit(&truth.formula, &data(&variables, points), &Options::default())
            .expect("the data allow a fit");
        let target = vec![BEYOND * SIZES[4]; variables.len()];
        let prediction = fit.estimate(&target).expect("the target has a value");
        let right = truth.value_at(&target);
        tally.functions += 1;
        tally.near += usize::from((prediction.value / right - 1.0).abs() <= 0.05);
        tally.counted += usize::from(gaps(&fit).is_empty());
        let doubts = ["lack-of-fit", "missing-variable", "pattern"];
        tally.doubted += usize::from(fit.warnings.iter().any(|w| doubts.contains(&w.code())));
        if let Some(band) = prediction.band {
            let measured = median(&repeated(right, noise, &mut rng));
            tally.bands += 1;
            tally.covered += usize::from(band.low <= measured && measured <= band.high);
        }
    }
    tally
}

/// Sizes of the functions with breaks.
pub const LINE: usize = 25;

/// Functions of one parameter whose leading constant jumps at `breaks` positions, by 20 % to a
/// factor of 3, up or down. Every interval has at least `least` of the 25 sizes 2^4 .. 2^12.
pub fn steps(
    text: &str,
    breaks: usize,
    least: usize,
    noise: f64,
    functions: usize,
    options: &Options,
    seed: u64,
) -> Tally {
    let mut rng = Rng::with_seed(seed);
    let formula = cll_formula::parse("f", text).formula.expect(text);
    let sizes: Vec<f64> = (0..LINE).map(|i| (2f64).powf(4.0 + i as f64 / 3.0).round()).collect();
    let mut tally = Tally::default();
    for _ in 0..functions {
        let boundaries = places(breaks, least, &mut rng);
        let truth = stepped(&formula, &boundaries, sizes[0], &mut rng);
        let interval = |i: usize| boundaries.iter().take_while(|&&b| b <= i).count();
        let points = sizes
            .iter()
            .enumerate()
            .map(|(i, &n)| {
                let value = formula.evaluate(&[n], &truth[interval(i)]);
                (vec![n], repeated(value, noise, &mut rng))
            })
            .collect();
        let fit = fit(&formula, &data(&["N"], points), options).expect("the data allow a fit");
        tally.functions += 1;
        let gaps = gaps(&fit);
        tally.counted += usize::from(gaps.len() == breaks);
        let last = fit.constants.len() - 1;
        let mut segments = values(&fit).enumerate();
        let right = |(k, n): (usize, usize)| n == if k == last { breaks + 1 } else { 1 };
        tally.joined += usize::from(segments.all(right));
        tally.breaks += breaks;
        let placed = |index: &&usize| is_placed(&gaps, sizes[**index - 1], sizes[**index]);
        tally.placed += boundaries.iter().filter(placed).count();
        // Between two sizes of one interval, anywhere in the range.
        let i = rng.usize(..LINE - 1);
        if interval(i) == interval(i + 1) {
            let n = sizes[i] + rng.f64() * (sizes[i + 1] - sizes[i]);
            let right = formula.evaluate(&[n], &truth[interval(i)]);
            let prediction = fit.predict(&[n]).expect("inside the data");
            tally.near += usize::from((prediction.value / right - 1.0).abs() <= 0.05);
            if let Some(band) = prediction.band {
                let measured = median(&repeated(right, noise, &mut rng));
                tally.bands += 1;
                tally.covered += usize::from(band.low <= measured && measured <= band.high);
            }
        }
    }
    tally
}

/// The quantity along which a constant jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knee {
    None,
    /// For long messages.
    N,
    /// For many processors.
    P,
    /// If a processor's part no longer fits into a cache.
    Share,
}

impl Knee {
    fn name(self) -> &'static str {
        match self {
            Knee::None => "",
            Knee::N => "N",
            Knee::P => "P",
            Knee::Share => "N/P",
        }
    }

    /// Which constant jumps, and between which two values of its quantity.
    fn place(self) -> Option<(usize, f64, f64)> {
        match self {
            Knee::None => None,
            Knee::N => Some((3, 8192.0, 16384.0)),
            Knee::P => Some((1, 4.0, 8.0)),
            Knee::Share => Some((2, 2048.0, 4096.0)),
        }
    }
}

/// Figure 4's formula on its sizes and numbers of processors. For values at which many terms
/// contribute, each has 10 to 40 % of the whole; one constant jumps up by 50 % to a factor of 3.
pub fn knees(knee: Knee, noise: f64, functions: usize, seed: u64) -> Tally {
    let mut rng = Rng::with_seed(seed);
    let text = "f[0] + f[1]*log(P) + f[2]*(N/P)*log(N/P) + f[3]*N*(P-1)/P";
    let formula = cll_formula::parse("f", text).formula.expect(text);
    let variables: Vec<&str> = formula.variables().iter().map(|v| v.name.as_str()).collect();
    let order = |n: f64, p: f64| -> Vec<f64> {
        variables.iter().map(|v| if *v == "P" { p } else { n }).collect()
    };
    let mut tally = Tally::default();
    for _ in 0..functions {
        let mut terms = [0.0; 4];
        formula.terms_at(&order(8192.0, 4.0), &mut terms);
        let shares: Vec<f64> = terms.iter().map(|_| 0.1 + 0.3 * rng.f64()).collect();
        let low: Vec<f64> = shares.iter().zip(&terms).map(|(share, term)| share / term).collect();
        let mut high = low.clone();
        if let Some((constant, ..)) = knee.place() {
            high[constant] *= 1.5 * 2f64.powf(rng.f64());
        }
        let truth = |n: f64, p: f64| {
            let axis_value = match knee {
                Knee::None => 0.0,
                Knee::N => n,
                Knee::P => p,
                Knee::Share => n / p,
            };
            let beyond = knee.place().is_some_and(|(_, left, _)| axis_value > left);
            formula.evaluate(&order(n, p), if beyond { &high } else { &low })
        };
        let points = (10..=17).flat_map(|n| (0..=5).map(move |p| (2f64.powi(n), 2f64.powi(p))));
        let points =
            points.map(|(n, p)| (order(n, p), repeated(truth(n, p), noise, &mut rng))).collect();
        let fit = fit(&formula, &data(&variables, points), &Options::default()).expect("a fit");
        tally.functions += 1;
        let breaks = usize::from(knee != Knee::None);
        tally.breaks += breaks;
        let gaps = gaps(&fit);
        tally.counted += usize::from(gaps.len() == breaks);
        let along = breaks == 0 || fit.axis.as_deref() == Some(knee.name());
        tally.along += usize::from(along);
        let placed = knee.place().is_some_and(|(_, low, high)| is_placed(&gaps, low, high));
        tally.placed += usize::from(along && placed);
        // At a size between those, on one of these numbers of processors.
        let (n, p) = (2f64.powf(10.0 + 7.0 * rng.f64()).round(), 2f64.powi(rng.i32(0..6)));
        let right = truth(n, p);
        let prediction = fit.predict(&order(n, p)).expect("inside the data");
        tally.near += usize::from((prediction.value / right - 1.0).abs() <= 0.05);
        if let Some(band) = prediction.band {
            let measured = median(&repeated(right, noise, &mut rng));
            tally.bands += 1;
            tally.covered += usize::from(band.low <= measured && measured <= band.high);
        }
    }
    tally
}

/// Indices at which new intervals start.
fn places(breaks: usize, least: usize, rng: &mut Rng) -> Vec<usize> {
    loop {
        let mut at: Vec<usize> = (0..breaks).map(|_| rng.usize(least..=LINE - least)).collect();
        at.sort_unstable();
        let ends = at.iter().copied().chain([LINE]);
        let starts = [0].into_iter().chain(at.iter().copied());
        if starts.zip(ends).all(|(from, to)| to >= from + least) {
            return at;
        }
    }
}

/// Constants of each interval: at the smallest size every other term is 5 to 50 % of the last one,
/// which dominates everywhere and which jumps.
fn stepped(formula: &Formula, boundaries: &[usize], smallest: f64, rng: &mut Rng) -> Vec<Vec<f64>> {
    let mut terms = vec![0.0; formula.terms().len()];
    formula.terms_at(&[smallest], &mut terms);
    let last = terms.len() - 1;
    let mut constants: Vec<f64> = terms
        .iter()
        .enumerate()
        .map(|(k, t)| (if k == last { 1.0 } else { 0.05 + 0.45 * rng.f64() }) / t)
        .collect();
    let mut truth = vec![constants.clone()];
    for _ in boundaries {
        let step = 1.2 * (3.0 / 1.2_f64).powf(rng.f64());
        constants[last] *= if rng.bool() { step } else { 1.0 / step };
        truth.push(constants.clone());
    }
    truth
}
