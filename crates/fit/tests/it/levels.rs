//! Constants as levels: known truths, and data that allow less.

use cll_fit::{Band, Data, Fit, Intervals, LevelChange, Options, Point, Unit, Warning, fit};
use cll_formula::Formula;
use cll_statistics::normal;
use fastrand::Rng;

const SIZES: usize = 40;
const REPETITIONS: usize = 5;

fn formula(text: &str) -> Formula {
    cll_formula::parse("f", text).formula.expect("a formula")
}

fn polynomial() -> Formula {
    formula("f[0] + f[1]*N + f[2]*N*N")
}

/// Sizes from 40 to 4000, spread geometrically.
fn sizes(count: usize) -> Vec<f64> {
    (0..count).map(|k| (40.0 * 100f64.powf(k as f64 / (count - 1) as f64)).round()).collect()
}

fn data(sizes: &[f64], noise: f64, seed: u64, time: impl Fn(f64) -> f64) -> Data {
    let mut random = Rng::with_seed(seed);
    let mut observation = |size: f64| time(size) * (1.0 + noise * normal(|| random.f64()));
    let points = sizes
        .iter()
        .map(|&size| {
            Point::new(vec![size], (0..REPETITIONS).map(|_| observation(size)).collect::<Vec<_>>())
        })
        .collect();
    Data { variables: vec!["N".to_owned()], unit: Unit::Seconds, points }
}

fn options() -> Options {
    Options { intervals: Intervals::levels(), ..Options::default() }
}

fn fitted(data: &Data) -> Fit {
    fit(&polynomial(), data, &options()).expect("levels")
}

/// How N*N changes.
fn changes(fit: &Fit) -> &[LevelChange] {
    fit.changes.get(2).map_or(&[], |changes| changes)
}

fn levels(fit: &Fit, term: usize) -> Vec<f64> {
    fit.constants[term].segments.iter().filter_map(|segment| segment.estimate.value).collect()
}

fn estimate(fit: &Fit, point: &[f64]) -> (f64, Band) {
    let prediction = fit.estimate(point).expect("a value");
    (prediction.value, prediction.band.expect("a band"))
}

fn cost(change: LevelChange, low: f64, high: f64) -> impl Fn(f64) -> f64 {
    move |n| 2e-9 * n + (low + (high - low) * change.share(n)) * n * n
}

#[test]
fn one_level_has_no_changes() {
    let changed = (0..50).filter(|&seed| {
        let fit = fitted(&data(&sizes(SIZES), 0.02, seed, |n| 1e-6 + 2e-9 * n + 1e-9 * n * n));
        !fit.changes.is_empty()
    });
    assert!(changed.count() <= 2);
}

#[test]
fn a_rise_has_its_levels_and_no_constant_is_negative() {
    for seed in 0..10 {
        let rise = LevelChange::Rise { at: 500.0, factor: 2.5 };
        let truth = cost(rise, 3e-10, 1.4e-9);
        let fit = fitted(&data(&sizes(SIZES), 0.015, seed, &truth));
        let [LevelChange::Rise { at: position, .. }] = changes(&fit) else {
            panic!("{:?}", fit.constants)
        };
        assert!((position / 500.0 - 1.0).abs() < 0.15, "{position}");
        let levels = levels(&fit, 2);
        assert!((levels[0] / 3e-10 - 1.0).abs() < 0.15, "{levels:?}");
        assert!((levels[1] / 1.4e-9 - 1.0).abs() < 0.05, "{levels:?}");
        assert!((0..3).flat_map(|term| self::levels(&fit, term)).all(|level| level >= 0.0));
        let (value, band) = estimate(&fit, &[16000.0]);
        assert!((value / truth(16000.0) - 1.0).abs() < 0.03, "{value}");
        assert!(band.low <= value && value <= band.high && band.high < 1.2 * value, "{band:?}");
    }
}

#[test]
fn a_jump_and_a_kink_are_told_apart() {
    let jump = LevelChange::Jump { at: 600.0 };
    let fit = fitted(&data(&sizes(SIZES), 0.01, 7, cost(jump, 5e-10, 1.5e-9)));
    assert!(
        matches!(changes(&fit), [LevelChange::Jump { at }] if (500.0..700.0).contains(at)),
        "{fit:?}"
    );
    let kink = |n: f64| 5e-10 * n * n + 1e-9 * (n * n - 300.0 * 300.0).max(0.0);
    let fit = fitted(&data(&sizes(SIZES), 0.01, 7, kink));
    assert!(
        matches!(changes(&fit), [LevelChange::Kink { at }] if (240.0..360.0).contains(at)),
        "{fit:?}"
    );
}

