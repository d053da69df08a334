//! Autocorrelation of the errors of neighbouring points. If a model misses neighbours in the same
//! direction, they carry less information than as many independent points.

use crate::solve::{Division, OrderedPoints, Solved, ranges};
use cll_statistics::{DEVIATIONS_IN_MAD, quantile};

/// Errors are cut at this many times the typical error: a single outlier must not hide the others.
const MAX_SCALED_ERROR: f64 = 2.5;
/// The largest correlation assumed; above it hardly a point would count.
const MAX_CORRELATION: f64 = 0.8;
/// Standard normal quantile of 99 %: one fit in a hundred without a misfit is taken to have one.
const LEVEL: f64 = 2.326;
/// With fewer points the correlation is not estimated.
const MIN_POINTS: usize = 12;

/// Share of the points that count as independent: (1 - ρ)/(1 + ρ) with the lag-1 autocorrelation ρ
/// of the errors (Bartlett 1946). 1 if ρ is not significantly above zero.
pub(crate) fn independent_share(ordered: &OrderedPoints, breaks: &[usize], solved: &Solved) -> f64 {
    let division = Division { breaks: breaks.to_vec(), rss: 0.0 };
    let intervals: Vec<Vec<f64>> = ranges(ordered, &division)
        .map(|(from, to)| of_points(ordered, solved, ordered.row_range(from, to)))
        .collect();
    let count: usize = intervals.iter().map(Vec::len).sum();
    if count < MIN_POINTS.max(2 * solved.free) {
        return 1.0;
    }
    let (mut products, mut squares, mut pairs) = (0.0, 0.0, 0usize);
    for errors in &intervals {
        let typical = typical(errors);
        if typical <= ordered.resolution() {
            continue;
        }
        let scaled: Vec<f64> = errors
            .iter()
            .map(|e| (e / typical).clamp(-MAX_SCALED_ERROR, MAX_SCALED_ERROR))
            .collect();
        squares += scaled.iter().map(|e| e * e).sum::<f64>();
        products += scaled.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>();
        pairs += scaled.len() - 1;
    }
    if pairs == 0 || squares == 0.0 {
        return 1.0;
    }
    let value = products / pairs as f64 / (squares / count as f64);
    if value * (pairs as f64).sqrt() < LEVEL {
        return 1.0;
    }
    // Fitting lowers the correlation of the remaining errors by about this much.
    let correlation = (value + solved.free as f64 / count as f64).min(MAX_CORRELATION);
    (1.0 - correlation) / (1.0 + correlation)
}

/// One error for each point: the mean of its rows.
fn of_points(ordered: &OrderedPoints, solved: &Solved, rows: std::ops::Range<usize>) -> Vec<f64> {
    let mut errors: Vec<f64> = Vec::new();
    let mut of: Option<(usize, usize)> = None;
    for row in rows {
        let (point, error) = (ordered.point(row), solved.rows[row].residual);
        match (&mut of, errors.last_mut()) {
            (Some((last, count)), Some(mean)) if *last == point => {
                *count += 1;
                *mean += (error - *mean) / *count as f64;
            }
            _ => {
                errors.push(error);
                of = Some((point, 1));
            }
        }
    }
    errors
}

/// Root mean square, estimated from the median of the absolute values.
fn typical(errors: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = errors.iter().map(|e| e.abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    DEVIATIONS_IN_MAD * quantile(&sizes, 0.5)
}
