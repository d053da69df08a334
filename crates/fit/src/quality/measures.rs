//! The residual of every point, and statistics of all residuals.

use super::exact::missed;
use super::residual_tests::{condition, lack_of_fit};
use super::runs_test::runs;
use crate::input::Samples;
use crate::intervals::{Fitted, criterion};
use crate::levels::LevelParts;
use crate::prediction::run_deviation;
use crate::solve::{Division, OrderedPoints, Segments, Solved, Table, relative};
use crate::{LackOfFit, OneInterval, Quality, Residual};
use cll_statistics::quantile;

pub(crate) fn residuals(
    samples: &Samples,
    fitted: &Fitted,
    interval_of: &dyn Fn(&[f64]) -> usize,
    tables: &[Table],
) -> Vec<Residual> {
    let mut residuals: Vec<Residual> = samples
        .points
        .iter()
        .map(|point| {
            let axis = fitted.axis.map(|a| a.axis.value(&point.values));
            let interval = interval_of(&point.values);
            let table = &tables[interval];
            let fitted: f64 = point.terms.iter().zip(&table.constants).map(|(x, c)| x * c).sum();
            let error = (point.aggregate - fitted) / point.aggregate;
            let error = if error.is_finite() { error } else { 0.0 };
            Residual {
                values: point.values.clone(),
                axis: axis.filter(|a| a.is_finite()),
                interval,
                measured: point.aggregate,
                fitted,
                error,
                spread: point.spread,
                excluded: point.excluded,
                weight: (point.robust < 1.0).then_some(point.robust),
            }
        })
        .collect();
    residuals.sort_by(|a, b| {
        let (x, y) = (a.axis.unwrap_or(0.0), b.axis.unwrap_or(0.0));
        // Without an axis they are in the order of the regions.
        let by_region = fitted.axis.is_none().then(|| a.interval.cmp(&b.interval));
        by_region
            .unwrap_or_else(|| x.total_cmp(&y))
            .then_with(|| a.values.partial_cmp(&b.values).unwrap_or(std::cmp::Ordering::Equal))
    });
    residuals
}

pub(crate) fn quality(
    samples: &Samples,
    fitted: &Fitted,
    residuals: &[Residual],
    (sigma, lack_of_fit): (Option<f64>, Option<LackOfFit>),
    confidence: f64,
    parts: Option<&LevelParts>,
) -> Quality {
    let Fitted { ordered, solved, .. } = fitted;
    let division = &fitted.chosen.division;
    let used = residuals.iter().filter(|r| r.excluded.is_none());
    let points = used.clone().count();
    let mut errors: Vec<f64> = used.filter(|r| r.measured != 0.0).map(|r| r.error.abs()).collect();
    if errors.is_empty() {
        errors.push(0.0);
    }
    errors.sort_unstable_by(f64::total_cmp);
    let count = errors.len() as f64;
    let repetitions = &samples.repetitions;
    let changing = parts.filter(|parts| parts.levels.is_changing());
    let left_out = |parts: &LevelParts| parts.levels.left_out;
    Quality {
        points,
        observations: repetitions.observations,
        repetitions: (repetitions.fewest, repetitions.most),
        parameters: solved.free,
        median_error: quantile(&errors, 0.5),
        p90_error: quantile(&errors, 0.9),
        largest_error: errors[errors.len() - 1],
        rmse_relative: (errors.iter().map(|e| e * e).sum::<f64>() / count).sqrt(),
        sigma,
        r2_adjusted: r2_adjusted(samples, ordered, solved),
        lack_of_fit,
        runs: (repetitions.most < 2).then(|| runs(samples, ordered, division, solved)).flatten(),
        one_interval: match changing {
            Some(parts) => {
                Some(one_interval(parts.plain.0, parts.plain.1, Some(left_out(parts).1)))
            }
            None => (!division.breaks.is_empty())
                .then(|| one_interval(samples, fitted, fitted.left_out.map(|l| l.undivided))),
        },
        left_out: match changing {
            Some(parts) => Some(left_out(parts).0),
            None => fitted.left_out.map(|l| l.divided),
        }
        .and_then(|error| finite(relative(ordered, samples, error))),
        condition: condition(ordered, solved).0,
        bic: changing.map_or_else(
            || criterion(ordered, solved.rss, solved.free, division.breaks.len()),
            |parts| parts.levels.score,
        ),
        spike_rate: repetitions.spikes as f64 / repetitions.observations.max(1) as f64,
        spike_threshold: repetitions.threshold,
        repetition_spread: repetitions.spread,
        run_deviation: run_deviation(samples, confidence),
        exact_misfit: samples.exact.then(|| missed(residuals).map_or(0.0, |r| r.error.abs())),
    }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// The quality of the formula with one interval; `left_out` is its error at left-out values, in weighted units.
fn one_interval(samples: &Samples, fitted: &Fitted, left_out: Option<f64>) -> OneInterval {
    let ordered = &fitted.ordered;
    let division = Division { breaks: Vec::new(), rss: 0.0 };
    let solved =
        Solved::new(ordered, &division, Segments::free(ordered.columns(), 0), ordered.is_bounded());
    let rmse = (solved.rss / ordered.len() as f64).sqrt();
    OneInterval {
        rmse_relative: relative(ordered, samples, rmse),
        left_out: left_out.and_then(|error| finite(relative(ordered, samples, error))),
        lack_of_fit: lack_of_fit(samples, ordered, &division, &solved),
    }
}

/// R² about the weighted mean of the observations, adjusted for the number of parameters.
fn r2_adjusted(samples: &Samples, ordered: &OrderedPoints, solved: &Solved) -> Option<f64> {
    let n = ordered.len();
    let weighted =
        |row: usize| (samples.weight(ordered.point(row)), ordered.row(row)[ordered.columns()]);
    let (mut squares, mut products) = (0.0, 0.0);
    for (w, wy) in (0..n).map(weighted) {
        squares += w * w;
        products += w * wy;
    }
    let mean = products / squares;
    let total: f64 = (0..n).map(weighted).map(|(w, wy)| (wy - w * mean).powi(2)).sum();
    let dof = n as f64 - solved.free as f64;
    (dof >= 1.0 && n > 1 && total > 0.0)
        .then(|| 1.0 - solved.rss / dof / (total / (n as f64 - 1.0)))
}