#[test]
fn two_rises_are_two() {
    let [first, second] =
        [150.0, 1300.0].map(|position| LevelChange::Rise { at: position, factor: 2.5 });
    let truth = |n: f64| (4e-10 + 8e-10 * first.share(n) + 2e-9 * second.share(n)) * n * n;
    let fit = fitted(&data(&sizes(69), 0.01, 3, truth));
    let [LevelChange::Rise { at: position, .. }, LevelChange::Rise { at: then, .. }] =
        changes(&fit)
    else {
        panic!("{:?}", fit.constants)
    };
    assert!(
        (position / 150.0 - 1.0).abs() < 0.2 && (then / 1300.0 - 1.0).abs() < 0.2,
        "{position} {then}"
    );
    let (value, _) = estimate(&fit, &[16000.0]);
    assert!((value / truth(16000.0) - 1.0).abs() < 0.04, "{value}");
}

/// Costs that fall are levels, too: vectorised above a size.
#[test]
fn costs_may_fall() {
    let fall = LevelChange::Jump { at: 900.0 };
    let fit = fitted(&data(&sizes(SIZES), 0.01, 5, cost(fall, 3e-9, 1e-9)));
    let levels = levels(&fit, 2);
    assert!(
        matches!(changes(&fit), [LevelChange::Jump { .. }]) && levels[1] < levels[0],
        "{fit:?}"
    );
}

/// Neighbouring sizes that were disturbed together are no levels; a fall and a rise that are far apart are.
#[test]
fn a_disturbance_of_neighbouring_sizes_is_no_level() {
    let sizes = sizes(SIZES);
    let rise = LevelChange::Rise { at: 900.0, factor: 2.0 };
    let time = cost(rise, 1e-9, 3e-9);
    for width in [2, 3] {
        let disturbed = &sizes[8..8 + width];
        let slower = |n: f64| time(n) * if disturbed.contains(&n) { 0.7 } else { 1.0 };
        let fit = fitted(&data(&sizes, 0.01, 6, slower));
        let within =
            |change: &LevelChange| (disturbed[0]..sizes[8 + width]).contains(&change.position());
        let inside = changes(&fit).iter().filter(|change| within(change)).count();
        assert!(inside < 2, "{:?}", fit.changes);
        let last = *levels(&fit, 2).last().expect("a level");
        assert!((last / 3e-9 - 1.0).abs() < 0.1, "{last} {:?}", fit.changes);
    }
    let fast = |n: f64| {
        let cost = if (150.0..900.0).contains(&n) { 1e-9 } else { 3e-9 };
        2e-9 * n + cost * n * n
    };
    let fit = fitted(&data(&sizes, 0.01, 7, fast));
    assert!(levels(&fit, 2).len() == 3, "{:?}", fit.changes);
}

/// A level that was not reached: the band grows beyond the data.
#[test]
fn what_still_rises_is_uncertain_beyond() {
    let rise = LevelChange::Rise { at: 3500.0, factor: 4.0 };
    let truth = cost(rise, 3e-10, 1.2e-9);
    let fit = fitted(&data(&sizes(SIZES), 0.01, 11, &truth));
    let width = |n: f64| {
        let (value, band) = estimate(&fit, &[n]);
        (band.high - band.low) / value
    };
    assert!(width(16000.0) > 3.0 * width(1000.0), "{} {}", width(16000.0), width(1000.0));
}

#[test]
fn along_a_quotient_of_variables() {
    let formula = formula("f[0] + f[1]*N/P");
    let mut random = Rng::with_seed(13);
    let mut points = Vec::new();
    for n in sizes(16) {
        for p in [1.0, 2.0, 4.0, 8.0] {
            let cost = if n / p > 200.0 { 9e-9 } else { 3e-9 };
            let time = 1e-7 + cost * n / p;
            let observations: Vec<f64> =
                (0..REPETITIONS).map(|_| time * (1.0 + 0.01 * normal(|| random.f64()))).collect();
            points.push(Point::new(vec![n, p], observations));
        }
    }
    let variables = vec!["N".to_owned(), "P".to_owned()];
    let data = Data { variables, unit: Unit::Seconds, points };
    let fit = fit(&formula, &data, &options()).expect("levels");
    assert_eq!(fit.axis.as_deref(), Some("N/P"));
    assert!(
        matches!(&fit.changes[1][..], [LevelChange::Jump { at }] if (150.0..260.0).contains(at)),
        "{fit:?}"
    );
    let (value, _) = estimate(&fit, &[8000.0, 2.0]);
    assert!((value / (1e-7 + 9e-9 * 4000.0) - 1.0).abs() < 0.03);
}

