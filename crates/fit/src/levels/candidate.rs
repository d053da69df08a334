//! A structure that was solved, and its kinds of changes.

use super::problem::{Problem, Solution, Structure, Work};
use super::score::score;
use crate::LevelChange;

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
        let score = score(problem, &structure, solution.rss);
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
