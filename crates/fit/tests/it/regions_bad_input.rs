//! Odd data for regions: an error or a sound answer, in little time.

use cll_fit::{Data, Domain, Fit, FitError, Intervals, Loss, Options, fit};
use cll_statistics::normal;
use fastrand::Rng;
use test_draw::thinned;

const SEED: u64 = 20_260_105;

fn formula(text: &str) -> cll_formula::Formula {
    cll_formula::parse("f", text).formula.expect(text)
}

/// A grid of N and P, a value of each with 1 % noise, three repetitions.
fn grid(value: impl Fn(f64, f64) -> f64) -> Data {
    let mut rng = Rng::with_seed(SEED);
    let mut rows = Vec::new();
    for (i, j) in (0..8).flat_map(|i| (0..8).map(move |j| (i, j))) {
        let (n, p) = (64.0 * 2f64.powi(i), 2f64.powi(j));
        for _ in 0..3 {
            rows.push((vec![n, p], value(n, p) * (1.0 + 0.01 * normal(|| rng.f64()))));
        }
    }
    Data::from_rows(vec!["N".into(), "P".into()], rows)
}

/// The second constant is larger by half in a corner.
fn corner(n: f64, p: f64) -> f64 {
    1000.0 + n * p * if n > 700.0 && p > 5.0 { 1.5 } else { 1.0 }
}

const FORMULA: &str = "f[0] + f[1]*N*P";

fn regions(data: &Data, options: &Options) -> Fit {
    fit(&formula(FORMULA), data, options).expect("a fit")
}

#[test]
fn a_corner_is_found_with_every_choice_of_options() {
    let data = grid(corner);
    for loss in [Loss::Squares, Loss::Huber] {
        for (join, non_negative) in [(true, false), (false, false), (true, true)] {
            let options = Options { loss, join, non_negative, ..Options::default() };
            let fit = regions(&data, &options);
            let axes: Vec<&str> = fit.splits.iter().map(|split| split.axis.as_str()).collect();
            assert!(axes.contains(&"N") && axes.contains(&"P"), "{options:?}: {axes:?}");
            // Where the constant is larger, and where not.
            for (point, slope) in
                [([2048.0, 32.0], 1.5), ([2048.0, 2.0], 1.0), ([128.0, 64.0], 1.0)]
            {
                let here = fit.terms_at(&point).expect("a place");
                let own = fit.intervals[here.interval].solution[1];
                assert!((own / slope - 1.0).abs() < 0.05, "{options:?} {point:?}: {own}");
            }
        }
    }
}

#[test]
fn a_prediction_says_its_region_and_its_place() {
    let fit = regions(&grid(corner), &Options::default());
    let domain = |n: f64, p: f64| fit.predict(&[n, p]).expect("a prediction").domain;
    assert!(matches!(domain(2048.0, 32.0), Domain::Inside { .. }));
    assert!(matches!(domain(1e6, 32.0), Domain::Beyond { .. }));
    let between = domain(2048.0, 5.0);
    let Domain::Between { split: Some(split), left, .. } = &between else { panic!("{between:?}") };
    assert!(split.axis == "P" && *left != split.right, "{between:?}");
    let wide = fit.predict(&[2048.0, 5.0]).expect("a prediction").band.expect("a band");
    assert!(wide.low < 1000.0 + 2048.0 * 5.0 * 1.05 && wide.high > 1000.0 + 2048.0 * 5.0 * 1.4);
}

#[test]
fn results_along_one_axis_are_as_with_that_axis_alone() {
    let data = grid(|n, p| 1000.0 + n * p * if p > 5.0 { 1.5 } else { 1.0 });
    let fit = regions(&data, &Options::default());
    assert!(fit.splits.is_empty() && fit.axis.as_deref() == Some("P"));
    let text = serde_json::to_string(&fit).expect("JSON");
    for word in ["splits", "region", "places", "\"loss\""] {
        assert!(!text.contains(word), "{word}");
    }
}

#[test]
fn greedy_divides_along_any_axis() {
    let options = |error_threshold| Options {
        intervals: Intervals::Greedy { error_threshold, max_intervals: 6 },
        ..Options::default()
    };
    let fit = regions(&grid(corner), &options(0.05));
    assert!(fit.splits.len() >= 2, "{:?}", fit.splits);
    for axis in ["N", "P", "N*P"] {
        let options = Options { axis: Some(axis.into()), ..options(0.05) };
        let options = regions(&grid(corner), &options);
        assert!(fit.quality.largest_error < options.quality.largest_error, "{axis}");
    }
    // One axis is enough: as before.
    let along_p = grid(|n, p| 1000.0 + n * p * if p > 5.0 { 1.5 } else { 1.0 });
    assert!(regions(&along_p, &options(0.05)).splits.is_empty());
}

