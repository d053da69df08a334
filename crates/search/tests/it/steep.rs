//! Values that grow faster than n^3, and those that no formula describes. Known truth, seeded noise.

use cll_fit::Data;
use cll_search::{Options, Search, SearchError, search};

use crate::support::sample;

fn search_sizes(
    sizes: &[f64],
    truth: impl Fn(f64) -> f64,
    noise: f64,
) -> Result<Search, SearchError> {
    let points = sizes.iter().map(|&n| vec![n]);
    search(&sample(&["n"], points, |v| truth(v[0]), noise, 17), &Options::default())
}

fn factorial(n: f64) -> f64 {
    (1..=n as u32).map(f64::from).product()
}

#[test]
fn fast_growth_is_named_and_predicted() {
    let powers: Vec<f64> = [12.0, 17.0, 24.0, 34.0, 48.0, 67.0, 94.0, 130.0].to_vec();
    let small: Vec<f64> = (4..13).map(f64::from).collect();
    let calls: Vec<f64> = (8..30).step_by(3).map(f64::from).collect();
    type Truth = fn(f64) -> f64;
    let cases: [(&str, &[f64], f64, Truth); 6] = [
        ("n^4", &powers, 200.0, |n| 3e-9 * n.powi(4)),
        ("n^5", &powers, 200.0, |n| 2e-9 * n.powi(5)),
        ("n^6", &powers, 200.0, |n| 1e-6 + 2e-12 * n.powi(6)),
        ("2^n", &calls, 33.0, |n| 5e-9 * n.exp2()),
        ("1.618^n", &calls, 33.0, |n| 2e-6 + 4e-8 * 1.618f64.powf(n)),
        ("factorial(n)", &small, 14.0, |n| 3e-9 * factorial(n)),
    ];
    for (term, sizes, beyond, truth) in cases {
        let search =
            search_sizes(sizes, truth, 0.01).unwrap_or_else(|error| panic!("{term}: {error}"));
        let best = &search.candidates[0];
        assert!(best.terms.iter().any(|own| own == term), "{term}: {}", best.formula);
        for size in [sizes[sizes.len() / 2], sizes[sizes.len() - 1], beyond] {
            let predicted = search.predict(&[size]).expect("a value");
            let ratio = predicted.value / truth(size);
            assert!((ratio - 1.0).abs() < 0.05, "{term} at {size}: {ratio}");
            assert!(
                predicted.low <= truth(size) && truth(size) <= predicted.high,
                "{term} at {size}"
            );
        }
    }
}

/// The base of an exponential is a constant of the data.
#[test]
fn an_unusual_base_is_estimated() {
    let sizes: Vec<f64> = (10..60).step_by(5).map(f64::from).collect();
    let truth = |n: f64| 1e-7 * 1.274f64.powf(n);
    let search = search_sizes(&sizes, truth, 0.01).expect("a formula");
    let predicted = search.predict(&[60.0]).expect("a value");
    assert!((predicted.value / truth(60.0) - 1.0).abs() < 0.1, "{predicted:?}");
}

/// exp(n^2) grows faster than anything that is tried.
#[test]
fn where_nothing_fits_there_is_no_formula() {
    let sizes: Vec<f64> = (2..14).map(|k| 0.4 * f64::from(k)).collect();
    for noise in [0.0, 0.02] {
        let result = search_sizes(&sizes, |n| 1e-9 * (1.5 * n * n).exp(), noise);
        let Err(SearchError::NoFormula(none)) = result else {
            let best = result.map(|search| search.candidates[0].formula.clone());
            panic!("{best:?}");
        };
        assert!(none.miss.points >= 3, "{none:?}");
        let text = none.to_string();
        assert!(text.starts_with("no formula found: tried were powers up to"), "{text}");
        assert!(text.contains("of 12 points by more than half: at n = "), "{text}");
    }
}

/// A cubic time that is five times dearer from a size on: whatever is first, it follows the growth.
#[test]
fn a_constant_is_never_first_where_values_grow() {
    let sizes = [150.0, 250.0, 420.0, 600.0, 800.0];
    let truth = |n: f64| 2e-9 * n.powi(3) * if n > 300.0 { 5.0 } else { 1.0 };
    let rows = sizes.map(|n| (vec![n], truth(n)));
    let data = Data::from_rows(vec!["n".to_owned()], rows);
    if let Ok(search) = search(&data, &Options::default()) {
        let predicted = search.predict(&[960.0]).expect("a value");
        assert!(predicted.value > truth(800.0), "{} {predicted:?}", search.candidates[0].formula);
    }
}

#[test]
fn disturbed_growth_is_no_constant() {
    let rows =
        [(50.0, 3e-5), (80.0, 8e-5), (125.0, 2.2e-4), (190.0, 8e-4), (270.0, 8e-3), (390.0, 0.37)];
    let data = Data::from_rows(vec!["n".to_owned()], rows.map(|(n, time)| (vec![n], time)));
    if let Ok(search) = search(&data, &Options::default()) {
        let predicted = search.predict(&[390.0]).expect("a value");
        assert!(predicted.value > 0.1, "{} {predicted:?}", search.candidates[0].formula);
    }
}

/// Noise of half of the value is no reason to refuse a formula.
#[test]
fn noisy_values_have_a_formula() {
    let sizes: Vec<f64> = (1..22).map(|k| 40.0 * f64::from(k)).collect();
    let search = search_sizes(&sizes, |n| 1e-6 * (50.0 + n), 0.3).expect("a formula");
    assert!(search.candidates[0].weight > 0.0);
}
