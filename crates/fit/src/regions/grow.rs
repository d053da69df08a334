//! The best division into regions: grown from several starts, pruned by the criterion, and moved to
//! the best places.

use super::field::{Cut, Field};
use super::join::{Joined, bound};
use super::tree::Tree;
use crate::Options;

/// Axes on which the first division is tried.
const STARTS: usize = 4;
/// Most multiplications of looking ahead from one part: some milliseconds.
const WORK: f64 = 2e7;
/// Looking ahead from fewer places on each axis is of no use.
const FEWEST: usize = 3;
/// Criteria that differ by less are equal.
const SAME: f64 = 1e-6;
/// Passes in which divisions are moved.
const PASSES: usize = 2;

/// The division along more than one axis with the smallest criterion, with at most so many regions.
pub(crate) fn best(
    field: &Field,
    along_one: Tree,
    most: usize,
    options: &Options,
) -> Option<(Tree, Joined)> {
    let mut best: Option<(Tree, Joined)> = None;
    for start in starts(field, along_one) {
        let grown = grown(field, start, most);
        for tree in grown.prunings() {
            consider(field, tree, options, &mut best);
        }
    }
    // Each division was the best one before those below it were known.
    for _ in 0..PASSES {
        let (before, _) = best.as_ref()?;
        let tree = moved(field, before.clone());
        if best.as_ref().is_some_and(|(before, _)| *before == tree) {
            break;
        }
        for tree in tree.prunings() {
            consider(field, tree, options, &mut best);
        }
    }
    best
}

/// Keeps the tree if its criterion is smaller.
fn consider(field: &Field, tree: Tree, options: &Options, best: &mut Option<(Tree, Joined)>) {
    if !tree.has_several_axes() {
        return;
    }
    let members = tree.divide(field, &field.all());
    let rss: f64 = field.pure() + members.iter().map(|member| field.rss(member)).sum::<f64>();
    let known = best.as_ref().map_or(f64::INFINITY, |best| best.1.score);
    if !rss.is_finite() || bound(field, rss, members.len()) > known + SAME {
        return;
    }
    let Some(joined) = Joined::new(field, &members, options.join) else { return };
    // Of equally good ones that along simpler axes, the first of the list.
    let same = (joined.score - known).abs() < SAME;
    let simpler = best.as_ref().is_some_and(|(other, _)| places(&tree) < places(other));
    if joined.score < known - SAME || (same && simpler) {
        *best = Some((tree, joined));
    }
}

/// The places of a tree's axes in their list, added.
fn places(tree: &Tree) -> usize {
    let paths = tree.splits();
    paths.iter().filter_map(|path| tree.split_at(path)).map(|split| split.axis).sum()
}

/// The division along one axis, and the best first divisions along the axes.
fn starts(field: &Field, along_one: Tree) -> Vec<Tree> {
    let mut starts = Vec::new();
    if along_one.regions() > 1 {
        starts.push(along_one);
    }
    let all = field.all();
    let mut choices: Vec<Choice> =
        (0..field.axes()).filter_map(|axis| choice(field, &all, Some(axis))).collect();
    choices.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    choices.truncate(STARTS);
    starts.extend(choices.iter().map(|choice| Tree::two(choice.cut.axis, choice.cut.from)));
    starts
}

/// Divides the region that gains most, until there are `most` regions or none can be divided.
fn grown(field: &Field, start: Tree, most: usize) -> Tree {
    let mut tree = start;
    let mut regions: Vec<(Vec<usize>, Option<Choice>)> = tree
        .divide(field, &field.all())
        .into_iter()
        .map(|members| {
            let choice = choice(field, &members, None);
            (members, choice)
        })
        .collect();
    while regions.len() < most {
        let gain = |k: &usize| regions[*k].1.as_ref().map_or(0.0, |choice| choice.gain);
        let index = (0..regions.len()).max_by(|a, b| gain(a).total_cmp(&gain(b)));
        let Some((index, cut)) =
            index.and_then(|index| Some((index, regions[index].1.as_ref()?.cut)))
        else {
            break;
        };
        if gain(&index) <= 0.0 {
            break;
        }
        let (below, above) = field.halves(&regions[index].0, cut.axis, cut.from);
        tree.replace(index, Tree::two(cut.axis, cut.from));
        let both = [below, above].map(|members| {
            let choice = choice(field, &members, None);
            (members, choice)
        });
        regions.splice(index..=index, both);
    }
    tree
}

