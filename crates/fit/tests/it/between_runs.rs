//! Runs that differ by a factor: known truth, seeded noise.

use cll_fit::{
    CompareOptions, Data, Fit, Moved, Options, Point, RunStretch, Warning, compare, compare_among,
    fit,
};
use cll_statistics::normal;
use fastrand::Rng;

const SEED: u64 = 20_261_127;

/// A formula with its true constants.
type Law = (&'static str, &'static [f64]);

const LAWS: [Law; 12] = [
    ("f[0]*N", &[3e-6]),
    ("f[0]*N*N", &[2e-9]),
    ("f[0] + f[1]*N", &[2e-3, 3e-6]),
    ("f[0] + f[1]*N*log2(N)", &[1e-3, 2e-7]),
    ("f[0] + f[1]*N*N", &[5e-3, 1e-9]),
    ("f[0] + f[1]*N*N*N", &[1e-2, 4e-13]),
    ("f[0] + f[1]*sqrt(N)", &[1e-3, 5e-4]),
    ("f[0] + f[1]*log2(N)", &[1e-3, 4e-4]),
    ("f[0] + f[1]/N", &[2e-3, 1.0]),
    ("f[0] + f[1]*N + f[2]*N*N", &[1e-3, 2e-6, 5e-10]),
    ("f[0]*N + f[1]*N*log2(N)", &[5e-6, 3e-7]),
    ("f[0]*log2(N) + f[1]*N", &[1e-4, 2e-6]),
];

/// How samples vary.
#[derive(Clone, Copy)]
struct Noise {
    /// Standard deviation of a run's factor.
    run: f64,
    /// That of each sample.
    sample: f64,
    /// Runs.
    runs: u32,
}

fn value((text, truth): Law, n: f64) -> f64 {
    let formula = cll_formula::parse("f", text).formula.expect("a formula");
    formula.evaluate(&[n], truth)
}

/// Samples of each run at each size, with the runs known or not.
fn measured(law: Law, sizes: &[f64], noise: Noise, known: bool, rng: &mut Rng) -> Data {
    let factors: Vec<f64> = (0..noise.runs).map(|_| factor(noise.run, rng)).collect();
    let mut data = Data::new(vec!["N".into()]);
    for &n in sizes {
        let truth = value(law, n);
        let times = factors.iter().map(|run| truth * run * factor(noise.sample, rng)).collect();
        let runs = (0..noise.runs).map(|run| RunStretch { run, count: 1 });
        let runs = if known { runs.collect() } else { Vec::new() };
        data.points.push(Point { values: vec![n], observations: times, runs });
    }
    data
}

fn factor(deviation: f64, rng: &mut Rng) -> f64 {
    1.0 + deviation * normal(|| rng.f64())
}

fn fitted((text, _): Law, data: &Data) -> Fit {
    let formula = cll_formula::parse("f", text).formula.expect("a formula");
    fit(&formula, data, &Options::default()).expect("a fit")
}

/// Sizes over two decades.
fn sizes(count: usize) -> Vec<f64> {
    (0..count).map(|k| (100.0 * 100f64.powf(k as f64 / (count - 1) as f64)).round()).collect()
}

/// How often intervals hold.
#[derive(Debug, Default)]
struct Held {
    constants: (usize, usize),
    inside: (usize, usize),
    beyond: (usize, usize),
}

impl Held {
    fn shares(&self) -> [f64; 3] {
        [self.constants, self.inside, self.beyond].map(|(held, all)| held as f64 / all as f64)
    }

    fn study(points: usize, noise: Noise, known: bool, repeats: usize) -> Held {
        let mut rng = Rng::with_seed(SEED + points as u64);
        let mut held = Held::default();
        let count = |tally: &mut (usize, usize), is: bool| {
            tally.0 += usize::from(is);
            tally.1 += 1;
        };
        for law in LAWS {
            for _ in 0..repeats {
                let fit = fitted(law, &measured(law, &sizes(points), noise, known, &mut rng));
                for (constant, truth) in fit.constants.iter().zip(law.1) {
                    let estimate = &constant.segments[0].estimate;
                    let (low, high) = (estimate.low.expect("low"), estimate.high.expect("high"));
                    count(&mut held.constants, low <= *truth && *truth <= high);
                }
                for (n, tally) in [(1234.0, &mut held.inside), (40_000.0, &mut held.beyond)] {
                    let new = measured(law, &[n], noise, known, &mut rng);
                    let new = cll_statistics::median(new.points[0].observations.iter().copied());
                    let band = fit.predict(&[n]).expect("a value").band.expect("a band");
                    let new = new.expect("a median");
                    count(tally, band.low <= new && new <= band.high);
                }
            }
        }
        held
    }
}

