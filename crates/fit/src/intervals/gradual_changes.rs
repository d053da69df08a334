//! Where the boundary is if the constants change gradually, for example as a cache fills.
//!
//! A jump fitted to a gradual change is at a position that the choice of points decides, and the
//! criterion is much too certain of it. So gradual changes are fitted too: over the values of two
//! or three neighbouring intervals the model is `(1 - s) L + s R`, with free constants in the
//! functions L and R of both ends, and s logistic in the logarithm of the axis (smooth transition
//! regression: Bacon and Watts 1971, Teräsvirta 1994). The boundary is then the middle of the
//! change.

use super::criterion::criterion;
use crate::numerics::Triangle;
use crate::solve::{Division, OrderedPoints};

/// The factor of the axis over which s goes from 10 % to 90 %.
const WIDTHS: [f64; 7] = [1.5, 2.0, 3.0, 4.5, 7.0, 11.0, 16.0];
/// Those tried first, in the gap and its neighbours.
const FIRST: [f64; 3] = [2.0, 4.5, 11.0];
/// Gradual changes whose criterion is worse than the jump's by this are not tried further.
const HOPELESS: f64 = 8.0;
/// Positions of the middle in each gap.
const MIDDLES: usize = 3;
/// For each boundary at most this many rows are appended to factors.
const BUDGET: usize = 400_000;
/// If fewer gaps than this are possible, no gradual change is searched.
const MIN_POINTS: usize = 12;
/// A gradual change may replace at most this many boundaries.
const MAX_BREAKS: usize = 2;

/// A position of a boundary: index of the value above the gap, and the criterion less that of the
/// division.
pub(crate) type BoundaryPosition = (usize, f64);

/// For each boundary of a division the gaps in which the middle of a gradual change may be. A
/// change that replaces several boundaries is listed for each of them.
pub(crate) fn transitions(ordered: &OrderedPoints, best: &Division) -> Vec<Vec<BoundaryPosition>> {
    let mut changes = vec![Vec::new(); best.breaks.len()];
    let Some(places) = places(ordered) else { return changes };
    let end = ordered.values().len();
    for first in 0..best.breaks.len() {
        for last in first..best.breaks.len().min(first + MAX_BREAKS) {
            let from = if first == 0 { 0 } else { best.breaks[first - 1] };
            let to = best.breaks.get(last + 1).copied().unwrap_or(end);
            let change = IntervalChange::new(ordered, &places, best, (first, last), (from, to));
            let gaps = change.gaps();
            changes[first..=last].iter_mut().for_each(|own| own.extend(&gaps));
        }
    }
    changes
}

/// The coordinate of each value for s: its logarithm if all are positive, else its share of the
/// range.
fn places(ordered: &OrderedPoints) -> Option<Vec<f64>> {
    let values = ordered.values();
    let (low, high) = (*values.first()?, *values.last()?);
    let place = |v: &f64| if low > 0.0 { v.ln() } else { 7.0 * (v - low) / (high - low) };
    (low < high).then(|| values.iter().map(place).collect())
}

/// A change between two of the intervals of a division; the intervals between them are removed.
struct IntervalChange<'a> {
    ordered: &'a OrderedPoints,
    places: &'a [f64],
    /// Breaks that it replaces.
    breaks: &'a [usize],
    /// Values of the two intervals and those between.
    range: (usize, usize),
    /// Sum of squared residuals of all other values.
    other: f64,
    /// Number of breaks of the division with this change.
    count: usize,
    /// Criterion of the division without the change.
    reference: f64,
    /// Rows `[terms | observation]`, each with its value's index.
    rows: Vec<(usize, Vec<f64>)>,
}

