//! Predictions from a fit, with a prediction band and their position relative to the data.

use std::borrow::Cow;

use super::combinations::DistantPoint;
use super::gap::{BesideChanges, Bridged, Gap};
use super::region_of_point::past;
use crate::input::{Axis, constant_name, term_text};
use crate::numerics::{Component, quantile};
use crate::warning::place;
use crate::{
    Alternative, Band, Boundary, Domain, Fit, PredictError, Prediction, Split, Warning, Weights,
};

impl Fit {
    /// Predicts the observable for these values of [`Fit::variables`], in that order.
    ///
    /// The band is for a new measurement, aggregated like those of the fit. It includes the
    /// uncertainty of the constants (leverage), the variance of measurements, and the choice of
    /// intervals: each possible division gives a Student distribution, and the ends of the band are
    /// quantiles of their weighted mixture (Bayesian model averaging, Raftery 1995). With a
    /// [`Fit::correction`], value and band between measured values are multiplied by it.
    ///
    /// # Errors
    /// [`PredictError`] if the number of values is wrong, a term is not finite there, constants
    /// needed there are undetermined, or the data do not support a number: see
    /// [`PredictError::FewValues`], [`PredictError::Contradicted`] and [`PredictError::Negative`]
    /// (decision 0160).
    pub fn predict(&self, point: &[f64]) -> Result<Prediction, PredictError> {
        let prediction = self.estimate(point)?;
        self.support(point, &prediction)?;
        Ok(prediction)
    }

    /// The model's value also where the data do not support it as a prediction: to compare it with what
    /// was measured there.
    ///
    /// # Errors
    /// As [`Fit::predict`], but for the support of the data.
    pub fn estimate(&self, point: &[f64]) -> Result<Prediction, PredictError> {
        let location = self.place(point)?;
        let (value, band, follows) = self.value_and_band(point, &location);
        let Location { interval, domain, .. } = location;
        let band = band.map(|band| self.widened_band(value, band).around(value));

        let mut warnings = Vec::new();
        match &domain {
            Domain::Beyond { .. } => warnings.extend(domain.warning()),
            Domain::Between { last_left, first_right, split, .. } if !follows => {
                let regions = split.as_ref().map(|split| split.axis.clone());
                warnings.push(Warning::Between {
                    axis: regions.or_else(|| self.axis.clone()).unwrap_or_default(),
                    last_left: *last_left,
                    first_right: *first_right,
                })
            }
            Domain::Apart { variables, values, nearest } => warnings.push(Warning::Apart {
                variables: variables.clone(),
                values: values.clone(),
                nearest: nearest.clone(),
            }),
            Domain::Between { .. } | Domain::Inside { .. } => {}
        }
        if domain.is_extrapolation() {
            warnings.extend(self.shape_beyond(point, value));
        }
        Ok(Prediction {
            value,
            band,
            confidence: self.options.confidence,
            repetitions: self.repetitions(),
            run: band.and_then(|band| self.run_band(value, band)),
            domain,
            follows,
            interval,
            unit: self.unit.clone(),
            warnings,
        })
    }

    /// Value and band at a point, and whether they follow the data.
    fn value_and_band(&self, point: &[f64], location: &Location) -> (f64, Option<Band>, bool) {
        let Location { terms, plain, axis, interval, sides, gap, domain, far } = location;
        let inside = !domain.is_extrapolation();
        let beside = self.beside_changes(point);
        let beside = beside.as_ref();
        let solution = &self.intervals[*interval].solution;
        let formula = sum(terms, solution);
        let formula =
            beside.map_or(formula, |beside| beside.within(&self.changes, solution, formula));
        if let Some((value, band)) = self.followed(point, plain).filter(|_| inside) {
            let value = self.beside_neighbours(point, value, gap.map_or(formula, |gap| gap.value));
            return (value, band, true);
        }
        let value = gap.map_or(formula, |gap| gap.value);
        let band = self.band(point, terms, *axis, (sides, *gap, beside));
        let band = band.map(|band| self.extrapolation_band(point, value, band, far.as_ref()));
        let (value, band) = match domain {
            Domain::Beyond { .. } => self.carried(point, value, band).unwrap_or((value, band)),
            _ => (value, band),
        };
        (value, self.exact_band(point, value, band, domain), false)
    }