#[test]
fn few_sizes_exact_data_and_zeros_have_no_changes() {
    let is_constant = |fit: &Fit| fit.changes.is_empty();
    assert!(is_constant(&fitted(&data(&[100.0, 200.0, 400.0], 0.01, 1, |n| 1e-9 * n * n))));
    let exact = fitted(&data(&sizes(20), 0.0, 1, |n| 3.0 + 2.0 * n + 5.0 * n * n));
    assert!(is_constant(&exact) && (levels(&exact, 2)[0] - 5.0).abs() < 1e-5, "{exact:?}");
    // Sizes at zero and below have no logarithm.
    let negative: Vec<f64> = (-10..20).map(f64::from).collect();
    let fit = fitted(&data(&negative, 0.01, 1, |n| 500.0 + n));
    assert!(estimate(&fit, &[3.0]).0.is_finite());
    // A term that is zero throughout is no cost.
    let zero = formula("f[0] + f[1]*N + f[2]*max(0, N - 10000)");
    let points = data(&sizes(20), 0.01, 1, |n| 1e-9 * n);
    let fit = cll_fit::fit(&zero, &points, &options()).expect("levels");
    assert!(levels(&fit, 2).is_empty());
}

/// A term that the data want negative is held at zero, and that is said where it matters.
#[test]
fn no_level_is_below_zero() {
    let held = |fit: &Fit| {
        let mut warnings = fit.warnings.iter();
        warnings
            .any(|warning| matches!(warning, Warning::HeldAtZero { terms, .. } if terms == &["N"]))
    };
    let fit = fitted(&data(&sizes(SIZES), 0.01, 2, |n| 1e-9 * n * (n - 1.0)));
    assert_eq!(levels(&fit, 1), [0.0]);
    let slope = &fit.constants[1].segments[0].estimate;
    let most = slope.high.expect("what the data allow");
    assert!(slope.low == Some(0.0) && (1e-12..1e-8).contains(&most), "{slope:?}");
    assert!(!held(&fit), "{:?}", fit.warnings);
    let points = data(&sizes(SIZES), 0.003, 2, |n| 1e-9 * n * (n - 15.0));
    let difference = formula("f[0]*N + f[1]*N*N");
    let bounded = cll_fit::fit(&difference, &points, &options()).expect("levels");
    assert!(held(&bounded), "{:?} {:?}", bounded.warnings, bounded.changes);
    let signed = Options { signed: true, ..options() };
    let signed = cll_fit::fit(&difference, &points, &signed).expect("a fit");
    assert!(levels(&signed, 0)[0] < 0.0 && signed.changes.is_empty() && !held(&signed));
}

/// A constant that is held at 0 is below its upper end as often as it says, where its true value is 0.
#[test]
fn what_is_not_seen_has_an_upper_end() {
    let mut held = [0, 0];
    for seed in 0..80 {
        let truth = 2e-9;
        let fit = fitted(&data(&sizes(15), 0.03, seed, |n| truth * n + 1e-9 * n * n));
        let slope = &fit.constants[1].segments[0].estimate;
        if slope.value == Some(0.0) {
            held[0] += 1;
            held[1] += usize::from(slope.high.is_some_and(|high| high >= truth));
        }
    }
    println!("{held:?}");
    assert!(held[1] * 10 >= held[0] * 7, "{held:?}");
}

/// With thousands of sizes the changes are searched among a part of them, and compared with other formulas by all.
#[test]
fn thousands_of_sizes_have_their_levels() {
    let rise = LevelChange::Rise { at: 500.0, factor: 2.5 };
    let many: Vec<f64> = (0..3000).map(|k| 40.0 + f64::from(k)).collect();
    let fit = fitted(&data(&many, 0.02, 4, cost(rise, 3e-10, 1.4e-9)));
    assert!(matches!(changes(&fit), [LevelChange::Rise { .. }]), "{:?}", fit.changes);
    let levels = levels(&fit, 2);
    assert!((levels[1] / 1.4e-9 - 1.0).abs() < 0.02, "{levels:?}");
    assert!(fit.other.is_none(), "{:?}", fit.other);
}
