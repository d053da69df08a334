//! The fit itself: from samples over divisions and pieces to constants.

use cll_formula::Formula;

use crate::assemble::assemble;
use crate::axis::{NamedAxis, candidates};
use crate::intervals::{Division, Line, LineRow, dynamic, greedy};
use crate::left_out::LeftOut;
use crate::linalg::{Solution, solve};
use crate::pieces::{Candidate, Solved};
use crate::samples::{Samples, constant_name};
use crate::words::number;
use crate::{Data, Exclusion, Fit, FitError, Intervals, Options, Outliers};

/// Fits the constants of a formula to data by weighted linear least squares, with intervals of
/// validity along one axis: a variable, or a product or quotient of some such as N/P.
///
/// The observations keep their unit; a constant is in that unit per unit of its term. Errors are
/// data that allow no fit at all; whatever lessens a fit is a warning in it.
pub fn fit(formula: &Formula, data: &Data, options: &Options) -> Result<Fit, FitError> {
    check(options)?;
    let mut samples = Samples::new(formula, data, options)?;
    let axes = candidates(formula, data, &samples, asked_axis(options))?;
    let mut left_out = 0;
    let most_left_out = samples.points.len() / 5;
    loop {
        let fitted = Fitted::new(&samples, formula, &axes, options)?;
        if let Outliers::Points { limit } = options.outliers
            && left_out < most_left_out
            && let Some(point) = outlier(&fitted, limit)
        {
            samples.points[point].excluded = Some(Exclusion::Outlier);
            if samples.distinct() > samples.terms + 1 {
                left_out += 1;
                continue;
            }
            samples.points[point].excluded = None;
        }
        let mut fit = assemble(formula, data, options, &samples, &fitted, &axes);
        if options.follow {
            fit.follow(data);
        }
        return if finite(&fit) { Ok(fit) } else { Err(overflow(&samples)) };
    }
}

/// Whether all that predictions are made with is a number.
fn finite(fit: &Fit) -> bool {
    let all = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
    let some = |number: Option<f64>| number.is_none_or(f64::is_finite);
    let quality = &fit.quality;
    fit.intervals
        .iter()
        .all(|i| all(&i.solution) && some(i.sigma) && i.covariance.iter().all(|row| all(row)))
        && fit.alternatives.iter().all(|a| {
            a.constants.iter().all(|c| all(c))
                && a.sigma.iter().all(|s| some(*s))
                && a.covariance.iter().flatten().all(|row| all(row))
        })
        && fit.residuals.iter().all(|r| r.fitted.is_finite())
        && all(&[quality.rmse_relative, quality.condition, quality.bic])
        && some(quality.r2_adjusted)
}

fn overflow(samples: &Samples) -> FitError {
    let largest = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(0.0, |m, x| x.abs().max(m));
    FitError::Overflow {
        observation: largest(&mut samples.used().flat_map(|(_, p)| p.kept.iter().copied())),
        term: largest(&mut samples.used().flat_map(|(_, p)| p.terms.iter().copied())),
    }
}

/// All that is decided about a fit before it is put into words.
pub(crate) struct Fitted<'a> {
    /// Independent terms, ascending.
    pub(crate) basis: Vec<usize>,
    /// Terms that are combinations of those.
    pub(crate) dependent: Vec<(usize, Vec<(usize, f64)>)>,
    pub(crate) axis: Option<&'a NamedAxis>,
    pub(crate) line: Line,
    pub(crate) chosen: Candidate,
    /// The best divisions with other numbers of intervals.
    pub(crate) counts: Vec<Candidate>,
    /// What speaks for the chosen division; `None` where nothing is divided.
    pub(crate) left_out: Option<LeftOut>,
    pub(crate) solved: Solved,
}

impl<'a> Fitted<'a> {
    fn new(
        samples: &Samples,
        formula: &Formula,
        axes: &'a [NamedAxis],
        options: &Options,
    ) -> Result<Fitted<'a>, FitError> {
        let whole = whole(samples);
        if whole.basic.is_empty() {
            return Err(FitError::ZeroTerms);
        }
        let mut basis = whole.basic;
        basis.sort_unstable();

