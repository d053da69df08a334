//! The partial F test if there are outliers.

use crate::numerics::{f_tail, solve};
use cll_statistics::{DEVIATIONS_IN_MAD, quantile};

/// Tuning constant of the bisquare weights: 95 % efficiency for normal errors (Huber, *Robust
/// Statistics*, 1981).
const BISQUARE: f64 = 4.685;
/// Tuning constant of Huber's weights, for the first iterations.
const HUBER: f64 = 1.345;
const STEPS: usize = 12;
/// With more rows only every second, third, … row is used.
const ROWS: usize = 4096;

/// How much of the residuals the added columns explain.
pub(crate) struct Partial {
    pub(crate) p_value: f64,
    /// Share of the sum of squares.
    pub(crate) explained: f64,
    /// Root mean square of what they explain.
    pub(crate) size: f64,
}

/// A residual of more than this many robust standard deviations is an outlier.
const OUTLYING: f64 = 6.0;

/// Whether there is an outlier.
pub(crate) fn is_outlying(residuals: &[f64]) -> bool {
    let mut sizes: Vec<f64> = residuals.iter().map(|r| r.abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let Some(&largest) = sizes.last() else { return false };
    largest > OUTLYING * DEVIATIONS_IN_MAD * quantile(&sizes, 0.5)
}

/// Partial F test of whether the columns from `base` on explain anything of `rhs`, with weights of
/// an M estimate of the full model: outliers of the full model get little weight or none, rows that
/// the added columns explain keep theirs.
pub(crate) fn partial(design: &[f64], width: usize, base: usize, rhs: &[f64]) -> Option<Partial> {
    let step = rhs.len().div_ceil(ROWS).max(1);
    let rows: Vec<usize> = (0..rhs.len()).step_by(step).collect();
    let mut weights = vec![1.0; rows.len()];
    let weighted = |weights: &[f64], columns: usize| {
        let mut all = Vec::with_capacity(rows.len() * columns);
        let mut right = Vec::with_capacity(rows.len());
        for (&row, weight) in rows.iter().zip(weights) {
            let from = row * width;
            all.extend(design[from..from + columns].iter().map(|x| x * weight));
            right.push(rhs[row] * weight);
        }
        solve(&all, columns, &right)
    };
    for iteration in 0..STEPS {
        let solution = weighted(&weights, width);
        let residual = |&row: &usize| {
            let x = &design[row * width..(row + 1) * width];
            let model: f64 = x.iter().zip(&solution.constants).map(|(x, c)| x * c).sum();
            rhs[row] - model
        };
        let residuals: Vec<f64> = rows.iter().map(residual).collect();
        let mut sizes: Vec<f64> = residuals.iter().map(|r| r.abs()).collect();
        sizes.sort_unstable_by(f64::total_cmp);
        // The fit could make as many residuals zero as there are constants.
        let free = solution.basic.len().min(sizes.len() - 1);
        let scale = DEVIATIONS_IN_MAD * quantile(&sizes[free..], 0.5);
        if scale <= 0.0 {
            return None;
        }
        // Square roots of the weights, since rows are multiplied by them.
        let weight = |r: &f64| {
            let u = (r / scale).abs();
            if iteration < STEPS / 2 {
                (HUBER / u.max(HUBER)).sqrt()
            } else {
                (1.0 - (u / BISQUARE).powi(2)).max(0.0)
            }
        };
        weights = residuals.iter().map(weight).collect();
    }
    let (less, full) = (weighted(&weights, base), weighted(&weights, width));
    let count: f64 = weights.iter().map(|w| w * w).sum::<f64>() * step as f64;
    let more = full.basic.len() as f64 - less.basic.len() as f64;
    let left = count - full.basic.len() as f64;
    if more < 1.0 || left < 1.0 || full.rss <= 0.0 {
        return None;
    }
    let scale = step as f64;
    let f = (less.rss - full.rss).max(0.0) * scale / more / (full.rss * scale / left);
    Some(Partial {
        p_value: f_tail(f, more, left)?,
        explained: (1.0 - full.rss / less.rss).clamp(0.0, 1.0),
        size: ((less.rss - full.rss).max(0.0) * scale / count).sqrt(),
    })
}