    /// The constants that hold for these values of [`Fit::variables`], and the term each is
    /// multiplied by: the formula's value is the sum of the products of [`TermsAt::terms`] with the
    /// interval's [`solution`](crate::Interval::solution). With [`Fit::changes`] each level has its part of a term.
    ///
    /// # Errors
    /// As [`Fit::predict`].
    pub fn terms_at(&self, point: &[f64]) -> Result<TermsAt, PredictError> {
        let Location { terms, interval, domain, .. } = self.place(point)?;
        Ok(TermsAt { interval, terms, domain })
    }

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

    /// [`Fit::predict`] with values by name, in any order.
    ///
    /// # Errors
    /// As [`Fit::predict`], and if a name is unknown or missing.
    pub fn predict_named(&self, given: &[(String, f64)]) -> Result<Prediction, PredictError> {
        if let Some((name, _)) = given.iter().find(|(name, _)| !self.variables.contains(name)) {
            return Err(PredictError::Unknown {
                variable: name.clone(),
                known: self.variables.clone(),
            });
        }
        let values: Result<Vec<f64>, PredictError> = self
            .variables
            .iter()
            .map(|variable| {
                given.iter().find(|(name, _)| name == variable).map(|(_, value)| *value).ok_or_else(
                    || PredictError::Missing {
                        variable: variable.clone(),
                        needed: self.variables.clone(),
                    },
                )
            })
            .collect();
        self.predict(&values?)
    }

    /// Undetermined constants may be used where only their measured sum matters.
    fn determined(&self, terms: &[f64], here: &dyn Fn() -> String) -> Result<(), PredictError> {
        for dependency in &self.undetermined {
            let parts = dependency.of.iter().map(|&(k, factor)| factor * terms[k]);
            let (sum, size) = parts.fold((0.0, 0.0), |(s, a), x| (s + x, a + x.abs()));
            let own = terms[dependency.term];
            if (own - sum).abs() > 1e-6 * (own.abs() + size) {
                let mut involved: Vec<usize> = dependency.of.iter().map(|o| o.0).collect();
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

    /// The part of the formula's value of each term, or of each level, at a point.
    pub(crate) fn parts_at(&self, point: &[f64]) -> Option<Vec<f64>> {
        let solution = &self.intervals[self.interval_at(point)?].solution;
        Some(self.terms_of(point).iter().zip(solution).map(|(term, c)| term * c).collect())
    }

    /// The formula's value at a point.
    pub(crate) fn formula_at(&self, point: &[f64]) -> Option<f64> {
        self.parts_at(point).map(|parts| parts.iter().sum())
    }

    /// `sides` are the intervals that may hold at the point, with their shares, and the gap that it
    /// lies in.
    fn band(
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
                + covariance.iter().zip(terms).map(|(row, x)| x * sum(row, terms)).sum::<f64>();
            Some(Component { weight, value, scale: (model.max(0.0) + noise * noise).sqrt(), dof })
        };
        let others: f64 = self.alternatives.iter().map(|a| a.weight).sum();
        let own = (1.0 - others).max(0.0);
        let mut components = Vec::new();
        for &(k, share) in sides {
            let i = &self.intervals[k];
            let value = sum(terms, &i.solution);
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
            let value = sum(terms, &a.constants[k]);
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

    pub(crate) fn all_positive(&self) -> bool {
        self.residuals.iter().all(|r| r.measured > 0.0)
    }
}

/// The position of a point relative to the data.
pub(crate) struct Location {
    /// The terms, or the columns of levels.
    pub(crate) terms: Vec<f64>,
    /// The terms of the formula.
    pub(crate) plain: Vec<f64>,
    axis: f64,
    pub(crate) interval: usize,
    /// The intervals that may hold there, with their shares.
    sides: Vec<(usize, f64)>,
    /// The value in the gap between two intervals.
    gap: Option<Bridged>,
    pub(crate) domain: Domain,
    far: Option<DistantPoint>,
}

/// The constants that hold at a point, and its terms.
#[derive(Clone, Debug, PartialEq)]
pub struct TermsAt {
    /// Index of the interval whose constants hold.
    pub interval: usize,
    /// The value of each term's expression, in the order of the formula, or of the part of it that each level of its
    /// constant is multiplied by.
    pub terms: Vec<f64>,
    /// The position of the point relative to the data.
    pub domain: Domain,
}

fn sum(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
