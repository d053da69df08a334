//! Values inside the data of one variable beside what was measured next to them.

use crate::{Fit, Residual};

impl Fit {
    /// A value that follows the data, moved into the range of what was measured next to it and of the formula's value: a
    /// smooth correction goes beyond both beside a jump. With several variables, what is next to a place is not clear,
    /// and the value stays.
    pub(crate) fn beside_neighbours(&self, point: &[f64], value: f64, formula: f64) -> f64 {
        let ([n], [_]) = (point, self.recorded.as_slice()) else { return value };
        let used = || self.residuals.iter().filter(|residual| residual.excluded.is_none());
        let size = |residual: &&Residual| residual.values.first().copied().unwrap_or(f64::NAN);
        let left = used().filter(|r| size(r) <= *n).max_by(|a, b| size(a).total_cmp(&size(b)));
        let right = used().filter(|r| size(r) >= *n).min_by(|a, b| size(a).total_cmp(&size(b)));
        let (Some(left), Some(right)) = (left, right) else { return value };
        let ends = [left.measured, right.measured, formula];
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        value.max(low).min(high)
    }
}
