//! The best cross: a line along each variable through one point, as plans without a model are.

use crate::criterion::{Criterion, CriterionState};
use crate::problem::Problem;

/// Bases that are tried; with more candidates they are thinned.
const MAX_BASES: usize = 400;

/// The candidates of the best cross whose cost is within the budget: through any point, whole or every second
/// point of each line, and as many of its points, cheapest first, as the budget allows. Empty if not even one point is
/// affordable.
pub fn best_cross(problem: &Problem, budget: f64) -> Vec<usize> {
    let state = best(&Criterion::new(problem), budget);
    (0..state.chosen.len()).filter(|&candidate| state.chosen[candidate] > 0).collect()
}

/// The same as a state.
pub(crate) fn best(criterion: &Criterion<'_>, budget: f64) -> CriterionState {
    let problem = criterion.problem;
    let mut best = criterion.empty();
    let step = problem.candidates.len().div_ceil(MAX_BASES).max(1);
    for base in (0..problem.candidates.len()).step_by(step) {
        for thin in [1, 2] {
            let points = affordable(problem, cross(problem, base, thin), budget);
            let state = criterion.state_of(points);
            if state.value < best.value {
                best = state;
            }
        }
    }
    best
}

/// The candidates that differ from the base in one variable at most; of each line every `thin`-th, and its last.
fn cross(problem: &Problem, base: usize, thin: usize) -> Vec<usize> {
    let through = &problem.candidates[base].values;
    let mut all = vec![base];
    for variable in 0..problem.variables.len() {
        let mut line: Vec<usize> = (0..problem.candidates.len())
            .filter(|&other| {
                let pairs = problem.candidates[other].values.iter().zip(through).enumerate();
                other != base && pairs.into_iter().all(|(k, (a, b))| k == variable || a == b)
            })
            .collect();
        line.sort_by(|&a, &b| {
            let value = |c: usize| problem.candidates[c].values[variable];
            value(a).total_cmp(&value(b))
        });
        let last = line.len().saturating_sub(1);
        let kept = line.iter().enumerate().filter(|(k, _)| (last - k).is_multiple_of(thin));
        all.extend(kept.map(|(_, candidate)| *candidate));
    }
    all
}

fn affordable(problem: &Problem, mut points: Vec<usize>, budget: f64) -> Vec<usize> {
    points.sort_by(|&a, &b| problem.cost(a).total_cmp(&problem.cost(b)));
    let mut cost = 0.0;
    points.retain(|&candidate| {
        let fits = cost + problem.cost(candidate) <= budget * (1.0 + 1e-9);
        cost += if fits { problem.cost(candidate) } else { 0.0 };
        fits
    });
    points.truncate(problem.most.max(1));
    points
}
