//! Other places, widths and kinds that the data allow, drawn by their probability.

use fastrand::Rng;

use super::candidate::{Candidate, kinds};
use super::problem::{Problem, Structure, Work};
use super::refine::{NARROWEST, WIDEST, is_apart};
use super::search::Choice;
use crate::LevelChange;

/// A structure that is as likely as its weight says.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) structure: Structure,
    pub(crate) weight: f64,
}

/// Structures whose criterion is worse by this have no weight.
const NEGLIGIBLE: f64 = 8.0;
/// Steps of the walk before the first draw, between draws, and draws of all structures.
const BEGIN: usize = 40;
const BETWEEN: usize = 6;
const DRAWS: usize = 30;
/// Draws of a structure that has little weight.
const FEWEST: usize = 6;
/// How far beyond the last size the middle of a rise may be.
const BEYOND: f64 = 1.5;

/// Draws for the chosen structure and those that are nearly as probable (Raftery 1995): of each by its weight
/// exp(-Δ/2), Δ the difference of the criterion, and of places and widths by a walk (Metropolis 1953) along the
/// likelihood of Student's distribution.
pub(crate) fn draws(problem: &Problem<'_>, choice: &Choice, work: &mut Work) -> Vec<Drawn> {
    let chosen = &choice.chosen;
    let mut all = vec![(chosen, 1.0)];
    for other in &choice.others {
        let difference = other.score - chosen.score;
        // What was not chosen although the criterion is smaller predicts sizes that are left out worse.
        let difference = difference.max(0.0);
        if difference < NEGLIGIBLE
            && !all.iter().any(|(own, _)| kinds(&own.structure) == kinds(&other.structure))
        {
            all.push((other, (-0.5 * difference).exp()));
        }
    }
    let sum: f64 = all.iter().map(|(_, weight)| weight).sum();
    let mut random = Rng::with_seed(0x11ac);
    let mut drawn = Vec::new();
    for (candidate, weight) in all {
        let share = weight / sum;
        if share < 0.01 {
            continue;
        }
        let draws = ((DRAWS as f64 * share).ceil() as usize).max(FEWEST);
        let own = walk(problem, (candidate, draws), &mut random, work);
        let each = share / own.len() as f64;
        drawn.extend(own.into_iter().map(|structure| Drawn { structure, weight: each }));
    }
    drawn
}

/// A walk over places and widths: its draws have their frequency by likelihood.
fn walk(
    problem: &Problem<'_>,
    (candidate, draws): (&Candidate, usize),
    random: &mut Rng,
    work: &mut Work,
) -> Vec<Structure> {
    let start = (candidate.structure.clone(), candidate.solution.clone());
    if candidate.changes() == 0 {
        return vec![start.0];
    }
    let widths: usize = candidate.structure.iter().flatten().map(LevelChange::widths).sum();
    let parameters = Problem::columns(&candidate.structure) + candidate.changes() + widths;
    let n = problem.len() as f64;
    let dof = (n - parameters as f64).max(1.0);
    let floor = n * problem.resolution * problem.resolution;
    let likelihood = |rss: f64| -0.5 * (dof + 1.0) * rss.max(floor).ln();
    let mut sizes: Vec<Vec<f64>> =
        candidate.structure.iter().map(|changes| vec![0.2; changes.len()]).collect();
    let mut current = start;
    let mut out = Vec::with_capacity(draws);
    let changing: Vec<(usize, usize)> = candidate
        .structure
        .iter()
        .enumerate()
        .flat_map(|(term, changes)| (0..changes.len()).map(move |index| (term, index)))
        .collect();
    let mut steps = 0;
    while out.len() < draws {
        for &(term, index) in &changing {
            let change = current.0[term][index];
            let size = sizes[term][index];
            let Some(proposed) = propose(problem, change, size, random) else { continue };
            let mut structure = current.0.clone();
            structure[term][index] = proposed;
            if !is_apart(problem, &structure, term) {
                continue;
            }
            let solution = problem.solve(&structure, work);
            let gain = likelihood(solution.rss) - likelihood(current.1.rss);
            let taken = gain >= 0.0 || random.f64() < gain.exp();
            if steps < BEGIN {
                // About a third is to be taken.
                let factor = if taken { 1.3 } else { 0.88 };
                sizes[term][index] = (size * factor).clamp(1e-4, 1.5);
            }
            if taken {
                current = (structure, solution);
            }
        }
        steps += 1;
        if steps > BEGIN && (steps - BEGIN).is_multiple_of(BETWEEN) {
            out.push(current.0.clone());
        }
    }
    out
}

/// A place and a width near those of a change.
fn propose(
    problem: &Problem<'_>,
    change: LevelChange,
    size: f64,
    random: &mut Rng,
) -> Option<LevelChange> {
    let (&low, &high) = (problem.values.first()?, problem.values.last()?);
    let mut normal = || {
        // The sum of uniform numbers is as good as a normal one here.
        (0..6).map(|_| random.f64() - 0.5).sum::<f64>() * 2f64.sqrt()
    };
    let (place, width) = (size * normal(), 2.0 * size * normal());
    let boundary = if low > 0.0 {
        change.position() * place.exp()
    } else {
        change.position() + place * (high - low)
    };
    let last = if change.widths() > 0 { BEYOND * high } else { high };
    if !(low..=last).contains(&boundary) {
        return None;
    }
    Some(match change {
        LevelChange::Rise { factor, .. } => {
            let factor = factor * width.exp();
            if !(NARROWEST..=WIDEST).contains(&factor) {
                return None;
            }
            LevelChange::Rise { at: boundary, factor }
        }
        other => other.moved(boundary),
    })
}
