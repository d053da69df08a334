//! Subjects from fits: noise, gaps, rival formulas.

use cll_fit::{Data, Fit, Options, fit};
use cll_plan::{
    Candidate, NoiseKind, Problem, Reason, Rival, Subject, noise_of, plan, subject, variance,
};
use fastrand::Rng;

fn parsed(text: &str) -> cll_formula::Formula {
    cll_formula::parse("f", text).formula.unwrap()
}

fn fitted(text: &str, sizes: &[f64], runs: usize, truth: impl Fn(f64, f64) -> f64) -> Fit {
    let mut random = Rng::with_seed(11);
    let mut rows = Vec::new();
    for &n in sizes {
        for _ in 0..runs {
            rows.push((vec![n], truth(n, cll_statistics::normal(|| random.f64()))));
        }
    }
    fit(&parsed(text), &Data::from_rows(vec!["N".into()], rows), &Options::default()).unwrap()
}

fn doubling(from: i32, to: i32) -> Vec<f64> {
    (from..=to).map(|k| 2f64.powi(k)).collect()
}

fn problem(subject: Subject, sizes: &[f64]) -> Problem {
    let cost = |n: f64| Candidate { values: vec![n], cost: 1e-3 * n };
    Problem {
        variables: vec!["N".into()],
        candidates: sizes.iter().map(|&n| cost(n)).collect(),
        subjects: vec![subject],
        runs: 5,
        most: 20,
        fill: 0.0,
    }
}

