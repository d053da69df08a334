//! Printed C is compiled and run: its values must equal ours, and C's for the same text.

use std::fmt::Write;
use std::process::Command;

use cll_formula::{Constants, Formula, parse};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::strategy::{self, Language};
use super::support::formula;

/// Compiles and runs a program; its output.
fn run(source: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (file, program) = (folder.path().join("formulas.c"), folder.path().join("formulas"));
    std::fs::write(&file, source).unwrap();
    // No constant folding and no contraction: the C library's functions, operation by operation.
    let compiled = Command::new("gcc")
        .args([
            "-std=c99",
            "-pedantic",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-O0",
            "-fno-builtin",
            "-ffp-contract=off",
        ])
        .arg("-o")
        .args([&program, &file])
        .arg("-lm")
        .output()
        .expect("gcc");
    assert!(compiled.status.success(), "{}\n{source}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// Values that bring out differences: whole, fractional, negative, zero.
const POINTS: [f64; 6] = [1.0, 7.0, 0.37, -2.5, 0.0, 123456.75];

fn at(formula: &Formula, point: usize) -> Vec<f64> {
    (0..formula.variables().len())
        .map(|place| POINTS[(point + 5 * place) % POINTS.len()] + place as f64)
        .collect()
}

fn list(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ")
}

/// Whether two values are equal, NaN included; up to the last bits, since Rust's `cbrt` is not the
/// C library's.
fn check(ours: f64, c: &str, what: &str) {
    let c: f64 = c.trim().trim_start_matches('-').replace("nan", "NaN").parse::<f64>().map_or(
        f64::NAN,
        |magnitude| {
            if c.trim().starts_with('-') { -magnitude } else { magnitude }
        },
    );
    let near = (ours - c).abs() <= 1e-15 * ours.abs();
    assert!(
        ours == c || near || (ours.is_nan() && c.is_nan()),
        "{what}: {ours:?} here, {c:?} in C"
    );
}

/// Checks every formula at every point, with constants as parameters and filled in.
fn compare(formulas: &[Formula]) {
    let mut source = String::from("#include <stdio.h>\n");
    let mut calls = String::new();
    let mut expected = Vec::new();
    for (place, formula) in formulas.iter().enumerate() {
        let constants: Vec<f64> =
            (0..formula.terms().len()).map(|term| 1.75 - 1.25 * term as f64).collect();
        let _ = write!(source, "{}", formula.to_c(&format!("named{place}"), Constants::Names));
        let _ = write!(
            source,
            "{}",
            formula.to_c(&format!("filled{place}"), Constants::Values(&constants))
        );
        for point in 0..POINTS.len() {
            let values = at(formula, point);
            let all: Vec<f64> = constants.iter().chain(&values).copied().collect();
            let _ = writeln!(
                calls,
                "    printf(\"%.17g\\n%.17g\\n\", named{place}({}), filled{place}({}));",
                list(&all),
                list(&values)
            );
            expected.push((formula.text().to_owned(), formula.evaluate(&values, &constants)));
        }
    }
    let _ = write!(source, "int main(void)\n{{\n{calls}    return 0;\n}}\n");
    let output = run(&source);
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 2 * expected.len());
    for ((text, ours), pair) in expected.iter().zip(lines.chunks(2)) {
        check(*ours, pair[0], text);
        check(*ours, pair[1], text);
    }
}

#[test]
fn printed_c_has_our_values() {
    let chosen = [
        "f[0] + f[1]*N + f[2]*N*log(N)",
        "f[0]*(N/P)*log(N/P) - f[1]*N*(P - 1)/P",
        "f[0]*factorial(N) + f[1]*2^N",
        "f[0]*(N % M) + f[1]*floor(N)*ceil(M)",
        "f[0]*a->n*m.rows + f[1]*len[i+1]*sizeof(struct x) + f[2]",
        // Names used by C, <math.h>, compilers or the function itself.
        "f[0]*class*linux*unix + f[1]*M_PI*log*log(log) + f[2]*_x*__y",
        "f[0]*fmin*min(fmin, N) + f[1]*a_n*a->n + f[2]*f_0*named5*named5_factorial",
        "f[0]*a.b*a_b*a->b + f[1]*exp + f[2]*pow*N^pow + f[3]*isnan*HUGE*true*NULL",
        "f[0]*-(-N) + f[1]*(N - (M - P)) + f[2]*(N/(M/P)) + f[3]*-N^2^-M",
        "f[0]*cbrt(N)",
        "f[0]*(1e-300 + N) + f[1]*(1e22 + M)",
    ];
    let mut formulas: Vec<Formula> = chosen.iter().map(|text| formula(text)).collect();
    let mut runner = TestRunner::deterministic();
    while formulas.len() < 150 {
        let text = strategy::formula().new_tree(&mut runner).unwrap().current();
        if !text.contains("cbrt") {
            formulas.extend(parse("f", &text).formula);
        }
    }
    compare(&formulas);
}

#[test]
fn a_text_means_what_it_means_in_c() {
    let mut runner = TestRunner::deterministic();
    let mut calls = String::new();
    let mut expected = Vec::new();
    while expected.len() < 250 * POINTS.len() {
        let text = strategy::expression(Language::C).new_tree(&mut runner).unwrap().current();
        // min keeps numeric factors in place.
        let Some(formula) = parse("f", &format!("f[0]*fmin({text}, 1e300)")).formula else {
            continue;
        };
        if formula.variables().is_empty() {
            continue;
        }
        for point in 0..POINTS.len() {
            let values = at(&formula, point);
            let named: Vec<String> = formula
                .variables()
                .iter()
                .zip(&values)
                .map(|(v, value)| format!("{} = {value:?};", v.name))
                .collect();
            let _ = writeln!(
                calls,
                "    {} printf(\"%.17g\\n\", fmin({text}, 1e300));",
                named.join(" ")
            );
            expected.push((text.clone(), formula.evaluate(&values, &[1.0])));
        }
    }
    let output = run(&format!(
        "#include <math.h>\n#include <stdio.h>\nstatic volatile double N, M, P;\nint main(void)\n{{\n{calls}    return 0;\n}}\n"
    ));
    assert_eq!(output.lines().count(), expected.len());
    for ((text, ours), line) in expected.iter().zip(output.lines()) {
        check(*ours, line, text);
    }
}

#[test]
fn the_c_of_a_formula() {
    let formula = formula("f[0] + f[2]*a->n*log(P)/2 + f[1]*factorial(n)");
    expect_test::expect![[r#"
        #include <math.h>

        static double time_factorial(double n)
        {
            double product = 1, i;

            if (!(n >= 0 && n == floor(n)))
                return NAN;
            if (n > 170)
                return INFINITY;
            for (i = 1; i <= n; i++)
                product *= i;
            return product;
        }

        /* f: f[0] + f[2]*a->n*log(P) + f[1]*factorial(n)
           f_0: f[0]
           f_2: f[2]
           f_1: f[1]
           a_n: a->n
        */
        double time(double f_0, double f_2, double f_1, double a_n, double P, double n)
        {
            return f_0
                 + f_2*(a_n*log(P))
                 + f_1*time_factorial(n);
        }
    "#]]
    .assert_eq(&formula.to_c("time", Constants::Names));
    expect_test::expect![[r#"
        #include <math.h>

        static double v_2_fast_factorial(double n)
        {
            double product = 1, i;

            if (!(n >= 0 && n == floor(n)))
                return NAN;
            if (n > 170)
                return INFINITY;
            for (i = 1; i <= n; i++)
                product *= i;
            return product;
        }

        /* f: f[0] + f[2]*a->n*log(P) + f[1]*factorial(n)
           a_n: a->n
        */
        double v_2_fast(double a_n, double P, double n)
        {
            return 1e-9
                 + (-2.5)*(a_n*log(P))
                 + 0.0*v_2_fast_factorial(n);
        }
    "#]]
    .assert_eq(&formula.to_c("2 fast", Constants::Values(&[1e-9, -2.5, 0.0])));
}
