//! Other places of the divisions that the data allow, with their weights.

use super::accept::in_order;
use super::chosen_regions::Regions;
use super::field::Field;
use super::tree::Tree;
use crate::intervals::Fitted;
use crate::solve::{Division, OrderedPoints, Segments};

/// Divisions with less weight than this, relative to the best, are left out.
const MIN_WEIGHT: f64 = 0.01;
/// The largest number of divisions that are kept.
const MOST: usize = 32;

/// Other divisions, and for each division of the tree where it may be.
pub(crate) struct Moved {
    pub(crate) others: Vec<Other>,
    /// In the order of [`Tree::splits`].
    pub(crate) gaps: Vec<Gap>,
}

/// Another division into regions.
pub(crate) struct Other {
    pub(crate) tree: Tree,
    pub(crate) segments: Segments,
    pub(crate) weight: f64,
}

/// The values next to a division, and the range in which it lies with the given confidence.
pub(crate) struct Gap {
    pub(crate) last_left: f64,
    pub(crate) first_right: f64,
    pub(crate) plausible: (f64, f64),
}

impl Other {
    /// The rows in the order of its regions.
    pub(crate) fn arranged(
        &self,
        ordered: &OrderedPoints,
        field: &Field,
    ) -> (OrderedPoints, Division) {
        let members = self.tree.divide(field, &field.all());
        let (ordered, breaks) = in_order(ordered, field, &members, field.axes());
        (ordered, Division { breaks, rss: 0.0 })
    }
}

/// Moves one division at a time, as for intervals: a place weighs exp(-Δ/2), Δ the difference of
/// the criterion (Raftery 1995). The division along one axis
/// is one of the others.
pub(crate) fn moved(
    fitted: &Fitted,
    regions: &Regions,
    independent: f64,
    confidence: f64,
) -> Moved {
    let Regions { tree, field, members, one: along_one } = regions;
    let n = field.rows as f64;
    let floor = n * field.resolution * field.resolution;
    let own: f64 = field.pure() + members.iter().map(|member| field.rss(member)).sum::<f64>();
    let weight = |difference: f64| (-0.5 * independent * difference).exp().min(1.0);
    let mut others = Vec::new();
    let mut gaps = Vec::new();
    for path in tree.splits() {
        let inside = tree.members(field, &path);
        let Some(split) = tree.split_at(&path) else { continue };
        let mut values: Vec<f64> =
            inside.iter().map(|&point| field.point(point).coordinates[split.axis]).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let last_left = |from: f64| values[values.partition_point(|&v| v < from).max(1) - 1];
        let mut places = vec![(split.from, 1.0)];
        for cut in field.cuts(&inside, split.axis) {
            if cut.from == split.from {
                continue;
            }
            let mut other = tree.clone();
            if let Some(split) = other.at_mut(&path) {
                split.from = cut.from;
            }
            let all = other.divide(field, &field.all());
            let rss: f64 = field.pure() + all.iter().map(|numbers| field.rss(numbers)).sum::<f64>();
            if !rss.is_finite() {
                continue;
            }
            let weight = weight(n * (rss.max(floor) / own.max(floor)).ln());
            places.push((cut.from, weight));
            others.push(Other { tree: other, segments: fitted.chosen.segments.clone(), weight });
        }
        places.sort_by(|a, b| b.1.total_cmp(&a.1));
        let all: f64 = places.iter().map(|place| place.1).sum();
        let (mut low, mut high, mut sum) = (split.from, split.from, 0.0);
        for (from, heavy) in places {
            if sum >= confidence * all {
                break;
            }
            sum += heavy;
            (low, high) = (low.min(from), high.max(from));
        }
        gaps.push(Gap {
            last_left: last_left(split.from),
            first_right: split.from,
            plausible: (last_left(low), high),
        });
    }
    others.extend(along_one.iter().map(|(tree, segments, score)| {
        let weight = weight(score - fitted.chosen.score);
        Other { tree: tree.clone(), segments: segments.clone(), weight }
    }));
    others.retain(|other| other.weight >= MIN_WEIGHT);
    let all = 1.0 + others.iter().map(|other| other.weight).sum::<f64>();
    others.iter_mut().for_each(|other| other.weight /= all);
    others.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    others.truncate(MOST);
    Moved { others, gaps }
}
