//! The working set of an experiment, in bytes, where its constants change.

use crate::input::Axis;
use crate::{Fit, FitError};

/// An expression for the number of bytes used, over the variables of a fit's data.
///
/// Constants often change where the data no longer fit into a cache: the bytes at a boundary can be
/// compared with cache sizes.
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
    /// Bytes on both sides of a boundary: the smallest at the last value on its left, the largest
    /// at the first value on its right. `None` if there is no such boundary or a number is not
    /// finite.
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

    /// Bytes where a change between levels begins and ends: the smallest at the last measured value of the axis up to `low`,
    /// the largest at the first one from `high` on; at the ends of the data what is nearest. `None` if a number is not
    /// finite.
    pub fn between(&self, low: f64, high: f64) -> Option<(f64, f64)> {
        let measured = || {
            let places = self.fit.residuals.iter().filter_map(|r| Some((r.axis?, &r.values)));
            places.map(|(place, values)| (place, self.bytes.value(values)))
        };
        let nearest =
            |own: &dyn Fn(f64) -> bool, beyond: fn(f64, f64) -> f64, other: fn(f64, f64) -> f64| {
                let places = measured().map(|(place, _)| place);
                let inner = places.clone().filter(|place| own(*place)).reduce(beyond);
                inner.or_else(|| places.reduce(other))
            };
        let before = nearest(&|place| place <= low, f64::max, f64::min)?;
        let after = nearest(&|place| place >= high, f64::min, f64::max)?;
        let bytes = |position: f64| {
            let there = measured().filter(move |(place, _)| *place == position);
            there.map(|(_, bytes)| bytes).filter(|bytes| bytes.is_finite())
        };
        Some((bytes(before).reduce(f64::min)?, bytes(after).reduce(f64::max)?))
    }

    /// The same on both sides of a division into regions, over the points that it divides.
    pub fn at_split(&self, split: usize) -> Option<(f64, f64)> {
        let split = self.fit.splits.get(split)?;
        let axis = Axis::parse(&split.axis, &self.fit.recorded).ok()?;
        let bytes = |place: f64, side: (usize, usize)| {
            let there =
                self.fit.residuals.iter().filter(move |r| (side.0..=side.1).contains(&r.interval));
            let there = there.filter(|r| axis.value(&r.values) == place).collect::<Vec<_>>();
            there.into_iter().map(|r| self.bytes.value(&r.values)).filter(|b| b.is_finite())
        };
        let low = bytes(split.boundary.last_left, split.below).reduce(f64::min)?;
        let high = bytes(split.boundary.first_right, split.above).reduce(f64::max)?;
        Some((low, high))
    }

    /// The largest number of bytes at a measured point. `None` if no number is finite.
    pub fn largest(&self) -> Option<f64> {
        let measured = self.fit.residuals.iter().map(|residual| self.bytes.value(&residual.values));
        measured.filter(|bytes| bytes.is_finite()).reduce(f64::max)
    }

    /// The bytes at these values of [`Fit::variables`], which may be beyond the data. `None` if variables without a value
    /// change them, or the number is not finite.
    pub fn bytes(&self, at: &[f64]) -> Option<f64> {
        let first = &self.fit.residuals.first()?.values;
        let value = |(column, name): (usize, &String)| {
            let given = self.fit.variables.iter().position(|variable| variable == name);
            let is_constant =
                || self.fit.residuals.iter().all(|point| point.values[column] == first[column]);
            let is_unused = || !self.bytes.columns().contains(&column);
            match given {
                Some(variable) => at.get(variable).copied(),
                None => (is_unused() || is_constant()).then_some(first[column]),
            }
        };
        let values: Option<Vec<f64>> = self.fit.recorded.iter().enumerate().map(value).collect();
        Some(self.bytes.value(&values?)).filter(|bytes| bytes.is_finite())
    }

    /// The bytes at a value of a variable, which may be beyond the data. `None` if other variables change them, or the number
    /// is not finite.
    pub fn bytes_at(&self, variable: &str, value: f64) -> Option<f64> {
        let column = self.fit.recorded.iter().position(|name| name == variable)?;
        let mut values = self.values_without(column)?;
        values[column] = value;
        Some(self.bytes.value(&values)).filter(|bytes| bytes.is_finite())
    }

    /// The value of a variable, within the measured range, at which the working set has this many
    /// bytes. `None` if there is none, or if other variables change it.
    pub fn place(&self, variable: &str, bytes: f64) -> Option<f64> {
        let column = self.fit.recorded.iter().position(|name| name == variable)?;
        let values = || self.fit.residuals.iter().map(|residual| residual.values[column]);
        let ends = (values().reduce(f64::min)?, values().reduce(f64::max)?);
        self.place_between(variable, bytes, ends)
    }

    /// The same between two values of the variable, which may be beyond the data.
    pub fn place_between(&self, variable: &str, bytes: f64, ends: (f64, f64)) -> Option<f64> {
        let column = self.fit.recorded.iter().position(|name| name == variable)?;
        let mut values = self.values_without(column)?;
        let (mut low, mut high) = ends;
        let mut beyond = |place: f64| {
            values[column] = place;
            self.bytes.value(&values) >= bytes
        };
        // The working set may grow or shrink with the variable: the sides differ in either case.
        let right = beyond(high);
        if beyond(low) == right {
            return None;
        }
        while high - low > 1e-9 * high.abs().max(low.abs()) {
            let middle = 0.5 * (low + high);
            if beyond(middle) == right { high = middle } else { low = middle }
        }
        Some(0.5 * (low + high))
    }

    /// Recorded values, if none but that of a column changes the bytes.
    fn values_without(&self, column: usize) -> Option<Vec<f64>> {
        let values = self.fit.residuals.first()?.values.clone();
        let others = self.bytes.columns().iter().filter(|&&other| other != column);
        let differs = |other: &usize| {
            self.fit.residuals.iter().any(|residual| residual.values[*other] != values[*other])
        };
        (!others.into_iter().any(differs)).then_some(values)
    }
}
