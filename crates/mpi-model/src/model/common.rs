//! Passages that ranks have in common: how many each one makes depends on who is free, and only their sum follows from the
//! variables.
//!
//! In a task farm a slave gets its next task when it has sent the result of the last one. So in each run the slaves make
//! other numbers of passages, and a number for each rank fits no other number of processes. The sum is the number of tasks.

use std::collections::BTreeMap;

use super::classes::Class;
use super::count::Count;
use super::passages::{Passages, bits};
use super::structure::RankStep;

/// Sums that are the same but for rounding.
const SAME: f64 = 1e-6;

/// Which loops belong together: their call paths, and how many loops with the same ones are before it.
type Key = (Vec<u32>, usize);

/// Makes the loops of classes common whose passages do not follow for each rank, but all together. Returns the sums, as
/// formulas.
pub(super) fn common(
    classes: &[Class],
    passages: &mut [Vec<Passages>],
    names: &[String],
) -> Vec<Count> {
    if !has_order(classes) {
        return Vec::new();
    }
    let mut by_key: BTreeMap<Key, Vec<(usize, usize)>> = BTreeMap::new();
    for (class_index, class) in classes.iter().enumerate() {
        for (key, number) in outermost(&class.structure.parts) {
            by_key.entry(key).or_default().push((class_index, number));
        }
    }
    let mut sums = Vec::new();
    for loops in by_key.into_values() {
        let is_exact = |&(class, number): &(usize, usize)| passages[class][number].is_exact();
        let Some(sum) =
            (!loops.iter().all(is_exact)).then(|| sum(classes, &loops, names)).flatten()
        else {
            continue;
        };
        for (class, number) in loops {
            let slot = &mut passages[class][number];
            let each = std::mem::replace(slot, Passages::Nearest(Vec::new()));
            *slot = Passages::Common { number: sums.len(), text: sum.text(), each: Box::new(each) };
        }
        sums.push(sum);
    }
    sums
}

/// Whether ranks are served in the order in which they come.
fn has_order(classes: &[Class]) -> bool {
    let observations = classes.iter().flat_map(|class| &class.observations);
    observations
        .flat_map(|observation| observation.fitted.nodes.iter().flatten())
        .any(|passed| passed.is_any())
}

/// The loops that are not in others.
fn outermost(parts: &[RankStep]) -> Vec<(Key, usize)> {
    let mut all: Vec<(Key, usize)> = Vec::new();
    for part in parts {
        let RankStep::Loop { number, body } = part else { continue };
        let mut sites = Vec::new();
        paths(body, &mut sites);
        let before = all.iter().filter(|pair| pair.0.0 == sites).count();
        all.push(((sites, before), *number));
    }
    all
}

fn paths(parts: &[RankStep], into: &mut Vec<u32>) {
    for part in parts {
        match part {
            RankStep::Call { site, .. } => into.push(*site),
            RankStep::Loop { body, .. } => paths(body, into),
        }
    }
}

/// The passages of all ranks in a run, if they follow exactly from the variables.
fn sum(classes: &[Class], loops: &[(usize, usize)], names: &[String]) -> Option<Count> {
    let mut by_run: BTreeMap<usize, (Vec<f64>, f64)> = BTreeMap::new();
    for &(class, number) in loops {
        for observation in &classes[class].observations {
            let entry =
                by_run.entry(observation.run).or_insert_with(|| (observation.values.clone(), 0.0));
            entry.1 += observation.fitted.loops[number];
        }
    }
    let mut points: BTreeMap<Vec<u64>, (Vec<f64>, f64)> = BTreeMap::new();
    for (values, sum) in by_run.into_values() {
        let known = points.entry(bits(&values)).or_insert_with(|| (values, sum));
        if (known.1 - sum).abs() > SAME * sum.abs().max(1.0) {
            return None;
        }
        known.1 = known.1.round();
    }
    let points: Vec<(Vec<f64>, f64)> = points.into_values().collect();
    Count::new(names, &points).filter(|count| count.is_exact)
}