#[test]
fn several_axes_may_be_given_and_wrong_ones_are_named() {
    let data = grid(corner);
    let with = |axis: &str| {
        fit(&formula(FORMULA), &data, &Options { axis: Some(axis.into()), ..Options::default() })
    };
    assert!(!with("N, P").expect("a fit").splits.is_empty());
    assert!(!with("max(N, 2), P").expect("a fit").splits.is_empty());
    assert!(with("N").expect("a fit").splits.is_empty(), "one axis");
    for wrong in ["N,Q", "N,", "N,,P", ","] {
        assert!(matches!(with(wrong), Err(FitError::Axis { .. })), "{wrong}");
    }
}

#[test]
fn a_variable_that_never_varies_and_equal_terms() {
    let mut rng = Rng::with_seed(SEED);
    let rows: Vec<(Vec<f64>, f64)> = (1..=60)
        .map(|k| {
            let n = f64::from(k);
            (
                vec![n, 4.0],
                (10.0 + n * if n > 30.0 { 2.0 } else { 1.0 }) * (1.0 + 0.01 * normal(|| rng.f64())),
            )
        })
        .collect();
    let data = Data::from_rows(vec!["N".into(), "P".into()], rows);
    let fitted =
        fit(&formula("f[0] + f[1]*N + f[2]*P"), &data, &Options::default()).expect("a fit");
    assert!(fitted.splits.is_empty() && !fitted.undetermined.is_empty());
    // One parameter hidden in another: P = N / 16 throughout.
    let rows =
        (1..=40).map(|k| (vec![16.0 * f64::from(k), f64::from(k)], 5.0 + 2.0 * f64::from(k)));
    let data = Data::from_rows(vec!["N".into(), "P".into()], rows);
    let fitted =
        fit(&formula("f[0] + f[1]*N + f[2]*P"), &data, &Options::default()).expect("a fit");
    assert!(fitted.splits.is_empty() && fitted.undetermined.len() == 1);
    let few = Data::from_rows(vec!["N".into(), "P".into()], [(vec![1.0, 2.0], 3.0)]);
    let error = fit(&formula("f[0] + f[1]*N*P"), &few, &Options::default()).expect_err("few");
    assert!(matches!(error, FitError::FewerPoints { .. }), "{error}");
}

#[test]
fn fifty_variables() {
    let names: Vec<String> = (0..50).map(|k| format!("v{k}")).collect();
    let terms: Vec<String> = (0..50).map(|k| format!("f[{}]*v{k}", k + 1)).collect();
    let text = format!("f[0] + {}", terms.join(" + "));
    // Two intervals need 102 points.
    for points in thinned([104, 140, 240], 3) {
        let mut rng = Rng::with_seed(SEED);
        let rows = (0..points).map(|_| {
            let values: Vec<f64> = (0..50).map(|_| 1.0 + 9.0 * rng.f64()).collect();
            let sum: f64 = values.iter().sum();
            (values, (100.0 + sum) * (1.0 + 0.02 * normal(|| rng.f64())))
        });
        let rows: Vec<_> = rows.collect();
        let data = Data::from_rows(names.clone(), rows);
        let fitted = fit(&formula(&text), &data, &Options::default()).expect("a fit");
        assert!(fitted.splits.is_empty(), "{points} points: {:?}", fitted.splits);
    }
}

#[test]
fn a_formula_of_forty_terms() {
    let mut terms = vec!["f[0]".to_owned()];
    for k in 1..40 {
        let factor = match k % 4 {
            0 => format!("N^{}", k / 4),
            1 => format!("P^{}", k / 4 + 1),
            2 => format!("N^{}*P", k / 4 + 1),
            _ => format!("log2(N)^{}*P^2", k / 4 + 1),
        };
        terms.push(format!("f[{k}]*{factor}"));
    }
    let text = terms.join(" + ");
    let mut rng = Rng::with_seed(SEED);
    let mut rows = Vec::new();
    for (n, p) in (2..=16).flat_map(|n| (1..=12).map(move |p| (f64::from(n), f64::from(p)))) {
        let value = corner(n * 100.0, p) * (1.0 + 0.02 * normal(|| rng.f64()));
        rows.push((vec![n, p], value));
    }
    let data = Data::from_rows(vec!["N".into(), "P".into()], rows);
    let fitted = fit(&formula(&text), &data, &Intervals::dynamic().into()).expect("a fit");
    assert!(fitted.quality.condition > 30.0 && !fitted.warnings.is_empty());
    // Most of them are held at zero.
    fit(&formula(&text), &data, &Options::default()).expect("a fit");
}

#[test]
fn a_file_with_other_divisions_is_refused() {
    let fit = regions(&grid(corner), &Options::default());
    let mut wrong = fit.clone();
    wrong.splits[0].above.1 += 1;
    assert!(wrong.predict(&[2048.0, 32.0]).is_err());
    let mut without = fit.clone();
    without.splits.clear();
    assert!(without.predict(&[2048.0, 32.0]).is_err());
    let text = serde_json::to_string(&fit).expect("JSON");
    assert_eq!(serde_json::from_str::<Fit>(&text).expect("a fit"), fit);
}
