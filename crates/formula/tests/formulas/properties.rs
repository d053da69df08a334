//! Tests the properties that hold for every formula.

use cll_formula::{Constants, parse};
use proptest::prelude::*;
use proptest::test_runner::Config;

use super::strategy;

/// Values for the variables of any formula.
fn values(count: usize, seed: f64) -> Vec<f64> {
    (0..count).map(|place| seed * (place as f64 + 1.5)).collect()
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

proptest! {
    #![proptest_config(Config { cases: 1500, max_global_rejects: 100_000, ..Config::default() })]

    #[test]
    fn what_is_printed_is_read_as_the_same(text in strategy::formula(), seed in 0.1..50.0_f64) {
        let parsed = parse("f", &text);
        prop_assume!(parsed.formula.is_some());
        let formula = parsed.formula.unwrap();
        let again = parse("f", formula.text());
        let absorbed = again.diagnostics.iter().any(|d| d.code == "F040");
        prop_assert!(!absorbed, "{text}\n{}\n{:?}", formula.text(), again.diagnostics);
        prop_assert_eq!(again.formula.as_ref(), Some(&formula), "{}\n{}", text, formula.text());

        // The value with constants is that of the printed formula with the numbers filled in.
        let at = values(formula.variables().len(), seed);
        let constants = values(formula.terms().len(), 0.25);
        let value = formula.evaluate(&at, &constants);
        let filled = formula.to_text(Constants::Values(&constants));
        let sum = parse("g", &format!("g[0]*({filled} + zero)"));
        prop_assume!(sum.formula.is_some());
        let sum = sum.formula.unwrap();
        let close = |a: f64, b: f64| same(a, b) || (a - b).abs() <= 1e-9 * scale(&formula, &at, &constants);
        let zeroed: Vec<f64> = at.iter().copied().chain([0.0]).collect();
        let found = sum.evaluate(&zeroed, &[1.0]);
        prop_assert!(close(found, value), "{filled}: {found} and {value}");
    }
}

/// The largest summand: sums are compared relative to it.
fn scale(formula: &cll_formula::Formula, point: &[f64], constants: &[f64]) -> f64 {
    let mut row = vec![0.0; formula.terms().len()];
    formula.terms_at(point, &mut row);
    row.iter().zip(constants).map(|(value, constant)| (value * constant).abs()).fold(0.0, f64::max)
}
