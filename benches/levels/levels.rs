//! Levels of constants on known truths, beside the division into intervals: `cargo bench -p cll-fit --bench levels`.
//!
//! Each class of truths is drawn anew for each set: 25 or 69 sizes of 5 repetitions, 1.5 or 5 % noise. `--sets N` changes
//! the number of sets of each, `--seed N` the seed, `--class NAME` takes one class.

use std::time::Instant;

use cll_fit::{Data, Fit, Intervals, LevelChange, Options, Point, Unit, fit};
use cll_formula::Formula;
use fastrand::Rng;

const REPETITIONS: usize = 5;
const CLASSES: [&str; 8] = ["one", "jump", "kink", "rise", "two", "both", "lru", "twelve"];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str| {
        let index = arguments.iter().position(|argument| argument == name)?;
        arguments.get(index + 1).cloned()
    };
    let sets: usize = value("--sets").and_then(|sets| sets.parse().ok()).unwrap_or(100);
    let seed: u64 = value("--seed").and_then(|seed| seed.parse().ok()).unwrap_or(20_030_402);
    let class = value("--class");
    let text = "f[0] + f[1]*N + f[2]*N*N";
    let Some(formula) = cll_formula::parse("f", text).formula else {
        eprintln!("the benchmark's formula cannot be read");
        std::process::exit(1);
    };
    println!(
        "{sets} sets of each, seed {seed}; errors: median at the sizes between, at 1.5 and 4 times the last"
    );
    println!(
        "{:7} {:>3} {:>5}  {:>5} {:>6} {:>7}  {:>22} {:>14}  {:>22} {:>14}  {:>5}",
        "truth",
        "n",
        "noise",
        "kind",
        "levels",
        "wrong2x",
        "error of levels %",
        "in band %",
        "of intervals %",
        "in band %",
        "ms"
    );
    for name in CLASSES.iter().filter(|name| class.as_deref().is_none_or(|class| class == **name)) {
        let counts: &[usize] = if *name == "twelve" { &[12] } else { &[25, 69] };
        for &count in counts {
            for noise in [0.015, 0.05] {
                row(&formula, name, (count, noise, sets), seed);
            }
        }
    }
}

/// One line of the table.
fn row(formula: &Formula, class: &str, (count, noise, sets): (usize, f64, usize), seed: u64) {
    let mut random = Rng::with_seed(seed ^ (count as u64) << 32 ^ noise.to_bits());
    let (mut kinds, mut levels, mut wrong, mut all) = (0, 0, 0, 0);
    let mut ours = Errors::default();
    let mut theirs = Errors::default();
    let mut seconds = 0.0;
    for _ in 0..sets {
        let truth = Truth::draw(class, &mut random);
        let sizes = sizes(count);
        let data = truth.data(&sizes, noise, &mut random);
        let options: Options = Intervals::dynamic().into();
        let levels_only = Options { intervals: Intervals::levels(), ..Options::default() };
        let start = Instant::now();
        let own = fit(formula, &data, &levels_only).expect("levels");
        seconds += start.elapsed().as_secs_f64();
        let divided = fit(formula, &data, &options).expect("a fit");
        kinds += usize::from(truth.has_kinds_of(&own));
        let (right, twice, constants) = truth.compare(&own, &sizes);
        levels += right;
        wrong += twice;
        all += constants;
        for (place, sizes) in [between(&sizes), vec![6000.0], vec![16000.0]].iter().enumerate() {
            for &size in sizes {
                let time = truth.time(size);
                let again = observation(time, noise, &mut random);
                let (value, inside) = predicted(&own, size, again);
                ours.add(place, value / time - 1.0, inside);
                let (value, inside) = predicted(&divided, size, again);
                theirs.add(place, value / time - 1.0, inside);
            }
        }
    }
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    println!(
        "{class:7} {count:>3} {:>5.1}  {:>5.0} {:>6.0} {:>7.1}  {:>22} {:>14}  {:>22} {:>14}  {:>5.1}",
        100.0 * noise,
        share(kinds, sets),
        share(levels, all),
        share(wrong, all),
        ours.median(),
        ours.inside(),
        theirs.median(),
        theirs.inside(),
        1e3 * seconds / sets as f64,
    );
}

