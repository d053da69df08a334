//! The search for the changes: one after the other, each then refined together with the others.

use super::change::Change;
use super::problem::{Problem, Solution, Structure, Work};
use super::score::{left_out, score};

/// Widths that are tried first.
const FACTORS: [f64; 4] = [1.5, 2.3, 3.6, 6.0];
/// The widest rise.
pub(crate) const WIDEST: f64 = 9.0;
/// The narrowest rise: what is narrower is a jump.
pub(crate) const NARROWEST: f64 = 1.15;
/// Most places that are tried first.
const PLACES: usize = 40;
/// Sizes before the first change and beyond the last one.
const BESIDE: usize = 2;
/// Changes of one constant that the criterion alone may ask for.
const FREE: usize = 2;
/// What a change must gain at sizes that are left out, if it is one more than [`FREE`] or of another constant.
const GAIN: f64 = 0.8;

/// A structure, its solution and its criterion.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) structure: Structure,
    pub(crate) solution: Solution,
    pub(crate) score: f64,
}

impl Candidate {
    fn new(problem: &Problem<'_>, structure: Structure, work: &mut Work) -> Candidate {
        let solution = problem.solve(&structure, work);
        let score = score(problem, &structure, solution.rss);
        Candidate { structure, solution, score }
    }

    /// Number of changes.
    pub(crate) fn changes(&self) -> usize {
        self.structure.iter().flatten().count()
    }

    /// Number of constants that change.
    fn changing(&self) -> usize {
        self.structure.iter().filter(|changes| !changes.is_empty()).count()
    }
}

/// The structure that is chosen, and others that were refined on the way, each the best of its kind and number.
pub(crate) struct Found {
    pub(crate) chosen: Candidate,
    pub(crate) others: Vec<Candidate>,
}

/// Searches the changes along the axis.
pub(crate) fn search(problem: &Problem<'_>, most: usize, work: &mut Work) -> Found {
    let constant: Structure = vec![Vec::new(); problem.basis.len()];
    let mut chosen = Candidate::new(problem, constant, work);
    let mut error = left_out(problem, &chosen.structure, work);
    let mut refined: Vec<Candidate> = vec![chosen.clone()];
    // The best of each number of changes, whether or not it was chosen: two changes may be needed to see one.
    let mut front = vec![chosen.clone()];
    for _ in 0..most {
        let mut next: Vec<Candidate> = Vec::new();
        for base in &front {
            for term in 0..problem.basis.len() {
                next.extend(best_additions(problem, base, term, work));
            }
        }
        next.retain(|candidate| candidate.score.is_finite());
        next.sort_by(|a, b| a.score.total_cmp(&b.score));
        next.dedup_by(|a, b| a.structure == b.structure);
        next.truncate(4);
        for candidate in &mut next {
            refine(problem, candidate, work);
        }
        next.sort_by(|a, b| a.score.total_cmp(&b.score));
        for candidate in &next {
            if candidate.score >= chosen.score {
                continue;
            }
            let own = left_out(problem, &candidate.structure, work);
            let is_free = candidate.changes() <= FREE && candidate.changing() <= 1;
            if own < if is_free { error } else { GAIN * error } {
                (chosen, error) = (candidate.clone(), own);
            }
        }
        refined.extend(next.iter().cloned());
        next.truncate(2);
        if next.is_empty() {
            break;
        }
        front = next;
    }
    refined.retain(|candidate| candidate.structure != chosen.structure);
    Found { chosen, others: refined }
}

/// The best jump, rise and kink that can be added to a term, not refined yet.
fn best_additions(
    problem: &Problem<'_>,
    base: &Candidate,
    term: usize,
    work: &mut Work,
) -> Vec<Candidate> {
    // What is 0 throughout has no level that could change, but may begin to cost something.
    let mut best: [Option<Candidate>; 3] = [None, None, None];
    let is_positive = problem.values.first().is_some_and(|value| *value > 0.0);
    for at in places(problem) {
        let kinks = problem.axis.filter(|_| is_positive).map(|_| Change::Kink { at });
        let rises = FACTORS.map(|factor| Change::Rise { at, factor });
        let gradual = kinks.into_iter().chain(rises).filter(|_| is_positive);
        for change in [Change::Jump { at }].into_iter().chain(gradual) {
            let Some(structure) = with(&base.structure, term, change) else { continue };
            let candidate = Candidate::new(problem, structure, work);
            let own = &mut best[kind(&change)];
            if own.as_ref().is_none_or(|other| candidate.solution.rss < other.solution.rss) {
                *own = Some(candidate);
            }
        }
    }
    best.into_iter().flatten().collect()
}

