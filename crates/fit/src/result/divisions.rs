//! Where the constants change: boundaries along an axis, and regions along several.

use serde::{Deserialize, Serialize};

/// The boundary between two intervals: in the gap between two measured values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Boundary {
    /// Last value of the axis on the left side.
    pub last_left: f64,
    /// First value of the axis on the right side.
    pub first_right: f64,
    /// Where predictions change from the left to the right constants: the middle of the gap
    /// (geometric mean if both sides are positive), or the user's value.
    pub at: f64,
    /// Range of the boundary with the fit's confidence: from the last left value of the leftmost
    /// plausible gap to the first right value of the rightmost one.
    pub plausible: (f64, f64),
}

/// A division of the points, or of one side of another division, in two. The intervals of a fit
/// with divisions are its regions, from the lower sides to the upper ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Split {
    /// The variable or expression along which it divides.
    pub axis: String,
    /// Where.
    #[serde(flatten)]
    pub boundary: Boundary,
    /// First and last region on the lower side, which contains the boundary's value.
    pub below: (usize, usize),
    /// First and last region on the upper side.
    pub above: (usize, usize),
    /// Smallest and largest measured value of the axis, in all the data.
    pub range: (f64, f64),
}

/// The values of one axis in a region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bound {
    /// A variable or an expression.
    pub axis: String,
    /// Lower bound (exclusive).
    pub low: Option<f64>,
    /// Upper bound (inclusive).
    pub high: Option<f64>,
}

/// The bounds of every region: all of a region's hold in it, at most one for each axis.
pub(crate) fn bounds(splits: &[Split]) -> Vec<Vec<Bound>> {
    let mut regions = vec![Vec::new(); splits.len() + 1];
    for split in splits {
        let boundary = split.boundary.at;
        for (side, low, high) in
            [(split.below, None, Some(boundary)), (split.above, Some(boundary), None)]
        {
            for region in regions.get_mut(side.0..=side.1).into_iter().flatten() {
                narrow(region, &split.axis, low, high);
            }
        }
    }
    regions
}

/// A later bound lies within the earlier ones.
fn narrow(region: &mut Vec<Bound>, axis: &str, low: Option<f64>, high: Option<f64>) {
    match region.iter_mut().find(|bound| bound.axis == axis) {
        Some(bound) => {
            bound.low = low.or(bound.low);
            bound.high = high.or(bound.high);
        }
        None => region.push(Bound { axis: axis.to_owned(), low, high }),
    }
}

/// The union of regions, in as few parts as are found by putting together two that differ in one
/// bound. Empty: everywhere.
pub(crate) fn union(regions: &[Vec<Bound>]) -> Vec<Vec<Bound>> {
    let mut parts = regions.to_vec();
    loop {
        let pairs = (0..parts.len()).flat_map(|a| (a + 1..parts.len()).map(move |b| (a, b)));
        let joined = pairs
            .into_iter()
            .find_map(|(a, b)| together(&parts[a], &parts[b]).map(|merged| (a, b, merged)));
        let Some((a, b, merged)) = joined else { break };
        parts.remove(b);
        parts[a] = merged;
    }
    if parts.iter().any(Vec::is_empty) { Vec::new() } else { parts }
}

/// Two parts that meet, as one.
fn together(a: &[Bound], b: &[Bound]) -> Option<Vec<Bound>> {
    let same = |wanted: &Bound, all: &[Bound]| all.contains(wanted);
    let differ: Vec<&Bound> = a.iter().filter(|bound| !same(bound, b)).collect();
    let others: Vec<&Bound> = b.iter().filter(|bound| !same(bound, a)).collect();
    let ([x], [y]) = (&differ[..], &others[..]) else { return None };
    let meet = (x.high.is_some() && x.high == y.low) || (y.high.is_some() && y.high == x.low);
    if x.axis != y.axis || !meet {
        return None;
    }
    let (low, high) = if x.high == y.low { (x.low, y.high) } else { (y.low, x.high) };
    let merged = Bound { axis: x.axis.clone(), low, high };
    let joined = a.iter().map(|bound| if bound == *x { merged.clone() } else { bound.clone() });
    Some(joined.filter(|bound| bound.low.is_some() || bound.high.is_some()).collect())
}

