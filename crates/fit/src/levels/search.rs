//! The search for the changes: one after the other, each then refined together with the others.

use super::candidate::{Candidate, kind, kinds};
use super::problem::{Problem, Structure, Work};
use super::refine::{gaps, is_apart, polish, refine};
use super::score::left_out;
use crate::LevelChange;

/// Widths that are tried first.
const FACTORS: [f64; 4] = [1.5, 2.3, 3.6, 6.0];
/// Most places that are tried first.
const PLACES: usize = 40;
/// Changes of one constant that the criterion alone may ask for.
const FREE: usize = 2;
/// The gain that a change must bring at sizes that are left out, if it is one more than [`FREE`] or of another
/// constant.
const GAIN: f64 = 0.8;

/// With fewer sizes no change is sought: chance makes some.
const VALUES: usize = 8;
/// With fewer sizes, but so many points at different values of other variables, only jumps are.
const POINTS: usize = 2 * VALUES;
/// Levels that differ by less are one.
const SMALL: f64 = 0.05;
/// Places of a quick look.
const QUICK: usize = 10;
/// Terms that may change; where there are more, those that are largest where the axis ends.
const TERMS: usize = 8;
/// Combinations of kinds that are followed.
const FRONT: usize = 4;
/// The expected variance at sizes that are left out, as a multiple of that of the repetitions: the constants are
/// uncertain.
pub(crate) const EXPLAINED: f64 = 1.15;
/// By how much the criterion must be better for as many changes of several constants as of one.
const CLEAR: f64 = 6.0;
/// A term is followed if its first change is worse than that of another by less.
const FOLLOWED: f64 = 30.0;
/// Structures of one constant to which changes of others are added.
const BASES: usize = 3;
/// If the criterion is worse by this after a change, another one does not help.
const HOPELESS: f64 = 12.0;

/// The structure that is chosen, and others that were refined on the way, each the best of its kind and number.
pub(crate) struct Choice {
    pub(crate) chosen: Candidate,
    pub(crate) others: Vec<Candidate>,
}

/// Searches the changes along the axis: of one constant first, tried for each, then of others beside it.
///
/// Free choice by the criterion alone would let terms swap their parts: medians deviate together, and the criterion sees
/// evidence in that. So a third change, and a second constant that changes, must take a fifth of the error at sizes that
/// are left out, of what the repetitions do not explain.
pub(crate) fn search(problem: &Problem<'_>, most: usize, work: &mut Work) -> Choice {
    let constant: Structure = vec![Vec::new(); problem.basis.len()];
    let constant = Candidate::new(problem, constant, work);
    if most == 0 || (is_short(problem) && problem.points < POINTS) {
        return Choice { chosen: constant, others: Vec::new() };
    }
    let mut singles = of_one_constant(problem, &constant, most, work);
    singles.sort_by(|a, b| a.score.total_cmp(&b.score));
    let largest = problem.largest(&constant.solution.constants);
    let mut chosen = constant.clone();
    let mut error = left_out(problem, &chosen.structure, work);
    for number in 1..=most.min(FREE) {
        let best = of_number(problem, &singles, (number, largest), work);
        // What repetitions explain needs clear evidence.
        let clear = if excess(problem, error) > 0.0 { 0.0 } else { CLEAR };
        let Some(best) = best.filter(|best| best.score < chosen.score - clear) else { continue };
        let own = left_out(problem, &best.structure, work);
        if own < error {
            (chosen, error) = (best.clone(), own);
        }
    }
    // One change of each of two constants in place of two of one.
    let mut mixed = Vec::new();
    if chosen.changes() > 1 {
        let before = chosen.changes() - 1;
        let shorter = singles.iter().filter(|candidate| candidate.changes() == before);
        let bases: Vec<Candidate> = shorter.take(BASES).cloned().collect();
        mixed = beside(problem, &bases, most, work);
        if let Some(best) = mixed.first().filter(|best| best.score < chosen.score - CLEAR) {
            let own = left_out(problem, &best.structure, work);
            if own < error {
                (chosen, error) = (best.clone(), own);
            }
        }
    }
    let mut others = singles;
    let mut front: Vec<Candidate> = others.iter().take(BASES).cloned().collect();
    let mut longer = others.clone();
    others.extend(mixed);
    while chosen.changes() > 0 && excess(problem, error) > 0.0 {
        let beside = beside(problem, &front, most, work);
        others.extend(beside.iter().cloned());
        longer.extend(beside);
        longer.sort_by(|a, b| a.score.total_cmp(&b.score));
        let enough = GAIN * excess(problem, error);
        let gains = |candidate: &&Candidate, work: &mut Work| {
            candidate.score < chosen.score
                && excess(problem, left_out(problem, &candidate.structure, work)) < enough
        };
        let Some(best) = longer.iter().find(|candidate| gains(candidate, work)) else { break };
        error = left_out(problem, &best.structure, work);
        chosen = best.clone();
        front = vec![chosen.clone()];
        longer.clear();
    }
    // What was refused although the criterion is smaller has no weight beside what was chosen.
    let is_like = |other: &Candidate| {
        let mut pairs = other.structure.iter().zip(&chosen.structure);
        pairs.all(|(own, other)| own.is_empty() || !other.is_empty())
    };
    others.retain(|other| other.score >= chosen.score || (other.changing() <= 1 && is_like(other)));
    others.push(constant);
    let mut chosen = without_small(problem, chosen, work);
    polish(problem, &mut chosen, work);
    others.retain(|candidate| candidate.structure != chosen.structure);
    Choice { chosen, others }
}