        let mut best: Option<Choice> = None;
        let choices = axes.iter().map(Some).chain(axes.is_empty().then_some(None));
        for axis in choices {
            let line = line(samples, &basis, axis, formula, options)?.among(axes.len());
            let mut candidates = divide(&line, axis, options)?;
            let Some((chosen, left_out)) = choose(&line, &mut candidates, options) else {
                continue;
            };
            let score = candidates[chosen].score;
            if best.as_ref().is_none_or(|b| score < b.score - 1e-9 * b.score.abs()) {
                best = Some(Choice { score, axis, line, candidates, chosen, left_out });
            }
        }
        let Some(Choice { axis, line, mut candidates, chosen, left_out, .. }) = best else {
            return Err(FitError::NoData);
        };
        let chosen = candidates.swap_remove(chosen);
        let pieces = chosen.pieces.clone();
        let solved = Solved::new(&line, &chosen.division, pieces, options.non_negative);
        Ok(Fitted {
            basis,
            dependent: whole.dependent,
            axis,
            line,
            chosen,
            counts: candidates,
            left_out,
            solved,
        })
    }
}

/// The best division along one axis.
struct Choice<'a> {
    score: f64,
    axis: Option<&'a NamedAxis>,
    line: Line,
    candidates: Vec<Candidate>,
    /// Index of the best among the candidates.
    chosen: usize,
    left_out: Option<LeftOut>,
}

/// The candidate with the least criterion, of those divisions that predict values of the axis that are
/// left out better than one interval does; the others are dropped, but for those that were asked for.
fn choose(
    line: &Line,
    candidates: &mut Vec<Candidate>,
    options: &Options,
) -> Option<(usize, Option<LeftOut>)> {
    let sought = matches!(options.intervals, Intervals::Dynamic { .. });
    loop {
        let best = (0..candidates.len())
            .min_by(|&a, &b| candidates[a].score.total_cmp(&candidates[b].score))?;
        if candidates[best].division.breaks.is_empty() {
            return Some((best, None));
        }
        let left_out = LeftOut::new(line, &candidates[best]);
        if !sought || left_out.is_better() {
            return Some((best, Some(left_out)));
        }
        candidates.remove(best);
    }
}

/// The solution over all points with one set of constants: it tells which terms are independent.
fn whole(samples: &Samples) -> Solution {
    let mut design = Vec::with_capacity(samples.points.len() * samples.terms);
    let mut rhs = Vec::with_capacity(samples.points.len());
    for (index, point) in samples.used() {
        let weight = samples.weight(index);
        design.extend(point.terms.iter().map(|t| t * weight));
        rhs.push(point.aggregate * weight);
    }
    solve(&design, samples.terms, &rhs)
}

/// The rows of the used points, sorted by the axis.
fn line(
    samples: &Samples,
    basis: &[usize],
    axis: Option<&NamedAxis>,
    formula: &Formula,
    options: &Options,
) -> Result<Line, FitError> {
    let mut rows = Vec::with_capacity(samples.points.len());
    for (index, point) in samples.used() {
        let value = axis.map_or(0.0, |a| a.axis.value(&point.values));
        if !value.is_finite() {
            return Err(FitError::Axis {
                axis: axis.map_or_else(|| formula.text().to_owned(), |a| a.name.clone()),
                reason: format!("it is {value} at point {index}"),
            });
        }
        let weight = samples.weight(index);
        for observation in samples.rows_of(index) {
            let mut row: Vec<f64> = basis.iter().map(|&k| point.terms[k] * weight).collect();
            row.push(observation * weight);
            rows.push(LineRow { axis: value + 0.0, point: index, tuple: point.tuple, row });
        }
    }
    Ok(Line::new(basis.len(), rows, options.non_negative))
}

/// A division whose score is worse by this has no weight beside the best one.
const NEGLIGIBLE: f64 = 10.0;

/// Divisions of the line by the chosen method; the best is to be taken.
pub(crate) fn divide(
    line: &Line,
    axis: Option<&NamedAxis>,
    options: &Options,
) -> Result<Vec<Candidate>, FitError> {
    let divisions = match &options.intervals {
        Intervals::None => dynamic(line, 1),
        Intervals::Dynamic { max_intervals } => dynamic(line, *max_intervals),
        Intervals::Greedy { error_threshold, max_intervals } => {
            vec![greedy(line, *error_threshold, *max_intervals, options.non_negative)]
        }
        Intervals::ByHand { breaks, .. } => vec![by_hand(line, axis, breaks)?],
    };
    let mut candidates: Vec<Candidate> = Vec::with_capacity(divisions.len());
    let mut best = f64::INFINITY;
    for division in divisions {
        if Candidate::bound(line, &division) < best + NEGLIGIBLE {
            let candidate = Candidate::new(line, division, options.join, options.non_negative);
            best = best.min(candidate.score);
            candidates.push(candidate);
        }
    }
    Ok(candidates)
}

