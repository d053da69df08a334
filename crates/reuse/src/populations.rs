//! Accesses that have their reuse distance for the same reason, at all sizes that were run.

use std::collections::{BTreeMap, BTreeSet};

use crate::accesses::{LINE, PassageGroup, RECENT};
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
/// The parts of a wide population whose distances are described apart.
const PARTS: [f64; 5] = [0.97, 0.75, 0.5, 0.25, BEYOND];
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
    /// If the distances are spread: those that parts of the accesses have or exceed, the shortest first. Empty if they are
    /// about the same; `points` are the last of these otherwise.
    pub spread: Vec<Quantile>,
}

/// The distance that a part of a population has, or exceeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantile {
    /// The part of the accesses.
    pub part: f64,
    /// The distance in bytes at each size, as of the population.
    pub points: Vec<(Vec<f64>, f64)>,
    /// How it grows.
    pub growth: Growth,
}

impl Population {
    /// The distance in bytes at these values of the variables.
    pub fn distance(&self, values: &[f64]) -> f64 {
        distance(&self.points, &self.growth, values)
    }
}

impl Quantile {
    /// The distance in bytes at these values of the variables.
    pub fn distance(&self, values: &[f64]) -> f64 {
        distance(&self.points, &self.growth, values)
    }
}

/// With one variable between two points that were run: between their distances. Else as it grows.
fn distance(points: &[(Vec<f64>, f64)], growth: &Growth, values: &[f64]) -> f64 {
    let [value] = values else { return growth.value_at(values) };
    let is_between = |pair: &&[(Vec<f64>, f64)]| pair[0].0[0] <= *value && *value <= pair[1].0[0];
    match points.windows(2).find(is_between) {
        Some([(low, below), (high, above)]) if high[0] > low[0] && low[0] > 0.0 => {
            let part = (value / low[0]).ln() / (high[0] / low[0]).ln();
            below * (above / below).powf(part)
        }
        _ => growth.value_at(values),
    }
}

/// A part of a histogram.
#[derive(Clone, Copy, Debug, PartialEq)]
struct HistogramPart {
    /// Share of all accesses of the instruction.
    share: f64,
    /// The share of accesses that are further than its upper end.
    further: f64,
    /// Whether its distances are spread.
    is_wide: bool,
}

impl HistogramPart {
    /// The share of the instruction's accesses that reach what a part of these reaches.
    fn reached_by(&self, part: f64) -> f64 {
        self.further + part * self.share
    }
}

/// Finds the populations of an experiment. `line` gives the index of an instruction's line. Groups are those of one place
/// with at least three different sizes; their values are the `variables` first saved ones.
pub fn populations(
    groups: &[&PassageGroup],
    variables: usize,
    line: impl Fn(usize) -> usize,
) -> Vec<Population> {
    find_populations(sizes(groups, variables, None), LINE, variables, line)
}

/// The same of pages of a size: distances are in bytes of pages.
pub fn populations_of_pages(
    groups: &[&PassageGroup],
    page: f64,
    variables: usize,
    line: impl Fn(usize) -> usize,
) -> Vec<Population> {
    find_populations(sizes(groups, variables, Some(page)), page, variables, line)
}

/// `unit`: the bytes of what distances count.
fn find_populations(
    sizes: Vec<Size>,
    unit: f64,
    variables: usize,
    line: impl Fn(usize) -> usize,
) -> Vec<Population> {
    let mut exact = sizes.iter().filter(|size| size.rate == 1);
    let largest = if exact.clone().count() >= ENOUGH { exact.next_back() } else { sizes.last() };
    let Some(largest) = largest else { return Vec::new() };
    let all: f64 = largest.accesses.values().map(|number| *number as f64).sum();
    let keys: BTreeSet<(usize, usize)> = largest.cells.keys().copied().collect();
    let mut populations: Vec<Population> = Vec::new();
    for (instruction, array) in keys {
        let number = |size: &Size| *size.accesses.get(&instruction).unwrap_or(&0) as f64;
        let total = number(largest);
        for part in parts(&largest.cells[&(instruction, array)], total) {
            let quantile = |part_of: f64| {
                let share = part.reached_by(part_of);
                let point = |size: &Size| {
                    let histogram = size.cells.get(&(instruction, array))?;
                    let lines = histogram.reached_by(share * number(size))?;
                    let seen = size.rate == 1 || lines >= SEEN * (RECENT * size.rate) as f64;
                    // With the line itself: a level of so many bytes holds it.
                    seen.then(|| (size.values.clone(), (lines + 1.0) * unit))
                };
                let points: Vec<(Vec<f64>, f64)> = sizes.iter().filter_map(point).collect();
                let growth = growth(&upper(&points, variables)?)?;
                Some(Quantile { part: part_of, points, growth })
            };
            let Some(main) = quantile(if part.is_wide { BEYOND } else { 0.5 }) else { continue };
            let spread = if part.is_wide {
                PARTS.into_iter().filter_map(quantile).collect()
            } else {
                Vec::new()
            };
            let Quantile { points, growth, .. } = main;
            populations.push(Population {
                line: line(instruction),
                array,
                share: part.share * total / all.max(1.0),
                points,
                growth,
                spread,
            });
        }
    }
    merged(populations)
}

