//! Two fits compared: known changes, seeded noise.

use cll_fit::{CompareError, CompareOptions, Data, Fit, Moved, Options, Unit, compare, fit};
use cll_statistics::normal;
use fastrand::Rng;

const SEED: u64 = 20_260_103;
const CASES: usize = 200;

/// `f[0] + f[1]*N + f[2]*N*N`, 20 sizes, the last constant changed by a factor.
fn fitted(by: f64, noise: f64, rng: &mut Rng) -> Fit {
    fitted_as("f[0] + f[1]*N + f[2]*N*N", by, noise, rng)
}

fn fitted_as(text: &str, by: f64, noise: f64, rng: &mut Rng) -> Fit {
    let formula = cll_formula::parse("f", text).formula.expect("a formula");
    let mut rows = Vec::new();
    for k in 1..=20 {
        let n = 10.0 * f64::from(k);
        for _ in 0..5 {
            let value = 100.0 + 5.0 * n + by * 0.1 * n * n;
            rows.push((vec![n], value * (1.0 + noise * normal(|| rng.f64()))));
        }
    }
    fit(&formula, &Data::from_rows(vec!["N".into()], rows), &Options::default()).expect("a fit")
}

/// The verdicts on the constants.
fn verdicts(old: &Fit, new: &Fit) -> Vec<Moved> {
    let compared = compare(old, new, &CompareOptions::default()).expect("a comparison");
    let each =
        compared.constants.iter().map(|change| change.change.as_ref().expect("a change").verdict);
    each.collect()
}

#[test]
fn the_constant_that_moved_is_named() {
    let mut rng = Rng::with_seed(SEED);
    let (mut number, mut wrong, mut held) = (0, 0, 0);
    for _ in 0..CASES {
        let (old, new) = (fitted(1.0, 0.01, &mut rng), fitted(1.3, 0.01, &mut rng));
        let compared = compare(&old, &new, &CompareOptions::default()).expect("a comparison");
        let change = compared.constants[2].change.as_ref().expect("a change");
        number += usize::from(change.verdict == Moved::Moved);
        held += usize::from(
            change.low.is_some_and(|low| low <= 0.3) && change.high.is_some_and(|high| high >= 0.3),
        );
        wrong += usize::from(compared.constants[..2].iter().any(|constant| {
            constant.change.as_ref().is_some_and(|change| change.verdict == Moved::Moved)
        }));
        assert!(compared.is_slower());
    }
    println!("{number} of {CASES} found, {wrong} with another constant, interval holds in {held}");
    assert!(number as f64 >= 0.95 * CASES as f64);
    assert!(wrong as f64 <= 0.10 * CASES as f64, "family-wise level of 10 %");
    assert!(held as f64 >= 0.90 * CASES as f64);
}

#[test]
fn equal_models_seldom_differ() {
    let mut rng = Rng::with_seed(SEED + 1);
    let (mut any, mut slower) = (0, 0);
    for _ in 0..CASES {
        let (old, new) = (fitted(1.0, 0.03, &mut rng), fitted(1.0, 0.03, &mut rng));
        any += usize::from(verdicts(&old, &new).contains(&Moved::Moved));
        let compared = compare(&old, &new, &CompareOptions::default()).expect("a comparison");
        slower += usize::from(compared.is_slower());
    }
    println!("of {CASES} equal models {any} seem to have moved, {slower} to be slower");
    assert!(any as f64 <= 0.10 * CASES as f64, "{any}");
    assert!(slower as f64 <= 0.10 * CASES as f64, "{slower}");
}

#[test]
fn what_is_too_uncertain_is_not_decided() {
    let mut rng = Rng::with_seed(SEED);
    let (old, new) = (fitted(1.0, 0.2, &mut rng), fitted(1.05, 0.2, &mut rng));
    assert!(verdicts(&old, &new).contains(&Moved::CannotTell));
    // A threshold wider than every interval: nothing has moved.
    let (old, new) = (fitted(1.0, 0.002, &mut rng), fitted(1.02, 0.002, &mut rng));
    let wide = CompareOptions { threshold: 0.5, ..CompareOptions::default() };
    let compared = compare(&old, &new, &wide).expect("a comparison");
    assert_eq!(compared.with(Moved::NotMoved).count(), 3);
}

#[test]
fn other_formulas_are_compared_by_their_terms() {
    let mut rng = Rng::with_seed(SEED);
    let old = fitted(1.0, 0.01, &mut rng);
    let new = fitted_as("f[0] + f[1]*N*N + f[2]*N*log2(N)", 1.0, 0.01, &mut rng);
    let compared = compare(&old, &new, &CompareOptions::default()).expect("a comparison");
    assert!(compared.old_formula.is_some());
    let mut names: Vec<(&str, usize)> =
        compared.constants.iter().map(|c| (c.constant.as_str(), c.old_segment.0)).collect();
    // Once for each of its values.
    names.dedup();
    assert_eq!(names, [("f[0]", 0), ("f[1]", 2)]);
    assert_eq!((compared.gone, compared.added), (vec!["f[1]".into()], vec!["f[2]".into()]));
    assert!(!compared.values.is_empty(), "values are compared all the same");
}

#[test]
fn boundaries_that_moved_are_told() {
    let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.expect("a formula");
    let mut rng = Rng::with_seed(SEED);
    let mut jump = |boundary: f64| {
        let rows = (1..=40).flat_map(|k| {
            let n = 25.0 * f64::from(k);
            (0..3).map(move |_| n).collect::<Vec<f64>>()
        });
        let rows: Vec<(Vec<f64>, f64)> = rows
            .map(|n| {
                let slope = if n > boundary { 0.2 } else { 0.1 };
                (vec![n], (20.0 + slope * n) * (1.0 + 0.01 * normal(|| rng.f64())))
            })
            .collect();
        fit(&formula, &Data::from_rows(vec!["N".into()], rows), &Options::default()).expect("a fit")
    };
    let (old, same, later) = (jump(310.0), jump(310.0), jump(610.0));
    let comparison_with =
        |new: &Fit| compare(&old, new, &CompareOptions::default()).expect("a comparison");
    let (still, moved) = (comparison_with(&same), comparison_with(&later));
    assert!(still.boundaries.iter().all(|boundary| !boundary.moved), "{:?}", still.boundaries);
    assert!(moved.boundaries.iter().any(|boundary| boundary.moved));
    // Both values of the slope are compared, each with its own.
    assert_eq!(still.constants.iter().filter(|constant| constant.constant == "f[1]").count(), 2);
    assert_eq!(still.with(Moved::Moved).count(), 0);
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let mut rng = Rng::with_seed(SEED);
    let old = fitted(1.0, 0.01, &mut rng);
    let mut misses = old.clone();
    misses.unit = Unit::Other("misses".into());
    let units = compare(&old, &misses, &CompareOptions::default()).expect_err("units");
    assert!(matches!(units, CompareError::Units { .. }), "{units}");
    for (confidence, threshold) in [(1.0, 0.05), (f64::NAN, 0.05), (0.9, -1.0), (0.9, f64::NAN)] {
        let options = CompareOptions { confidence, threshold };
        assert!(compare(&old, &old, &options).is_err(), "{options:?}");
    }
    // No variance is known: nothing is claimed.
    let mut unknown = old.clone();
    for segment in unknown.constants.iter_mut().flat_map(|values| &mut values.segments) {
        (segment.estimate.low, segment.estimate.high) = (None, None);
    }
    assert_eq!(verdicts(&unknown, &old), [Moved::CannotTell; 3]);
}
