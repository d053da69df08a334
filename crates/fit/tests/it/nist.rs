//! NIST Statistical Reference Datasets, linear regression: the certified digits that double
//! precision allows. The certified values in the fixtures were checked in exact rational
//! arithmetic.

use crate::reading::{Table, formula, value};
use cll_fit::{Aggregate, Intervals, Options, Weights, fit};

/// Fits a data set and requires this many digits of the constants and of their standard errors.
fn check(name: &str, text: &str, variables: &[&str], digits: f64, error_digits: f64) {
    let table = Table::read(&format!("nist/{name}.csv"));
    let options = Options {
        weights: Weights::Absolute,
        aggregate: Aggregate::All,
        intervals: Intervals::None,
        ..Options::default()
    };
    let fit = fit(&formula(text), &table.data(variables, "y"), &options).expect(name);
    assert!(fit.undetermined.is_empty(), "{name}: {:?}", fit.undetermined);
    let certified = table.comments.iter().filter_map(|c| c.trim().strip_prefix("certified "));
    let mut constants = 0;
    for (k, line) in certified.enumerate() {
        let (b, sd) = line.split_once(' ').expect(line);
        let (b, sd): (f64, f64) = (b.parse().expect(b), sd.parse().expect(sd));
        let got = value(&fit, k);
        let agree = -((got - b) / b).abs().max(1e-15).log10();
        assert!(agree >= digits, "{name}: B{k} is {got}, certified {b}: {agree:.1} digits");
        let error = fit.constants[k].segments[0].estimate.standard_error.expect("a spread");
        if sd == 0.0 {
            assert!(error < 1e-6 * b.abs(), "{name}: s(B{k}) is {error}, certified 0");
        } else {
            let agree = -((error - sd) / sd).abs().max(1e-15).log10();
            assert!(agree >= error_digits, "{name}: s(B{k}) {error}, certified {sd}: {agree:.1}");
        }
        constants += 1;
    }
    assert_eq!(constants, fit.constants.len());
    let residual = table.comments.iter().find_map(|c| c.trim().strip_prefix("residual_sd "));
    let residual: f64 = residual.expect("in the fixture").parse().expect("a number");
    let sigma = fit.quality.sigma.expect("degrees of freedom");
    if residual > 0.0 {
        let agree = -((sigma - residual) / residual).abs().max(1e-15).log10();
        assert!(agree >= error_digits, "{name}: s is {sigma}, certified {residual}: {agree:.1}");
    }
}

const WAMPLER: &str = "B[0] + B[1]*x + B[2]*x^2 + B[3]*x^3 + B[4]*x^4 + B[5]*x^5";

#[test]
fn wampler_polynomials_of_degree_five() {
    check("wampler1", WAMPLER, &["x"], 8.5, 0.0);
    check("wampler2", WAMPLER, &["x"], 11.5, 0.0);
    check("wampler3", WAMPLER, &["x"], 8.5, 12.0);
    check("wampler4", WAMPLER, &["x"], 7.5, 12.0);
    check("wampler5", WAMPLER, &["x"], 5.5, 12.0);
}

#[test]
fn longley() {
    let text = "B[0] + B[1]*x1 + B[2]*x2 + B[3]*x3 + B[4]*x4 + B[5]*x5 + B[6]*x6";
    check("longley", text, &["x1", "x2", "x3", "x4", "x5", "x6"], 10.5, 10.5);
}

#[test]
fn filip_a_polynomial_of_degree_ten() {
    let text = "B[0] + B[1]*x + B[2]*x^2 + B[3]*x^3 + B[4]*x^4 + B[5]*x^5 + B[6]*x^6 + B[7]*x^7 \
                + B[8]*x^8 + B[9]*x^9 + B[10]*x^10";
    check("filip", text, &["x"], 7.0, 7.0);
}

#[test]
fn pontius_with_every_size_measured_twice() {
    check("pontius", "B[0] + B[1]*x + B[2]*x^2", &["x"], 11.5, 11.5);
}

#[test]
fn noint1_a_line_through_the_origin() {
    check("noint1", "B[0]*x", &["x"], 14.0, 13.5);
}
