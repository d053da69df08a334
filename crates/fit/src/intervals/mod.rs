//! Intervals of validity: where along an axis the constants change.
//!
//! The rows of the problem are sorted by the axis ([`OrderedPoints`]). A [`Division`] lists the
//! distinct values at which a new interval starts. Continuity is not required: at a break a
//! constant may jump.

mod dynamic;
mod greedy;
mod ordered_points;

pub(crate) use dynamic::{candidates, dynamic};
pub(crate) use greedy::greedy;
pub(crate) use ordered_points::{OrderedPoints, OrderedRow};

/// A division of the axis into intervals.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Division {
    /// Indices of the distinct values at which a new interval starts, ascending, never 0.
    pub(crate) breaks: Vec<usize>,
    /// Sum of squared residuals with every constant free in every interval.
    pub(crate) rss: f64,
}

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