/// Whether the axis has too few sizes to tell how a constant changes along it.
fn is_short(problem: &Problem<'_>) -> bool {
    problem.values.len() < VALUES
}

/// The best structure with so many changes of one constant: of the term that is largest where the axis ends, unless
/// another one predicts sizes that are left out better by a fifth. A change of a smaller term may imitate one of it.
fn of_number<'a>(
    problem: &Problem<'_>,
    singles: &'a [Candidate],
    (number, largest): (usize, usize),
    work: &mut Work,
) -> Option<&'a Candidate> {
    let mut all = singles.iter().filter(|candidate| candidate.changes() == number);
    let best = all.clone().next()?;
    let own = all.find(|candidate| !candidate.structure[largest].is_empty());
    let Some(own) = own.filter(|own| own.score > best.score) else { return Some(best) };
    let mut error =
        |candidate: &Candidate| excess(problem, left_out(problem, &candidate.structure, work));
    let enough = GAIN * error(own);
    Some(if error(best) < enough { best } else { own })
}

/// The structure without changes that do not matter: levels that differ by less than 5 %, or than twice the misfit.
fn without_small(problem: &Problem<'_>, mut chosen: Candidate, work: &mut Work) -> Candidate {
    loop {
        let misfit = (chosen.solution.rss / problem.len() as f64).sqrt();
        let enough = SMALL.max(2.0 * misfit);
        let mut first = 0;
        let mut smallest: Option<(f64, usize, usize)> = None;
        for (term, changes) in chosen.structure.iter().enumerate() {
            let levels = &chosen.solution.constants[first..=first + changes.len()];
            first += changes.len() + 1;
            for (index, pair) in levels.windows(2).enumerate() {
                let larger = pair[0].abs().max(pair[1].abs());
                let size = if larger > 0.0 { (pair[1] - pair[0]).abs() / larger } else { 0.0 };
                if size < enough && smallest.is_none_or(|known| size < known.0) {
                    smallest = Some((size, term, index));
                }
            }
        }
        let Some((_, term, index)) = smallest else { return chosen };
        let mut structure = chosen.structure.clone();
        structure[term].remove(index);
        chosen = Candidate::new(problem, structure, work);
        refine(problem, &mut chosen, work);
    }
}

