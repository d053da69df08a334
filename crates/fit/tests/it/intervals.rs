//! Intervals of validity on data with little or no noise, so that every answer is known.

use crate::reading::{formula, value};
use cll_fit::{Aggregate, Data, Domain, Fit, Intervals, Options, Outliers, Unit, Weights, fit};

/// Points of one variable, three repetitions each, alternately 0.2 % above and below.
fn data(sizes: impl IntoIterator<Item = f64>, time: impl Fn(f64) -> f64) -> Data {
    let rows = sizes.into_iter().enumerate().flat_map(|(i, n)| {
        let sign = if i * 7 % 5 % 2 == 0 { 1.0 } else { -1.0 };
        let t = time(n) * (1.0 + sign * 0.002);
        [t * 0.998, t, t * 1.002].map(move |y| (vec![n], y)).into_iter()
    });
    Data::from_rows(vec!["N".to_owned()], rows.collect::<Vec<_>>())
}

fn sizes() -> impl Iterator<Item = f64> {
    (0..24).map(|i| (16.0 * 2f64.powf(f64::from(i) / 2.0)).round())
}

/// Figure 3 of the 2003 paper: A0 and A1 hold everywhere, A2 has two values.
fn initialisation(n: f64) -> f64 {
    2e-6 + 3e-8 * n + if n <= 1448.0 { 1e-9 } else { 3e-9 } * n * n
}

const FIGURE_3: &str = "A[0] + A[1]*N + A[2]*N*N";

fn codes(fit: &Fit) -> Vec<&'static str> {
    fit.warnings.iter().map(|w| w.code()).collect()
}

#[test]
fn table_2_only_the_constant_that_changes_has_two_values() {
    let fit = fit(&formula(FIGURE_3), &data(sizes(), initialisation), &Intervals::dynamic().into())
        .expect("24 points");
    assert_eq!(fit.axis.as_deref(), Some("N"));
    assert_eq!(fit.intervals.len(), 2);
    let boundary = &fit.boundaries[0];
    assert_eq!((boundary.last_left, boundary.first_right), (1448.0, 2048.0));
    assert!(boundary.last_left < boundary.at && boundary.at < boundary.first_right);
    assert_eq!(boundary.plausible, (1448.0, 2048.0));
    assert!((value(&fit, 0) / 2e-6 - 1.0).abs() < 0.05);
    assert!((value(&fit, 1) / 3e-8 - 1.0).abs() < 0.05);
    let segments = &fit.constants[2].segments;
    assert_eq!(segments.len(), 2);
    for (segment, truth) in segments.iter().zip([1e-9, 3e-9]) {
        let estimate = &segment.estimate;
        let (low, high) = (estimate.low.expect("spread"), estimate.high.expect("spread"));
        assert!((estimate.value.expect("determined") / truth - 1.0).abs() < 0.01);
        assert!(low < truth * 1.01 && truth * 0.99 < high, "{low} {high}");
    }
    assert_eq!((segments[0].low, segments[0].high), (None, Some(boundary.at)));
    assert_eq!((segments[1].low, segments[1].high), (Some(boundary.at), None));
    // A constant that was joined is the same number in both intervals.
    assert_eq!(fit.intervals[0].constants[0], fit.intervals[1].constants[0]);
    assert!(fit.quality.largest_error < 0.01);
}

#[test]
fn without_joining_every_interval_has_its_own_constants() {
    let options = Options { join: false, ..Intervals::dynamic().into() };
    let fit = fit(&formula(FIGURE_3), &data(sizes(), initialisation), &options).expect("24 points");
    assert!(fit.constants.iter().all(|c| c.segments.len() == 2));
    assert_eq!(fit.quality.parameters, 6);
}

#[test]
fn no_continuity_is_forced() {
    let jump = |n: f64| if n <= 200.0 { 1e-8 * n } else { 4e-8 * n };
    let fit =
        fit(&formula("f[0]*N"), &data(sizes(), jump), &Intervals::dynamic().into()).expect("a fit");
    let boundary = fit.boundaries[0].at;
    let (left, right) = (fit.predict(&[boundary * 0.9999]), fit.predict(&[boundary * 1.0001]));
    let ratio = right.expect("right").value / left.expect("left").value;
    assert!(ratio > 3.5, "{ratio}");
}

