//! A variable that was recorded and that the formula has not: that the time does not depend on it is known only where it
//! was measured.

use crate::reading::formula;
use cll_fit::{Data, Domain, Options, Warning, fit};

fn data() -> Data {
    let rows = (1..=6).flat_map(|n| [1.0, 2.0, 4.0].map(|p| (f64::from(100 * n), p)));
    let row =
        |(k, (n, p)): (usize, (f64, f64))| (vec![n, p], 1e-6 * n + 1e-8 * ((7 * k) % 5) as f64);
    Data::from_rows(vec!["N".into(), "P".into()], rows.enumerate().map(row))
}

fn point(n: f64, p: f64) -> Vec<(String, f64)> {
    vec![("N".into(), n), ("P".into(), p)]
}

#[test]
fn beyond_its_values_a_prediction_is_outside_the_data() {
    let fitted = fit(&formula("c[0]*N"), &data(), &Options::default()).expect("18 points");
    assert_eq!(fitted.variables, ["N"]);
    let inside = fitted.complete(&point(300.0, 2.0)).predict(&fitted).expect("a value");
    assert!(matches!(inside.domain, Domain::Inside { .. }), "{:?}", inside.domain);
    let beyond = fitted.complete(&point(300.0, 64.0)).predict(&fitted).expect("a value");
    let expected =
        Domain::Beyond { variable: "P".into(), value: 64.0, nearest: 4.0, factor: Some(16.0) };
    assert_eq!(beyond.domain, expected);
    assert_eq!(beyond.value, inside.value);
    assert!(beyond.warnings.iter().any(|one| matches!(one, Warning::Beyond { .. })));
    // What the formula depends on is named first.
    let both = fitted.complete(&point(6000.0, 64.0)).predict(&fitted).expect("a value");
    assert!(matches!(&both.domain, Domain::Beyond { variable, .. } if variable == "N"));
    // A name that was not recorded says nothing.
    let other = fitted.complete(&[("N".into(), 300.0), ("Q".into(), 64.0)]);
    assert!(matches!(other.predict(&fitted).expect("a value").domain, Domain::Inside { .. }));
}

#[test]
fn a_constant_holds_where_it_was_measured() {
    let rows = (1..=6).map(|n| (vec![f64::from(100 * n)], 1.0 + 0.001 * f64::from(n % 3)));
    let data = Data::from_rows(vec!["n".into()], rows);
    let fitted = fit(&formula("c[0]"), &data, &Options::default()).expect("6 points");
    let predicted = |n: f64| fitted.complete(&[("n".into(), n)]).predict(&fitted).expect("a value");
    assert!(matches!(predicted(450.0).domain, Domain::Inside { .. }));
    assert!(predicted(4000.0).domain.is_extrapolation());
    assert!(predicted(10.0).domain.is_extrapolation());
}
