//! Averages that are kept, spikes, and what the average needs.

use cll_search::{AverageError, Options, search};

use crate::support::{grid, sample, sizes};

#[test]
fn a_kept_average_predicts_as_the_search() {
    let truth = |v: &[f64]| 3.0 + 0.2 * v[0] * v[0].log2() / v[1] + 2.0 * v[1].log2();
    let points = grid(&sizes(6, 11), &sizes(0, 4)).into_iter().map(|v| vec![v[0], v[1], 7.0]);
    let data = sample(&["N", "P", "kind"], points, truth, 0.03, 11);
    let search = search(&data, &Options::default()).expect("a formula");
    let average = search.average(|name| (name == "kind").then_some(7.0));
    let ready = average.ready().expect("terms");
    let named = |n: f64, p: f64| vec![("N".to_owned(), n), ("P".to_owned(), p)];
    for (n, p) in [(100.0, 3.0), (8192.0, 64.0)] {
        let own = search.predict(&[n, p, 7.0]).expect("a value");
        let kept = ready.predict(&named(n, p)).expect("a value");
        for (a, b) in [(own.value, kept.value), (own.low, kept.low), (own.high, kept.high)] {
            assert!((a / b - 1.0).abs() < 1e-9, "{own:?} {kept:?}");
        }
        assert!(kept.low <= kept.value && kept.value <= kept.high, "{kept:?}");
    }
    let missing = ready.predict(&named(1.0, 1.0)[..1]);
    assert_eq!(missing, Err(AverageError::Missing { variable: "P".to_owned() }));
    assert_eq!(ready.predict(&named(0.0, 1.0)), Err(AverageError::NoValue));
}

/// A variable without influence stands only in improbable formulas: its value is not needed.
#[test]
fn what_stands_in_improbable_formulas_need_not_be_given() {
    let points = grid(&sizes(4, 10), &sizes(0, 4));
    let data = sample(&["N", "M"], points, |v| 5.0 + 2.0 * v[0], 0.01, 3);
    let search = search(&data, &Options::default()).expect("a formula");
    let average = search.average(|_| None);
    let predicted = average.ready().expect("terms").predict(&[("N".to_owned(), 4096.0)]);
    let exact = 5.0 + 2.0 * 4096.0;
    let predicted = predicted.expect("a value");
    assert!((predicted.value / exact - 1.0).abs() < 0.03, "{predicted:?}");
}

/// One repetition of 5 in one point is 50 times too large, at each point in turn.
#[test]
fn a_spike_does_not_change_the_formula() {
    let truth = |v: &[f64]| 20.0 + 0.5 * v[0] * v[0].log2();
    let points = || sizes(4, 14).into_iter().map(|n| vec![n]);
    let clean = sample(&["N"], points(), truth, 0.01, 7);
    let best =
        search(&clean, &Options::default()).expect("a formula").candidates[0].formula.clone();
    assert_eq!(best, "f[0] + f[1]*N*log2(N)");
    for point in 0..clean.points.len() {
        for repetition in [0, 3] {
            let mut data = clean.clone();
            data.points[point].observations[repetition] *= 50.0;
            let search = search(&data, &Options::default()).expect("a formula");
            assert_eq!(search.candidates[0].formula, best, "spike at {point}, {repetition}");
            let predicted = search.predict(&[2f64.powi(17)]).expect("a value");
            let exact = truth(&[2f64.powi(17)]);
            assert!((predicted.value / exact - 1.0).abs() < 0.05, "{predicted:?} {exact}");
        }
    }
}

/// A time that may be small has no interval below 0.
#[test]
fn an_interval_ends_at_0() {
    let rows = [1.0, 2.0, 4.0, 8.0, 16.0].map(|p| vec![p]);
    let data = sample(&["P"], rows, |v| 1e-3 + 0.4 / v[0].powi(2), 0.4, 3);
    let search = search(&data, &Options::default()).expect("a formula");
    for p in [8.0, 64.0, 1024.0] {
        let predicted = search.predict(&[p]).expect("a value");
        assert!(predicted.low >= 0.0 && predicted.low <= predicted.value, "{predicted:?}");
    }
}