#[test]
fn boundaries_by_hand_belong_to_the_left() {
    let options = Options {
        intervals: Intervals::ByHand { variable: "N".to_owned(), breaks: vec![1448.0] },
        ..Options::default()
    };
    let fit = fit(&formula(FIGURE_3), &data(sizes(), initialisation), &options).expect("24 points");
    assert_eq!(fit.boundaries[0].at, 1448.0);
    assert_eq!(fit.boundaries[0].last_left, 1448.0);
    assert_eq!((fit.intervals[0].high, fit.intervals[1].low), (Some(1448.0), Some(1448.0)));
    assert_eq!(fit.predict(&[1448.0]).expect("inside").interval, 0);
    assert!(fit.alternatives.is_empty());
}

#[test]
fn more_than_three_intervals_are_reported() {
    let stairs = |n: f64| n * 1e-9 * 4f64.powf((n.log2() / 3.0).floor());
    let fit = fit(&formula("f[0]*N"), &data(sizes(), stairs), &Intervals::dynamic().into())
        .expect("a fit");
    assert!(fit.intervals.len() > 3, "{}", fit.intervals.len());
    assert!(codes(&fit).contains(&"many-intervals"));
    let few = Options { intervals: Intervals::Dynamic { max_intervals: 2 }, ..Options::default() };
    let fit = cll_fit::fit(&formula("f[0]*N"), &data(sizes(), stairs), &few).expect("a fit");
    assert_eq!(fit.intervals.len(), 2);
}

#[test]
fn an_axis_may_be_an_expression() {
    let options = Options { axis: Some("8*N*N".to_owned()), ..Intervals::dynamic().into() };
    let fit = fit(&formula(FIGURE_3), &data(sizes(), initialisation), &options).expect("24 points");
    assert_eq!(fit.axis.as_deref(), Some("8*N*N"));
    assert_eq!(fit.boundaries[0].last_left, 8.0 * 1448.0 * 1448.0);
    assert_eq!(fit.predict(&[1000.0]).expect("inside").interval, 0);
    assert_eq!(fit.predict(&[3000.0]).expect("inside").interval, 1);
}

/// Two variables; the constant of N*P changes with P.
fn surface() -> Data {
    let rows = (4..12).flat_map(|i| {
        (1..10).map(move |p| {
            let (n, p) = (2f64.powi(i), f64::from(p));
            let t = 1e-6 * n + if p <= 4.0 { 2e-6 } else { 5e-6 } * n * p;
            let wobble = 1.0 + 0.003 * f64::from((i * 31 + p as i32 * 17) % 7 - 3);
            (vec![n, p], t * wobble)
        })
    });
    Data::from_rows(vec!["N".to_owned(), "P".to_owned()], rows)
}

#[test]
fn with_several_variables_the_best_axis_is_found() {
    let fit = fit(&formula("f[0]*N + f[1]*N*P"), &surface(), &Intervals::dynamic().into())
        .expect("a grid");
    assert_eq!(fit.axis.as_deref(), Some("P"));
    assert_eq!(fit.intervals.len(), 2);
    assert_eq!((fit.boundaries[0].last_left, fit.boundaries[0].first_right), (4.0, 5.0));
    let value_at = |n: f64, p: f64| {
        fit.predict_named(&[("P".to_owned(), p), ("N".to_owned(), n)]).expect("inside").value
    };
    assert!((value_at(100.0, 2.0) / 5e-4 - 1.0).abs() < 0.02);
    assert!((value_at(100.0, 8.0) / 4.1e-3 - 1.0).abs() < 0.02);
}

/// Each of P processors has N/P numbers; its cache holds 4096 of them.
fn shared(processors: &[f64]) -> Data {
    let rows = (10..18).flat_map(|i| {
        processors.iter().map(move |&p| {
            let n = 2f64.powi(i);
            let t =
                1e-5 * p.ln() + if n / p <= 4096.0 { 1e-9 } else { 3e-9 } * n / p * (n / p).ln();
            let wobble = 1.0 + 0.003 * f64::from((i * 31 + p as i32 * 17) % 7 - 3);
            (vec![p, n], t * wobble)
        })
    });
    Data::from_rows(vec!["P".to_owned(), "N".to_owned()], rows.collect::<Vec<_>>())
}

const SHARED: &str = "f[0]*log(P) + f[1]*(N/P)*log(N/P)";

