//! A structure that was solved, and its kinds of changes.

use super::problem::{Problem, Solution, Structure, Work};
use super::score::{parameters, score};
use crate::LevelChange;

/// A structure with changes has at most this share of parameters to points: with more, changes follow the noise.
const MOST: f64 = 0.65;

/// Sizes that a level has at least between a fall and a rise: neighbouring sizes may be disturbed together.
const BUMP: usize = 5;
/// Or so many of all sizes, if that is more.
const BUMP_SHARE: usize = 8;

/// A structure, its solution and its criterion.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) structure: Structure,
    pub(crate) solution: Solution,
    pub(crate) score: f64,
}

impl Candidate {
    pub(crate) fn new(problem: &Problem<'_>, structure: Structure, work: &mut Work) -> Candidate {
        let solution = problem.solve(&structure, work);
        let is_changing = structure.iter().any(|changes| !changes.is_empty());
        let is_large = is_changing && parameters(&structure) as f64 > MOST * problem.points as f64;
        let is_refused = is_large || is_implausible(problem, &structure, &solution);
        let score =
            if is_refused { f64::INFINITY } else { score(problem, &structure, solution.rss) };
        Candidate { structure, solution, score }
    }

    /// Number of changes.
    pub(crate) fn changes(&self) -> usize {
        self.structure.iter().flatten().count()
    }

    /// Number of constants that change.
    pub(crate) fn changing(&self) -> usize {
        self.structure.iter().filter(|changes| !changes.is_empty()).count()
    }
}

/// Whether no machine costs that: see [`is_free`] and [`has_bump`].
pub(crate) fn is_implausible(
    problem: &Problem<'_>,
    structure: &Structure,
    solution: &Solution,
) -> bool {
    is_free(problem, structure, solution) || has_bump(problem, structure, solution)
}

/// Whether a constant has a level of zero after another one, or a kink a level below the one before: what costs something
/// does not become free, and what lies beyond a size costs more, not less. A constant that begins at zero does so alone:
/// beside changes of another one it takes a part of that one's term.
fn is_free(problem: &Problem<'_>, structure: &Structure, solution: &Solution) -> bool {
    let mut first = 0;
    let is_alone = structure.iter().filter(|changes| !changes.is_empty()).count() == 1;
    problem.is_bounded
        && structure.iter().any(|changes| {
            let levels = &solution.constants[first..=first + changes.len()];
            first += changes.len() + 1;
            let mut pairs = levels.windows(2).zip(changes);
            pairs.any(|(pair, change)| {
                pair[1] == 0.0
                    || (pair[0] == 0.0 && !is_alone)
                    || (change.is_kink() && pair[1] < pair[0])
            })
        })
}

/// Whether a change takes back the one before it, with too few sizes between them.
fn has_bump(problem: &Problem<'_>, structure: &Structure, solution: &Solution) -> bool {
    let bump = BUMP.max(problem.values.len() / BUMP_SHARE);
    let mut first = 0;
    structure.iter().any(|changes| {
        let levels = &solution.constants[first..=first + changes.len()];
        first += changes.len() + 1;
        levels.windows(3).zip(changes.windows(2)).any(|(levels, changes)| {
            let is_taken_back = (levels[1] - levels[0]) * (levels[2] - levels[1]) < 0.0;
            let is_between =
                |value: &&f64| changes[0].position() < **value && **value < changes[1].position();
            is_taken_back && problem.values.iter().filter(is_between).count() < bump
        })
    })
}

/// The kinds of a structure's changes, for each constant.
pub(crate) fn kinds(structure: &Structure) -> Vec<Vec<usize>> {
    structure.iter().map(|changes| changes.iter().map(kind).collect()).collect()
}

/// The number of a change's kind.
pub(crate) fn kind(change: &LevelChange) -> usize {
    match change {
        LevelChange::Jump { .. } => 0,
        LevelChange::Rise { .. } => 1,
        LevelChange::Kink { .. } => 2,
    }
}