fn predicted(fit: &Fit, size: f64, again: f64) -> (f64, bool) {
    fit.estimate(&[size]).map_or((f64::NAN, false), |prediction| {
        let inside = prediction.band.is_some_and(|band| (band.low..=band.high).contains(&again));
        (prediction.value, inside)
    })
}

/// Errors between the sizes, at 1.5 times the last and at 4 times, and how many bands hold.
#[derive(Default)]
struct Errors {
    errors: [Vec<f64>; 3],
    inside: [usize; 3],
}

impl Errors {
    fn add(&mut self, place: usize, error: f64, is_inside: bool) {
        self.errors[place].push(error.abs());
        self.inside[place] += usize::from(is_inside);
    }

    fn median(&mut self) -> String {
        let median = |errors: &mut Vec<f64>| {
            errors.sort_by(f64::total_cmp);
            100.0 * errors[errors.len() / 2]
        };
        self.errors.each_mut().map(|errors| format!("{:6.2}", median(errors))).join(" ")
    }

    fn inside(&self) -> String {
        let pairs = self.inside.iter().zip(&self.errors);
        let shares = pairs.map(|(inside, all)| format!("{:4.0}", 100 * inside / all.len().max(1)));
        shares.collect::<Vec<_>>().join(" ")
    }
}

/// Costs of 1, N and N*N, the last two with changes.
struct Truth {
    fixed: f64,
    linear: (Vec<f64>, Vec<LevelChange>),
    square: (Vec<f64>, Vec<LevelChange>),
}

impl Truth {
    fn draw(class: &str, random: &mut Rng) -> Truth {
        let mut log = |low: f64, high: f64| low * (high / low).powf(random.f64());
        let fixed = log(1e-7, 1e-5);
        let linear = log(1e-9, 3e-8);
        let base = log(2e-10, 2e-9);
        let rise = |log: &mut dyn FnMut(f64, f64) -> f64, low: f64, high: f64| LevelChange::Rise {
            at: log(low, high),
            factor: log(2.0, 4.0),
        };
        let height = log(1.5, 5.0);
        let (square, changes) = match class {
            "one" | "twelve" => (vec![base], Vec::new()),
            "jump" => {
                (vec![base, base * height], vec![LevelChange::Jump { at: log(150.0, 1500.0) }])
            }
            "kink" => {
                (vec![base, base * height], vec![LevelChange::Kink { at: log(150.0, 1200.0) }])
            }
            "lru" => {
                (vec![base, base * height], vec![LevelChange::Kink { at: log(150.0, 1000.0) }])
            }
            "rise" => (vec![base, base * height], vec![rise(&mut log, 200.0, 1200.0)]),
            "both" => (vec![base, base * height], vec![rise(&mut log, 200.0, 1200.0)]),
            _ => {
                let second = log(1.5, 4.0);
                let changes = vec![rise(&mut log, 120.0, 300.0), rise(&mut log, 900.0, 1800.0)];
                (vec![base, base * height, base * height * second], changes)
            }
        };
        let linear = match class {
            "both" => {
                let linear = log(3e-8, 3e-7);
                let change = LevelChange::Jump { at: log(100.0, 600.0) };
                (vec![linear, linear * log(2.0, 4.0)], vec![change])
            }
            _ => (vec![linear], Vec::new()),
        };
        Truth { fixed, linear, square: (square, changes) }
    }