#[test]
fn an_axis_may_be_what_the_formula_speaks_of() {
    let data = shared(&[1.0, 2.0, 4.0, 8.0, 16.0]);
    let fit = fit(&formula(SHARED), &data, &Intervals::dynamic().into()).expect("a grid");
    assert_eq!(fit.axis.as_deref(), Some("N/P"));
    assert_eq!(fit.intervals.len(), 2);
    assert_eq!((fit.boundaries[0].last_left, fit.boundaries[0].first_right), (4096.0, 8192.0));
    let segment = &fit.constants[1].segments[0];
    assert_eq!(segment.high, Some(fit.boundaries[0].at));
    let prediction_at = |n: f64, p: f64| {
        fit.predict_named(&[("P".to_owned(), p), ("N".to_owned(), n)]).expect("inside")
    };
    assert_eq!(prediction_at(12288.0, 1.0).interval, 1);
    assert_eq!(prediction_at(12288.0, 4.0).interval, 0);
    let gap = prediction_at(10000.0, 2.0);
    assert!(matches!(gap.domain, Domain::Between { .. }), "{:?}", gap.domain);
    assert!(gap.warnings[0].to_string().contains("N/P"), "{}", gap.warnings[0]);
    // A saved fit predicts the same.
    let text = serde_json::to_string(&fit).expect("a value");
    let read: Fit = serde_json::from_str(&text).expect("the same");
    assert_eq!(read.predict(&[4.0, 12288.0]), fit.predict(&[4.0, 12288.0]));
}

#[test]
fn a_quotient_that_orders_as_a_variable_is_that_variable() {
    // If P is constant the boundary is one of N, without an additional penalty.
    let data = shared(&[4.0]);
    let quotient =
        fit(&formula("f[0]*(N/P)*log(N/P)"), &data, &Intervals::dynamic().into()).expect("8 sizes");
    assert_eq!(quotient.axis.as_deref(), Some("N"));
    let alone =
        fit(&formula("f[0]*(N/4)*log(N/4)"), &data, &Intervals::dynamic().into()).expect("8 sizes");
    assert_eq!(quotient.quality.bic, alone.quality.bic);
}

#[test]
fn beyond_the_quotients_that_were_measured_is_reported() {
    // N/P was measured only from 64 to 8192, though N and P have wider ranges.
    let mut data = shared(&[1.0, 2.0, 4.0, 8.0, 16.0]);
    data.points.retain(|point| (64.0..=16384.0).contains(&(point.values[1] / point.values[0])));
    let fit = fit(&formula(SHARED), &data, &Intervals::dynamic().into()).expect("a band of a grid");
    assert_eq!(fit.axis.as_deref(), Some("N/P"));
    let values = |n: f64, p: f64| -> Vec<f64> {
        fit.variables.iter().map(|v| if v == "P" { p } else { n }).collect()
    };
    let beyond = fit.predict(&values(131_072.0, 1.0)).expect("a number");
    match &beyond.domain {
        Domain::Beyond { variable, value, nearest, factor } => {
            assert_eq!((variable.as_str(), *value, *nearest), ("N/P", 131_072.0, 16_384.0));
            assert_eq!(*factor, Some(8.0));
        }
        other => panic!("{other:?}"),
    }
    let inside = fit.predict(&values(65_536.0, 16.0)).expect("a number");
    assert!(matches!(inside.domain, Domain::Inside { .. }), "{:?}", inside.domain);
}

#[test]
fn a_prediction_says_where_it_lies() {
    let fit = fit(&formula(FIGURE_3), &data(sizes(), initialisation), &Intervals::dynamic().into())
        .expect("24 points");
    let inside = fit.predict(&[100.0]).expect("inside");
    assert_eq!(inside.domain, Domain::Inside { interval: 0 });
    assert!(inside.warnings.is_empty());
    let band = inside.band.expect("a band");
    assert!(band.low < inside.value && inside.value < band.high && band.high < 1.02 * inside.value);

    let gap = fit.predict(&[1700.0]).expect("in the gap");
    assert!(matches!(gap.domain, Domain::Between { left: 0, .. }), "{:?}", gap.domain);
    let band = gap.band.expect("a band");
    assert!(band.low < 1.02 * initialisation(1448.0) / 1448f64.powi(2) * 1700f64.powi(2));
    assert!(band.high > 2.9e-9 * 1700.0 * 1700.0, "either side's constants may hold: {band:?}");
    assert_eq!(gap.warnings[0].code(), "between");

    let largest = fit.domain[0].high;
    let beyond = fit.predict(&[4.0 * largest]).expect("beyond");
    match beyond.domain {
        Domain::Beyond { ref variable, nearest, factor, .. } => {
            assert_eq!((variable.as_str(), nearest), ("N", largest));
            assert!((factor.expect("positive") - 4.0).abs() < 1e-12);
        }
        ref other => panic!("{other:?}"),
    }
    assert_eq!(beyond.warnings[0].code(), "beyond");
    let below = fit.predict(&[4.0]).expect("below");
    assert!(matches!(below.domain, Domain::Beyond { nearest: 16.0, factor: Some(4.0), .. }));
}

