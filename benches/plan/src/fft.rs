//! The formula of figure 4 of the 2003 paper: 9 runs of 48 points.

use anyhow::Result;
use cll_plan::{
    Belief, Candidate, Noise, Problem, Subject, best_cross, combinations, plan, variance,
};

fn row(point: &[f64]) -> Vec<f64> {
    let (n, p) = (point[0], point[1]);
    vec![1.0, p.ln(), n / p * (n / p).ln(), n * (p - 1.0) / p]
}

fn value(point: &[f64]) -> f64 {
    let constants = [1e-4, 5e-5, 2e-9, 4e-9];
    row(point).iter().zip(constants).map(|(x, c)| x * c).sum()
}

/// Prints the standard deviation of the prediction for plans of 9 and for all points.
pub fn print() -> Result<()> {
    let powers = |from: i32, to: i32| (from..=to).map(|k| 2f64.powi(k)).collect::<Vec<f64>>();
    let points = combinations(&[powers(10, 17), powers(0, 5)]);
    println!(
        "the FFT's formula, N = 2^10 … 2^17, P = 1 … 32; standard deviation of the prediction at P = 32"
    );
    for (kind, noise, unit) in [
        ("per unit of absolute noise", Noise::absolute(1e-6), Some(1e-6)),
        ("per unit of relative noise", Noise::relative(0.05), None),
    ] {
        for k in [17, 21] {
            let target = [2f64.powi(k), 32.0];
            let belief = Belief {
                weight: 1.0,
                rows: points.iter().map(|point| row(point)).collect(),
                values: points.iter().map(|point| value(point)).collect(),
                measured: Vec::new(),
                targets: vec![(row(&target), value(&target))],
            };
            let candidate = |point: &Vec<f64>| Candidate { values: point.clone(), cost: 1.0 };
            let problem = Problem {
                variables: vec!["N".into(), "P".into()],
                candidates: points.iter().map(candidate).collect(),
                subjects: vec![Subject {
                    beliefs: vec![belief],
                    measured: Vec::new(),
                    noise,
                    gaps: vec![],
                }],
                runs: 1,
                most: 48,
                fill: 0.0,
            };
            let scale = unit.map_or(1.0 / 0.05, |unit| value(&target) / unit);
            let deviation_of = |chosen: &[usize]| variance(&problem, chosen).sqrt() * scale;
            let design = plan(&problem, 9.0)?;
            let again = |choice: &cll_plan::Chosen| vec![choice.candidate; choice.runs as usize];
            let chosen: Vec<usize> = design.chosen.iter().flat_map(again).collect();
            let all: Vec<usize> = (0..points.len()).collect();
            println!(
                "  N = 2^{k}, {kind}: all 48 {:.3}, planned 9 {:.3}, best cross of 9 {:.3}, of 13 {:.3}",
                deviation_of(&all),
                deviation_of(&chosen),
                deviation_of(&best_cross(&problem, 9.0)),
                deviation_of(&best_cross(&problem, 13.0))
            );
        }
    }
    Ok(())
}