    fn time(&self, size: f64) -> f64 {
        let part = |(levels, changes): &(Vec<f64>, Vec<LevelChange>), power: i32| -> f64 {
            // One kink, or level changes one after the other.
            let (mut sum, mut rest) = (0.0, size.powi(power));
            for (level, change) in levels.iter().zip(changes) {
                let beyond = match change {
                    LevelChange::Kink { at } if size > *at => rest - at.powi(power),
                    LevelChange::Kink { .. } => 0.0,
                    other => rest * other.share(size),
                };
                sum += level * (rest - beyond);
                rest = beyond;
            }
            sum + rest * levels[levels.len() - 1]
        };
        self.fixed + part(&self.linear, 1) + part(&self.square, 2)
    }

    fn data(&self, sizes: &[f64], noise: f64, random: &mut Rng) -> Data {
        let points = sizes
            .iter()
            .map(|&size| {
                let time = self.time(size);
                let observations: Vec<f64> =
                    (0..REPETITIONS).map(|_| time * (1.0 + noise * normal(random))).collect();
                Point::new(vec![size], observations)
            })
            .collect();
        Data { variables: vec!["N".to_owned()], unit: Unit::Seconds, points }
    }

    /// Whether the same constants change in the same ways.
    fn has_kinds_of(&self, fit: &Fit) -> bool {
        let kinds = |changes: &[LevelChange]| -> Vec<std::mem::Discriminant<LevelChange>> {
            changes.iter().map(std::mem::discriminant).collect()
        };
        let own = [&[][..], &self.linear.1, &self.square.1];
        own.iter().enumerate().all(|(term, own)| kinds(own) == kinds(changes(fit, term)))
    }

    /// Counts the levels that make 10 % of the time somewhere where they hold: how many are right within 10 %, how many
    /// are wrong by a factor of two, and how many there are.
    fn compare(&self, fit: &Fit, sizes: &[f64]) -> (usize, usize, usize) {
        let (mut right, mut wrong, mut all) = (0, 0, 0);
        let terms = [(&self.linear, 1), (&self.square, 2)];
        for (term, (truth, power)) in (1..).zip(terms) {
            let segments = fit.constants[term].segments.iter();
            let fitted: Vec<f64> = segments.filter_map(|segment| segment.estimate.value).collect();
            for &size in sizes.iter().step_by(4) {
                let level = |levels: &[f64], changes: &[LevelChange]| -> Option<f64> {
                    let shares = changes.iter().map(|change| change.share(size));
                    let shares: Vec<f64> = shares.collect();
                    if shares.iter().any(|share| (0.05..0.95).contains(share)) {
                        return None;
                    }
                    levels.get(shares.iter().filter(|share| **share > 0.5).count()).copied()
                };
                let Some(own) = level(&truth.0, &truth.1) else { continue };
                if own * size.powi(power) < 0.1 * self.time(size) {
                    continue;
                }
                all += 1;
                let value = level(&fitted, changes(fit, term)).unwrap_or(f64::NAN);
                right += usize::from((value / own - 1.0).abs() < 0.1);
                wrong += usize::from(!(0.5..2.0).contains(&(value / own)));
            }
        }
        (right, wrong, all)
    }
}

/// How a constant changes.
fn changes(fit: &Fit, term: usize) -> &[LevelChange] {
    fit.changes.get(term).map_or(&[], |changes| changes)
}

/// The median of five observations.
fn observation(time: f64, noise: f64, random: &mut Rng) -> f64 {
    let mut all: Vec<f64> =
        (0..REPETITIONS).map(|_| time * (1.0 + noise * normal(random))).collect();
    all.sort_by(f64::total_cmp);
    all[REPETITIONS / 2]
}

fn normal(random: &mut Rng) -> f64 {
    (-2.0 * (1.0 - random.f64()).ln()).sqrt() * (std::f64::consts::TAU * random.f64()).cos()
}

/// Sizes from 40 to 4000, spread geometrically.
fn sizes(count: usize) -> Vec<f64> {
    (0..count).map(|k| (40.0 * 100f64.powf(k as f64 / (count - 1) as f64)).round()).collect()
}

/// The middles of the gaps.
fn between(sizes: &[f64]) -> Vec<f64> {
    sizes.windows(2).map(|pair| (pair[0] * pair[1]).sqrt()).collect()
}