/// The share of the squares that the best jump of the largest term explains; a quick look at an axis.
pub(crate) fn first_gain(problem: &Problem<'_>, work: &mut Work) -> f64 {
    let constant: Structure = vec![Vec::new(); problem.basis.len()];
    let constant = Candidate::new(problem, constant, work);
    let largest = problem.largest(&constant.solution.constants);
    let gaps = gaps(problem);
    let step = gaps.len().div_ceil(QUICK).max(1);
    let left = gaps.into_iter().step_by(step).filter_map(|boundary| {
        let structure =
            with(problem, &constant.structure, largest, LevelChange::Jump { at: boundary })?;
        Some(problem.solve(&structure, work).rss)
    });
    1.0 - left.fold(f64::INFINITY, f64::min) / constant.solution.rss.max(f64::MIN_POSITIVE)
}

/// Returns the part of an error that the repetitions do not explain.
fn excess(problem: &Problem<'_>, error: f64) -> f64 {
    (error * error - EXPLAINED * problem.noise * problem.noise).max(0.0).sqrt()
}

/// The terms that may change.
fn changeable(problem: &Problem<'_>, base: &Candidate) -> Vec<usize> {
    let mut terms: Vec<usize> = (0..problem.basis.len()).collect();
    if terms.len() > TERMS {
        let mut first = 0;
        let last: Vec<f64> = base
            .structure
            .iter()
            .map(|changes| {
                first += changes.len() + 1;
                base.solution.constants[first - 1]
            })
            .collect();
        let sizes = problem.sizes(&last);
        terms.sort_by(|&a, &b| sizes[b].total_cmp(&sizes[a]));
        terms.truncate(TERMS);
    }
    terms
}

/// Structures in which one constant changes, refined: the best of each combination of kinds.
fn of_one_constant(
    problem: &Problem<'_>,
    constant: &Candidate,
    most: usize,
    work: &mut Work,
) -> Vec<Candidate> {
    let mut firsts: Vec<(usize, Vec<Candidate>)> = changeable(problem, constant)
        .into_iter()
        .map(|term| (term, extended(problem, std::slice::from_ref(constant), term, work)))
        .collect();
    let score = |front: &[Candidate]| front.first().map_or(f64::INFINITY, |first| first.score);
    let best = firsts.iter().map(|(_, front)| score(front)).fold(f64::INFINITY, f64::min);
    // Repetitions explain what one level leaves: if one change does not help, several do not.
    let is_explained = excess(problem, left_out(problem, &constant.structure, work)) == 0.0;
    let most = if is_explained { most.min(1) } else { most };
    // The change of a term that explains far less than that of another is not followed, but for the term that is largest
    // at the end: one change of another may look like two of it.
    let largest = problem.largest(&constant.solution.constants);
    firsts.retain(|(term, front)| *term == largest || score(front) < best + FOLLOWED);
    firsts.sort_by_key(|(term, _)| *term != largest);
    let mut all: Vec<Candidate> = Vec::new();
    // As many changes as explain the data where one constant has them.
    let mut most = most;
    for (term, mut front) in firsts {
        let mut before = constant.score;
        let mut idle = 0;
        let mut number = 1;
        while let Some(best) = front.first().cloned() {
            all.extend(front.iter().cloned());
            if best.score < constant.score
                && excess(problem, left_out(problem, &best.structure, work)) == 0.0
            {
                most = number;
            }
            // Two changes may be needed to see one; what two more do not explain is noise.
            idle = if best.score < before { 0 } else { idle + 1 };
            if number >= most || idle == 2 || (idle == 1 && best.score > before + HOPELESS) {
                break;
            }
            before = before.min(best.score);
            number += 1;
            front.truncate(2);
            front = extended(problem, &front, term, work);
        }
    }
    all
}

/// The candidates with one change more of a term, refined: the best of each combination of kinds, the best first.
fn extended(
    problem: &Problem<'_>,
    front: &[Candidate],
    term: usize,
    work: &mut Work,
) -> Vec<Candidate> {
    let mut next = Vec::new();
    for base in front {
        next.extend(best_additions(problem, base, term, work));
    }
    best_of_each(&mut next, FRONT);
    next.iter_mut().for_each(|candidate| refine(problem, candidate, work));
    best_of_each(&mut next, FRONT);
    if let Some(best) = next.first().cloned() {
        next.extend(exchanged(problem, &best, work));
    }
    best_of_each(&mut next, FRONT);
    next
}

