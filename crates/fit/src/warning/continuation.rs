//! Which negative constants are evidence against a formula.
//!
//! A constant is a cost, so a significantly negative one means that the formula is wrong. The
//! exception is a constant that only extrapolates the function of an interval to values below it.
//! If a continuous function grows faster above a boundary, as `a N` up to N₀ and `a N₀ + b (N -
//! N₀)` with b > a above, the constant of the upper interval is (a - b) N₀, which is negative
//! although no cost is.

use crate::input::Samples;
use crate::{Fit, Segment};

/// Two functions meet if their difference is within this many standard errors of zero.
const ERRORS: f64 = 3.0;

/// Whether a negative constant is only the extrapolation of its intervals' function to zero: its
/// term is constant at all their points, the fitted values are positive there, and the function
/// continues that of the interval before.
pub(crate) fn is_continuation(
    fit: &Fit,
    samples: &Samples,
    term: usize,
    segment: &Segment,
) -> bool {
    // Regions have no order.
    let before = segment.first_interval.checked_sub(1).filter(|_| fit.splits.is_empty());
    let Some(before) = before else { return false };
    let own = |r: &&crate::Residual| {
        r.excluded.is_none()
            && (segment.first_interval..=segment.last_interval).contains(&r.interval)
    };
    if fit.residuals.iter().filter(own).any(|r| r.fitted <= 0.0) {
        return false;
    }
    let mut terms = samples.used().map(|(_, point)| point.terms[term]);
    let Some(first) = terms.next() else { return false };
    if terms.any(|other| (other - first).abs() > 1e-12 * first.abs()) {
        return false;
    }
    meet(fit, before)
}

/// Whether the functions of an interval and of the next one are equal somewhere near their
/// boundary.
fn meet(fit: &Fit, left: usize) -> bool {
    let (below, above) = (&fit.intervals[left], &fit.intervals[left + 1]);
    let (low, high) = fit.boundaries[left].plausible;
    let column = |name: &String| fit.recorded.iter().position(|other| other == name);
    let Some(columns) = fit.variables.iter().map(column).collect::<Option<Vec<usize>>>() else {
        return false;
    };
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for residual in fit.residuals.iter().filter(|r| r.axis.is_some_and(|a| low <= a && a <= high)) {
        let place: Vec<f64> = columns.iter().map(|&c| residual.values[c]).collect();
        let x = fit.terms_of(&place);
        let sum = |row: &[f64]| -> f64 { row.iter().zip(&x).map(|(a, b)| a * b).sum() };
        let variance =
            |rows: &[Vec<f64>]| -> f64 { rows.iter().zip(&x).map(|(r, x)| x * sum(r)).sum() };
        let apart = sum(&above.solution) - sum(&below.solution);
        let error = (variance(&below.covariance) + variance(&above.covariance)).max(0.0).sqrt();
        least = least.min(apart - ERRORS * error);
        most = most.max(apart + ERRORS * error);
    }
    least <= 0.0 && most >= 0.0
}
