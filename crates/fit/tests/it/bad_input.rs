//! Data that allow no fit, or a worse one: each error or warning names the datum.

use crate::reading::{formula, value};
use cll_fit::{
    Aggregate, Data, FitError, Intervals, Options, Point, PredictError, Weights, fit, hold_out,
};

fn data(rows: &[(f64, f64)]) -> Data {
    Data::from_rows(vec!["N".to_owned()], rows.iter().map(|&(n, t)| (vec![n], t)))
}

fn line(points: i32) -> Vec<(f64, f64)> {
    (1..=points).map(|i| (f64::from(i), 2.0 + 3.0 * f64::from(i))).collect()
}

#[track_caller]
fn refused(text: &str, data: &Data, options: &Options, message: &str) {
    let error = fit(&formula(text), data, options).expect_err(message);
    assert_eq!(error.to_string(), message);
}

const LINE: &str = "f[0] + f[1]*N";

#[test]
fn nothing_and_hardly_anything() {
    let options = Options::default();
    refused(
        LINE,
        &data(&[]),
        &options,
        "no data: the experiment was never reached, or every point was left out",
    );
    refused(
        LINE,
        &data(&[(64.0, 1.0)]),
        &options,
        "1 distinct point for 2 constants; measure at least 4 values of the variables",
    );
    // Repetitions do not count as points.
    refused(
        "f[0] + f[1]*N + f[2]*N^2",
        &data(&[(64.0, 1.0), (64.0, 1.1), (32.0, 0.5), (32.0, 0.6)]),
        &options,
        "2 distinct points for 3 constants; measure at least 5 values of the variables",
    );
}

#[test]
fn numbers_that_are_none() {
    let options = Options::default();
    let mut rows = line(6);
    rows[2].1 = f64::NAN;
    refused(
        LINE,
        &data(&rows),
        &options,
        "an observation at N = 3 is NaN; every observation must be a finite number",
    );
    rows[2] = (f64::INFINITY, 1.0);
    refused(
        LINE,
        &data(&rows),
        &options,
        "N is inf at point 2; every value must be a finite number",
    );
    let mut holes = data(&line(6));
    holes.points[4].observations.clear();
    refused(LINE, &holes, &options, "no observation at N = 5");
    holes.points[4] = Point::new(vec![1.0, 2.0], vec![1.0]);
    refused(LINE, &holes, &options, "point 4 has 2 values, but there are 1 variables");
}

