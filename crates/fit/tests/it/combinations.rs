//! Predictions at combinations of values that were not measured together: known truth, seeded noise.

use cll_fit::{Data, Fit, Intervals, Options, PredictError, fit};
use cll_statistics::normal;
use fastrand::Rng;
use test_draw::thinned;

const SIZES: [f64; 5] = [512.0, 1024.0, 2048.0, 4096.0, 8192.0];
const PROCESSORS: [f64; 5] = [2.0, 4.0, 8.0, 16.0, 32.0];

type Truth = fn(f64, f64) -> f64;

/// Five repetitions at each place, noise of 2 %.
fn measured(places: &[[f64; 2]], truth: Truth, seed: u64) -> Data {
    let random = &mut Rng::with_seed(seed);
    let rows = places.iter().flat_map(|&[n, p]| (0..5).map(move |_| (vec![n, p], truth(n, p))));
    let rows: Vec<(Vec<f64>, f64)> =
        rows.map(|(point, time)| (point, time * (1.0 + 0.02 * normal(|| random.f64())))).collect();
    Data::from_rows(vec!["N".into(), "P".into()], rows)
}

fn fitted(formula: &str, places: &[[f64; 2]], truth: Truth, seed: u64, follow: bool) -> Fit {
    let formula = cll_formula::parse("f", formula).formula.expect("a formula");
    let options = Options { follow, ..Intervals::dynamic().into() };
    fit(&formula, &measured(places, truth, seed), &options).expect("a fit")
}

fn grid() -> Vec<[f64; 2]> {
    SIZES.iter().flat_map(|&n| PROCESSORS.map(|p| [n, p])).collect()
}

fn cross(n: f64, p: f64) -> Vec<[f64; 2]> {
    grid().into_iter().filter(|place| place[0] == n || place[1] == p).collect()
}

/// Returns the domain of a prediction, as in JSON.
fn place(fit: &Fit, n: f64, p: f64) -> String {
    let prediction = fit.predict_named(&[("N".into(), n), ("P".into(), p)]).expect("a prediction");
    let json = serde_json::to_value(&prediction.domain).expect("json");
    json["where"].as_str().expect("a word").to_owned()
}

const SUM: &str = "f[0] + f[1]*N + f[2]*P";
const PRODUCT: &str = "f[0] + f[1]*N*P";

fn sum(n: f64, p: f64) -> f64 {
    100.0 + 0.2 * n + 30.0 * p
}

fn product(n: f64, p: f64) -> f64 {
    100.0 + 0.02 * n * p
}

fn mixed(n: f64, p: f64) -> f64 {
    100.0 + 0.1 * n + 10.0 * p + 0.01 * n * p
}

#[test]
fn corners_of_a_cross_are_not_inside_and_say_what_is_near() {
    let fit = fitted(SUM, &cross(512.0, 2.0), product, 1, true);
    for [n, p] in grid() {
        let expected = if n == 512.0 || p == 2.0 { "inside" } else { "apart" };
        assert_eq!(place(&fit, n, p), expected, "{n} {p}");
    }
    let prediction = fit.predict(&[4096.0, 32.0]).expect("a prediction");
    assert!(prediction.domain.is_extrapolation() && !prediction.follows);
    let json = serde_json::to_value(&prediction.domain).expect("json");
    let expected = serde_json::json!({
        "where": "apart", "variables": ["N", "P"], "values": [4096.0, 32.0],
        "nearest": [[4096.0, 2.0], [512.0, 32.0]],
    });
    assert_eq!(json, expected);
    let warning = prediction.warnings.iter().find(|w| w.code() == "apart").expect("a warning");
    let words = "N = 4096 with P = 32 was not measured together: the nearest measured combinations are \
                 N = 4096, P = 2 and N = 512, P = 32";
    assert!(warning.to_string().starts_with(words), "{warning}");
    // Along the arms, one variable behaves as before.
    assert_eq!(place(&fit, 3000.0, 2.0), "inside");
    assert_eq!(place(&fit, 512.0, 20.0), "inside");
    assert_eq!(place(&fit, 512.0, 64.0), "beyond");
}

#[test]
fn grids_are_inside_all_over() {
    let full = fitted(SUM, &grid(), sum, 1, true);
    let without: Vec<[f64; 2]> = grid().into_iter().filter(|p| *p != [2048.0, 8.0]).collect();
    let holed = fitted(SUM, &without, sum, 1, true);
    let random = &mut Rng::with_seed(5);
    for _ in 0..200 {
        let (n, p) = (512.0 * 16f64.powf(random.f64()), 2.0 * 16f64.powf(random.f64()));
        assert_eq!(place(&full, n, p), "inside", "{n} {p}");
        assert_eq!(place(&holed, n, p), "inside", "{n} {p}");
    }
    assert_eq!(place(&holed, 2048.0, 8.0), "inside");
}

