//! Accesses that have their reuse distance for the same reason, at all sizes that were run.

use std::collections::{BTreeMap, BTreeSet};

use crate::accesses::{Group, LINE, RECENT};
use crate::growth::{Growth, growth};
use crate::histogram::{Histogram, bins_of_ratio};

/// Distances further apart than this have different reasons, if none lies between.
const GAP: f64 = 1.3;
/// Fewer than this share of a histogram are none.
const NEGLIGIBLE: f64 = 0.001;
/// Distances within this ratio are described by their middle, others by their upper end.
const NARROW: f64 = 1.6;
/// The part of a wide population that lies beyond its upper end.
const BEYOND: f64 = 0.03;
/// With sampled lines, distances below this times the smallest one that is seen are not used.
const SEEN: f64 = 4.0;
/// With so many sizes at which all lines were followed, these say what there is.
const ENOUGH: usize = 4;
/// Growth is described from the largest size down to this part of it.
const UPPER: f64 = 1.0 / 8.0;

/// Accesses of a line of the source to an array that have their distances for the same reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Population {
    /// Index of the line, as the caller numbers them.
    pub line: usize,
    /// Index of the array.
    pub array: usize,
    /// Share of all accesses of the passage, at the largest size.
    pub share: f64,
    /// The reuse distance in bytes at each size: the values of the variables, ascending by them, and the distance.
    pub points: Vec<(Vec<f64>, f64)>,
    /// How it grows.
    pub growth: Growth,
}

/// A part of a histogram.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    /// Share of all accesses of the instruction.
    share: f64,
    /// The share of accesses that reach its middle, or its upper end.
    reached_by: f64,
}

/// Finds the populations of an experiment. `line` gives the index of an instruction's line. Groups are those of one place
/// with at least three different sizes; their values are the `variables` first saved ones.
pub fn populations(
    groups: &[&Group],
    variables: usize,
    line: impl Fn(usize) -> usize,
) -> Vec<Population> {
    let sizes = sizes(groups, variables);
    let mut exact = sizes.iter().filter(|size| size.rate == 1);
    let largest = match exact.clone().count() >= ENOUGH {
        true => exact.next_back(),
        false => sizes.last(),
    };
    let Some(largest) = largest else { return Vec::new() };
    let all: f64 = largest.accesses.values().map(|number| *number as f64).sum();
    let keys: BTreeSet<(usize, usize)> = largest.cells.keys().copied().collect();
    let mut found: Vec<Population> = Vec::new();
    for (instruction, array) in keys {
        let number = |size: &Size| *size.accesses.get(&instruction).unwrap_or(&0) as f64;
        let of = number(largest);
        for part in parts(&largest.cells[&(instruction, array)], of) {
            let point = |size: &Size| {
                let histogram = size.cells.get(&(instruction, array))?;
                let lines = histogram.reached_by(part.reached_by * number(size))?;
                let seen = size.rate == 1 || lines >= SEEN * (RECENT * size.rate) as f64;
                // With the line itself: a level of so many bytes holds it.
                seen.then(|| (size.values.clone(), (lines + 1.0) * LINE))
            };
            let points: Vec<(Vec<f64>, f64)> = sizes.iter().filter_map(point).collect();
            let Some((last, _)) = points.last() else { continue };
            let extent = |values: &[f64]| values.iter().map(|v| v.max(1.0)).product::<f64>();
            let upper = extent(last) * UPPER.powi(variables as i32);
            let mut near: Vec<(Vec<f64>, f64)> =
                points.iter().filter(|(values, _)| extent(values) >= upper).cloned().collect();
            if near.len() < 4 {
                near.clone_from(&points);
            }
            let Some(growth) = growth(&near) else { continue };
            found.push(Population {
                line: line(instruction),
                array,
                share: part.share * of / all.max(1.0),
                points,
                growth,
            });
        }
    }
    merged(found)
}

/// What the passages with the same values of the variables have together.
struct Size {
    values: Vec<f64>,
    rate: u64,
    cells: BTreeMap<(usize, usize), Histogram>,
    accesses: BTreeMap<usize, u64>,
}

/// The sizes, the largest last.
fn sizes(groups: &[&Group], variables: usize) -> Vec<Size> {
    let mut found: Vec<Size> = Vec::new();
    for group in groups {
        let values = group.values[..variables.min(group.values.len())].to_vec();
        let at = found.iter().position(|one| one.values == values).unwrap_or_else(|| {
            let (cells, accesses) = (BTreeMap::new(), BTreeMap::new());
            found.push(Size { values, rate: group.rate, cells, accesses });
            found.len() - 1
        });
        for (key, cell) in &group.cells {
            found[at].cells.entry(*key).or_default().merge(&cell.distances);
        }
        for (instruction, number) in &group.accesses {
            *found[at].accesses.entry(*instruction).or_default() += number;
        }
    }
    let extent = |size: &Size| size.values.iter().map(|v| v.max(1.0).ln()).sum::<f64>();
    found.sort_by(|a, b| extent(a).total_cmp(&extent(b)));
    found
}

/// The parts of a histogram between which no distances are.
fn parts(histogram: &Histogram, accesses: f64) -> Vec<Part> {
    let least = NEGLIGIBLE * histogram.number as f64;
    let gap = bins_of_ratio(GAP);
    let mut found: Vec<Part> = Vec::new();
    let mut sum = 0.0; // From the largest distance down.
    let mut current: Option<(f64, f64, f64, usize)> = None; // Begin, smallest and largest distance, last bin.
    let mut finish = |from: f64, to: f64, low: f64, high: f64| {
        let share = (to - from) / accesses.max(1.0);
        let within = if high / low <= NARROW { 0.5 } else { BEYOND };
        found.push(Part { share, reached_by: (from + within * (to - from)) / accesses.max(1.0) });
    };
    for bin in histogram.bins().rev() {
        if (bin.number as f64) < least {
            sum += bin.number as f64;
            continue;
        }
        if let Some((from, low, high, last)) = current {
            if last - bin.index >= gap {
                finish(from, sum, low, high);
                current = Some((sum, bin.distance, bin.distance, bin.index));
            } else {
                current = Some((from, bin.distance, high, bin.index));
            }
        } else {
            current = Some((sum, bin.distance, bin.distance, bin.index));
        }
        sum += bin.number as f64;
    }
    if let Some((from, low, high, _)) = current {
        finish(from, sum, low, high);
    }
    found
}

/// Populations of the same line and array with the same distance are one.
fn merged(all: Vec<Population>) -> Vec<Population> {
    let mut found: Vec<Population> = Vec::new();
    for one in all {
        let last = |population: &Population| population.points.last().map_or(0.0, |point| point.1);
        let is_same = |known: &&mut Population| {
            let ratio = last(known) / last(&one).max(1.0);
            (known.line, known.array) == (one.line, one.array) && (1.0 / GAP..GAP).contains(&ratio)
        };
        match found.iter_mut().find(is_same) {
            Some(known) => {
                if one.share > known.share {
                    (known.points, known.growth) = (one.points, one.growth);
                }
                known.share += one.share;
            }
            None => found.push(one),
        }
    }
    found.sort_by(|a, b| b.share.total_cmp(&a.share));
    found
}
