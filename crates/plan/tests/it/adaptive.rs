//! Rounds of measuring and planning, with synthetic measurements.

use cll_fit::{Data, Fit, Intervals, Options, fit, width};
use cll_plan::{Adaptive, Candidate, Ending, NextStep, Problem, Progress, combinations, subject};
use fastrand::Rng;

struct Made {
    ending: Ending,
    width: f64,
    error: f64,
    spent: f64,
    sizes: Vec<f64>,
}

/// Measures 1e-3 + 2e-6 N log2 N with this noise until 2^21 is known to the precision.
fn measure(seed: u64, noise: f64, precision: f64, budget: f64) -> Made {
    let mut random = Rng::with_seed(seed);
    let truth = |n: f64| 1e-3 + 2e-6 * n * n.log2();
    let formula = cll_formula::parse("f", "f[0] + f[1]*N*log2(N)").formula.unwrap();
    let options = Options { intervals: Intervals::None, ..Options::default() };
    let candidates = combinations(&[(16..=32).map(|k| 2f64.powf(f64::from(k) / 2.0)).collect()]);
    let target = 2f64.powi(21);
    let mut rows: Vec<(Vec<f64>, f64)> = Vec::new();
    let mut spent = 0.0;
    let mut run = |point: &[f64], count: u32, rows: &mut Vec<(Vec<f64>, f64)>| {
        for _ in 0..count {
            let value = truth(point[0]);
            spent += value;
            let error = cll_statistics::normal(|| random.f64());
            rows.push((point.to_vec(), value * (1.0 + noise * error)));
        }
        spent
    };
    let mut adaptive = Adaptive::new(precision, budget);
    let mut now = 0.0;
    for first in Adaptive::first(&candidates, 4) {
        now = run(&candidates[first], 5, &mut rows);
    }
    let fitted = |rows: &[(Vec<f64>, f64)]| -> Fit {
        fit(&formula, &Data::from_rows(vec!["N".into()], rows.to_vec()), &options).unwrap()
    };
    loop {
        let fit = fitted(&rows);
        let prediction = fit.predict(&[target]).unwrap();
        let points: Vec<Vec<f64>> = candidates.clone();
        let option = subject(&fit, &[], &["N".into()], &points, &[vec![target]]);
        let cost = |point: &Vec<f64>| fit.predict(point).unwrap().value.max(1e-6);
        let problem = option.map(|subject| Problem {
            variables: vec!["N".into()],
            candidates: points
                .iter()
                .map(|point| Candidate { values: point.clone(), cost: cost(point) })
                .collect(),
            subjects: vec![subject],
            runs: 5,
            most: 20,
            fill: 0.2,
        });
        let width = width(&prediction).unwrap();
        let progress = Progress { spent: now, width: Some(width) };
        match adaptive.next(progress, problem.as_ref()) {
            NextStep::Measure(chosen) => {
                assert!(!chosen.is_empty());
                for choice in chosen {
                    now = run(&candidates[choice.candidate], choice.runs, &mut rows);
                }
            }
            NextStep::End(ending) => {
                let error = (prediction.value / truth(target) - 1.0).abs();
                let sizes = fit.residuals.iter().map(|residual| residual.values[0]).collect();
                return Made { ending, width, error, spent: now, sizes };
            }
        }
    }
}

#[test]
fn it_measures_until_the_prediction_is_narrow() {
    let mut right = 0;
    for seed in 0..20 {
        let outcome = measure(seed, 0.02, 0.05, 1e3);
        assert_eq!(outcome.ending, Ending::Precise, "{} {:?}", outcome.width, outcome.sizes);
        assert!(outcome.width <= 0.05);
        // The formula is checked over the whole span, 2^8 to 2^16.
        let gaps = outcome.sizes.windows(2).map(|pair| (pair[1] / pair[0]).log2());
        assert!(gaps.fold(0.0, f64::max) <= 2.5, "{:?}", outcome.sizes);
        assert!(outcome.sizes.last().unwrap().log2() >= 14.5, "{:?}", outcome.sizes);
        right += usize::from(outcome.error <= outcome.width);
    }
    assert!(right >= 17, "{right} of 20 intervals hold the truth");
}

#[test]
fn it_spends_no_more_than_the_budget() {
    let outcome = measure(1, 0.05, 1e-4, 2.0);
    assert!(matches!(outcome.ending, Ending::Budget | Ending::Hopeless), "{:?}", outcome.ending);
    // The plan is by predicted times, which are near the true ones.
    assert!(outcome.spent <= 2.0 * 1.2, "{}", outcome.spent);
}

#[test]
fn it_ends_when_no_point_helps() {
    // The noise of a new measurement is wider than this, however well the constants are known.
    let outcome = measure(2, 0.05, 1e-4, 1e9);
    assert!(matches!(outcome.ending, Ending::Rounds | Ending::Hopeless), "{:?}", outcome.ending);
}

#[test]
fn the_first_points_are_cheap_and_spread() {
    let line = combinations(&[(8..=16).map(|k| 2f64.powi(k)).collect()]);
    let first: Vec<f64> =
        Adaptive::first(&line, 4).into_iter().map(|c| line[c][0].log2()).collect();
    assert_eq!((first.len(), first[0]), (4, 8.0));
    assert!(first.iter().all(|k| *k <= 12.0) && first.contains(&12.0), "{first:?}");
    let plane = combinations(&[vec![1.0, 2.0, 4.0, 8.0], vec![1.0, 2.0, 4.0, 8.0, 16.0]]);
    let first = Adaptive::first(&plane, 5);
    let both = |k: usize| {
        let mut all: Vec<f64> = first.iter().map(|&c| plane[c][k]).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all.len()
    };
    assert!(both(0) >= 2 && both(1) >= 2, "{first:?}");
    assert_eq!(Adaptive::first(&plane[..2], 5).len(), 2);
    assert!(Adaptive::first(&[], 5).is_empty());
}

#[test]
fn without_a_fit_it_ends() {
    let progress = Progress { spent: 0.0, width: None };
    assert_eq!(Adaptive::new(0.03, 1.0).next(progress, None), NextStep::End(Ending::Hopeless));
    let spent = Progress { spent: 2.0, width: Some(0.5) };
    assert_eq!(Adaptive::new(0.03, 1.0).next(spent, None), NextStep::End(Ending::Budget));
}
