//! The bytes that an experiment touches, where its constants change.

use crate::axis::Axis;
use crate::{Fit, FitError};

/// An expression for bytes, over the variables of a fit's data.
///
/// Constants change where a cache ends; how many bytes the boundary is at can be
/// compared with the sizes of caches.
#[derive(Clone, Debug)]
pub struct WorkingSet<'a> {
    fit: &'a Fit,
    bytes: Axis,
}

impl Fit {
    /// The working set of this many bytes, such as `8*N*N`.
    ///
    /// # Errors
    /// [`FitError::Axis`] if it is no expression over recorded variables.
    pub fn working_set(&self, bytes: &str) -> Result<WorkingSet<'_>, FitError> {
        Ok(WorkingSet { fit: self, bytes: Axis::parse(bytes, &self.recorded)? })
    }
}

impl WorkingSet<'_> {
    /// Bytes on both sides of a boundary: the least at the last value on its left, the most
    /// at the first value on its right. `None` if there is no such boundary or no number.
    pub fn at_boundary(&self, boundary: usize) -> Option<(f64, f64)> {
        let boundary = self.fit.boundaries.get(boundary)?;
        let bytes = |place: f64| {
            let there = self.fit.residuals.iter().filter(move |r| r.axis == Some(place));
            there.map(|residual| self.bytes.value(&residual.values)).filter(|b| b.is_finite())
        };
        let low = bytes(boundary.last_left).reduce(f64::min)?;
        let high = bytes(boundary.first_right).reduce(f64::max)?;
        Some((low, high))
    }

    /// The value of a variable, within what was measured, at which the working set is so many
    /// bytes. `None` if it is at none, or if other variables have a say in it.
    pub fn place(&self, variable: &str, bytes: f64) -> Option<f64> {
        let column = self.fit.recorded.iter().position(|name| name == variable)?;
        let mut values = self.fit.residuals.first()?.values.clone();
        let of = |column: usize| self.fit.residuals.iter().map(move |r| r.values[column]);
        let others = self.bytes.columns().iter().filter(|&&other| other != column);
        for &other in others {
            if of(other).any(|value| value != values[other]) {
                return None;
            }
        }
        let (mut low, mut high) = (of(column).reduce(f64::min)?, of(column).reduce(f64::max)?);
        let mut beyond = |place: f64| {
            values[column] = place;
            self.bytes.value(&values) >= bytes
        };
        // More bytes at larger values, or at smaller ones: the sides differ in either case.
        let right = beyond(high);
        if beyond(low) == right {
            return None;
        }
        while high - low > 1e-9 * high.abs().max(low.abs()) {
            let middle = 0.5 * (low + high);
            match beyond(middle) == right {
                true => high = middle,
                false => low = middle,
            }
        }
        Some(0.5 * (low + high))
    }
}