/// The region of a point, each with its share of the weight: two or more in the gap of a division.
/// `value` gives the value of a division's axis.
pub(crate) fn paths(
    splits: &[Split],
    value: &dyn Fn(&str) -> f64,
    gaps: bool,
) -> Vec<(usize, f64)> {
    let mut open = vec![((0, splits.len()), 1.0)];
    let mut regions = Vec::new();
    while let Some(((first, last), weight)) = open.pop() {
        let here = |split: &&Split| split.below.0 == first && split.above.1 == last;
        let Some(split) = splits.iter().find(here).filter(|_| first < last) else {
            regions.push((first, weight));
            continue;
        };
        let (position, boundary) = (value(&split.axis), &split.boundary);
        if gaps && boundary.last_left < position && position < boundary.first_right {
            open.push((split.below, weight / 2.0));
            open.push((split.above, weight / 2.0));
        } else {
            open.push((if position > boundary.at { split.above } else { split.below }, weight));
        }
    }
    regions
}

/// Whether the divisions are a tree with one region more than divisions.
pub(crate) fn is_tree(splits: &[Split]) -> bool {
    let mut open = vec![(0, splits.len())];
    let mut used = 0;
    while let Some((first, last)) = open.pop() {
        if first == last {
            continue;
        }
        let here = |split: &&Split| split.below.0 == first && split.above.1 == last;
        let Some(split) = splits.iter().find(here) else { return false };
        let (below, above) = (split.below, split.above);
        if below.1 < below.0 || above.1 < above.0 || below.1 + 1 != above.0 {
            return false;
        }
        used += 1;
        open.extend([below, above]);
    }
    used == splits.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(axis: &str, position: f64, below: (usize, usize), above: (usize, usize)) -> Split {
        let boundary = Boundary {
            last_left: position - 1.0,
            first_right: position + 1.0,
            at: position,
            plausible: (position, position),
        };
        Split { axis: axis.to_owned(), boundary, below, above, range: (1.0, 100.0) }
    }

    /// `N <= 10`, and above it `P <= 4` and `P > 4`.
    fn three() -> Vec<Split> {
        vec![split("N", 10.0, (0, 0), (1, 2)), split("P", 4.0, (1, 1), (2, 2))]
    }

    #[test]
    fn a_point_in_a_gap_has_two_regions() {
        let regions_at = |n: f64, p: f64, gaps: bool| {
            paths(&three(), &|axis| if axis == "N" { n } else { p }, gaps)
        };
        assert_eq!(regions_at(20.0, 2.0, true), [(1, 1.0)]);
        assert_eq!(regions_at(20.0, 4.5, true), [(2, 0.5), (1, 0.5)]);
        assert_eq!(regions_at(20.0, 4.5, false), [(2, 1.0)]);
        assert_eq!(regions_at(9.5, 4.5, true), [(2, 0.25), (1, 0.25), (0, 0.5)]);
    }

    #[test]
    fn unions_are_put_together() {
        let all = bounds(&three());
        assert_eq!(all[2].len(), 2);
        assert_eq!(union(&all), Vec::<Vec<Bound>>::new(), "everywhere");
        let upper = union(&all[1..]);
        assert_eq!(upper, [vec![Bound { axis: "N".into(), low: Some(10.0), high: None }]]);
        assert_eq!(union(&[all[0].clone(), all[2].clone()]).len(), 2);
    }

    #[test]
    fn a_tree_is_recognised() {
        assert!(is_tree(&three()) && is_tree(&[]));
        assert!(!is_tree(&three()[1..]));
        assert!(!is_tree(&[split("N", 1.0, (0, 0), (2, 1))]));
    }
}
