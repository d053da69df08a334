//! The band of a prediction: quantiles of a mixture of all divisions that the data allow.

use std::borrow::Cow;

use super::gap::{BesideChanges, Bridged, Gap};
use crate::numerics::{Component, dot, quantile};
use crate::{Alternative, Band, Fit, Weights};

impl Fit {
    /// `sides` are the intervals that may hold at the point, with their shares, and the gap that it
    /// lies in.
    pub(crate) fn band(
        &self,
        point: &[f64],
        terms: &[f64],
        axis: f64,
        (sides, gap, beside): (&[(usize, f64)], Option<Bridged>, Option<&BesideChanges<'_>>),
    ) -> Option<Band> {
        let relative = self.options.weights == Weights::Relative;
        let exponents = self.exponent_variance(point);
        let component = |(weight, value): (f64, f64),
                         terms: &[f64],
                         covariance: &[Vec<f64>],
                         spread| {
            let (sigma, dof): (Option<f64>, f64) = spread;
            let noise = if relative { sigma? * value } else { sigma? };
            let model: f64 = exponents
                + covariance.iter().zip(terms).map(|(row, x)| x * dot(row, terms)).sum::<f64>();
            Some(Component { weight, value, scale: (model.max(0.0) + noise * noise).sqrt(), dof })
        };
        let others: f64 = self.alternatives.iter().map(|a| a.weight).sum();
        let own = (1.0 - others).max(0.0);
        let mut components = Vec::new();
        for &(k, share) in sides {
            let i = &self.intervals[k];
            let value = dot(terms, &i.solution);
            let value =
                beside.map_or(value, |beside| beside.within(&self.changes, &i.solution, value));
            let value = gap.map_or(value, |gap| gap.range.within(value));
            let spread = (i.sigma, i.dof);
            components.push(component((own * share, value), terms, &i.covariance, spread)?);
        }
        for a in &self.alternatives {
            let k = if self.splits.is_empty() {
                a.boundaries.iter().take_while(|&&b| axis > b).count()
            } else {
                self.regions_of(&a.splits, point, false).ok()?[0].0
            };
            let terms = &*if a.changes == self.changes {
                Cow::Borrowed(terms)
            } else {
                Cow::Owned(self.columns_at(&a.changes, point))
            };
            let value = dot(terms, &a.constants[k]);
            let value = match beside {
                Some(beside) => beside.within(&a.changes, &a.constants[k], value),
                None => self
                    .gap_of_alternative(point, axis, a)
                    .map_or(value, |gap| gap.range.within(value)),
            };
            let spread = (a.sigma[k], a.dof[k]);
            components.extend(component((a.weight, value), terms, &a.covariance[k], spread));
        }
        let tail = 0.5 * (1.0 - self.options.confidence);
        let (low, high) = (quantile(&components, tail), quantile(&components, 1.0 - tail));
        let floor = if self.all_positive() { 0.0 } else { f64::NEG_INFINITY };
        let band = Band { low: low.max(floor), high: high.max(floor) };
        (band.low.is_finite() && band.high.is_finite()).then_some(band)
    }

    /// The gap of another division along the axis that a point lies in.
    fn gap_of_alternative(&self, point: &[f64], axis: f64, other: &Alternative) -> Option<Bridged> {
        let name = self.axis.as_ref().filter(|_| !other.boundaries.is_empty())?;
        let ends = self.neighbours(axis)?;
        let within = |boundary: &f64| ends.0 < *boundary && *boundary < ends.1;
        let left = other.boundaries.iter().position(within)?;
        let law = |interval: usize| Some(other.constants.get(interval)?.as_slice());
        let laws = (law(left)?, law(left + 1)?);
        self.bridged(point, &Gap { axis: name, ends, laws, boundary: other.boundaries[left] })
    }

    pub(crate) fn all_positive(&self) -> bool {
        self.residuals.iter().all(|r| r.measured > 0.0)
    }
}