#[track_caller]
fn holds(held: &Held, what: &str) {
    println!("{what}: {held:?}");
    for (share, kind) in held.shares().into_iter().zip(["constants", "inside", "at 4 times"]) {
        assert!((0.85..=0.95).contains(&share), "{what}, seed {SEED}, {kind}: {share:.3}");
    }
}

#[test]
fn intervals_hold_if_runs_differ() {
    let noise = Noise { run: 0.05, sample: 0.02, runs: 5 };
    for points in [7, 25] {
        let unknown = Held::study(points, noise, false, 10);
        assert!(
            unknown.shares().iter().all(|share| *share < 0.8),
            "the factor matters: {unknown:?}"
        );
        holds(&Held::study(points, noise, true, 25), &format!("{points} points"));
    }
}

#[test]
fn intervals_hold_if_runs_do_not_differ() {
    let noise = Noise { run: 0.0, sample: 0.05, runs: 5 };
    holds(&Held::study(7, noise, true, 25), "equal runs");
}

/// With one launch for each size and repetition, residuals show how much launches differ.
#[test]
fn runs_of_one_size_each_add_nothing() {
    let mut rng = Rng::with_seed(SEED);
    let law = LAWS[2];
    let mut data =
        measured(law, &sizes(12), Noise { run: 0.0, sample: 0.05, runs: 5 }, true, &mut rng);
    for (k, point) in data.points.iter_mut().enumerate() {
        point.runs.iter_mut().for_each(|stretch| stretch.run += 5 * k as u32);
    }
    let own = fitted(law, &data);
    data.points.iter_mut().for_each(|point| point.runs.clear());
    assert_eq!((own.between_runs, own.constants), (None, fitted(law, &data).constants));
}

#[test]
fn how_much_runs_differ_is_reported() {
    let mut rng = Rng::with_seed(SEED);
    let noise = Noise { run: 0.05, sample: 0.01, runs: 40 };
    let fit = fitted(LAWS[2], &measured(LAWS[2], &sizes(9), noise, true, &mut rng));
    let between = fit.between_runs.expect("runs");
    assert_eq!(between.runs, 40);
    assert!((0.035..0.065).contains(&between.deviation), "{between:?}");
    let left = between.left / between.deviation;
    assert!((0.15..0.20).contains(&left), "of a median of forty: {left}");
    let few = Noise { runs: 2, ..noise };
    let fit = fitted(LAWS[2], &measured(LAWS[2], &sizes(9), few, true, &mut rng));
    assert_eq!(fit.between_runs, None, "two runs tell nothing");
}

#[test]
fn repetitions_that_go_together_are_told() {
    let mut rng = Rng::with_seed(SEED);
    let mut count_warned = |noise: Noise, change: &dyn Fn(&mut Point)| {
        let count = (0..60).filter(|_| {
            let mut data = measured(LAWS[3], &sizes(9), noise, false, &mut rng);
            data.points.iter_mut().for_each(change);
            let fit = fitted(LAWS[3], &data);
            let codes = ["repetitions-together", "dependent-repetitions"];
            fit.warnings.iter().any(|warning| codes.contains(&warning.code()))
        });
        count.count()
    };
    let nothing = |_: &mut Point| {};
    let differ = count_warned(Noise { run: 0.05, sample: 0.02, runs: 5 }, &nothing);
    assert!(differ >= 50, "{differ} of 60");
    let equal = Noise { run: 0.0, sample: 0.05, runs: 5 };
    assert_eq!(count_warned(equal, &nothing), 0);
    let sorted = |point: &mut Point| point.observations.sort_unstable_by(f64::total_cmp);
    assert_eq!(count_warned(equal, &sorted), 0, "sorted repetitions are no runs");
    let warm = |point: &mut Point| point.observations[0] *= 1.3;
    assert!(count_warned(equal, &warm) <= 1, "only the first repetition is slow");
}

