//! The rule for intervals of the 2003 paper.

use crate::numerics::non_negative;
use crate::solve::{Division, OrderedPoints};

/// "If the errors are larger than a fixed error threshold, the variable space is divided in two.
/// The point that maximizes the variation of the error is chosen as splitting point. This process
/// is repeated until the errors obtained are under the error threshold or the number of intervals
/// exceeds a number of intervals threshold" (the 2003 paper, section 3). Errors are relative, whatever
/// the weights; the interval with the largest error is divided first.
pub(crate) fn greedy(
    ordered: &OrderedPoints,
    error_threshold: f64,
    max_intervals: usize,
    non_negative: bool,
) -> Division {
    let values = ordered.values().len();
    let mut parts = vec![GreedyInterval::new(ordered, 0, values, non_negative)];
    while parts.len() < max_intervals {
        let worst = parts
            .iter()
            .enumerate()
            .filter(|(_, p)| p.largest > error_threshold && p.split.is_some())
            .max_by(|a, b| a.1.largest.total_cmp(&b.1.largest));
        let Some((index, part)) = worst else { break };
        let (from, to) = (part.from, part.to);
        let Some(middle) = part.split else { break };
        parts[index] = GreedyInterval::new(ordered, from, middle, non_negative);
        parts.insert(index + 1, GreedyInterval::new(ordered, middle, to, non_negative));
    }
    Division {
        breaks: parts[1..].iter().map(|p| p.from).collect(),
        rss: parts.iter().map(|p| p.rss).sum(),
    }
}

/// An interval with its own constants.
struct GreedyInterval {
    from: usize,
    to: usize,
    rss: f64,
    /// Largest absolute relative error.
    largest: f64,
    /// Where the error changes most, among the positions with enough points on both sides.
    split: Option<usize>,
}

impl GreedyInterval {
    fn new(ordered: &OrderedPoints, from: usize, to: usize, bounded: bool) -> GreedyInterval {
        let triangle = ordered.triangle(from, to);
        let mut constants = vec![0.0; ordered.columns()];
        let rss = ordered.cost(&triangle, &mut constants);
        if bounded {
            non_negative(&triangle, ordered.columns(), &mut constants);
        } else if rss.is_finite() {
            triangle.solution(&mut constants);
        }
        let mut largest = 0.0_f64;
        let errors: Vec<f64> = (from..to)
            .map(|value| {
                let rows = ordered.row_range(value, value + 1);
                let count = rows.len() as f64;
                rows.map(|row| {
                    let row = ordered.row(row);
                    let model: f64 = row.iter().zip(&constants).map(|(x, c)| x * c).sum();
                    let measured = row[ordered.columns()];
                    let error = if measured == 0.0 { 0.0 } else { (measured - model) / measured };
                    largest = largest.max(error.abs());
                    error / count
                })
                .sum()
            })
            .collect();
        let usable = |b: usize| {
            ordered.enough(from, b)
                && ordered.enough(b, to)
                && ordered.triangle(from, b).full_rank()
                && ordered.triangle(b, to).full_rank()
        };
        let mut jumps: Vec<(f64, usize)> = errors
            .windows(2)
            .enumerate()
            .map(|(i, pair)| ((pair[1] - pair[0]).abs(), from + i + 1))
            .collect();
        jumps.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let split = jumps.into_iter().map(|(_, b)| b).find(|&b| usable(b));
        GreedyInterval { from, to, rss, largest, split }
    }
}