/// The points at the larger sizes, from which growth is described; `None` without points.
fn upper(points: &[(Vec<f64>, f64)], variables: usize) -> Option<Vec<(Vec<f64>, f64)>> {
    let extent = |values: &[f64]| values.iter().map(|v| v.max(1.0)).product::<f64>();
    let least = extent(&points.last()?.0) * UPPER.powi(variables as i32);
    let near = points.iter().filter(|(values, _)| extent(values) >= least);
    let near: Vec<(Vec<f64>, f64)> = near.cloned().collect();
    Some(if near.len() < 4 { points.to_vec() } else { near })
}

/// The data that the passages with the same values of the variables have in common.
struct Size {
    values: Vec<f64>,
    rate: u64,
    cells: BTreeMap<(usize, usize), Histogram>,
    accesses: BTreeMap<usize, u64>,
}

/// The sizes, the largest last; with the distances in pages of a size, if one is given.
fn sizes(groups: &[&PassageGroup], variables: usize, page: Option<f64>) -> Vec<Size> {
    let mut sizes: Vec<Size> = Vec::new();
    for group in groups {
        let values = group.values[..variables.min(group.values.len())].to_vec();
        let paged = page.map(|page| group.pages.iter().find(|paged| paged.page == page));
        let rate = match paged {
            None => group.rate,
            Some(Some(paged)) => paged.rate,
            Some(None) => continue,
        };
        let index = sizes.iter().position(|size| size.values == values).unwrap_or_else(|| {
            let (cells, accesses) = (BTreeMap::new(), BTreeMap::new());
            sizes.push(Size { values, rate, cells, accesses });
            sizes.len() - 1
        });
        match paged.flatten() {
            Some(paged) => {
                for (key, distances) in &paged.cells {
                    sizes[index].cells.entry(*key).or_default().merge(distances);
                }
            }
            None => {
                for (key, cell) in &group.cells {
                    sizes[index].cells.entry(*key).or_default().merge(&cell.distances);
                }
            }
        }
        for (instruction, number) in &group.accesses {
            *sizes[index].accesses.entry(*instruction).or_default() += number;
        }
    }
    let extent = |size: &Size| size.values.iter().map(|v| v.max(1.0).ln()).sum::<f64>();
    sizes.sort_by(|a, b| extent(a).total_cmp(&extent(b)));
    sizes
}

/// The parts of a histogram between which no distances are.
fn parts(histogram: &Histogram, accesses: f64) -> Vec<HistogramPart> {
    let least = NEGLIGIBLE * histogram.number as f64;
    let gap = bins_of_ratio(GAP);
    let mut parts: Vec<HistogramPart> = Vec::new();
    let mut sum = 0.0; // From the largest distance down.
    let mut current: Option<(f64, f64, f64, usize)> = None; // Begin, smallest and largest distance, last bin.
    let mut finish = |from: f64, to: f64, low: f64, high: f64| {
        let share = (to - from) / accesses.max(1.0);
        let further = from / accesses.max(1.0);
        parts.push(HistogramPart { share, further, is_wide: high / low > NARROW });
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
    parts
}

/// Populations of the same line and array with the same distance are one.
fn merged(all: Vec<Population>) -> Vec<Population> {
    let mut populations: Vec<Population> = Vec::new();
    for candidate in all {
        let last = |population: &Population| population.points.last().map_or(0.0, |point| point.1);
        let is_same = |known: &&mut Population| {
            let ratio = last(known) / last(&candidate).max(1.0);
            (known.line, known.array) == (candidate.line, candidate.array)
                && (1.0 / GAP..GAP).contains(&ratio)
        };
        match populations.iter_mut().find(is_same) {
            Some(known) => {
                if candidate.share > known.share {
                    (known.points, known.growth) = (candidate.points, candidate.growth);
                    known.spread = candidate.spread;
                }
                known.share += candidate.share;
            }
            None => populations.push(candidate),
        }
    }
    populations.sort_by(|a, b| b.share.total_cmp(&a.share));
    populations
}
