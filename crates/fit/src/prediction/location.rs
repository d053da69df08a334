//! The position of a point: its interval or region, its terms, and whether it lies inside the data.

use super::combinations::DistantPoint;
use super::gap::{Bridged, Gap};
use super::region_of_point::past;
use crate::input::{Axis, constant_name, term_text};
use crate::warning::place;
use crate::{Boundary, Domain, Fit, PredictError, Split};

/// The position of a point relative to the data.
pub(crate) struct Location {
    /// The terms, or the columns of levels.
    pub(crate) terms: Vec<f64>,
    /// The terms of the formula.
    pub(crate) plain: Vec<f64>,
    pub(crate) axis: f64,
    pub(crate) interval: usize,
    /// The intervals that may hold there, with their shares.
    pub(crate) sides: Vec<(usize, f64)>,
    /// The value in the gap between two intervals.
    pub(crate) gap: Option<Bridged>,
    pub(crate) domain: Domain,
    pub(crate) far: Option<DistantPoint>,
}

impl Fit {
    pub(crate) fn place(&self, point: &[f64]) -> Result<Location, PredictError> {
        self.consistent()?;
        if point.len() != self.variables.len() {
            return Err(PredictError::WrongLength {
                got: point.len(),
                expected: self.variables.len(),
            });
        }
        let here = || place(&self.variables, point);
        if let Some(k) = point.iter().position(|v| !v.is_finite()) {
            let what = self.variables[k].clone();
            return Err(PredictError::NotFinite { what, value: point[k], place: here() });
        }
        let mut terms = vec![0.0; self.formula.terms().len()];
        self.formula.terms_at(&point[..self.formula.variables().len()], &mut terms);
        if let Some(k) = terms.iter().position(|t| !t.is_finite()) {
            let what = format!(
                "the term of {}, {},",
                constant_name(&self.formula, k),
                term_text(&self.formula, k)
            );
            return Err(PredictError::NotFinite { what, value: terms[k], place: here() });
        }
        self.determined(&terms, &here)?;
        let plain = terms;
        let terms = self.columns_at(&self.changes, point);

        let axis = self.axis_value(point)?;
        let mut interval = self.interval_of(point, axis)?;
        let (sides, domain) = if self.splits.is_empty() {
            let gap = |b: &Boundary| b.last_left < axis && axis < b.first_right;
            let gap = self.boundaries.iter().position(gap);
            let sides = match gap {
                Some(left) => vec![(left, 0.5), (left + 1, 0.5)],
                None => vec![(interval, 1.0)],
            };
            (sides, self.domain_of(point, axis, interval, gap))
        } else {
            (self.regions_at(point, true)?, self.domain_of_region(point, interval)?)
        };
        let far = (!domain.is_extrapolation()).then(|| self.far(point)).flatten();
        let domain = match &far {
            Some(DistantPoint { variables, nearest, .. }) => Domain::Apart {
                variables: variables.iter().map(|&k| self.variables[k].clone()).collect(),
                values: variables.iter().map(|&k| point[k]).collect(),
                nearest: nearest.clone(),
            },
            None => domain,
        };
        let gap = self.gap_of(point, &domain);
        if let Some((gap, (left, right))) = gap {
            interval = if gap.right { right } else { left };
        }
        let gap = gap.map(|(gap, _)| gap);
        Ok(Location { terms, plain, axis, interval, sides, gap, domain, far })
    }

    /// The value in the gap that a point lies in, and the intervals on its sides.
    fn gap_of(&self, point: &[f64], domain: &Domain) -> Option<(Bridged, (usize, usize))> {
        let Domain::Between { left, last_left, first_right, split } = domain else { return None };
        let right = split.as_ref().map_or(left + 1, |split| split.right);
        let axis = split.as_ref().map_or(self.axis.as_ref(), |split| Some(&split.axis))?;
        let boundary = if split.is_some() {
            let own =
                |split: &&Split| split.boundary.last_left == *last_left && split.axis == *axis;
            self.splits.iter().find(own).map(|split| split.boundary.at)
        } else {
            self.boundaries.get(*left).map(|boundary| boundary.at)
        };
        let law = |interval: usize| Some(self.intervals.get(interval)?.solution.as_slice());
        let gap = Gap {
            axis,
            ends: (*last_left, *first_right),
            laws: (law(*left)?, law(right)?),
            boundary: boundary?,
        };
        Some((self.bridged(point, &gap)?, (*left, right)))
    }

    /// Undetermined constants may be used where only their measured sum matters.
    fn determined(&self, terms: &[f64], here: &dyn Fn() -> String) -> Result<(), PredictError> {
        for dependency in &self.undetermined {
            let parts = dependency.others.iter().map(|&(k, factor)| factor * terms[k]);
            let (sum, size) = parts.fold((0.0, 0.0), |(s, a), x| (s + x, a + x.abs()));
            let own = terms[dependency.term];
            if (own - sum).abs() > 1e-6 * (own.abs() + size) {
                let mut involved: Vec<usize> = dependency.others.iter().map(|o| o.0).collect();
                involved.push(dependency.term);
                involved.sort_unstable();
                return Err(PredictError::Undetermined {
                    constants: involved.iter().map(|&k| constant_name(&self.formula, k)).collect(),
                    place: here(),
                });
            }
        }
        Ok(())
    }

    fn axis_value(&self, point: &[f64]) -> Result<f64, PredictError> {
        self.axis.as_ref().map_or(Ok(0.0), |name| self.value_on(name, point))
    }

    /// The value of an axis at a point.
    pub(crate) fn value_on(&self, name: &str, point: &[f64]) -> Result<f64, PredictError> {
        let axis = Axis::parse(name, &self.variables)
            .map_err(|error| PredictError::Inconsistent(error.to_string()))?;
        let value = axis.value(point);
        if value.is_finite() {
            return Ok(value);
        }
        let place = place(&self.variables, point);
        Err(PredictError::NotFinite { what: format!("the axis {name}"), value, place })
    }

    fn interval_of(&self, point: &[f64], axis: f64) -> Result<usize, PredictError> {
        Ok(if self.splits.is_empty() {
            self.boundaries.iter().take_while(|b| axis > b.at).count()
        } else {
            self.regions_at(point, false)?[0].0
        })
    }

    /// The index of the interval that contains a point.
    pub(crate) fn interval_at(&self, point: &[f64]) -> Option<usize> {
        self.interval_of(point, self.axis_value(point).ok()?).ok()
    }

    fn domain_of(&self, point: &[f64], axis: f64, interval: usize, gap: Option<usize>) -> Domain {
        let farthest = self.outside(point);
        // N and P may both be inside the measured range when N/P is not. That matters only if
        // constants change along N/P.
        let is_divided = !self.boundaries.is_empty() || !self.changes.is_empty();
        let divided = self.axis.as_ref().filter(|_| is_divided);
        let outside = farthest.or_else(|| {
            past(divided?, axis, self.intervals.first()?.first, self.intervals.last()?.last)
        });
        if let Some(beyond) = outside {
            return beyond;
        }
        match gap {
            Some(left) => Domain::Between {
                left,
                last_left: self.boundaries[left].last_left,
                first_right: self.boundaries[left].first_right,
                split: None,
            },
            None => Domain::Inside { interval },
        }
    }
}
