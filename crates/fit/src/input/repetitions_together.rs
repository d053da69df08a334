//! Repetitions that are high or low together: signs that the data are of several runs, if they do not say so.

use super::run_factors::Factors;
use crate::numerics::f_tail;
use crate::result::BetweenRuns;
use crate::{Aggregate, Point};

/// With fewer repetitions at a point no such pattern is seen.
const MIN_REPETITIONS: usize = 3;
/// With more they are of few runs at most.
const MOST_REPETITIONS: usize = 100;
/// With fewer points chance may do it.
const MIN_POINTS: usize = 4;
/// Significance level: these tests are made for every table.
const LEVEL: f64 = 1e-3;
/// Significance level of the confirmation without the first repetitions, which may be slower by themselves (warm-up).
const LATER_LEVEL: f64 = 1e-3;
/// Runs that differ by less do not matter.
const NEGLIGIBLE: f64 = 0.005;
/// If the repetitions of this share of the points ascend or descend, they were sorted, or drift at each point.
const SORTED: f64 = 0.5;

/// How much the k-th repetitions of all points are high or low together; `None` if they are not, or the runs are known.
pub(crate) fn together(points: &[Point]) -> Option<BetweenRuns> {
    let usual = MIN_REPETITIONS..=MOST_REPETITIONS;
    let is_unusual = |point: &Point| !usual.contains(&point.observations.len());
    if points.len() < MIN_POINTS
        || points.iter().any(|point| !point.runs.is_empty() || is_unusual(point))
    {
        return None;
    }
    let ordered = |point: &&Point| {
        let times = &point.observations;
        times.is_sorted() || times.is_sorted_by(|a, b| a >= b)
    };
    let sorted = points.iter().filter(ordered).count() as f64;
    if sorted > SORTED * points.len() as f64 {
        return None;
    }
    let all = Factors::of_repetitions(points, 0)?;
    let differ = |factors: &Factors, level: f64| {
        let (f, above, below) = factors.test();
        f_tail(f, above, below).is_some_and(|p| p < level)
    };
    let later = Factors::of_repetitions(points, 1).unwrap_or(all.clone());
    let runs = all.between(Aggregate::Median);
    (differ(&all, LEVEL) && differ(&later, LATER_LEVEL) && runs.deviation > NEGLIGIBLE)
        .then_some(runs)
}
