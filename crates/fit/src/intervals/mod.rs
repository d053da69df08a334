//! Intervals of validity: where along an axis the constants change.
//!
//! The rows of the problem are sorted by the axis ([`Line`]); a [`Division`] says at which of its
//! distinct values a new interval starts. No continuity is forced: breaks are jumps in a constant,
//! not kinks.

mod alternatives;
mod dynamic;
mod greedy;
mod line;

pub(crate) use alternatives::weigh;
pub(crate) use dynamic::{CANDIDATES, dynamic};
pub(crate) use greedy::greedy;
pub(crate) use line::{Line, LineRow};

/// A division of the axis into intervals.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Division {
    /// Indices of the distinct values at which a new interval starts, ascending, none 0.
    pub(crate) breaks: Vec<usize>,
    /// Sum of squared residuals with every constant free in every interval.
    pub(crate) rss: f64,
}

/// BIC with a further penalty of 3 log n for each break: the place of a break is sought among all
/// values, which an ordinary parameter's count of log n does not pay for.
pub(crate) fn criterion(line: &Line, rss: f64, parameters: usize, breaks: usize) -> f64 {
    let n = line.len() as f64;
    let floor = n * line.resolution() * line.resolution();
    n * (rss.max(floor) / n).ln() + (parameters + 3 * breaks) as f64 * n.ln()
}

impl Division {
    /// The criterion of a division with all constants free.
    pub(crate) fn criterion(&self, line: &Line) -> f64 {
        let breaks = self.breaks.len();
        criterion(line, self.rss, line.columns() * (breaks + 1), breaks)
    }
}
