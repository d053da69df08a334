//! The best division for every number of intervals, by dynamic programming.

use crate::numerics::Triangle;
use crate::solve::{Division, OrderedPoints};

/// Breaks are searched among at most this many blocks of values. With more distinct values the
/// breaks found are then improved value by value.
const CANDIDATES: usize = 256;
/// Most multiplications of the search along all axes: one or two seconds.
const WORK: f64 = 2e9;

/// Number of values among which breaks are searched before they are refined: fewer for formulas
/// with many constants, and with several axes.
pub(crate) fn candidates(ordered: &OrderedPoints) -> usize {
    let columns = ordered.columns() as f64;
    let each = WORK / (ordered.axes() as f64 * columns * columns);
    // The rows after each block are used, or the factors of the blocks if these have fewer rows.
    let by_rows = each / ordered.len() as f64;
    let by_factors = (each / (columns + 1.0)).sqrt();
    (by_rows.max(by_factors) as usize).clamp(16, CANDIDATES)
}

/// For 1, 2, … `max_intervals` intervals the division with the smallest sum of squared residuals
/// (Bellman 1961). Each interval has enough points; numbers of intervals that the data do not allow
/// are omitted. The costs of all intervals are computed by appending rows to a triangular factor:
/// O(m²) row operations for m blocks.
pub(crate) fn dynamic(ordered: &OrderedPoints, max_intervals: usize) -> Vec<Division> {
    let values = ordered.values().len();
    let mut work = vec![0.0; ordered.columns()];
    let whole_rss = ordered.cost(&ordered.triangle(0, values), &mut work);
    let mut divisions = vec![Division { breaks: Vec::new(), rss: whole_rss }];
    let most = max_intervals.min(ordered.distinct(0, values) / (ordered.columns() + 2));
    if most < 2 {
        return divisions;
    }

    let blocks = values.min(candidates(ordered));
    let bounds: Vec<usize> = (0..=blocks).map(|i| i * values / blocks).collect();
    let costs = costs(ordered, &bounds);
    let cost = |from: usize, to: usize| costs[from * (blocks + 1) + to];

    // best[e]: smallest sum over the blocks 0..e with the current number of intervals.
    let mut best: Vec<f64> = (0..=blocks).map(|e| cost(0, e)).collect();
    let mut from: Vec<Vec<usize>> = Vec::new();
    for intervals in 2..=most {
        let mut next = vec![f64::INFINITY; blocks + 1];
        let mut start = vec![0; blocks + 1];
        for e in intervals..=blocks {
            for (s, before) in best.iter().enumerate().take(e).skip(intervals - 1) {
                let sum = before + cost(s, e);
                if sum < next[e] {
                    next[e] = sum;
                    start[e] = s;
                }
            }
        }
        from.push(start);
        best = next;
        if !best[blocks].is_finite() {
            break;
        }
        let mut breaks = Vec::with_capacity(intervals - 1);
        let mut end = blocks;
        for start in from.iter().rev() {
            end = start[end];
            breaks.push(bounds[end]);
        }
        breaks.reverse();
        let division = Division { breaks, rss: best[blocks] };
        divisions.push(if blocks < values { refined(ordered, division) } else { division });
    }
    divisions
}

/// Cost of the blocks `s..e` at `s * (blocks + 1) + e`.
fn costs(ordered: &OrderedPoints, bounds: &[usize]) -> Vec<f64> {
    let blocks = bounds.len() - 1;
    let mut costs = vec![f64::INFINITY; (blocks + 1) * (blocks + 1)];
    let mut work = vec![0.0; ordered.columns()];
    // A block with many rows is replaced by its triangular factor.
    let compressed: Vec<Option<Triangle>> = (0..blocks)
        .map(|b| {
            let rows = ordered.row_range(bounds[b], bounds[b + 1]).len();
            (rows > ordered.columns() + 1).then(|| ordered.triangle(bounds[b], bounds[b + 1]))
        })
        .collect();
    let mut triangle = Triangle::new(ordered.columns());
    for s in 0..blocks {
        triangle.clear();
        for e in s..blocks {
            match &compressed[e] {
                Some(factor) => triangle.append_factor(factor),
                None => ordered.append(&mut triangle, bounds[e], bounds[e + 1]),
            }
            if ordered.enough(bounds[s], bounds[e + 1]) {
                costs[s * (blocks + 1) + e + 1] = ordered.cost(&triangle, &mut work);
            }
        }
    }
    costs
}

/// Moves each break to its best value between its neighbours, in two passes.
fn refined(ordered: &OrderedPoints, mut division: Division) -> Division {
    for _ in 0..2 {
        for k in 0..division.breaks.len() {
            let from = if k == 0 { 0 } else { division.breaks[k - 1] };
            let to = division.breaks.get(k + 1).copied().unwrap_or(ordered.values().len());
            let best = ordered.splits(from, to).into_iter().min_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((value, rss)) = best
                && rss.is_finite()
            {
                division.breaks[k] = value;
            }
        }
    }
    let mut work = vec![0.0; ordered.columns()];
    let starts = [0].into_iter().chain(division.breaks.iter().copied());
    let ends = division.breaks.iter().copied().chain([ordered.values().len()]);
    division.rss = starts
        .zip(ends)
        .map(|(from, to)| ordered.cost(&ordered.triangle(from, to), &mut work))
        .sum();
    division
}
