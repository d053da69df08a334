//! Texts are compiled as C and run: their values must equal ours.

use std::fmt::Write;
use std::process::Command;

use cll_formula::{Formula, parse};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::strategy::{self, Language};

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

fn coordinates(formula: &Formula, point: usize) -> Vec<f64> {
    (0..formula.variables().len())
        .map(|place| POINTS[(point + 5 * place) % POINTS.len()] + place as f64)
        .collect()
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
            let values = coordinates(&formula, point);
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
