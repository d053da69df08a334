//! Places and widths of changes, moved to where the squares are least.

use super::candidate::{Candidate, is_implausible};
use super::problem::{Problem, Structure, Work};
use super::score::score;
use crate::LevelChange;

/// Most rounds over all changes with steps of one size.
const PASSES: usize = 6;
/// The widest rise.
pub(crate) const WIDEST: f64 = 9.0;
/// The narrowest rise: what is narrower is a jump.
pub(crate) const NARROWEST: f64 = 1.15;
/// Sizes before the first change and beyond the last one.
const BESIDE: usize = 2;

/// So many times the first step is halved,
const HALVINGS: i32 = 5;
/// and so many times more, as long as a step leaves less than this share of the squares.
const FINER: usize = 8;
const GAIN: f64 = 0.999;
/// Most parts of the axis that the first steps make.
const GAPS: usize = 40;

/// The middle of each gap between sizes that has enough sizes on both sides, ascending.
pub(crate) fn gaps(problem: &Problem<'_>) -> Vec<f64> {
    let values = &problem.values;
    let gaps = BESIDE..values.len().saturating_sub(BESIDE - 1).max(BESIDE);
    gaps.map(|right| middle(values[right - 1], values[right])).collect()
}

/// The part of the axis with enough sizes on both sides; a kink within two sizes of an end is another term.
fn inner(problem: &Problem<'_>) -> (f64, f64) {
    let values = &problem.values;
    let low = values.get(BESIDE - 1).copied().unwrap_or(f64::INFINITY);
    let high = values.len().checked_sub(BESIDE).map_or(f64::NEG_INFINITY, |last| values[last]);
    (low, high)
}

/// The geometric middle of two positive values, else the arithmetic one.
pub(crate) fn middle(low: f64, high: f64) -> f64 {
    if low > 0.0 { (low * high).sqrt() } else { 0.5 * (low + high) }
}

/// Moves each change and its width in turn to where the squares are least, in steps that become finer.
pub(crate) fn refine(problem: &Problem<'_>, candidate: &mut Candidate, work: &mut Work) {
    let mut step = coarse(problem);
    for _ in 0..HALVINGS {
        descend(problem, candidate, step, work);
        step *= 0.5;
    }
    candidate.score = score(problem, &candidate.structure, candidate.solution.rss);
}

/// The same from where [`refine`] has ended, with finer steps for as long as they gain: little noise tells places apart
/// that are close together.
pub(crate) fn polish(problem: &Problem<'_>, candidate: &mut Candidate, work: &mut Work) {
    let mut step = coarse(problem) * 0.5f64.powi(HALVINGS);
    for _ in 0..FINER {
        let before = candidate.solution.rss;
        descend(problem, candidate, step, work);
        if candidate.solution.rss > before * GAIN {
            break;
        }
        step *= 0.5;
    }
    candidate.score = score(problem, &candidate.structure, candidate.solution.rss);
}

/// The first step, in the logarithm of the axis.
fn coarse(problem: &Problem<'_>) -> f64 {
    let (Some(&low), Some(&high)) = (problem.values.first(), problem.values.last()) else {
        return 0.0;
    };
    let count = gaps(problem).len().max(2) as f64;
    (high / low).ln() / (count - 1.0).min(GAPS as f64)
}

/// Steps of one size, until none of them makes the squares less.
fn descend(problem: &Problem<'_>, candidate: &mut Candidate, step: f64, work: &mut Work) {
    let gaps = gaps(problem);
    let (Some(&low), Some(&high)) = (problem.values.first(), problem.values.last()) else { return };
    let inner = inner(problem);
    let mut moved = true;
    let mut passes = 0;
    while moved && passes < PASSES {
        moved = false;
        passes += 1;
        for term in 0..candidate.structure.len() {
            for index in 0..candidate.structure[term].len() {
                let change = candidate.structure[term][index];
                for change in neighbours(change, step, &gaps, [(low, high), inner]) {
                    let mut structure = candidate.structure.clone();
                    structure[term][index] = change;
                    if !is_apart(problem, &structure, term) {
                        continue;
                    }
                    let solution = problem.solve(&structure, work);
                    if solution.rss < candidate.solution.rss * (1.0 - 1e-6)
                        && !is_implausible(problem, &structure, &solution)
                    {
                        candidate.structure = structure;
                        candidate.solution = solution;
                        moved = true;
                    }
                }
            }
        }
    }
}

/// Whether the places of a term's changes ascend with two sizes between them, and no change of another term leaves one
/// size between them: two changes around one size only follow what disturbed it.
pub(crate) fn is_apart(problem: &Problem<'_>, structure: &Structure, term: usize) -> bool {
    let index =
        |change: &LevelChange| problem.values.partition_point(|value| *value <= change.position());
    let own = &structure[term];
    let is_ascending = own.windows(2).all(|pair| {
        pair[0].position() < pair[1].position() && index(&pair[1]) >= index(&pair[0]) + BESIDE
    });
    let mut others = (0..structure.len()).filter(|other| *other != term);
    is_ascending
        && others.all(|other| {
            structure[other]
                .iter()
                .all(|change| own.iter().all(|own| index(own).abs_diff(index(change)) != 1))
        })
}

/// A change moved by a step either way, and made wider or narrower.
fn neighbours(
    change: LevelChange,
    step: f64,
    gaps: &[f64],
    [all, inner]: [(f64, f64); 2],
) -> Vec<LevelChange> {
    let boundary = change.position();
    let is_within = |(low, high): (f64, f64), at: f64| low <= at && at <= high;
    match change {
        // The data do not tell places in one gap apart.
        LevelChange::Jump { .. } => {
            let own = gaps.partition_point(|gap| *gap < boundary * (1.0 - 1e-9));
            let beside = [own.checked_sub(1), Some(own + 1)].into_iter().flatten();
            beside
                .filter_map(|gap| gaps.get(gap))
                .map(|&boundary| LevelChange::Jump { at: boundary })
                .collect()
        }
        LevelChange::Kink { .. } => [-step, step]
            .map(|by| boundary * by.exp())
            .into_iter()
            .filter(|boundary| is_within(inner, *boundary))
            .map(|boundary| LevelChange::Kink { at: boundary })
            .collect(),
        LevelChange::Rise { factor, .. } => {
            let wider = |by: f64| (factor.ln() * (1.5 * by).exp()).exp().clamp(NARROWEST, WIDEST);
            let steps = [-step, 0.0, step];
            let pairs = steps.into_iter().flat_map(|place| steps.map(|width| (place, width)));
            let moved = pairs.filter(|by| *by != (0.0, 0.0)).map(|(place, width)| {
                LevelChange::Rise { at: boundary * place.exp(), factor: wider(width) }
            });
            moved.filter(|change| is_within(all, change.position())).collect()
        }
    }
}
