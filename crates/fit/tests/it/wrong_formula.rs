//! A wrong formula is reported and not hidden by intervals; a right one, and true jumps, cause no
//! warning. Known truth, seeded noise.

use cll_fit::{Data, Fit, Intervals, Options, fit};
use cll_formula::Formula;
use cll_statistics::normal;
use fastrand::Rng;
use test_draw::thinned;

const SEED: u64 = 20_030_401;
const CASES: usize = 50;

fn formula(text: &str) -> Formula {
    cll_formula::parse("f", text).formula.expect(text)
}

fn options() -> Options {
    Options { follow: false, ..Options::default() }
}

fn has(fit: &Fit, codes: &[&str]) -> bool {
    fit.warnings.iter().any(|w| codes.contains(&w.code()))
}

/// Sizes from 2^6 to 2^18, evenly spread over the logarithm.
fn sizes(points: usize) -> Vec<f64> {
    (0..points).map(|i| 2f64.powf(6.0 + 12.0 * i as f64 / (points - 1) as f64).round()).collect()
}

/// Points of `names` with relative normal noise.
fn measured(
    names: &[&str],
    points: &[Vec<f64>],
    truth: &dyn Fn(&[f64]) -> f64,
    (noise, repetitions): (f64, usize),
    rng: &mut Rng,
) -> Data {
    let mut rows = Vec::new();
    for values in points {
        for _ in 0..repetitions {
            let observed = truth(values) * (1.0 + noise * normal(|| rng.f64())).max(0.01);
            rows.push((values.clone(), observed));
        }
    }
    Data::from_rows(names.iter().map(|n| (*n).to_owned()).collect(), rows)
}

/// Shares of cases in which something is reported.
#[derive(Debug, Default)]
struct Reported {
    cases: usize,
    /// Any sign of a wrong formula.
    any: usize,
    /// Another formula is named.
    other: usize,
    divided: usize,
}

impl Reported {
    fn count(&mut self, fit: &Fit) {
        self.cases += 1;
        let doubts = ["lack-of-fit", "runs", "other-formula", "pattern"];
        self.any += usize::from(has(fit, &doubts));
        self.other += usize::from(fit.other.is_some());
        let is_changing = fit.intervals.len() > 1 || !fit.changes.is_empty();
        self.divided += usize::from(is_changing);
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
            "{what}: reported {:.3}, another formula {:.3}, divided {:.3}",
            self.any(),
            self.other(),
            self.share(self.divided)
        );
    }
}

/// Many fits of `fitted` to a truth of N that is drawn anew for each.
fn reported(
    fitted: &str,
    points: usize,
    noise: (f64, usize),
    mut draw: impl FnMut(&[f64], &mut Rng) -> Box<dyn Fn(f64) -> f64>,
) -> Reported {
    let mut rng = Rng::with_seed(SEED);
    let (formula, sizes) = (formula(fitted), sizes(points));
    let places: Vec<Vec<f64>> = sizes.iter().map(|&n| vec![n]).collect();
    let mut reported = Reported::default();
    for _ in 0..CASES {
        let truth = draw(&sizes, &mut rng);
        let data = measured(&["N"], &places, &|point| truth(point[0]), noise, &mut rng);
        reported.count(&fit(&formula, &data, &options()).expect("a fit"));
    }
    reported
}

/// Points, relative noise, repetitions. Each plan has its own cases, whichever others are drawn.
fn plans() -> impl Iterator<Item = (usize, (f64, usize))> {
    let noises = [(0.005, 5), (0.02, 5), (0.005, 1), (0.02, 1)];
    [7, 13, 25, 49].into_iter().flat_map(move |points| noises.map(|noise| (points, noise)))
}

/// Text and growth of the truth, and a formula of another growth.
type Wrong = (&'static str, fn(f64) -> f64, &'static str);
const WRONG: [Wrong; 6] = [
    ("N log N", |n| n * n.log2(), "f[1]*N"),
    ("N log N", |n| n * n.log2(), "f[0] + f[1]*N"),
    ("N^2", |n| n * n, "f[0] + f[1]*N^(3/2)"),
    ("N^(3/2)", |n| n.powf(1.5), "f[0] + f[1]*N*log2(N)"),
    ("N", |n| n, "f[0] + f[1]*N*log2(N)"),
    ("N^2", |n| n * n, "f[0] + f[1]*N + f[2]*N*log2(N)"),
];

