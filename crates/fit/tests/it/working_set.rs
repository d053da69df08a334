//! Boundaries in bytes.

use cll_fit::{Data, Fit, FitError, Intervals, Options, Point, fit};

/// A constant that triples past N = 100, measured with these values of P.
fn fitted(processors: &[f64]) -> Fit {
    let mut data = Data::new(vec!["N".to_owned(), "P".to_owned()]);
    for n in (10..=200).step_by(10).map(f64::from) {
        for &p in processors {
            let slope = if n <= 100.0 { 1e-9 } else { 3e-9 };
            data.points.push(Point::new(vec![n, p], vec![slope * n; 2]));
        }
    }
    let formula = cll_formula::parse_anonymous("f[0]*N").formula.expect("a formula");
    let intervals = Intervals::ByHand { variable: "N".to_owned(), breaks: vec![105.0] };
    fit(&formula, &data, &Options { intervals, ..Options::default() }).expect("a fit")
}

#[test]
fn boundaries_have_bytes_on_both_sides() {
    let fit = fitted(&[1.0]);
    let bytes = fit.working_set("8*N*N").expect("an expression");
    assert_eq!(bytes.at_boundary(0), Some((80_000.0, 96_800.0)));
    assert_eq!(bytes.at_boundary(1), None);
    let many = fitted(&[1.0, 4.0]);
    let shared = many.working_set("8*N*N/P").expect("an expression");
    assert_eq!(shared.at_boundary(0), Some((20_000.0, 96_800.0)), "least and most over P");
}

#[test]
fn a_cache_is_full_at_one_place() {
    let fit = fitted(&[2.0]);
    let place = |text: &str, bytes| fit.working_set(text).expect("an expression").place("N", bytes);
    let near = |actual: Option<f64>, expected: f64| {
        assert!((actual.expect("a place") - expected).abs() < 1e-6 * expected, "{actual:?}");
    };
    near(place("8*N*N", 80_000.0), 100.0);
    near(place("8*N*N/P", 40_000.0), 100.0);
    near(place("1e6/N", 1e4), 100.0);
    assert_eq!(place("8*N*N", 79.0), None, "below what was measured");
    assert_eq!(place("8*N*N", 1e9), None, "beyond it");
    assert_eq!(place("8*P", 16.0), None, "the same everywhere");
    let many = fitted(&[1.0, 4.0]);
    let shared = many.working_set("8*N*N/P").expect("an expression");
    assert_eq!(shared.place("N", 40_000.0), None, "it depends on P");
}

#[test]
fn what_is_no_expression_is_reported() {
    let fit = fitted(&[1.0]);
    for (text, part) in [("8*M", "M was not recorded"), ("8*", ""), ("8", "no variable")] {
        match fit.working_set(text) {
            Err(error @ FitError::Axis { .. }) => {
                assert!(error.to_string().contains(part), "{error}")
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}