/// The candidates with one change more of a constant that does not change in them, refined, the best first.
fn beside(
    problem: &Problem<'_>,
    front: &[Candidate],
    most: usize,
    work: &mut Work,
) -> Vec<Candidate> {
    let mut next = Vec::new();
    for base in front {
        for term in changeable(problem, base) {
            if base.changes() < most && (base.structure[term].is_empty() || base.changing() > 1) {
                next.extend(best_additions(problem, base, term, work));
            }
        }
    }
    best_of_each(&mut next, FRONT);
    next.iter_mut().for_each(|candidate| refine(problem, candidate, work));
    best_of_each(&mut next, FRONT);
    next
}

/// Keeps the best candidate of each combination of kinds, at most so many, the best first.
fn best_of_each(candidates: &mut Vec<Candidate>, most: usize) {
    candidates.retain(|candidate| candidate.score.is_finite());
    candidates.sort_by(|a, b| a.score.total_cmp(&b.score));
    let mut seen: Vec<Vec<Vec<usize>>> = Vec::new();
    candidates.retain(|candidate| {
        let own = kinds(&candidate.structure);
        let is_new = seen.len() < most && !seen.contains(&own);
        if is_new {
            seen.push(own);
        }
        is_new
    });
}

/// The same with one change of another kind, refined: which kind is best may depend on the changes that came later.
fn exchanged(problem: &Problem<'_>, candidate: &Candidate, work: &mut Work) -> Vec<Candidate> {
    let mut all = Vec::new();
    if candidate.changes() < 2 || is_short(problem) {
        return all;
    }
    for term in 0..candidate.structure.len() {
        for index in 0..candidate.structure[term].len() {
            let change = candidate.structure[term][index];
            let boundary = change.position();
            let kinks = problem.axis.map(|_| LevelChange::Kink { at: boundary });
            let others = [
                LevelChange::Jump { at: boundary },
                LevelChange::Rise { at: boundary, factor: FACTORS[1] },
            ];
            for other in
                others.into_iter().chain(kinks).filter(|other| kind(other) != kind(&change))
            {
                let mut structure = candidate.structure.clone();
                structure[term][index] = other;
                let mut exchanged = Candidate::new(problem, structure, work);
                refine(problem, &mut exchanged, work);
                all.push(exchanged);
            }
        }
    }
    all
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
    let is_gradual = !is_short(problem) && problem.values.first().is_some_and(|value| *value > 0.0);
    for boundary in places(problem) {
        let kinks = problem.axis.filter(|_| is_gradual).map(|_| LevelChange::Kink { at: boundary });
        let rises = FACTORS.map(|factor| LevelChange::Rise { at: boundary, factor });
        let gradual = kinks.into_iter().chain(rises).filter(|_| is_gradual);
        for change in [LevelChange::Jump { at: boundary }].into_iter().chain(gradual) {
            let Some(structure) = with(problem, &base.structure, term, change) else { continue };
            let candidate = Candidate::new(problem, structure, work);
            let own = &mut best[kind(&change)];
            if own.as_ref().is_none_or(|other| candidate.solution.rss < other.solution.rss) {
                *own = Some(candidate);
            }
        }
    }
    best.into_iter().flatten().collect()
}

/// A structure with one change more; `None` if it were too close to another one.
fn with(
    problem: &Problem<'_>,
    structure: &Structure,
    term: usize,
    change: LevelChange,
) -> Option<Structure> {
    let mut added = structure.clone();
    added[term].push(change);
    added[term].sort_by(|a, b| a.position().total_cmp(&b.position()));
    is_apart(problem, &added, term).then_some(added)
}

/// The middles of gaps between sizes, at most [`PLACES`].
fn places(problem: &Problem<'_>) -> Vec<f64> {
    let gaps = gaps(problem);
    let step = gaps.len().div_ceil(PLACES).max(1);
    gaps.into_iter().step_by(step).collect()
}
