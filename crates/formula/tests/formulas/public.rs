//! The functions of a formula.

use cll_formula::{Constants, Formula, Function, parse};

use super::support::formula;

#[test]
fn rows_and_values() {
    let formula = formula("f[0] + f[1]*N*log(N) + f[2]*(N/P)");
    assert_eq!(formula.variables().iter().map(|v| v.name.as_str()).collect::<Vec<_>>(), ["N", "P"]);
    let mut row = [0.0; 3];
    formula.terms_at(&[8.0, 3.0], &mut row);
    assert_eq!(row, [1.0, 8.0 * 8.0_f64.ln(), 8.0 / 3.0]);
    assert_eq!(formula.evaluate(&[8.0, 4.0], &[0.5, 0.0, 3.0]), 6.5);
    assert_eq!(formula.terms()[1].constant_name(), "f[1]");
    assert_eq!(formula.terms()[1].expression_text(), "N*log(N)");
    assert_eq!(formula.terms()[0].expression_text(), "1");
}

#[test]
fn functions_have_the_values_of_c() {
    let value_at = |text: &str, n: f64| {
        let mut row = [0.0];
        formula(&format!("f[0]*({text})^1")).terms_at(&[n], &mut row);
        row[0]
    };
    for (text, n, value) in [
        ("log(N)", std::f64::consts::E, 1.0),
        ("log2(N)", 1024.0, 10.0),
        ("log10(N)", 1000.0, 3.0),
        ("exp(N)", 0.0, 1.0),
        ("sqrt(N)", 2.25, 1.5),
        ("cbrt(N)", -27.0, -3.0),
        ("abs(N)", -2.5, 2.5),
        ("min(N, 3)", 4.0, 3.0),
        ("max(N, 3)", 4.0, 4.0),
        ("floor(N)", -1.5, -2.0),
        ("ceil(N)", -1.5, -1.0),
        ("factorial(N)", 0.0, 1.0),
        ("factorial(N)", 5.0, 120.0),
        ("factorial(N)", 20.0, 2432902008176640000.0),
        ("pow(N, 3)", 2.0, 8.0),
        ("N^0.5", 9.0, 3.0),
        ("N%3", 7.5, 1.5),
        ("N%3", -7.0, -1.0),
        ("N/4", 1.0, 0.25),
        ("N - 1 - 2", 10.0, 7.0),
        ("8/N/2", 2.0, 2.0),
        ("2^N^2", 3.0, 512.0),
        ("-N^2", 3.0, -9.0),
    ] {
        assert_eq!(value_at(text, n), value, "{text} at {n}");
    }
    assert_eq!(value_at("log(N)", 0.0), f64::NEG_INFINITY);
    assert!(value_at("log(N)", -1.0).is_nan());
    assert!(value_at("sqrt(N)", -1.0).is_nan());
    assert!(value_at("factorial(N)", -1.0).is_nan());
    assert!(value_at("factorial(N)", 2.5).is_nan());
    assert!(value_at("factorial(N)", 170.0).is_finite());
    assert_eq!(value_at("factorial(N)", 171.0), f64::INFINITY);
    assert_eq!(value_at("1/N", 0.0), f64::INFINITY);
    assert!(value_at("N%0", 3.0).is_nan());
}

#[test]
fn every_function_has_its_name_and_number_of_arguments() {
    use Function::*;
    for function in [Log, Log2, Log10, Exp, Sqrt, Cbrt, Abs, Min, Max, Floor, Ceil, Factorial] {
        let arguments = ["N", "M"][..function.arity()].join(", ");
        let text = format!("f[0]*{}({arguments})", function.name());
        assert_eq!(formula(&text).text(), text);
    }
}

#[test]
fn constants_are_filled_in() {
    let formula = formula("f[0] + f[1]*N - f[3]*log(N)/P");
    let values = [1.5e-3, -2.0, 123456.789];
    assert_eq!(formula.to_text(Constants::Values(&values)), "0.0015 - 2*N + 123456.789*log(N)/P");
    assert_eq!(formula.to_text(Constants::Rounded(&values, 3)), "0.0015 - 2*N + 123000*log(N)/P");
    assert_eq!(
        formula.to_text(Constants::Rounded(&[-1.23456e-9, 0.0, 9.9999e20], 3)),
        "-1.23e-9 + 0*N + 1e21*log(N)/P"
    );
    assert_eq!(
        formula.to_text(Constants::Values(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY])),
        "NaN + inf*N - inf*log(N)/P"
    );
}

#[test]
fn json_holds_experiment_and_text() {
    let formula = formula("2*f[0]*N + f[1]");
    let json = serde_json::to_string(&formula).unwrap();
    assert_eq!(json, r#"{"experiment":"f","text":"f[0]*N + f[1]"}"#);
    assert_eq!(serde_json::from_str::<Formula>(&json).unwrap(), formula);
    let error =
        serde_json::from_str::<Formula>(r#"{"experiment":"f","text":"f[0]*f[1]"}"#).unwrap_err();
    assert!(
        error.to_string().contains("error[F022]: the term `f[0]*f[1]` has 2 constants"),
        "{error}"
    );
}

#[test]
fn formulas_of_two_places_are_compared() {
    let text = |text: &str| formula(text).text().to_owned();
    assert_eq!(text("f[0]+f[1] * N*log( N )"), text("f[0] + N*f[1]*log(N)"));
    assert_ne!(text("f[0] + f[1]*N"), text("f[1] + f[0]*N"));
}

#[test]
fn spans_are_offsets_in_the_text() {
    let text = "f[0] /* ü */ + \\\n foo(N)";
    let parsed = parse("f", text);
    assert_eq!(&text[parsed.diagnostics[0].primary.span.clone()], "foo");
}