impl<'a> IntervalChange<'a> {
    fn new(
        ordered: &'a OrderedPoints,
        places: &'a [f64],
        best: &'a Division,
        (first, last): (usize, usize),
        (from, to): (usize, usize),
    ) -> IntervalChange<'a> {
        let breaks = &best.breaks[first..=last];
        let starts = [from].into_iter().chain(breaks.iter().copied());
        let ends = breaks.iter().copied().chain([to]);
        let own: f64 = starts.zip(ends).map(|(a, b)| ordered.triangle(a, b).rss()).sum();
        let all = best.breaks.len();
        let reference = criterion(ordered, best.rss, ordered.columns() * (all + 1), all);
        let rows = (from..to)
            .flat_map(|value| ordered.row_range(value, value + 1).map(move |row| (value, row)))
            .map(|(value, row)| (value, ordered.row(row).to_vec()))
            .collect();
        IntervalChange {
            ordered,
            places,
            breaks,
            range: (from, to),
            other: (best.rss - own).max(0.0),
            count: all - (last - first),
            reference,
            rows,
        }
    }

    /// The gaps, each once, with the difference of the criterion.
    fn gaps(&self) -> Vec<BoundaryPosition> {
        let (from, to) = self.range;
        let (low, high) =
            (self.breaks[0].max(from + 2) - 1, self.breaks[self.breaks.len() - 1] + 1);
        let most = BUDGET / (MIDDLES * WIDTHS.len() * self.rows.len()).max(1);
        if most < MIN_POINTS {
            return Vec::new();
        }
        let mut triangle = Triangle::new(2 * self.ordered.columns());
        let mut first = f64::INFINITY;
        for gap in low..=high.min(to - 1) {
            for width in FIRST {
                first = first.min(self.gain_at(gap, 0.5, width, &mut triangle));
            }
        }
        if first > HOPELESS {
            return Vec::new();
        }
        let step = (to - from).div_ceil(most).max(1);
        let mut gaps = Vec::new();
        for gap in (from + 1..to).step_by(step) {
            let mut best = f64::INFINITY;
            for middle in 0..MIDDLES {
                let share = (middle as f64 + 0.5) / MIDDLES as f64;
                for width in WIDTHS {
                    best = best.min(self.gain_at(gap, share, width, &mut triangle));
                }
            }
            gaps.push((gap, best));
        }
        gaps.retain(|gap| gap.1.is_finite());
        // With unknown variance the exponent of a position's likelihood is the remaining degrees of
        // freedom, not the number of rows.
        let best = gaps.iter().map(|gap| gap.1).fold(f64::INFINITY, f64::min);
        let rows = self.ordered.len() as f64;
        let left = (rows - self.parameters() as f64).max(1.0) / rows;
        gaps.iter_mut().for_each(|gap| gap.1 = best + left * (gap.1 - best));
        gaps
    }

    /// The criterion less that of the division, with the middle in this gap.
    fn gain_at(&self, gap: usize, share: f64, width: f64, triangle: &mut Triangle) -> f64 {
        let middle = self.places[gap - 1] * (1.0 - share) + self.places[gap] * share;
        // From 10 % to 90 % a logistic function takes 2 ln 9.
        let slope = 2.0 * 9f64.ln() / width.ln();
        let columns = self.ordered.columns();
        let mut wide = vec![0.0; 2 * columns + 1];
        triangle.clear();
        for (value, row) in &self.rows {
            let s = 1.0 / (1.0 + (-slope * (self.places[*value] - middle)).exp());
            for (k, x) in row[..columns].iter().enumerate() {
                wide[k] = (1.0 - s) * x;
                wide[columns + k] = s * x;
            }
            wide[2 * columns] = row[columns];
            triangle.append(&wide);
        }
        if !triangle.full_rank() {
            return f64::INFINITY;
        }
        let rss = self.other + triangle.rss();
        criterion(self.ordered, rss, self.parameters(), self.count) - self.reference
    }

    /// Constants of all intervals, and the width.
    fn parameters(&self) -> usize {
        self.ordered.columns() * (self.count + 1) + 1
    }
}
