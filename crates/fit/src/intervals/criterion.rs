//! The criterion by which a division is better than another one.

use crate::solve::OrderedPoints;

/// BIC (Schwarz 1978) with an additional penalty of 3 log n for each break: its position is chosen
/// among all values, and log n for one more parameter does not account for that. The number of
/// parameters is corrected for small samples (McQuarrie 1999: n/(n - k - 1), as in AICc); without
/// the correction a dozen points of one interval were divided in 5-13 % of cases. A division along
/// one of several axes costs twice the logarithm of their number, as all are equally likely a
/// priori. Infinite for several intervals if no degree of freedom is left for the correction.
pub(crate) fn criterion(
    ordered: &OrderedPoints,
    rss: f64,
    parameters: usize,
    breaks: usize,
) -> f64 {
    let choice = if breaks > 0 { 2.0 * (ordered.axes() as f64).ln() } else { 0.0 };
    criterion_of((ordered.len(), ordered.resolution()), rss, parameters, breaks) + choice
}

/// The criterion without the choice of the axis, for so many rows with residuals of at least the
/// resolution.
pub(crate) fn criterion_of(
    (rows, resolution): (usize, f64),
    rss: f64,
    parameters: usize,
    breaks: usize,
) -> f64 {
    let n = rows as f64;
    let floor = n * resolution * resolution;
    let k = parameters as f64;
    let left = n - k - 1.0;
    if left <= 0.0 && breaks > 0 {
        return f64::INFINITY;
    }
    let count = if left > 0.0 { k * n / left } else { k };
    n * (rss.max(floor) / n).ln() + (count + 3.0 * breaks as f64) * n.ln()
}
