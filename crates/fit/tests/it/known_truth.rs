//! Synthetic truth with seeded noise: bands that contain a new measurement in 85-95 % of cases, the
//! right number of intervals in at least 95 %. The whole study is `examples/synthetic.rs`; this is
//! the same with fewer functions.

use crate::synthetic::{Class, Knee, Plan, Tally, knees, steps, surfaces};
use cll_fit::{Data, Intervals, Options, Warning, fit};
use test_draw::thinned;

const SEED: u64 = 20_030_401;
/// With this number a true 90 % is outside 85-95 % once in a thousand cases; the seed is fixed.
const FUNCTIONS: usize = 600;

#[track_caller]
fn holds(tally: &Tally, what: &str) {
    let share = Tally::share(tally.covered, tally.bands);
    println!("{what}, seed {SEED}: bands hold in {share:.3} of {}", tally.bands);
    assert!((0.85..=0.95).contains(&share), "{what}, seed {SEED}: {share:.3}");
}

#[test]
fn bands_of_sums_products_and_mixed_functions_hold() {
    let classes = [Class::Sum, Class::Product, Class::Mixed].into_iter();
    let all = classes.flat_map(|class| [Plan::Cross, Plan::Grid].map(|plan| (class, plan)));
    for (class, plan) in thinned(all, 5) {
        let tally = surfaces(class, plan, 0.05, FUNCTIONS, SEED);
        let what = format!("{class:?} from a {plan:?}");
        assert_eq!(tally.bands, FUNCTIONS, "{what}: every prediction has a band");
        holds(&tally, &what);
        let counted = Tally::share(tally.counted, tally.functions);
        assert!(counted >= 0.95, "{what}: one interval in {counted:.3}");
        // Two tests at 1 %.
        let doubted = Tally::share(tally.doubted, tally.functions);
        println!("{what}: {doubted:.3} doubted");
        assert!(doubted <= 0.03, "{what}: the right formula doubted in {doubted:.3}");
    }
}

#[test]
fn predictions_from_a_grid_are_near_the_truth() {
    let all = [(Class::Sum, 0.99), (Class::Product, 0.97), (Class::Mixed, 0.97)];
    for (class, least) in thinned(all, 3) {
        let tally = surfaces(class, Plan::Grid, 0.02, FUNCTIONS, SEED);
        let near = Tally::share(tally.near, tally.functions);
        assert!(near >= least, "{class:?}, seed {SEED}: {near:.3} within 5 %");
    }
}

#[test]
fn the_number_of_intervals_is_right_and_bands_hold_with_breaks() {
    let texts = ["f[0] + f[1]*N*log2(N)", "f[0] + f[1]*N + f[2]*N^2"].into_iter();
    let counts = texts.flat_map(|text| [0, 1, 2].map(|breaks| (text, breaks)));
    let all = counts.flat_map(|(text, breaks)| [0.02, 0.05].map(|noise| (text, breaks, noise)));
    for (text, breaks, noise) in thinned(all, 7) {
        let tally = steps(text, breaks, 7, noise, FUNCTIONS, &Options::default(), SEED);
        let what = format!("{text} with {breaks} breaks, noise {noise}");
        let counted = Tally::share(tally.counted, tally.functions);
        println!("{what}: {counted:.3} right counts");
        assert!(counted >= 0.95, "{what}, seed {SEED}: {counted:.3}");
        let placed = Tally::share(tally.placed, tally.breaks);
        assert!(breaks == 0 || placed >= 0.95, "{what}, seed {SEED}: {placed:.3} placed");
        holds(&tally, &what);
    }
}

#[test]
fn a_knee_lies_along_the_quantity_that_it_is_in() {
    let quantities = [Knee::None, Knee::N, Knee::P, Knee::Share].into_iter();
    let all = quantities.flat_map(|knee| [0.02, 0.05].map(|noise| (knee, noise)));
    for (knee, noise) in thinned(all, 7) {
        let tally = knees(knee, noise, 300, SEED);
        let what = format!("a knee in {knee:?}, noise {noise}");
        let counted = Tally::share(tally.counted, tally.functions);
        println!("{what}: {counted:.3} right counts");
        assert!(counted >= 0.98, "{what}, seed {SEED}: {counted:.3}");
        let along = Tally::share(tally.along, tally.functions);
        assert!(along >= 0.98, "{what}, seed {SEED}: {along:.3} along it");
        let placed = Tally::share(tally.placed, tally.breaks);
        assert!(knee == Knee::None || placed >= 0.98, "{what}, seed {SEED}: {placed:.3} placed");
        holds(&tally, &what);
    }
}

#[test]
fn greedy_with_ten_per_cent_does_as_well_on_a_simple_formula() {
    let options = |error_threshold| Options {
        intervals: Intervals::Greedy { error_threshold, max_intervals: 6 },
        ..Options::default()
    };
    for breaks in [0, 1, 2] {
        let text = "f[0] + f[1]*N*log2(N)";
        let tally = steps(text, breaks, 7, 0.02, 300, &options(0.10), SEED);
        let counted = Tally::share(tally.counted, tally.functions);
        assert!(counted >= 0.95, "{breaks} breaks, seed {SEED}: {counted:.3}");
    }
    let blunt = steps("f[0] + f[1]*N*log2(N)", 1, 7, 0.02, 300, &options(0.50), SEED);
    assert!(Tally::share(blunt.counted, blunt.functions) < 0.9, "the threshold is used");
}

#[test]
fn what_rounding_leaves_of_exact_data_is_no_negative_constant() {
    let formula = cll_formula::parse("f", "f[0] + f[1]*N + f[2]*N*N").formula.unwrap();
    for (unit, slope) in [1.0, 1e-3, 1e-9].into_iter().flat_map(|u| (1..20).map(move |s| (u, s))) {
        let time = |n: f64| unit * (2.0 + f64::from(slope) * n);
        let rows = (1..=12).map(|k| 100.0 * f64::from(k)).map(|n| (vec![n], time(n)));
        let data = Data::from_rows(vec!["N".into()], rows);
        let fit = fit(&formula, &data, &Options::default()).unwrap();
        let negative = fit.warnings.iter().any(|w| matches!(w, Warning::Negative { .. }));
        assert!(!negative, "{unit} {slope}: {:?}", fit.constants);
    }
}
