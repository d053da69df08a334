//! A candidate: a division with one value for the constants that do not change at a boundary, and its score.

use super::criterion::criterion;
use super::joins::Joins;
use crate::numerics::{Triangle, f_tail, non_negative};
use crate::solve::{Division, OrderedPoints, Segments, ranges};

/// A division with its segments and their score.
pub(crate) struct Candidate {
    pub(crate) division: Division,
    pub(crate) segments: Segments,
    /// The criterion with the joined constants.
    pub(crate) score: f64,
}

impl Candidate {
    /// A lower bound of the score, whatever is joined.
    pub(crate) fn bound(ordered: &OrderedPoints, division: &Division) -> f64 {
        let breaks = division.breaks.len();
        if breaks == 0 {
            return f64::NEG_INFINITY;
        }
        criterion(ordered, division.rss, ordered.columns() + breaks, breaks)
    }

    /// Joins constants that do not differ, if requested, and computes the score.
    pub(crate) fn new(
        ordered: &OrderedPoints,
        division: Division,
        join: bool,
        bounded: bool,
    ) -> Candidate {
        let breaks = division.breaks.len();
        let (segments, rss) = if join {
            joined(ordered, &division, bounded)
        } else {
            (Segments::free(ordered.columns(), breaks), division.rss)
        };
        let score = criterion(ordered, rss, segments.parameters(), breaks);
        Candidate { division, segments, score }
    }
}

/// Significance level of the F test for a constant that differs between neighbours.
pub(crate) const LEVEL: f64 = 0.01;

/// Backward elimination: joins constants that do not differ between neighbouring intervals, each
/// time the pair whose join costs least, until the F test against the fit with every constant free
/// is significant. At least one constant changes at every boundary; if only one does, it is the one
/// with the smallest residuals. Returns the sum of squared residuals, too.
fn joined(ordered: &OrderedPoints, division: &Division, bounded: bool) -> (Segments, f64) {
    let boundaries = division.breaks.len();
    let columns = ordered.columns();
    let mut segments = Segments::free(columns, boundaries);
    if boundaries == 0 || columns < 2 {
        return (segments, division.rss);
    }
    let factors = Factors::new(ordered, division, bounded);
    let n = ordered.len();
    let floor = n as f64 * ordered.resolution() * ordered.resolution();
    let mut rss = factors.rss(&segments);
    let mut joins = if columns * (boundaries + 1) > FEW {
        Joins::new(&factors.intervals, columns)
    } else {
        None
    };
    loop {
        let best = match &joins {
            Some(joins) => {
                cheapest(&segments, |constant, boundary, _| joins.cost(constant, boundary))
            }
            None => cheapest(&segments, |constant, boundary, segments| {
                segments.set(constant, boundary, false);
                let with = factors.rss(segments);
                segments.set(constant, boundary, true);
                with
            }),
        };
        let Some((cost, constant, boundary)) = best else { break };
        segments.set(constant, boundary, false);
        // With bounds the cost of a join differs from the one used for the choice.
        let with = match &joins {
            Some(_) if bounded => factors.rss(&segments),
            Some(_) => rss + cost,
            None => cost,
        };
        if differs(rss.max(floor), with.max(floor), n, segments.parameters() + 1, LEVEL) {
            segments.set(constant, boundary, true);
            break;
        }
        if let Some(joins) = &mut joins {
            joins.join(constant, boundary);
        }
        rss = with;
    }
    if joins.is_some() {
        rss = factors.rss(&segments);
    }
    for boundary in 0..boundaries {
        let changing: Vec<usize> =
            (0..columns).filter(|&c| segments.changes(c, boundary)).collect();
        let [only] = changing[..] else { continue };
        segments.set(only, boundary, false);
        let mut best = (f64::INFINITY, only);
        for constant in 0..columns {
            segments.set(constant, boundary, true);
            let with = factors.rss(&segments);
            segments.set(constant, boundary, false);
            if with < best.0 {
                best = (with, constant);
            }
        }
        segments.set(best.1, boundary, true);
        rss = best.0;
    }
    (segments, rss)
}

/// With more constants in all intervals, the costs of joins are computed from their covariance.
const FEW: usize = 30;

/// The join with the smallest `cost` (constant, boundary), among those after which some constant
/// still changes at the boundary.
fn cheapest(
    segments: &Segments,
    mut cost: impl FnMut(usize, usize, &mut Segments) -> f64,
) -> Option<(f64, usize, usize)> {
    let mut tried = segments.clone();
    let mut best: Option<(f64, usize, usize)> = None;
    for boundary in 0..segments.boundaries {
        let changing = (0..segments.columns).filter(|&c| segments.changes(c, boundary)).count();
        if changing < 2 {
            continue;
        }
        for constant in (0..segments.columns).filter(|&c| segments.changes(c, boundary)) {
            let with = cost(constant, boundary, &mut tried);
            if best.is_none_or(|b| with < b.0) {
                best = Some((with, constant, boundary));
            }
        }
    }
    best
}

/// F test of one more constraint.
pub(crate) fn differs(rss: f64, with: f64, n: usize, parameters: usize, level: f64) -> bool {
    let dof = n as f64 - parameters as f64;
    if dof < 1.0 {
        return true;
    }
    let f = (with - rss) / (rss / dof);
    f_tail(f, 1.0, dof).is_some_and(|p| p < level)
}

/// The factors of the intervals: they replace all rows when segments are compared.
struct Factors {
    intervals: Vec<Triangle>,
    columns: usize,
    bounded: bool,
}

impl Factors {
    fn new(ordered: &OrderedPoints, division: &Division, bounded: bool) -> Factors {
        let intervals =
            ranges(ordered, division).map(|(from, to)| ordered.triangle(from, to)).collect();
        Factors { intervals, columns: ordered.columns(), bounded }
    }

    fn rss(&self, segments: &Segments) -> f64 {
        let parameters = segments.parameters();
        let mut triangle = Triangle::new(parameters);
        let mut row = vec![0.0; parameters + 1];
        for (interval, factor) in self.intervals.iter().enumerate() {
            for k in 0..=self.columns {
                let source = factor.factor_row(k);
                segments.expand(interval, source, &mut row[..parameters]);
                row[parameters] = source[self.columns];
                triangle.append(&row);
            }
        }
        if self.bounded {
            return non_negative(&triangle, parameters, &mut vec![0.0; parameters]);
        }
        triangle.rss()
    }
}
