//! The chosen division of the data into intervals, and its constants.

use cll_formula::Formula;

use super::candidate::Candidate;
use super::dynamic::dynamic;
use super::greedy::greedy;
use super::left_out::LeftOut;
use crate::input::{NamedAxis, Samples};
use crate::numerics::{Solution, solve};
use crate::solve::{Division, OrderedPoints, OrderedRow, Solved};
use crate::warning::number;
use crate::{FitError, Intervals, Options};

/// All decisions about a fit, before texts are made.
pub(crate) struct Fitted<'a> {
    /// Indices of the linearly independent terms, ascending.
    pub(crate) basis: Vec<usize>,
    /// Terms that are linear combinations of those, with the factors.
    pub(crate) dependent: Vec<(usize, Vec<(usize, f64)>)>,
    /// `None` between regions: then the points are in the order of the regions.
    pub(crate) axis: Option<&'a NamedAxis>,
    pub(crate) ordered: OrderedPoints,
    pub(crate) chosen: Candidate,
    /// The best divisions with other numbers of intervals.
    pub(crate) counts: Vec<Candidate>,
    /// Prediction errors at left-out values with and without the division; `None` without a
    /// division.
    pub(crate) left_out: Option<LeftOut>,
    pub(crate) solved: Solved,
}

impl<'a> Fitted<'a> {
    pub(crate) fn new(
        samples: &Samples,
        formula: &Formula,
        axes: &'a [NamedAxis],
        options: &Options,
    ) -> Result<Fitted<'a>, FitError> {
        let solution = undivided(samples);
        if solution.basic.is_empty() {
            return Err(FitError::ZeroTerms);
        }
        let mut basis = solution.basic;
        basis.sort_unstable();

        let mut best: Option<Choice> = None;
        let choices = axes.iter().map(Some).chain(axes.is_empty().then_some(None));
        for axis in choices {
            let ordered = ordered(samples, &basis, axis, formula, options)?.among(axes.len());
            let mut candidates = divide(&ordered, axis, options)?;
            let Some((chosen, left_out)) = choose(&ordered, &mut candidates, options) else {
                continue;
            };
            let score = candidates[chosen].score;
            if best.as_ref().is_none_or(|b| score < b.score - 1e-9 * b.score.abs()) {
                best = Some(Choice { score, axis, ordered, candidates, chosen, left_out });
            }
        }
        let Some(Choice { axis, ordered, mut candidates, chosen, left_out, .. }) = best else {
            return Err(FitError::NoData);
        };
        let chosen = candidates.swap_remove(chosen);
        let segments = chosen.segments.clone();
        let solved = Solved::new(&ordered, &chosen.division, segments, options.non_negative);
        Ok(Fitted {
            basis,
            dependent: solution.dependent,
            axis,
            ordered,
            chosen,
            counts: candidates,
            left_out,
            solved,
        })
    }

    /// The interval along the axis of a point with these values of the recorded variables.
    pub(crate) fn interval(&self, values: &[f64]) -> usize {
        let axis = self.axis.map(|axis| axis.axis.value(values));
        let starts = self.chosen.division.breaks.iter();
        starts.take_while(|&&b| axis.is_some_and(|axis| axis >= self.ordered.values()[b])).count()
    }
}

/// The best division along one axis.
struct Choice<'a> {
    score: f64,
    axis: Option<&'a NamedAxis>,
    ordered: OrderedPoints,
    candidates: Vec<Candidate>,
    /// Index of the best candidate.
    chosen: usize,
    left_out: Option<LeftOut>,
}

/// Chooses the candidate with the smallest criterion among the divisions that predict left-out
/// values of the axis better than one interval does. The other divisions are dropped, except those
/// requested by hand.
fn choose(
    ordered: &OrderedPoints,
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
        let left_out = LeftOut::new(ordered, &candidates[best]);
        if !sought || left_out.is_better() {
            return Some((best, Some(left_out)));
        }
        candidates.remove(best);
    }
}

/// The solution over all points with one set of constants. It shows which terms are independent.
fn undivided(samples: &Samples) -> Solution {
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
fn ordered(
    samples: &Samples,
    basis: &[usize],
    axis: Option<&NamedAxis>,
    formula: &Formula,
    options: &Options,
) -> Result<OrderedPoints, FitError> {
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
            rows.push(OrderedRow { axis: value + 0.0, point: index, tuple: point.tuple, row });
        }
    }
    Ok(OrderedPoints::new(basis.len(), rows, options.non_negative))
}

/// A division whose criterion is worse by this has no weight.
const NEGLIGIBLE: f64 = 10.0;

/// Divisions by the requested method; the best one is chosen.
pub(crate) fn divide(
    ordered: &OrderedPoints,
    axis: Option<&NamedAxis>,
    options: &Options,
) -> Result<Vec<Candidate>, FitError> {
    let divisions = match &options.intervals {
        Intervals::None | Intervals::Levels { .. } => dynamic(ordered, 1),
        Intervals::Dynamic { max_intervals } => dynamic(ordered, *max_intervals),
        Intervals::Greedy { error_threshold, max_intervals } => {
            vec![greedy(ordered, *error_threshold, *max_intervals, options.non_negative)]
        }
        Intervals::ByHand { breaks, .. } => vec![by_hand(ordered, axis, breaks)?],
    };
    let mut candidates: Vec<Candidate> = Vec::with_capacity(divisions.len());
    let mut best = f64::INFINITY;
    for division in divisions {
        if Candidate::bound(ordered, &division) < best + NEGLIGIBLE {
            let candidate = Candidate::new(ordered, division, options.join, options.non_negative);
            best = best.min(candidate.score);
            candidates.push(candidate);
        }
    }
    Ok(candidates)
}

/// The division at the user's boundaries; each interval must determine every constant.
fn by_hand(
    ordered: &OrderedPoints,
    axis: Option<&NamedAxis>,
    breaks: &[f64],
) -> Result<Division, FitError> {
    let mut sorted = breaks.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.dedup();
    let ends: Vec<usize> =
        sorted.iter().map(|&b| ordered.values().partition_point(|&v| v <= b)).collect();
    let mut work = vec![0.0; ordered.columns()];
    let (mut from, mut rss) = (0, 0.0);
    for (i, to) in ends.iter().copied().chain([ordered.values().len()]).enumerate() {
        let triangle = ordered.triangle(from, to);
        let points = ordered.distinct(from, to);
        if points < ordered.columns() || (!sorted.is_empty() && !triangle.full_rank()) {
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
                constants: ordered.columns(),
            });
        }
        let cost = ordered.cost(&triangle, &mut work);
        rss += if cost.is_finite() { cost } else { triangle.rss() };
        from = to;
    }
    Ok(Division { breaks: ends, rss })
}