#[test]
fn a_wrong_growth_is_reported() {
    let all = WRONG.into_iter().flat_map(|wrong| plans().map(move |plan| (wrong, plan)));
    let mut silent = Vec::new();
    for ((name, grows, fitted), (points, noise)) in thinned(all, 15) {
        let reported = reported(fitted, points, noise, |sizes, rng| {
            // A start-up cost of 5 to 50 % at the smallest size.
            let share = if fitted.contains("f[0]") { 0.05 + 0.45 * rng.f64() } else { 0.0 };
            let start = share * grows(sizes[0]);
            Box::new(move |n| 1e-9 * (start + grows(n)))
        });
        let what = format!("{name} as {fitted}, {points} points, noise {noise:?}");
        reported.print(&what);
        if reported.any() < 0.97 || reported.other() < 0.95 {
            silent.push((what, reported));
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn a_right_formula_is_left_alone() {
    for fitted in ["f[0] + f[1]*N", "f[0] + f[1]*N*log2(N)", "f[0] + f[1]*N + f[2]*N^2"] {
        let right = formula(fitted);
        for (points, noise) in thinned(plans(), 3) {
            let reported = reported(fitted, points, noise, |sizes, rng| {
                let mut terms = vec![0.0; right.terms().len()];
                right.terms_at(&sizes[..1], &mut terms);
                let constants: Vec<f64> =
                    terms.iter().map(|t| 1e-9 * (0.1 + 0.9 * rng.f64()) / t).collect();
                let right = right.clone();
                Box::new(move |n| right.evaluate(&[n], &constants))
            });
            let what = format!("right {fitted}, {points} points, noise {noise:?}");
            reported.print(&what);
            assert!(reported.any() <= 0.02 && reported.other() <= 0.01, "{what}: {reported:?}");
        }
    }
}

#[test]
fn a_jump_or_kink_is_no_other_formula() {
    for (points, noise) in thinned(plans().filter(|(points, _)| *points > 7), 3) {
        for kink in [false, true] {
            let reported = reported("f[0] + f[1]*N", points, noise, |sizes, rng| {
                let least = 4 + sizes.len() / 10;
                let boundary = sizes[rng.usize(least..sizes.len() - least)];
                let start = (0.05 + 0.45 * rng.f64()) * sizes[0];
                let by = if kink { 1.5 + 1.5 * rng.f64() } else { 1.1 + 0.4 * rng.f64() };
                Box::new(move |n| {
                    let grown = match (n < boundary, kink) {
                        (true, _) => n,
                        (false, false) => by * n,
                        (false, true) => boundary + by * (n - boundary),
                    };
                    1e-9 * (start + grown)
                })
            });
            let what = if kink { "kink" } else { "jump" };
            let what = format!("{what}, {points} points, noise {noise:?}");
            reported.print(&what);
            assert!(reported.other() <= if kink { 0.17 } else { 0.01 }, "{what}: {reported:?}");
        }
    }
}

/// N of 2^10 to 2^17 and P of 1 to 32, in this order.
fn grid() -> Vec<Vec<f64>> {
    let points = (10..=17).flat_map(|n| (0..=5).map(move |p| vec![2f64.powi(n), 2f64.powi(p)]));
    points.collect()
}

#[test]
fn a_wrong_part_of_a_term_of_several_variables_is_named() {
    let right = formula("f[0]*log2(P) + f[1]*(N/P)*log2(N/P)");
    for (fitted, named) in [
        ("f[0]*log2(P) + f[1]*N/P", "N/P*log2(N/P)"),
        ("f[0] + f[1]*log2(P) + f[2]*N/P", "N/P*log2(N/P)"),
    ] {
        let fitted_formula = formula(fitted);
        let mut rng = Rng::with_seed(SEED);
        let (mut reported, mut named_right) = (Reported::default(), 0);
        let names: Vec<&str> = right.variables().iter().map(|v| v.name.as_str()).collect();
        let points: Vec<Vec<f64>> = grid()
            .into_iter()
            .map(|v| names.iter().map(|n| v[usize::from(*n == "P")]).collect())
            .collect();
        for _ in 0..CASES / 2 {
            let constants = [1e-6 * (0.5 + rng.f64()), 1e-9 * (0.5 + rng.f64())];
            let truth = |point: &[f64]| right.evaluate(point, &constants);
            let data = measured(&names, &points, &truth, (0.02, 5), &mut rng);
            let fit = fit(&fitted_formula, &data, &options()).expect("a fit");
            reported.count(&fit);
            named_right += usize::from(
                fit.other
                    .as_ref()
                    .is_some_and(|o| o.term == named || o.as_good.iter().any(|t| t == named)),
            );
            if let Some(other) = &fit.other {
                assert!(cll_formula::parse("f", other.formula.text()).formula.is_some());
            }
        }
        reported.print(&format!("{fitted}, {named_right} by {named}"));
        assert!(reported.other() >= 0.95, "{fitted}: {reported:?}");
    }
}

#[test]
fn beyond_the_data_the_other_formula_is_heard() {
    let mut rng = Rng::with_seed(SEED);
    let places: Vec<Vec<f64>> = sizes(25).into_iter().map(|n| vec![n]).collect();
    let truth = |point: &[f64]| 1e-9 * point[0] * point[0].log2();
    let data = measured(&["N"], &places, &truth, (0.01, 5), &mut rng);
    let fit = fit(&formula("f[1]*N"), &data, &Intervals::dynamic().into()).expect("a fit");
    assert!(fit.intervals.len() > 1, "the division stays");
    let other = fit.other.as_ref().expect("another formula");
    assert_eq!(other.formula.text(), "f[1]*N*log2(N)");
    assert_eq!((other.replaced.as_deref(), other.term.as_str()), (Some("N"), "N*log2(N)"));
    let interval = fit.quality.one_interval.as_ref().expect("several intervals");
    assert!(interval.rmse_relative > 2.0 * fit.quality.rmse_relative, "{interval:?}");
    assert!(interval.lack_of_fit.as_ref().is_some_and(|l| l.p_value < 1e-6 && l.size > 0.1));

    let size = 2f64.powi(24);
    let far = fit.predict(&[size]).expect("beyond");
    let warning = far.warnings.iter().find(|w| w.code() == "shape-beyond").expect("a reservation");
    let cll_fit::Warning::ShapeBeyond { value, ratio, .. } = warning else { unreachable!() };
    assert!((value / truth(&[size]) - 1.0).abs() < 0.02, "{warning}");
    assert!((ratio - value / far.value).abs() < 1e-9);
    let inside = fit.predict(&[1000.0]).expect("inside");
    assert!(!inside.warnings.iter().any(|w| w.code() == "shape-beyond"));
    // A saved fit gives the same.
    let text = serde_json::to_string(&fit).expect("a value");
    let read: Fit = serde_json::from_str(&text).expect("the same");
    assert_eq!(read.predict(&[size]), fit.predict(&[size]));
}

/// Makes 5 % of the points that were measured once 2 to 70 times too large.
fn spiked(data: &mut Data, rng: &mut Rng) {
    for point in &mut data.points {
        if rng.f64() < 0.05 {
            point.observations[0] *= 2.0 * 35f64.powf(rng.f64());
        }
    }
}

#[test]
fn spikes_are_no_pattern_and_patterns_are_seen_behind_them() {
    for (fitted, departs) in [
        ("f[0] + f[1]*N/P", false),
        ("f[0] + f[1]*N*log2(N)/P + f[2]*P", false),
        ("f[0] + f[1]*N/P", true),
    ] {
        let mut rng = Rng::with_seed(SEED);
        let formula = formula(fitted);
        let (mut patterns, mut doubts) = (0, 0);
        for _ in 0..CASES {
            let mut terms = vec![0.0; formula.terms().len()];
            formula.terms_at(&[8192.0, 4.0], &mut terms);
            let constants: Vec<f64> = terms.iter().map(|t| (0.2 + rng.f64()) / t).collect();
            let truth = |point: &[f64]| {
                // With 8 or more processors everything takes a fifth longer.
                let by = if departs && point[1] >= 8.0 { 1.2 } else { 1.0 };
                by * formula.evaluate(point, &constants)
            };
            let mut data = measured(&["N", "P"], &grid(), &truth, (0.02, 1), &mut rng);
            spiked(&mut data, &mut rng);
            let one_interval = Options { intervals: Intervals::None, ..options() };
            let fit = fit(&formula, &data, &if departs { one_interval } else { options() })
                .expect("a fit");
            patterns += usize::from(has(&fit, &["pattern", "missing-variable"]));
            doubts += usize::from(has(&fit, &["runs", "other-formula"]));
        }
        println!("spikes, {fitted}, departs {departs}: {patterns} patterns, {doubts} other doubts");
        if departs {
            assert!(patterns >= CASES * 95 / 100, "{fitted}: {patterns}");
        } else {
            assert!(
                patterns <= CASES / 50 && doubts <= CASES / 50,
                "{fitted}: {patterns} {doubts}"
            );
        }
    }
}

#[test]
fn signs_tell_a_wave_without_repetitions() {
    let (mut waves, mut flat) = (0, 0);
    let mut rng = Rng::with_seed(SEED);
    let places: Vec<Vec<f64>> = sizes(25).into_iter().map(|n| vec![n]).collect();
    let formula = formula("f[0] + f[1]*N");
    let one_interval = Options { intervals: Intervals::None, ..options() };
    for _ in 0..5 * CASES {
        for wave in [0.0, 0.1] {
            let truth = |point: &[f64]| {
                let turn = (point[0].log2() - 6.0) / 12.0 * std::f64::consts::TAU;
                1e-9 * (100.0 + point[0]) * (1.0 + wave * (1.5 * turn).sin())
            };
            let data = measured(&["N"], &places, &truth, (0.02, 1), &mut rng);
            let fit = fit(&formula, &data, &one_interval).expect("a fit");
            let count = if wave > 0.0 { &mut waves } else { &mut flat };
            *count += usize::from(has(&fit, &["runs"]));
        }
    }
    println!("runs: {waves} of {} waves, {flat} of flat", 5 * CASES);
    assert!(waves >= 5 * CASES * 90 / 100, "{waves}");
    assert!(flat <= 5 * CASES / 100, "{flat}");
}
