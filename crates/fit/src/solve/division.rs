//! A division of the values of an axis into intervals.

use super::ordered_points::OrderedPoints;

/// A division of the axis into intervals.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Division {
    /// Indices of the distinct values at which a new interval starts, ascending, never 0.
    pub(crate) breaks: Vec<usize>,
    /// Sum of squared residuals with every constant free in every interval.
    pub(crate) rss: f64,
}

/// First and past-the-last value of each interval.
pub(crate) fn ranges(
    ordered: &OrderedPoints,
    division: &Division,
) -> impl Iterator<Item = (usize, usize)> {
    let starts = [0].into_iter().chain(division.breaks.iter().copied());
    let ends = division.breaks.iter().copied().chain([ordered.values().len()]);
    starts.zip(ends).collect::<Vec<_>>().into_iter()
}