/// The number of a change's kind.
pub(crate) fn kind(change: &Change) -> usize {
    match change {
        Change::Jump { .. } => 0,
        Change::Rise { .. } => 1,
        Change::Kink { .. } => 2,
    }
}

/// A structure with one change more; `None` if two changes of a term were at one place.
fn with(structure: &Structure, term: usize, change: Change) -> Option<Structure> {
    let changes = &structure[term];
    if changes.iter().any(|other| (other.at() / change.at()).ln().abs() < 1e-9) {
        return None;
    }
    let mut added = structure.clone();
    added[term].push(change);
    added[term].sort_by(|a, b| a.at().total_cmp(&b.at()));
    Some(added)
}

/// The middles of gaps between sizes, at most [`PLACES`].
fn places(problem: &Problem<'_>) -> Vec<f64> {
    let gaps = gaps(problem);
    let step = gaps.len().div_ceil(PLACES).max(1);
    gaps.into_iter().step_by(step).collect()
}

/// The middle of each gap between sizes that has enough sizes on both sides, ascending.
pub(crate) fn gaps(problem: &Problem<'_>) -> Vec<f64> {
    let values = &problem.values;
    let gaps = BESIDE..values.len().saturating_sub(BESIDE - 1).max(BESIDE);
    gaps.map(|right| middle(values[right - 1], values[right])).collect()
}

/// The geometric middle of two positive values, else the arithmetic one.
pub(crate) fn middle(low: f64, high: f64) -> f64 {
    if low > 0.0 { (low * high).sqrt() } else { 0.5 * (low + high) }
}

/// Moves each change and its width in turn to where the squares are least, in steps that become finer.
fn refine(problem: &Problem<'_>, candidate: &mut Candidate, work: &mut Work) {
    let gaps = gaps(problem);
    let (Some(&low), Some(&high)) = (problem.values.first(), problem.values.last()) else { return };
    let count = gaps.len().max(2) as f64;
    let coarse = (high / low).ln() / (count - 1.0).min(PLACES as f64);
    let mut step = coarse;
    for _ in 0..5 {
        let mut moved = true;
        let mut passes = 0;
        while moved && passes < 3 {
            moved = false;
            passes += 1;
            for term in 0..candidate.structure.len() {
                for index in 0..candidate.structure[term].len() {
                    for change in
                        neighbours(candidate.structure[term][index], step, &gaps, (low, high))
                    {
                        let mut structure = candidate.structure.clone();
                        structure[term][index] = change;
                        if !is_ordered(&structure[term]) {
                            continue;
                        }
                        let solution = problem.solve(&structure, work);
                        if solution.rss < candidate.solution.rss * (1.0 - 1e-6) {
                            candidate.structure = structure;
                            candidate.solution = solution;
                            moved = true;
                        }
                    }
                }
            }
        }
        step *= 0.5;
    }
    candidate.score = score(problem, &candidate.structure, candidate.solution.rss);
}

/// Whether the places of changes ascend.
pub(crate) fn is_ordered(changes: &[Change]) -> bool {
    changes.windows(2).all(|pair| pair[0].at() < pair[1].at() * (1.0 - 1e-9))
}

/// A change moved by a step either way, and made wider or narrower.
fn neighbours(change: Change, step: f64, gaps: &[f64], (low, high): (f64, f64)) -> Vec<Change> {
    let at = change.at();
    match change {
        // The data do not tell places in one gap apart.
        Change::Jump { .. } => {
            let own = gaps.partition_point(|gap| *gap < at * (1.0 - 1e-9));
            let beside = [own.checked_sub(1), Some(own + 1)].into_iter().flatten();
            beside.filter_map(|gap| gaps.get(gap)).map(|&at| Change::Jump { at }).collect()
        }
        Change::Kink { .. } => [-step, step]
            .map(|by| at * by.exp())
            .into_iter()
            .filter(|at| (low..=high).contains(at))
            .map(|at| Change::Kink { at })
            .collect(),
        Change::Rise { factor, .. } => {
            let places = [-step, step].map(|by| Change::Rise { at: at * by.exp(), factor });
            let widths = [-step, step]
                .map(|by| (factor.ln() * (1.5 * by).exp()).exp().clamp(NARROWEST, WIDEST))
                .map(|factor| Change::Rise { at, factor });
            let all = places.into_iter().chain(widths);
            all.filter(|change| (low..=high).contains(&change.at())).collect()
        }
    }
}
