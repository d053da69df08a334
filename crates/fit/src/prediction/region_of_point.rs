//! The region of a point, and its position relative to the data.

use crate::result::paths;
use crate::{BetweenRegions, Domain, Fit, PredictError, Split};

impl Fit {
    /// The regions that may hold at a point, with their shares; with `gaps` those on both sides of
    /// a division in whose gap the point lies.
    pub(crate) fn regions_at(
        &self,
        point: &[f64],
        gaps: bool,
    ) -> Result<Vec<(usize, f64)>, PredictError> {
        self.regions_of(&self.splits, point, gaps)
    }

    /// The same for other divisions.
    pub(crate) fn regions_of(
        &self,
        splits: &[Split],
        point: &[f64],
        gaps: bool,
    ) -> Result<Vec<(usize, f64)>, PredictError> {
        let mut values = Vec::new();
        for split in splits {
            values.push((split.axis.as_str(), self.value_on(&split.axis, point)?));
        }
        let value = |axis: &str| {
            values.iter().find(|(name, _)| *name == axis).map_or(f64::NAN, |(_, value)| *value)
        };
        Ok(paths(splits, &value, gaps))
    }

    /// The variable that is farthest outside its measured range.
    pub(crate) fn outside(&self, point: &[f64]) -> Option<Domain> {
        let variables = self.variables.iter().zip(point).filter_map(|(name, &value)| {
            let range = self.domain.iter().find(|r| r.variable == *name)?;
            past(name, value, range.low, range.high)
        });
        variables.max_by(|a, b| size(a).total_cmp(&size(b)))
    }

    /// The recorded variable, of those that the formula has not, that is farthest outside the values of the points.
    pub(crate) fn outside_of_others(&self, others: &[(String, f64)]) -> Option<Domain> {
        let outside = others.iter().filter_map(|(name, value)| {
            let column = self.recorded.iter().position(|known| known == name)?;
            let used = self.residuals.iter().filter(|point| point.excluded.is_none());
            let measured = used.filter_map(|point| point.values.get(column));
            let (low, high) = measured
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
                    (low.min(value), high.max(value))
                });
            if low <= high { past(name, *value, low, high) } else { None }
        });
        outside.max_by(|a, b| size(a).total_cmp(&size(b)))
    }

    /// The position of a point in a region.
    pub(crate) fn domain_of_region(
        &self,
        point: &[f64],
        region: usize,
    ) -> Result<Domain, PredictError> {
        if let Some(beyond) = self.outside(point) {
            return Ok(beyond);
        }
        for split in &self.splits {
            let value = self.value_on(&split.axis, point)?;
            if let Some(beyond) = past(&split.axis, value, split.range.0, split.range.1) {
                return Ok(beyond);
            }
        }
        let sides = self.regions_at(point, true)?;
        if sides.len() < 2 {
            return Ok(Domain::Inside { interval: region });
        }
        // The division that separates the sides.
        for split in &self.splits {
            let side_region = |side: (usize, usize)| {
                sides.iter().map(|side| side.0).find(|&number| side.0 <= number && number <= side.1)
            };
            if let (Some(left), Some(right)) = (side_region(split.below), side_region(split.above))
            {
                let (last_left, first_right) =
                    (split.boundary.last_left, split.boundary.first_right);
                let split = Some(BetweenRegions { axis: split.axis.clone(), right });
                return Ok(Domain::Between { left, last_left, first_right, split });
            }
        }
        Ok(Domain::Inside { interval: region })
    }
}

/// Beyond the measured range, or `None` inside it.
pub(crate) fn past(name: &str, value: f64, low: f64, high: f64) -> Option<Domain> {
    if value >= low && value <= high {
        return None;
    }
    let above = value > high;
    let nearest = if above { high } else { low };
    let factor = if above { value / nearest } else { nearest / value };
    let factor = (nearest > 0.0 && value > 0.0).then_some(factor);
    Some(Domain::Beyond { variable: name.to_owned(), value, nearest, factor })
}

fn size(domain: &Domain) -> f64 {
    match domain {
        Domain::Beyond { factor: Some(factor), .. } => *factor,
        _ => f64::INFINITY,
    }
}