/// The division at the user's boundaries; each interval must determine every constant.
fn by_hand(line: &Line, axis: Option<&NamedAxis>, breaks: &[f64]) -> Result<Division, FitError> {
    let mut sorted = breaks.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.dedup();
    let ends: Vec<usize> =
        sorted.iter().map(|&b| line.values().partition_point(|&v| v <= b)).collect();
    let mut work = vec![0.0; line.columns()];
    let (mut from, mut rss) = (0, 0.0);
    for (i, to) in ends.iter().copied().chain([line.values().len()]).enumerate() {
        let triangle = line.triangle(from, to);
        let points = line.distinct(from, to);
        if points < line.columns() || (!sorted.is_empty() && !triangle.full_rank()) {
            let axis = axis.map_or_else(String::new, |a| a.name.clone());
            let place = match (i.checked_sub(1).and_then(|k| sorted.get(k)), sorted.get(i)) {
                (None, Some(high)) => format!("up to {}", number(*high)),
                (Some(low), Some(high)) => format!("from {} to {}", number(*low), number(*high)),
                (Some(low), None) => format!("above {}", number(*low)),
                (None, None) => "in all".to_owned(),
            };
            return Err(FitError::Boundary {
                axis,
                breaks: sorted,
                points,
                place,
                constants: line.columns(),
            });
        }
        let cost = line.cost(&triangle, &mut work);
        rss += if cost.is_finite() { cost } else { triangle.rss() };
        from = to;
    }
    Ok(Division { breaks: ends, rss })
}

/// The point with the largest deleted studentised residual, if that is above the limit.
fn outlier(fitted: &Fitted, limit: f64) -> Option<usize> {
    let dof = fitted.line.len() as f64 - fitted.solved.free as f64;
    let floor = fitted.line.resolution();
    if dof < 2.0 {
        return None;
    }
    fitted
        .solved
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.residual.abs() > floor && row.leverage < 1.0 - 1e-9)
        .map(|(i, row)| {
            let own = row.residual * row.residual / (1.0 - row.leverage);
            let deleted = ((fitted.solved.rss - own) / (dof - 1.0)).max(floor * floor);
            (i, (own / deleted).sqrt())
        })
        .filter(|(_, t)| *t > limit)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(i, _)| fitted.line.point(i))
}

fn asked_axis(options: &Options) -> Option<&str> {
    match &options.intervals {
        Intervals::ByHand { variable, .. } => Some(variable),
        _ => options.axis.as_deref(),
    }
}

fn check(options: &Options) -> Result<(), FitError> {
    if !(options.confidence > 0.0 && options.confidence < 1.0) {
        return Err(FitError::Confidence(options.confidence));
    }
    let wrong = |what, value, expected| Err(FitError::Option { what, value, expected });
    match &options.intervals {
        Intervals::Dynamic { max_intervals: 0 } | Intervals::Greedy { max_intervals: 0, .. } => {
            return wrong("the number of intervals", 0.0, "at least 1");
        }
        Intervals::Greedy { error_threshold, .. }
            if error_threshold.is_nan() || *error_threshold <= 0.0 =>
        {
            return wrong("the error threshold", *error_threshold, "above 0, such as 0.1");
        }
        Intervals::ByHand { breaks, .. } => {
            if let Some(&value) = breaks.iter().find(|b| !b.is_finite()) {
                return wrong("a boundary", value, "a finite number");
            }
        }
        _ => {}
    }
    match options.outliers {
        Outliers::Points { limit } if limit.is_nan() || limit <= 0.0 => {
            wrong("the limit for outliers", limit, "above 0, such as 4")
        }
        _ => Ok(()),
    }
}

/// Names of the constants with these term indices.
pub(crate) fn names(formula: &Formula, terms: &[usize]) -> Vec<String> {
    terms.iter().map(|&k| constant_name(formula, k)).collect()
}