fn subject_of(fit: &Fit, rivals: &[Rival<'_>], sizes: &[f64], target: f64) -> Subject {
    let points: Vec<Vec<f64>> = sizes.iter().map(|&n| vec![n]).collect();
    subject(fit, rivals, &["N".into()], &points, &[vec![target]]).unwrap()
}

#[test]
fn the_noise_is_that_of_the_repetitions() {
    let sizes = doubling(4, 16);
    let relative = fitted("f[0] + f[1]*N", &sizes, 5, |n, e| (1.0 + 0.01 * n) * (1.0 + 0.05 * e));
    let noise = noise_of(&relative);
    assert_eq!(noise.kind(), NoiseKind::Relative);
    assert!((noise.relative / 0.05 - 1.0).abs() < 0.4, "{noise:?}");
    let absolute = fitted("f[0] + f[1]*N", &sizes, 5, |n, e| 1.0 + 0.01 * n + 0.02 * e);
    assert_eq!(noise_of(&absolute).kind(), NoiseKind::Absolute);
    let alone = fitted("f[0] + f[1]*N", &sizes, 1, |n, e| (1.0 + 0.01 * n) * (1.0 + 0.05 * e));
    let noise = noise_of(&alone);
    assert!(noise.relative > 0.02 && noise.relative < 0.1, "by the residuals: {noise:?}");
}

#[test]
fn a_gap_is_bisected() {
    let sizes = [64.0, 128.0, 256.0, 512.0, 1024.0, 8192.0, 16384.0, 32768.0, 65536.0, 131_072.0];
    let step = |n: f64, e: f64| n * if n > 3000.0 { 3e-9 } else { 1e-9 } * (1.0 + 0.01 * e);
    let fit = fitted("f[0]*N", &sizes, 5, step);
    assert_eq!(fit.places().len(), 1);
    let candidates = doubling(6, 17);
    let problem = problem(subject_of(&fit, &[], &candidates, 1e6), &candidates);
    let design = plan(&problem, 1e4).unwrap();
    let option =
        design.chosen.iter().find(|choice| matches!(choice.reason, Reason::Bisects { .. }));
    let size = problem.candidates[option.unwrap().candidate].values[0];
    assert!(size == 2048.0 || size == 4096.0, "{size}");
    // Only what lies right of the boundary tells of the constant there.
    let narrows = design.chosen.iter().filter(|choice| choice.reason == Reason::Narrows);
    let sizes: Vec<f64> =
        narrows.map(|choice| problem.candidates[choice.candidate].values[0]).collect();
    assert!(!sizes.is_empty() && sizes.iter().all(|n| *n >= 2048.0), "{sizes:?}");
}

#[test]
fn points_that_distinguish_formulas_are_chosen() {
    let sizes = doubling(4, 7);
    let fit =
        fitted("f[0] + f[1]*N*log2(N)", &sizes, 5, |n, e| (50.0 + n * n.log2()) * (1.0 + 0.02 * e));
    let other = parsed("f[0] + f[1]*N^1.5");
    // By least squares on the same sizes both are alike.
    let rival = Rival { weight: 0.4, formula: &other, constants: &[75.0, 0.58] };
    let candidates = doubling(4, 14);
    let problem = problem(subject_of(&fit, &[rival], &candidates, 1e6), &candidates);
    let design = plan(&problem, 100.0).unwrap();
    let distinguishing: Vec<f64> = design
        .chosen
        .iter()
        .filter(|choice| choice.reason == Reason::Distinguishes)
        .map(|choice| problem.candidates[choice.candidate].values[0])
        .collect();
    assert!(distinguishing.iter().any(|n| *n > 128.0), "{design:?}");
    let chosen: Vec<usize> = design.chosen.iter().map(|choice| choice.candidate).collect();
    assert!(variance(&problem, &chosen) < 0.1 * variance(&problem, &[]));
}

#[test]
fn what_a_formula_needs_must_be_there() {
    let fit = fitted("f[0] + f[1]*N", &doubling(4, 9), 5, |n, e| n * (1.0 + 0.01 * e));
    assert!(subject(&fit, &[], &["M".into()], &[vec![1.0]], &[]).is_none());
    let log = parsed("f[0] + f[1]*log2(N)");
    let rival = Rival { weight: 0.5, formula: &log, constants: &[1.0, 1.0] };
    let names = ["N".to_owned()];
    assert!(subject(&fit, &[rival], &names, &[vec![0.0]], &[]).is_none(), "log of 0");
    // Without targets the constants are made certain.
    let points: Vec<Vec<f64>> = doubling(4, 12).into_iter().map(|n| vec![n]).collect();
    let subject = subject(&fit, &[], &names, &points, &[]).unwrap();
    let design = plan(&problem(subject, &doubling(4, 12)), 40.0).unwrap();
    assert!(design.forecasts.is_empty() && !design.chosen.is_empty());
}

#[test]
fn some_points_check_the_formula() {
    let fit = fitted("f[0] + f[1]*N", &doubling(4, 7), 5, |n, e| (9.0 + n) * (1.0 + 0.01 * e));
    let candidates = doubling(4, 14);
    let problem = Problem {
        fill: 0.3,
        most: 4,
        ..problem(subject_of(&fit, &[], &candidates, 1e6), &candidates)
    };
    let design = plan(&problem, 60.0).unwrap();
    let checks = design.chosen.iter().filter(|choice| choice.reason == Reason::Checks);
    let checks: Vec<f64> =
        checks.map(|choice| problem.candidates[choice.candidate].values[0]).collect();
    assert!(!checks.is_empty() && checks.iter().all(|n| *n > 128.0), "{design:?}");
    assert!(design.cost <= 60.0 * (1.0 + 1e-9));
}

/// A line through falling times is negative beyond them: a run costs no less than the shortest measured time.
#[test]
fn a_run_costs_no_less_than_was_measured() {
    let rows = (4..14).map(|k| (vec![f64::from(1 << k)], 1.0 / f64::from(1 << k)));
    let data = cll_fit::Data::from_rows(vec!["N".to_owned()], rows);
    let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.expect("a formula");
    let fit = cll_fit::fit(&formula, &data, &cll_fit::Options::default()).expect("a fit");
    let cost = cll_plan::RunCost::new(&[&fit], &[], false);
    assert_eq!(cost.least, 1.0 / 8192.0);
    assert_eq!(cost.run_cost(&[Some(-5.0)], 1.0), Some(1.0 / 8192.0));
}
