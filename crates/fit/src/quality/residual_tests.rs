//! Tests of the residuals: is the formula right?

use super::robust_partial_test::{Partial, is_outlying, partial};
use crate::input::{Samples, aggregate};
use crate::numerics::{condition_and_shares, f_tail, solve};
use crate::solve::{Division, OrderedPoints, Solved, pure_error, ranges, relative};
use crate::{LackOfFit, Weights};

/// The F test of lack of fit: the means of the points (without spikes) are fitted with the same
/// segments; their mean square error is compared with the variance of the repetitions about their
/// means (Draper and Smith, *Applied Regression Analysis*, section 2.1). A break costs one more
/// degree of freedom. `None` without repetitions, without degrees of freedom, or if the repetitions
/// do not vary.
pub(crate) fn lack_of_fit(
    samples: &Samples,
    ordered: &OrderedPoints,
    division: &Division,
    solved: &Solved,
) -> Option<LackOfFit> {
    let pure = pure_error(samples);
    if pure.dof < 1.0 || pure.value <= ordered.resolution() {
        return None;
    }
    let parameters = solved.segments.parameters();
    let free = columns_in_use(solved);
    let mut spread = vec![0.0; parameters];
    let (mut design, mut rhs, mut counts) = (Vec::new(), Vec::new(), 0.0);
    for (interval, (from, to)) in ranges(ordered, division).enumerate() {
        let mut before = None;
        let mut rows: Vec<usize> = ordered.row_range(from, to).collect();
        rows.sort_by_key(|&row| ordered.point(row));
        for row in rows {
            let point = ordered.point(row);
            if before == Some(point) {
                continue;
            }
            before = Some(point);
            let sample = &samples.points[point];
            let kept = samples.repetitions.without_spikes(&sample.kept, sample.spread.median);
            let count = (kept.len() as f64).sqrt();
            let mean = aggregate(&kept, crate::Aggregate::Mean);
            solved.segments.expand(interval, ordered.row(row), &mut spread);
            design.extend(free.iter().map(|&j| spread[j] * count));
            rhs.push(samples.weight(point) * mean * count);
            counts += kept.len() as f64;
        }
    }
    let points = rhs.len() as f64;
    let dof_lack = points - (free.len() + division.breaks.len() + solved.places) as f64;
    if dof_lack < 1.0 {
        return None;
    }
    let mean_square = solve(&design, free.len(), &rhs).rss / dof_lack;
    let pure_square = pure.value * pure.value;
    let f = mean_square / pure_square;
    let p_value = f_tail(f, dof_lack, pure.dof)?;
    let size = ((mean_square - pure_square).max(0.0) / (counts / points)).sqrt();
    Some(LackOfFit {
        f,
        p_value,
        dof_lack,
        dof_pure: pure.dof,
        size: relative(ordered, samples, size),
    })
}

/// How much of the residuals a variable explains.
pub(crate) struct Dependence {
    pub(crate) p_value: f64,
    /// Share of the sum of squared residuals that it explains.
    pub(crate) explained: f64,
    /// Root mean square of the explained part, in weighted units.
    pub(crate) size: f64,
}

/// The values of a variable are divided into at most this many groups.
const GROUPS: usize = 4;

/// Partial F test: does the mean of the residuals depend on whether the variable is small, medium
/// or large? Indicator columns of the groups are added to the regression: multiplied by the model
/// with relative weights (the model is off by a factor in that group), unchanged with absolute
/// ones. (A relative indicator alone would be the observations' own: 1/t times t.) `None` if the
/// variable does not vary, or if no degree of freedom is left.
pub(crate) fn dependence(
    samples: &Samples,
    ordered: &OrderedPoints,
    division: &Division,
    solved: &Solved,
    variable: usize,
) -> Option<Dependence> {
    let value = |row: usize| samples.points[ordered.point(row)].values[variable];
    let mut distinct: Vec<f64> = (0..ordered.len()).map(value).collect();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    if distinct.len() < 2 {
        return None;
    }
    let groups = distinct.len().min(GROUPS);
    let group = |v: f64| distinct.partition_point(|&d| d < v) * groups / distinct.len();

    let parameters = solved.segments.parameters();
    let free = columns_in_use(solved);
    let mut spread = vec![0.0; parameters];
    let width = free.len() + groups;
    let mut design = vec![0.0; ordered.len() * width];
    // The residuals are explained, not the observations: the same test with less rounding.
    let rhs: Vec<f64> = solved.rows.iter().map(|r| r.residual).collect();
    for (interval, (from, to)) in ranges(ordered, division).enumerate() {
        for row in ordered.row_range(from, to) {
            solved.segments.expand(interval, ordered.row(row), &mut spread);
            let out = &mut design[row * width..(row + 1) * width];
            for (cell, &j) in out.iter_mut().zip(&free) {
                *cell = spread[j];
            }
            let size = match samples.weights {
                Weights::Relative => {
                    ordered.row(row)[ordered.columns()] - solved.rows[row].residual
                }
                Weights::Absolute => 1.0,
            };
            out[free.len() + group(value(row))] = size;
        }
    }
    let n = ordered.len() as f64;
    // Single outliers bend a fit and hide what the other rows show.
    if is_outlying(&rhs) {
        let Partial { p_value, explained, size } = partial(&design, width, free.len(), &rhs)?;
        return Some(Dependence { p_value, explained, size });
    }
    let augmented = solve(&design, width, &rhs);
    let more = augmented.basic.len() as f64 - free.len() as f64;
    let left = n - augmented.basic.len() as f64;
    let floor = n * ordered.resolution() * ordered.resolution();
    if more < 1.0 || left < 1.0 || solved.rss <= floor {
        return None;
    }
    let explained = (1.0 - augmented.rss / solved.rss).clamp(0.0, 1.0);
    let f = (solved.rss - augmented.rss).max(0.0) / more / (augmented.rss.max(floor) / left);
    let p_value = f_tail(f, more, left)?;
    Some(Dependence { p_value, explained, size: (explained * solved.rss / n).sqrt() })
}

/// Scaled condition number of the solution, and the nearly collinear constants (indices of
/// columns): those with more than half of their variance in the smallest singular value, at least
/// the two with most (Belsley, Kuh and Welsch 1980).
pub(crate) fn condition(ordered: &OrderedPoints, solved: &Solved) -> (f64, Vec<usize>) {
    let (condition, shares) = condition_and_shares(&solved.solution.factor);
    let owner = |parameter: usize| {
        (0..ordered.columns())
            .find(|&c| {
                (0..solved.segments.intervals())
                    .any(|i| solved.segments.parameter(c, i) == parameter)
            })
            .unwrap_or(0)
    };
    let mut by_share: Vec<(f64, usize)> = shares
        .iter()
        .zip(&solved.solution.basic)
        .map(|(&share, &parameter)| (share, owner(parameter)))
        .collect();
    by_share.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut columns: Vec<usize> = by_share
        .iter()
        .enumerate()
        .filter(|(i, (share, _))| *share > 0.5 || *i < 2)
        .map(|(_, &(_, column))| column)
        .collect();
    columns.sort_unstable();
    columns.dedup();
    (condition, columns)
}

/// Parameters with a value: those that the bound holds at zero are not among them.
fn columns_in_use(solved: &Solved) -> Vec<usize> {
    let mut columns = solved.solution.basic.clone();
    columns.sort_unstable();
    columns
}