/// A division and how much the sum of squares falls, for each division that it takes.
struct Choice {
    cut: Cut,
    gain: f64,
}

/// The division after which the sum of squares falls most, the next division of each side
/// included: a corner of the space is found by its second side only.
fn choice(field: &Field, members: &[usize], axis: Option<usize>) -> Option<Choice> {
    if members.len() < 2 * (field.columns() + 2) {
        return None;
    }
    let own = field.rss(members);
    let axes = axis.map_or(0..field.axes(), |axis| axis..axis + 1);
    let each: Vec<Vec<Cut>> = axes.map(|axis| field.cuts(members, axis)).collect();
    let width = (field.columns() + 1) as f64;
    let value = 2.0 * field.axes() as f64 * members.len() as f64 * width * width;
    let places = (WORK / value / each.len().max(1) as f64) as usize;
    let mut best: Option<Choice> = None;
    let mut add = |cut: Cut, rss: f64, divisions: f64| {
        // An infinite sum: all points together do not determine the constants.
        let gain = if own.is_finite() { (own - rss) / divisions } else { f64::MAX };
        if rss.is_finite() && best.as_ref().is_none_or(|best| gain > best.gain) {
            best = Some(Choice { cut, gain });
        }
    };
    for mut cuts in each {
        cuts.sort_by(|a, b| a.rss.total_cmp(&b.rss));
        for (k, cut) in cuts.into_iter().enumerate() {
            add(cut, cut.rss, 1.0);
            if places < FEWEST || k >= places {
                continue;
            }
            let (below, above) = field.halves(members, cut.axis, cut.from);
            let sides = [field.rss(&below), field.rss(&above)];
            let next = [below, above]
                .map(|side| field.best_cut(&side).map_or(f64::INFINITY, |cut| cut.rss));
            add(cut, next[0] + sides[1], 2.0);
            add(cut, sides[0] + next[1], 2.0);
            add(cut, next[0] + next[1], 3.0);
        }
    }
    best
}

/// Each division moved to the place, on any axis, where the sum of squares is smallest with the
/// divisions below it.
fn moved(field: &Field, mut tree: Tree) -> Tree {
    let floor = field.rows as f64 * field.resolution * field.resolution;
    for path in tree.splits() {
        let members = tree.members(field, &path);
        let Some(split) = tree.split_at(&path) else { continue };
        let sum = |axis: usize, from: f64| -> f64 {
            let (below, above) = field.halves(&members, axis, from);
            let sides = [(&split.below, below), (&split.above, above)];
            let regions = sides.iter().flat_map(|(tree, side)| tree.divide(field, side));
            regions.map(|region| field.rss(&region)).sum()
        };
        let mut best = (sum(split.axis, split.from), split.axis, split.from);
        for cut in (0..field.axes()).flat_map(|axis| field.cuts(&members, axis)) {
            let rss = sum(cut.axis, cut.from);
            let (rss, least) = (rss.max(floor), best.0.max(floor));
            let simpler = cut.axis < best.1 && rss <= least * (1.0 + 1e-9);
            if rss < least * (1.0 - 1e-9) || simpler {
                best = (rss, cut.axis, cut.from);
            }
        }
        if let Some(split) = tree.at_mut(&path) {
            (split.axis, split.from) = (best.1, best.2);
        }
    }
    tree
}