#[test]
fn a_term_that_is_infinite_is_named_with_its_point() {
    let mut rows = line(6);
    rows.push((0.0, 1.0));
    let error = fit(&formula("f[0] + f[1]*N*log(N)"), &data(&rows), &Options::default());
    match error.expect_err("0*log(0) is no number") {
        FitError::TermNotFinite { constant, value, place, .. } => {
            assert_eq!((constant.as_str(), place.as_str()), ("f[1]", "N = 0"));
            assert!(value.is_nan());
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_variable_that_was_not_recorded() {
    refused(
        "f[0] + f[1]*M",
        &data(&line(6)),
        &Options::default(),
        "the formula uses M, which was not recorded (recorded: N)",
    );
}

#[test]
fn zero_and_negative_times_are_left_out_of_relative_fits() {
    let mut rows = line(8);
    rows[0].1 = 0.0;
    rows[1].1 = -1.0;
    let fitted = fit(&formula(LINE), &data(&rows), &Options::default()).expect("six are left");
    assert_eq!(fitted.quality.points, 6);
    assert_eq!(fitted.residuals.iter().filter(|r| r.excluded.is_some()).count(), 2);
    assert!((value(&fitted, 1) - 3.0).abs() < 1e-9);
    let reported = fitted.warnings.iter().find(|w| w.code() == "not-positive").expect("a warning");
    assert!(
        reported.to_string().starts_with("2 of 8 points are zero or negative (the first at N = 1)")
    );

    let absolute = Options { weights: Weights::Absolute, ..Options::default() };
    assert_eq!(fit(&formula(LINE), &data(&rows), &absolute).expect("all").quality.points, 8);

    let none: Vec<(f64, f64)> = line(8).iter().map(|r| (r.0, -r.1)).collect();
    refused(
        LINE,
        &data(&none),
        &Options::default(),
        "all 8 points are zero or negative (the first is -5 at N = 1): relative weights are \
         impossible; measure longer times, or use absolute weights",
    );
    for row in &mut rows[..7] {
        row.1 = 0.0;
    }
    let error = fit(&formula(LINE), &data(&rows), &Options::default()).expect_err("one is left");
    assert_eq!(error, FitError::FewerPoints { points: 1, constants: 2, left_out: 7 });
}

#[test]
fn all_alike() {
    let rows: Vec<(f64, f64)> = line(8).iter().map(|r| (r.0, 1e-6)).collect();
    for intervals in [Intervals::None, Intervals::default()] {
        let options = Options { intervals, ..Options::default() };
        let fitted = fit(&formula(LINE), &data(&rows), &options).expect("a constant");
        assert!(fitted.warnings.iter().any(|w| w.code() == "all-alike"));
        assert_eq!(fitted.intervals.len(), 1);
        assert!((value(&fitted, 0) / 1e-6 - 1.0).abs() < 1e-9);
    }
    let zeros: Vec<(f64, f64)> = line(8).iter().map(|r| (r.0, 0.0)).collect();
    let absolute = Options { weights: Weights::Absolute, ..Options::default() };
    let fitted = fit(&formula(LINE), &data(&zeros), &absolute).expect("zero");
    assert_eq!((value(&fitted, 0), value(&fitted, 1)), (0.0, 0.0));
}

#[test]
fn a_constant_variable_is_named_and_nothing_is_invented() {
    let rows = (1..9).map(|i| {
        let n = f64::from(i) * 100.0;
        (vec![n, 4.0], 1e-3 + 1e-6 * n + (i % 3) as f64 * 1e-6)
    });
    let data = Data::from_rows(vec!["N".to_owned(), "P".to_owned()], rows);
    let fitted =
        fit(&formula("f[0] + f[1]*P + f[2]*N"), &data, &Options::default()).expect("a fit");
    for k in [0, 1] {
        assert_eq!(fitted.constants[k].segments[0].estimate.value, None);
        assert_eq!(fitted.intervals[0].constants[k].standard_error, None);
    }
    assert!((value(&fitted, 2) / 1e-6 - 1.0).abs() < 0.05);
    let reported = fitted.warnings.iter().find(|w| w.code() == "undetermined").expect("a warning");
    let reported = reported.to_string();
    assert!(
        reported.contains("f[0] and f[1]") && reported.contains("P is 4 at every point"),
        "{reported}"
    );
    // Their sum is known: where P is 4 a prediction is right, elsewhere there is none.
    let right = fitted.predict(&[4.0, 450.0]).expect("P as measured").value;
    assert!((right / (1e-3 + 1e-6 * 450.0) - 1.0).abs() < 0.01, "{right}");
    let wrong = fitted.predict(&[8.0, 450.0]).expect_err("P was never 8");
    match &wrong {
        PredictError::Undetermined { constants, .. } => assert_eq!(*constants, ["f[0]", "f[1]"]),
        other => panic!("{other}"),
    }
}

#[test]
fn terms_that_are_equal_on_the_data_cannot_be_distinguished() {
    // The depth of a recursion is log2(N) where N is a power of two.
    let rows = (4..14).map(|i| {
        let depth = f64::from(i);
        (vec![2f64.powf(depth), depth], 1e-3 * depth + 2e-3)
    });
    let data = Data::from_rows(vec!["N".to_owned(), "depth".to_owned()], rows);
    let fitted = fit(&formula("f[0] + f[1]*log(N) + f[2]*depth"), &data, &Options::default())
        .expect("a fit");
    assert!(fitted.constants[1].segments[0].estimate.value.is_none());
    assert!(fitted.constants[2].segments[0].estimate.value.is_none());
    assert!((value(&fitted, 0) - 2e-3).abs() < 1e-9);
    let reported = fitted.warnings.iter().find(|w| w.code() == "undetermined").expect("a warning");
    assert!(reported.to_string().contains("f[1] and f[2]"), "{reported}");
    // If both have the same value their sum is determined.
    let prediction = fitted.predict(&[3000.0, 3000f64.log2()]).expect("the sum").value;
    assert!((prediction / (1e-3 * 3000f64.log2() + 2e-3) - 1.0).abs() < 1e-9);
    assert!(fitted.predict(&[3000.0, 20.0]).is_err());
}

#[test]
fn terms_that_are_nearly_equal_are_named() {
    let rows: Vec<(f64, f64)> = (0..12)
        .map(|i| 1000.0 + 20.0 * f64::from(i))
        .enumerate()
        .map(|(i, n)| (n, 1e-6 * n * (1.0 + 0.01 * f64::from((i % 3) as u8))))
        .collect();
    let fitted =
        fit(&formula("f[0]*N + f[1]*N*log(N)"), &data(&rows), &Options::default()).expect("a fit");
    assert!(fitted.quality.condition > 30.0);
    let reported =
        fitted.warnings.iter().find(|w| w.code() == "ill-conditioned").expect("a warning");
    let reported = reported.to_string();
    assert!(reported.contains("f[0]") && reported.contains("f[1]"), "{reported}");
}

#[test]
fn terms_that_are_zero_everywhere() {
    let zeros: Vec<(f64, f64)> = vec![(0.0, 1.0)];
    refused(
        "f[0]*N",
        &data(&zeros),
        &Options::default(),
        "every term of the formula is zero at every point",
    );
}

#[test]
fn options_that_make_no_sense() {
    let rows = data(&line(12));
    let wrong = |options: Options, message: &str| refused(LINE, &rows, &options, message);
    wrong(
        Options { confidence: 1.0, ..Options::default() },
        "the confidence is 1; it must lie between 0 and 1, such as 0.9",
    );
    wrong(
        Options { intervals: Intervals::Dynamic { max_intervals: 0 }, ..Options::default() },
        "the number of intervals is 0; it must be at least 1",
    );
    wrong(
        Options {
            intervals: Intervals::Greedy { error_threshold: f64::NAN, max_intervals: 3 },
            ..Options::default()
        },
        "the error threshold is NaN; it must be above 0, such as 0.1",
    );
    wrong(
        Options { axis: Some("M".to_owned()), ..Options::default() },
        "the axis M cannot be used: M was not recorded (recorded: N)",
    );
    wrong(
        Options {
            intervals: Intervals::ByHand { variable: "N".to_owned(), breaks: vec![1.0] },
            ..Options::default()
        },
        "the boundaries N = 1 leave 1 distinct point up to 1, too few for 2 constants; leave a \
         boundary out or measure more there",
    );
}

#[test]
fn one_point_and_one_constant() {
    let mut rows: Vec<(Vec<f64>, f64)> = Vec::new();
    for t in [1.0e-6, 1.1e-6, 1.2e-6] {
        rows.push((vec![], t));
    }
    let data = Data::from_rows(vec![], rows);
    for aggregate in [Aggregate::Median, Aggregate::Minimum, Aggregate::Mean, Aggregate::All] {
        let options = Options { aggregate, ..Options::default() };
        let fitted = fit(&formula("A[0]"), &data, &options).expect("a constant");
        let prediction = fitted.predict(&[]).expect("without variables");
        let band = prediction.band.expect("the repetitions tell the spread");
        assert!(band.low < prediction.value && prediction.value < band.high);
        assert_eq!(fitted.axis, None);
    }
}

#[test]
fn predictions_that_cannot_be_made() {
    let fitted = fit(&formula(LINE), &data(&line(8)), &Options::default()).expect("a line");
    let named = |pairs: &[(&str, f64)]| {
        let pairs: Vec<(String, f64)> = pairs.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
        fitted.predict_named(&pairs).expect_err("refused").to_string()
    };
    assert_eq!(named(&[]), "no value for N; the formula needs N");
    assert_eq!(named(&[("N", 1.0), ("M", 1.0)]), "the formula has no variable M; it has N");
    assert_eq!(named(&[("N", f64::NAN)]), "N is NaN at N = NaN");
    assert!(fitted.predict(&[]).is_err());
}

#[test]
fn extreme_numbers_are_fitted_or_refused() {
    let scaled = |scale: f64, size: f64| -> Vec<(f64, f64)> {
        (1..20).map(|i| (size * f64::from(i), scale * f64::from(i * (20 + i % 3)))).collect()
    };
    for weights in [Weights::Relative, Weights::Absolute] {
        let options = Options { weights, ..Options::default() };
        for (scale, size) in [(1e-100, 1e-12), (1e100, 1e12), (1e-9, 1e120)] {
            let fitted =
                fit(&formula(LINE), &data(&scaled(scale, size)), &options).expect("finite squares");
            let prediction = fitted.predict(&[size * 5.5]).expect("inside");
            assert!((prediction.value / scale / 5.5 / 21.0 - 1.0).abs() < 0.1);
            assert!(prediction.band.is_some());
        }
        let error = fit(&formula(LINE), &data(&scaled(1e300, 1.0)), &options).expect_err("1e600");
        assert!(error.to_string().starts_with("observations up to 3.99e302"), "{error}");
    }
}

#[test]
fn points_held_out_are_predicted() {
    let held = hold_out(&formula(LINE), &data(&line(12)), &Options::default(), |i, _| i % 3 == 2)
        .expect("eight points");
    assert_eq!((held.points.len(), held.fit.quality.points), (4, 8));
    assert!(held.largest_error.expect("four errors") < 1e-9);
    let none = hold_out(&formula(LINE), &data(&line(12)), &Options::default(), |_, _| false)
        .expect("all points");
    assert_eq!((none.median_error, none.covered), (None, None));
}

#[test]
fn there_is_no_size_below_zero() {
    let squares: Vec<(f64, f64)> = (1..=8).map(f64::from).map(|k| (k, 1e-3 * k * k)).collect();
    let square = fit(&formula("f[0] + f[1]*N^2"), &data(&squares), &Options::default()).unwrap();
    match square.predict(&[-5.0]) {
        Err(error @ PredictError::BelowZero { .. }) => {
            assert!(error.to_string().contains("no measured N is below 0"), "{error}");
            assert!(!error.is_refusal(), "the value is wrong, not the data");
        }
        other => panic!("{other:?}"),
    }
    assert!(square.predict(&[0.5]).is_ok());
    // A temperature may be below zero.
    let warmth: Vec<(f64, f64)> = (-4..=4).map(f64::from).map(|k| (k, 1.0 + 0.1 * k)).collect();
    let warm = fit(&formula(LINE), &data(&warmth), &Options::default()).unwrap();
    assert!(warm.predict(&[-3.5]).is_ok());
}