#[test]
fn an_uncertain_break_widens_the_band() {
    // One size lies half-way up the step: it may belong to either side.
    let noisy = |n: f64| {
        let wobble = 1.0 + 0.03 * (n * 12.9898).sin();
        match n {
            181.0 => 1.104e-8 * n,
            _ if n < 181.0 => 1e-8 * n * wobble,
            _ => 1.2e-8 * n * wobble,
        }
    };
    let fit = fit(&formula("f[0]*N"), &data(sizes(), noisy), &Intervals::dynamic().into())
        .expect("a fit");
    assert_eq!(fit.intervals.len(), 2, "the step is found");
    assert!(!fit.alternatives.is_empty(), "{:?}", fit.boundaries);
    let weights: f64 = fit.alternatives.iter().map(|a| a.weight).sum();
    assert!(weights > 0.0 && weights < 1.0);
    let boundary = &fit.boundaries[0];
    assert!(
        boundary.plausible.0 < boundary.last_left || boundary.plausible.1 > boundary.first_right
    );
    let width = |fit: &Fit, n: f64| {
        let band = fit.predict(&[n]).expect("inside").band.expect("a band");
        (band.high - band.low) / n
    };
    let mut certain = fit.clone();
    certain.alternatives.clear();
    let near = boundary.last_left;
    assert!(width(&fit, near) > width(&certain, near));
}

#[test]
fn spikes_do_not_move_the_default_and_can_be_left_out() {
    let mut spiked = data(sizes(), |n| 1e-8 * n);
    for point in spiked.points.iter_mut().step_by(3) {
        let last = point.observations.len() - 1;
        point.observations[last] *= 70.0;
    }
    let with = |aggregate, outliers| {
        let options =
            Options { aggregate, outliers, intervals: Intervals::None, ..Options::default() };
        fit(&formula("f[0]*N"), &spiked, &options).expect("a fit")
    };
    for aggregate in [Aggregate::Median, Aggregate::Minimum] {
        let fit = with(aggregate, Outliers::Keep);
        assert!((value(&fit, 0) / 1e-8 - 1.0).abs() < 0.01, "{aggregate:?}");
        assert!((fit.quality.spike_rate - 8.0 / 72.0).abs() < 1e-12);
        assert!(codes(&fit).contains(&"spikes"));
    }
    let mean = with(Aggregate::Mean, Outliers::Keep);
    assert!(codes(&mean).contains(&"mean"));
    assert!((value(&mean, 0) / 1e-8 - 1.0).abs() > 0.01, "the mean is moved");
    for aggregate in [Aggregate::Mean, Aggregate::All] {
        let without = with(aggregate, Outliers::Spikes);
        assert!((value(&without, 0) / 1e-8 - 1.0).abs() < 0.01, "{aggregate:?}");
        assert!(codes(&without).contains(&"outliers-left-out"));
    }
    let spread = with(Aggregate::Median, Outliers::Keep).residuals[0].spread;
    assert_eq!((spread.count, spread.spikes), (3, 1));
}

#[test]
fn an_outlying_point_can_be_left_out() {
    let odd = |n: f64| if n == 256.0 { 1.5e-8 * n } else { 1e-8 * n };
    let options = Options {
        outliers: Outliers::Points { limit: 4.0 },
        intervals: Intervals::None,
        ..Options::default()
    };
    let fit = fit(&formula("f[0]*N"), &data(sizes(), odd), &options).expect("a fit");
    let out: Vec<f64> =
        fit.residuals.iter().filter(|r| r.excluded.is_some()).map(|r| r.values[0]).collect();
    assert_eq!(out, [256.0]);
    assert!((value(&fit, 0) / 1e-8 - 1.0).abs() < 0.002);
    assert_eq!(fit.quality.points, 23);
}

#[test]
fn negative_constants_are_reported_and_can_be_forbidden() {
    let cost = |n: f64| 1e-6 * n * n - 8e-6 * n;
    let free =
        fit(&formula("f[0]*N + f[1]*N*N"), &data(sizes(), cost), &Intervals::dynamic().into())
            .expect("a fit");
    assert!(value(&free, 0) < 0.0);
    assert!(codes(&free).contains(&"negative"));
    let options = Options { non_negative: true, ..Intervals::dynamic().into() };
    let bounded =
        fit(&formula("f[0]*N + f[1]*N*N"), &data(sizes(), cost), &options).expect("a fit");
    let constants = bounded.constants.iter().flat_map(|c| &c.segments);
    assert!(constants.clone().all(|p| p.estimate.value.expect("determined") >= 0.0));
    assert!(!codes(&bounded).contains(&"negative"));
}

