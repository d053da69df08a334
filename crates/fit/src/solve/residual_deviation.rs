//! The residual standard deviation, over all intervals and in each.

use super::ordered_points::OrderedPoints;
use super::solution::Solved;
use crate::input::Samples;
use crate::{Aggregate, Weights};

/// A standard deviation in weighted units with its degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sigma {
    pub(crate) value: f64,
    pub(crate) dof: f64,
}

/// Degrees of freedom of the prior that shrinks an interval's variance to that of all intervals.
const PRIOR: f64 = 4.0;

/// Over all intervals: from the residuals, or from the repetitions if no degree of freedom is left.
pub(crate) fn pooled(solved: &Solved, samples: &Samples) -> Option<Sigma> {
    let dof = solved.rows.len() as f64 - (solved.free + solved.places) as f64;
    if dof >= 1.0 {
        let squares = samples.inflation * solved.rss;
        return Some(Sigma { value: (squares / dof).sqrt(), dof });
    }
    let pure = pure_error(samples);
    let repetitions = samples.repetitions.observations as f64 / samples.points.len() as f64;
    // Variance of the aggregate of r normal observations, times r.
    let efficiency = match samples.aggregate {
        Aggregate::All => repetitions,
        Aggregate::Median if repetitions > 2.0 => std::f64::consts::FRAC_PI_2,
        _ => 1.0,
    };
    (pure.dof >= 1.0)
        .then(|| Sigma { value: pure.value * (efficiency / repetitions).sqrt(), dof: pure.dof })
}

/// In each interval: its variance shrunk to that of all intervals, with a few degrees of freedom as
/// weight. An interval may have few degrees of freedom, yet caches and memory may differ in noise
/// (moderated variance of Smyth 2004, with a fixed prior).
pub(crate) fn moderated(
    solved: &Solved,
    pooled: Option<Sigma>,
    inflation: f64,
) -> Vec<Option<Sigma>> {
    let all = solved.rows.len() as f64 - solved.free as f64;
    solved
        .intervals
        .iter()
        .map(|interval| {
            let sigma = pooled?;
            if solved.intervals.len() == 1 || all < 1.0 {
                return Some(sigma);
            }
            let prior = PRIOR.min(all);
            let dof = (prior + interval.dof.max(0.0)).min(all);
            let squares = prior * sigma.value * sigma.value + inflation * interval.rss;
            Some(Sigma { value: (squares / (prior + interval.dof.max(0.0))).sqrt(), dof })
        })
        .collect()
}

/// The pure error: standard deviation of the repetitions about their point's mean, without spikes,
/// in weighted units of one observation.
pub(crate) fn pure_error(samples: &Samples) -> Sigma {
    let (mut squares, mut dof) = (0.0, 0.0);
    for (index, point) in samples.used() {
        let weight = samples.weight(index);
        let kept = samples.repetitions.without_spikes(&point.kept, point.spread.median);
        if kept.len() < 2 {
            continue;
        }
        let mean = crate::input::aggregate(&kept, Aggregate::Mean);
        squares += kept.iter().map(|y| (weight * (y - mean)).powi(2)).sum::<f64>();
        dof += (kept.len() - 1) as f64;
    }
    Sigma { value: if dof > 0.0 { (squares / dof).sqrt() } else { 0.0 }, dof }
}

/// Converts weighted units to relative ones.
pub(crate) fn relative(ordered: &OrderedPoints, samples: &Samples, weighted: f64) -> f64 {
    match samples.weights {
        Weights::Relative => weighted,
        Weights::Absolute => {
            let squares: f64 =
                (0..ordered.len()).map(|r| ordered.row(r)[ordered.columns()].powi(2)).sum();
            let size = (squares / ordered.len() as f64).sqrt();
            if size > 0.0 { weighted / size } else { 0.0 }
        }
    }
}