/// Times of two machines at each size.
#[test]
fn medians_on_a_line_do_not_hide_the_spread() {
    let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.expect("a formula");
    let rows = [30.0, 60.0, 90.0, 150.0, 240.0]
        .into_iter()
        .flat_map(|n| [2.0, 2.0, 2.0, 6.0, 6.0, 6.0].map(|each| (vec![n], each * n)));
    let data = Data::from_rows(vec!["N".into()], rows);
    let fit = fit(&formula, &data, &Options::default()).expect("a fit");
    let is_dependent = |warning: &Warning| matches!(warning, Warning::DependentRepetitions { .. });
    assert!(fit.warnings.iter().any(is_dependent), "{:?}", fit.warnings);
    let band = fit.predict(&[120.0]).expect("a value").band.expect("a band");
    assert!(band.low <= 240.0 && 720.0 <= band.high, "{band:?}");
    let slope = &fit.constants[1].segments[0].estimate;
    assert!(slope.low.expect("low") < 3.0 && slope.high.expect("high") > 5.0, "{slope:?}");
}

#[test]
fn exact_repetitions_stay_exact() {
    let rows =
        [8.0, 16.0, 32.0, 64.0].into_iter().flat_map(|n| [(); 4].map(|()| (vec![n], 3.0 * n)));
    let data = Data::from_rows(vec!["N".into()], rows);
    let formula = cll_formula::parse("f", "f[0]*N").formula.expect("a formula");
    let fit = fit(&formula, &data, &Options::default()).expect("a fit");
    assert!(fit.widening.is_none());
}

#[test]
fn heavy_tails_are_independent_repetitions() {
    let mut rng = Rng::with_seed(SEED);
    let mut wrong = 0;
    for _ in 0..200 {
        let mut data = measured(
            LAWS[2],
            &sizes(15),
            Noise { run: 0.0, sample: 0.0, runs: 5 },
            false,
            &mut rng,
        );
        for time in data.points.iter_mut().flat_map(|point| &mut point.observations) {
            // Student's t with two degrees of freedom.
            let u = 2.0 * rng.f64() - 1.0;
            *time *= 1.0 + (0.02 * u * (2.0 / (1.0 - u * u)).sqrt()).max(-0.5);
        }
        wrong += usize::from(!fitted(LAWS[2], &data).widening.is_none());
    }
    assert_eq!(wrong, 0);
}

fn slope(runs: u32, run: f64, by: f64, rng: &mut Rng) -> Fit {
    let law: Law = ("f[0] + f[1]*N + f[2]*N*N", &[1e-3, 2e-6, 5e-10]);
    let mut data = measured(law, &sizes(9), Noise { run, sample: 0.02, runs }, true, rng);
    data.points.iter_mut().flat_map(|point| &mut point.observations).for_each(|time| *time *= by);
    fitted(law, &data)
}

#[test]
fn equal_models_of_other_occasions_seldom_differ() {
    let mut rng = Rng::with_seed(SEED);
    const PAIRS: usize = 200;
    let (mut moved, mut slower) = (0, 0);
    for _ in 0..PAIRS {
        let (old, new) = (slope(5, 0.05, 1.0, &mut rng), slope(5, 0.05, 1.0, &mut rng));
        let comparison = compare(&old, &new, &CompareOptions::default()).expect("a comparison");
        moved += usize::from(comparison.with(Moved::Moved).next().is_some());
        slower += usize::from(comparison.is_slower());
    }
    println!("{moved} moved, {slower} slower of {PAIRS}");
    assert!(moved <= PAIRS / 10 && slower <= PAIRS / 10, "{moved} moved, {slower} slower");
    let mut number = 0;
    for _ in 0..50 {
        let (old, new) = (slope(5, 0.05, 1.0, &mut rng), slope(5, 0.05, 1.5, &mut rng));
        let compared = compare(&old, &new, &CompareOptions::default()).expect("a comparison");
        number += usize::from(compared.is_slower());
    }
    assert!(number >= 45, "half as much again is seen: {number} of 50");
}

#[test]
fn many_equal_experiments_seldom_seem_slower() {
    let mut rng = Rng::with_seed(SEED);
    let law = LAWS[2];
    const EXPERIMENTS: usize = 100;
    let mut alarms = 0;
    for _ in 0..20 {
        let any = (0..EXPERIMENTS).filter(|_| {
            let mut fit = || {
                let noise = Noise { run: 0.0, sample: 0.05, runs: 3 };
                fitted(law, &measured(law, &sizes(7), noise, false, &mut rng))
            };
            let (old, new) = (fit(), fit());
            let options = CompareOptions::default();
            compare_among(&old, &new, &options, EXPERIMENTS).expect("a comparison").is_slower()
        });
        alarms += usize::from(any.count() > 0);
    }
    println!("{alarms} of 20");
    assert!(alarms <= 3, "{alarms} of 20");
}