#[test]
fn derived_axes_know_what_was_measured_together() {
    let truth: Truth = |n, p| 10.0 + n / p * if n / p > 300.0 { 3.0 } else { 1.0 };
    let formula = "f[0] + f[1]*(N/P)";
    let full = fitted(formula, &grid(), truth, 3, true);
    assert_eq!(full.axis.as_deref(), Some("N/P"));
    assert_eq!(place(&full, 6000.0, 3.0), "inside");
    // Weak scaling: each size with its own number of processors.
    let diagonal: Vec<[f64; 2]> = SIZES.iter().zip(PROCESSORS).map(|(&n, p)| [n, p]).collect();
    let weak = fitted(PRODUCT, &diagonal, product, 3, true);
    assert_eq!(place(&weak, 1536.0, 6.0), "inside");
    assert_eq!(place(&weak, 8192.0, 4.0), "apart");
}

/// Over 60 data sets: errors (per cent) off the arms of a cross, and the number of bands that
/// contain a new measurement.
fn off_the_arms(formula: &str, truth: Truth, follow: bool) -> (f64, f64) {
    let (mut errors, mut held, mut refused) = (Vec::new(), 0, 0);
    for seed in 0..60 {
        let random = &mut Rng::with_seed(1000 + seed);
        let centre = [(512.0, 2.0), (2048.0, 8.0), (8192.0, 2.0)][seed as usize % 3];
        let fit = fitted(formula, &cross(centre.0, centre.1), truth, seed, follow);
        for [n, p] in grid().into_iter().filter(|[n, p]| *n != centre.0 && *p != centre.1) {
            let prediction = match fit.predict_named(&[("N".into(), n), ("P".into(), p)]) {
                Ok(prediction) => prediction,
                // No number is said where it would be below zero.
                Err(PredictError::Negative { .. }) => {
                    refused += 1;
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            let new = truth(n, p) * (1.0 + 0.02 * normal(|| random.f64()) / 5f64.sqrt() * 1.25);
            errors.push(100.0 * (prediction.value / new - 1.0).abs());
            held += usize::from(prediction.band.is_some_and(|b| b.low <= new && new <= b.high));
        }
    }
    assert!(10 * refused <= errors.len(), "{refused} refused, {} predicted", errors.len());
    let share = 100.0 * held as f64 / errors.len() as f64;
    errors.sort_unstable_by(f64::total_cmp);
    (errors[errors.len() / 2], share)
}

#[test]
fn bands_off_the_arms_allow_for_sums_and_products() {
    let all = [
        ("sum as sum", SUM, sum as Truth),
        ("product as sum", SUM, product),
        ("mixed as sum", SUM, mixed),
        ("sum as product", PRODUCT, sum),
        ("product as product", PRODUCT, product),
        ("mixed as product", PRODUCT, mixed),
    ];
    for (what, formula, truth) in thinned(all, 5) {
        let (alone, _) = off_the_arms(formula, truth, false);
        let (error, held) = off_the_arms(formula, truth, true);
        println!(
            "{what}: median error {error:.1} %, without following {alone:.1} %; {held:.0} % held"
        );
        assert!(error <= alone * 1.0001, "{what}");
        assert!(held >= 80.0, "{what}: {held}");
    }
}

/// The constant of the work becomes 2.5 times as large when a processor's part no longer fits into
/// a cache.
fn drifting(n: f64, p: f64) -> f64 {
    let share = 1.0 / (1.0 + (300.0 / (n / p)).powf(1.5));
    20.0 + 3.0 * p + (1.0 + 1.5 * share) * n * n.ln() / p / 10.0
}

#[test]
fn following_stays_near_combinations_that_were_measured() {
    let formula = "f[0] + f[1]*P + f[2]*N*log(N)/P";
    let sizes: Vec<f64> = (9..=16).map(|k| 2f64.powi(k)).collect();
    let processors: Vec<f64> = (0..=5).map(|k| 2f64.powi(k)).collect();
    let all: Vec<[f64; 2]> =
        sizes.iter().flat_map(|&n| processors.iter().map(move |&p| [n, p])).collect();
    let (mut errors, mut corrected, mut off_arms) = ([Vec::new(), Vec::new()], 0, 0);
    for seed in 0..30 {
        let centre = [sizes[seed as usize % 8], processors[seed as usize % 3]];
        let arms = |place: &&[f64; 2]| place[0] == centre[0] || place[1] == centre[1];
        let cross: Vec<[f64; 2]> = all.iter().filter(arms).copied().collect();
        let fits = [true, false].map(|follow| fitted(formula, &cross, drifting, seed, follow));
        corrected += usize::from(fits[0].correction.is_some());
        for &[n, p] in all.iter().filter(|place| !arms(place)) {
            for (fit, errors) in fits.iter().zip(&mut errors) {
                let values = fit.variables.iter().map(|name| if name == "N" { n } else { p });
                let prediction = fit.estimate(&values.collect::<Vec<f64>>()).expect("a value");
                off_arms += usize::from(prediction.follows);
                errors.push(100.0 * (prediction.value / drifting(n, p) - 1.0).abs());
            }
        }
        // On the arms the correction is used.
        if fits[0].correction.is_some() {
            let on_arm = [("N".into(), 1.1 * sizes[3]), ("P".into(), centre[1])];
            assert!(fits[0].predict_named(&on_arm).expect("a prediction").follows);
        }
    }
    let median = |errors: &mut Vec<f64>| {
        errors.sort_unstable_by(f64::total_cmp);
        errors[errors.len() / 2]
    };
    let [with, without] = errors.each_mut().map(median);
    println!(
        "{corrected} of 30 follow; off the arms {with:.1} % with, {without:.1} % without; {off_arms} follow there"
    );
    assert!(corrected >= 5, "{corrected}");
    assert!(off_arms == 0 && with <= without, "{off_arms} {with} {without}");
}

#[test]
fn designs_that_cannot_show_products_are_warned_of() {
    let reported = |formula: &str, places: &[[f64; 2]]| {
        let fit = fitted(formula, places, sum, 2, true);
        fit.warnings.iter().find(|w| w.code() == "one-at-a-time").map(ToString::to_string)
    };
    let expected = "the measured combinations change one variable at a time: whether N and P multiply \
                    each other is unknown; measure for example N = 8192, P = 32";
    assert_eq!(reported(SUM, &cross(512.0, 2.0)).as_deref(), Some(expected));
    assert_eq!(reported(PRODUCT, &cross(2048.0, 8.0)).as_deref(), Some(expected));
    let other = reported(SUM, &cross(8192.0, 32.0)).expect("a warning");
    assert!(other.ends_with("measure for example N = 512, P = 2"), "{other}");
    let mut more = cross(2048.0, 8.0);
    more.push([8192.0, 32.0]);
    let diagonal: Vec<[f64; 2]> = SIZES.iter().zip(PROCESSORS).map(|(&n, p)| [n, p]).collect();
    let columns: Vec<[f64; 2]> = grid().into_iter().filter(|p| p[1] < 8.0).collect();
    for places in [grid(), more, diagonal, columns] {
        assert_eq!(reported(SUM, &places), None, "{places:?}");
    }
    // A variable that the formula does not use, or that has one value, is none of its variables.
    assert_eq!(reported("f[0] + f[1]*N", &cross(512.0, 2.0)), None);
}

#[test]
fn many_combinations_of_many_variables_are_inside() {
    for variables in thinned([8, 9, 10], 3) {
        combinations_are_inside(variables);
    }
}

fn combinations_are_inside(variables: u32) {
    let names: Vec<String> = (0..variables).map(|k| format!("v{k}")).collect();
    let terms: Vec<String> = (0..variables).map(|k| format!("f[{}]*v{k}", k + 1)).collect();
    let text = format!("f[0] + {}", terms.join(" + "));
    let formula = cll_formula::parse("f", &text).formula.expect("a formula");
    let random = &mut Rng::with_seed(9);
    // A grid of three values each, and fewer at random: about 1e5 in all with ten variables.
    let count = 3i32.pow(variables);
    let on_grid = |k: i32| (0..variables).map(|d| f64::from(k / 3i32.pow(d) % 3 + 1)).collect();
    let mut places: Vec<Vec<f64>> = (0..count).map(on_grid).collect();
    let mut anywhere = || (0..variables).map(|_| 1.0 + 2.0 * random.f64()).collect::<Vec<f64>>();
    places.extend((0..7 * count / 10).map(|_| anywhere()));
    let rows = places.iter().map(|place| (place.clone(), 1.0 + place.iter().sum::<f64>()));
    let data = Data::from_rows(names, rows);
    let options = Options { intervals: cll_fit::Intervals::None, ..Options::default() };
    let fit = fit(&formula, &data, &options).expect("a fit");
    for _ in 0..200 {
        let prediction = fit.predict(&anywhere()).expect("a prediction");
        assert!(!prediction.domain.is_extrapolation());
    }
}
