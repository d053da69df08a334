//! Whether formulas say what was observed: by ratios, in which an underestimate counts as much as an overestimate.
//!
//! Relative differences are good weights where formulas fit: they are linear in the constants. But an underestimate
//! differs by all of the value at most, so that of formulas that do not fit a constant at the smallest values looks
//! best. Where the most probable formula is far from points all are judged again by ln of the ratios.

use crate::observed::Observed;
use crate::result::Miss;
use crate::solution::{Solution, Weighed, prior, term_values};
use crate::term::Model;
use crate::weighted::{Columns, Weighted};

/// Where the best formula differs by so much from a point, formulas are judged by ratios.
const FAR: f64 = 0.3;
/// So many of the most probable formulas are judged again.
const JUDGED: usize = 400;
/// Steps of Gauss and Newton at most.
const STEPS: usize = 30;
/// The last step changes no value by more than this share.
const CHANGE: f64 = 1e-6;

/// A point whose value is wrong by this ratio is missed...
const MISSED: f64 = 2.0;
/// ...if that is more than so many standard deviations of its repetitions...
const DEVIATIONS: f64 = 4.0;
/// ...and a formula that misses so many points, and this share of them, does not say what was observed.
const MIN_MISSED: usize = 2;
const MISSED_SHARE: f64 = 0.25;

/// The values of a solved model at the points.
fn values(columns: &Columns, model: &Model, constants: &[f64], points: usize) -> Vec<f64> {
    let mut values = vec![0.0; points];
    let mut constants = constants.iter();
    if model.constant {
        let constant = constants.next().copied().unwrap_or(0.0);
        values.fill(constant);
    }
    for (term, constant) in model.terms.iter().zip(constants) {
        let column = term_values(columns, term, points);
        values.iter_mut().zip(column).for_each(|(value, term)| *value += constant * term);
    }
    values
}

/// Judges the most probable solutions by ratios if the best one is far from points; they are sorted anew. Models that
/// cannot be solved so are left out.
pub(crate) fn by_ratios(
    observed: &Observed,
    problem: &Weighted,
    columns: &Columns,
    models: &[(f64, Model)],
    solutions: &mut Vec<Weighed>,
) {
    let Some(best) = solutions.first() else { return };
    let at_points = values(columns, &models[best.2].1, &best.0.constants, observed.len());
    let is_near = |(value, y): (&f64, &f64)| (value / y - 1.0).abs() < FAR;
    if observed.y.iter().any(|y| *y <= 0.0) || at_points.iter().zip(&observed.y).all(is_near) {
        return;
    }
    solutions.truncate(JUDGED);
    let judged = solutions.iter().filter_map(|(solution, _, index)| {
        let solution = judged(observed, problem, columns, &models[*index].1, solution)?;
        solution.evidence.is_finite().then_some((solution.evidence, solution, *index))
    });
    let mut judged: Vec<Weighed> =
        judged.map(|(evidence, solution, index)| (solution, evidence, index)).collect();
    judged.sort_by(|a, b| b.1.total_cmp(&a.1));
    if !judged.is_empty() {
        *solutions = judged;
    }
}

/// A model with the constants for which ln of its ratios to the points are smallest.
fn judged(
    observed: &Observed,
    problem: &Weighted,
    columns: &Columns,
    model: &Model,
    start: &Solution,
) -> Option<Solution> {
    let price = prior(model, columns);
    let mut at_points = values(columns, model, &start.constants, observed.len());
    for _ in 0..STEPS {
        if at_points.iter().any(|value| *value <= 0.0) {
            return None;
        }
        let own = problem.by_ratios(observed, &at_points);
        let solution = Solution::new(&own, columns, model, price)?;
        let next = values(columns, model, &solution.constants, observed.len());
        let change = next.iter().zip(&at_points).map(|(new, old)| (new / old - 1.0).abs());
        if change.fold(0.0, f64::max) < CHANGE {
            return Some(solution);
        }
        at_points = next;
    }
    None
}

/// How a formula misses its points by more than half, if it does.
pub(crate) fn miss(
    observed: &Observed,
    columns: &Columns,
    model: &Model,
    solution: &Solution,
) -> Option<Miss> {
    let at_points = values(columns, model, &solution.constants, observed.len());
    let mut miss = Miss { points: 0, values: Vec::new(), observed: 0.0, value: 0.0 };
    let mut farthest = 0.0;
    for (point, (value, y)) in at_points.iter().zip(&observed.y).enumerate() {
        let ratio = if *value > 0.0 { (y / value).ln().abs() } else { f64::INFINITY };
        let explained = DEVIATIONS * (observed.variance / observed.repetitions[point]).sqrt();
        if ratio < MISSED.ln().max(explained) {
            continue;
        }
        miss.points += 1;
        if ratio > farthest {
            farthest = ratio;
            miss.values = observed.values.iter().map(|values| values[point]).collect();
            (miss.observed, miss.value) = (*y, *value);
        }
    }
    let limit = (MISSED_SHARE * observed.len() as f64).max(MIN_MISSED as f64);
    (miss.points as f64 >= limit).then_some(miss)
}