#[test]
fn lack_of_fit_and_the_missing_variable_are_named() {
    let mut state = 1_u64;
    let mut noise = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        0.01 * ((state >> 33) as f64 / 2f64.powi(31) - 0.5)
    };
    let mut rows = Vec::new();
    for i in 4..12 {
        for p in [1.0, 2.0, 4.0, 8.0] {
            for _ in 0..5 {
                let n = 2f64.powi(i);
                rows.push((vec![n, p], 1e-8 * n * (1.0 + 0.05 * p) * (1.0 + noise())));
            }
        }
    }
    let data = Data::from_rows(vec!["N".to_owned(), "P".to_owned()], rows);
    let lost = fit(&formula("f[0]*N"), &data, &Intervals::dynamic().into()).expect("a fit");
    assert!(codes(&lost).contains(&"missing-variable"), "{:?}", codes(&lost));
    let reported: Vec<String> = lost.warnings.iter().map(ToString::to_string).collect();
    assert!(reported.iter().any(|w| w.contains("depend on P, which the formula does not use")));
    let lack = lost.quality.lack_of_fit.as_ref().expect("repetitions");
    assert!(lack.p_value < 1e-6 && lack.size > 0.05, "{lack:?}");
    assert!(lost.quality.r2_adjusted.expect("R²") > 0.9, "which is why it is never shown alone");

    let right =
        fit(&formula("f[0]*N + f[1]*N*P"), &data, &Intervals::dynamic().into()).expect("a fit");
    let lack = right.quality.lack_of_fit.as_ref().expect("repetitions");
    assert!(lack.p_value > 0.01, "{lack:?}");
    assert_eq!(codes(&right), Vec::<&str>::new());
}

#[test]
fn absolute_weights_are_ordinary_least_squares() {
    // y = 2 + 3x + (1, -2, 1): the fit by hand is 2 + 3x, residuals as given.
    let rows = [(1.0, 6.0), (2.0, 6.0), (3.0, 12.0)];
    let data = Data::from_rows(vec!["x".to_owned()], rows.into_iter().map(|(x, y)| (vec![x], y)))
        .in_unit(Unit::Other("misses".to_owned()));
    let options =
        Options { weights: Weights::Absolute, intervals: Intervals::None, ..Options::default() };
    let fit = fit(&formula("f[0] + f[1]*x"), &data, &options).expect("three points");
    assert!((value(&fit, 0) - 2.0).abs() < 1e-12 && (value(&fit, 1) - 3.0).abs() < 1e-12);
    assert!((fit.quality.sigma.expect("one degree") - 6f64.sqrt()).abs() < 1e-12);
    // Standard error of the slope: s/sqrt(Σ(x - x̄)²); t(0.95, 1) = 6.3138.
    let slope = &fit.constants[1].segments[0].estimate;
    let error = slope.standard_error.expect("a spread");
    assert!((error - 3f64.sqrt()).abs() < 1e-12);
    let half = slope.high.expect("a spread") - 3.0;
    assert!((half / error - 6.313_751_5).abs() < 1e-6, "{}", half / error);
    // At x = 4 the leverage is 1/3 + 4/2, the band's half width t s sqrt(1 + 7/3).
    let prediction = fit.predict(&[4.0]).expect("beyond");
    let half = prediction.band.expect("a band").high - prediction.value;
    let expected = 6.313_751_5 * 6f64.sqrt() * (10f64 / 3.0).sqrt();
    assert!((half / expected - 1.0).abs() < 1e-6, "{half} {expected}");
    assert_eq!(prediction.unit.to_string(), "misses");
}

#[test]
fn ten_thousand_sizes_are_thinned_and_the_break_is_still_exact() {
    let step = |n: f64| if n <= 7777.0 { 1e-8 } else { 1.3e-8 } * n;
    let many = data((1..=10_000).map(|i| f64::from(i) + 16.0), step);
    let fit = fit(&formula("f[0]*N"), &many, &Intervals::dynamic().into()).expect("a fit");
    assert_eq!(fit.boundaries.len(), 1);
    assert_eq!(fit.boundaries[0].last_left, 7777.0);
    assert!(codes(&fit).contains(&"thinned"));
}
