//! How probable a structure is, and how well it predicts sizes that are left out.

use super::problem::{Problem, Structure, Work};
use crate::LevelChange;
use crate::intervals::criterion_of;

/// Every third size is left out together.
const FOLDS: usize = 3;

/// The criterion of divisions ([`criterion_of`]) for a structure: each change has the height of its level, its place, for
/// which three parameters count, and a rise its width. What repetitions explain is no evidence: with few sizes a change
/// may leave less than they vary by.
pub(crate) fn score(problem: &Problem<'_>, structure: &Structure, rss: f64) -> f64 {
    let parameters = Problem::columns(structure) + widths(structure);
    let count = structure.iter().flatten().count();
    let free = problem.len().saturating_sub(problem.basis.len()) as f64;
    let rss = rss.max(problem.noise * problem.noise * free);
    let choice = if count > 0 { 2.0 * (problem.axes as f64).ln() } else { 0.0 };
    criterion_of((problem.len(), problem.resolution), rss, parameters, count) + choice
}

/// The number of widths of a structure's changes.
fn widths(structure: &Structure) -> usize {
    structure.iter().flatten().map(LevelChange::widths).sum()
}

/// The number of parameters that the data choose: levels, places and widths.
pub(crate) fn parameters(structure: &Structure) -> usize {
    Problem::columns(structure) + structure.iter().flatten().count() + widths(structure)
}

/// The root mean square of the relative errors at sizes that are left out, a third of them at a time, with the places of
/// the changes as they are.
pub(crate) fn left_out(problem: &Problem<'_>, structure: &Structure, work: &mut Work) -> f64 {
    let folds: Vec<usize> = (0..problem.len()).map(|row| problem.position(row) % FOLDS).collect();
    let squares: f64 = (0..FOLDS)
        .map(|fold| problem.solve_among(structure, work, |row| folds[row] != fold).rss)
        .sum();
    (squares / problem.len() as f64).sqrt()
}
