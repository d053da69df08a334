//! Predictions from a fit, with a prediction band and their position relative to the data.

use crate::axis::Axis;
use crate::domain::DistantPoint;
use crate::mixture::{Component, quantile};
use crate::predict_region::past;
use crate::samples::{constant_name, term_text};
use crate::text::place;
use crate::{Band, Boundary, Domain, Fit, PredictError, Prediction, Warning, Weights};

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
    /// [`PredictError`] if the number of values is wrong, a term is not finite there, or constants
    /// needed there are undetermined.
    pub fn predict(&self, at: &[f64]) -> Result<Prediction, PredictError> {
        let Location { terms, axis, interval, sides, domain, far } = self.place(at)?;
        let followed = self.followed(at, &terms).filter(|_| !domain.is_extrapolation());
        let follows = followed.is_some();
        let (value, band) = followed.unwrap_or_else(|| {
            let value = sum(&terms, &self.intervals[interval].solution);
            let band = self.band(at, &terms, axis, &sides);
            (value, band.map(|band| self.extrapolation_band(at, value, band, far.as_ref())))
        });
        let band = band.map(|band| self.widened_band(value, band));

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
            warnings.extend(self.shape_beyond(at, value));
        }
        if value <= 0.0 && self.all_positive() {
            warnings.push(Warning::NegativePrediction { value });
        }
        Ok(Prediction {
            value,
            band,
            confidence: self.options.confidence,
            domain,
            follows,
            interval,
            unit: self.unit.clone(),
            warnings,
        })
    }

    /// The constants that hold for these values of [`Fit::variables`], and the term each is
    /// multiplied by: the value is the sum of the products of [`TermsAt::terms`] with the
    /// interval's [`solution`](crate::Interval::solution).
    ///
    /// # Errors
    /// As [`Fit::predict`].
    pub fn terms_at(&self, at: &[f64]) -> Result<TermsAt, PredictError> {
        let Location { terms, interval, domain, .. } = self.place(at)?;
        Ok(TermsAt { interval, terms, domain })
    }

    fn place(&self, at: &[f64]) -> Result<Location, PredictError> {
        self.consistent()?;
        if at.len() != self.variables.len() {
            return Err(PredictError::WrongLength {
                got: at.len(),
                expected: self.variables.len(),
            });
        }
        let here = || place(&self.variables, at);
        if let Some(k) = at.iter().position(|v| !v.is_finite()) {
            let what = self.variables[k].clone();
            return Err(PredictError::NotFinite { what, value: at[k], place: here() });
        }
        let mut terms = vec![0.0; self.formula.terms().len()];
        self.formula.terms_at(&at[..self.formula.variables().len()], &mut terms);
        if let Some(k) = terms.iter().position(|t| !t.is_finite()) {
            let what = format!(
                "the term of {}, {},",
                constant_name(&self.formula, k),
                term_text(&self.formula, k)
            );
            return Err(PredictError::NotFinite { what, value: terms[k], place: here() });
        }
        self.determined(&terms, &here)?;

        let axis = self.axis_value(at)?;
        let interval = self.interval_of(at, axis)?;
        let (sides, domain) = match self.splits.is_empty() {
            true => {
                let gap = |b: &Boundary| b.last_left < axis && axis < b.first_right;
                let gap = self.boundaries.iter().position(gap);
                let sides = match gap {
                    Some(left) => vec![(left, 0.5), (left + 1, 0.5)],
                    None => vec![(interval, 1.0)],
                };
                (sides, self.domain_of(at, axis, interval, gap))
            }
            false => (self.regions_at(at, true)?, self.domain_of_region(at, interval)?),
        };
        let far = (!domain.is_extrapolation()).then(|| self.far(at)).flatten();
        let domain = match &far {
            Some(DistantPoint { variables, nearest, .. }) => Domain::Apart {
                variables: variables.iter().map(|&k| self.variables[k].clone()).collect(),
                values: variables.iter().map(|&k| at[k]).collect(),
                nearest: nearest.clone(),
            },
            None => domain,
        };
        Ok(Location { terms, axis, interval, sides, domain, far })
    }

    /// [`Fit::predict`] with values by name, in any order.
    ///
    /// # Errors
    /// As [`Fit::predict`], and if a name is unknown or missing.
    pub fn predict_named(&self, at: &[(String, f64)]) -> Result<Prediction, PredictError> {
        if let Some((name, _)) = at.iter().find(|(name, _)| !self.variables.contains(name)) {
            return Err(PredictError::Unknown {
                variable: name.clone(),
                known: self.variables.clone(),
            });
        }
        let values: Result<Vec<f64>, PredictError> = self
            .variables
            .iter()
            .map(|variable| {
                at.iter().find(|(name, _)| name == variable).map(|(_, value)| *value).ok_or_else(
                    || PredictError::Missing {
                        variable: variable.clone(),
                        needed: self.variables.clone(),
                    },
                )
            })
            .collect();
        self.predict(&values?)
    }

    /// A value for each of [`Fit::variables`]: the given one, or the only one in the data. Given values of recorded
    /// variables that the formula has not are kept apart: they change no value, but may lie outside the data.
    pub fn complete(&self, given: &[(String, f64)]) -> Completed {
        let is_other =
            |name: &String| !self.variables.contains(name) && self.recorded.contains(name);
        let others = given.iter().filter(|(name, _)| is_other(name)).cloned().collect();
        let mut out = Completed { at: Vec::new(), assumed: Vec::new(), others, missing: None };
        for variable in &self.variables {
            let known = given.iter().find(|(name, _)| name == variable).map(|(_, value)| *value);
            let only = || {
                let range = self.domain.iter().find(|range| range.variable == *variable)?;
                (range.distinct == 1).then_some(range.low)
            };
            let assumed = if known.is_none() { only() } else { None };
            out.assumed.extend(assumed.map(|_| variable.clone()));
            match known.or(assumed) {
                Some(value) => out.at.push((variable.clone(), value)),
                None if out.missing.is_none() => {
                    let (variable, needed) = (variable.clone(), self.variables.clone());
                    out.missing = Some(PredictError::Missing { variable, needed });
                }
                None => {}
            }
        }
        out
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

    fn axis_value(&self, at: &[f64]) -> Result<f64, PredictError> {
        self.axis.as_ref().map_or(Ok(0.0), |name| self.value_on(name, at))
    }

    /// The value of an axis at a point.
    pub(crate) fn value_on(&self, name: &str, at: &[f64]) -> Result<f64, PredictError> {
        let axis = Axis::parse(name, &self.variables)
            .map_err(|error| PredictError::Inconsistent(error.to_string()))?;
        let value = axis.value(at);
        if value.is_finite() {
            return Ok(value);
        }
        let place = place(&self.variables, at);
        Err(PredictError::NotFinite { what: format!("the axis {name}"), value, place })
    }

    fn interval_of(&self, at: &[f64], axis: f64) -> Result<usize, PredictError> {
        Ok(match self.splits.is_empty() {
            true => self.boundaries.iter().take_while(|b| axis > b.at).count(),
            false => self.regions_at(at, false)?[0].0,
        })
    }

    /// The values of the formula's terms at a point.
    pub(crate) fn terms_of(&self, at: &[f64]) -> Vec<f64> {
        let mut terms = vec![0.0; self.formula.terms().len()];
        self.formula.terms_at(&at[..self.formula.variables().len()], &mut terms);
        terms
    }

    /// The index of the interval that contains a point.
    pub(crate) fn interval_at(&self, at: &[f64]) -> Option<usize> {
        self.interval_of(at, self.axis_value(at).ok()?).ok()
    }

    /// Each term's part of the formula's value at a point.
    pub(crate) fn parts_at(&self, at: &[f64]) -> Option<Vec<f64>> {
        let solution = &self.intervals[self.interval_at(at)?].solution;
        Some(self.terms_of(at).iter().zip(solution).map(|(term, c)| term * c).collect())
    }

    /// The formula's value at a point.
    pub(crate) fn formula_at(&self, at: &[f64]) -> Option<f64> {
        self.parts_at(at).map(|parts| parts.iter().sum())
    }

    /// `sides` are the intervals that may hold at the point, with their shares.
    fn band(&self, at: &[f64], terms: &[f64], axis: f64, sides: &[(usize, f64)]) -> Option<Band> {
        let relative = self.options.weights == Weights::Relative;
        let exponents = self.exponent_variance(at);
        let component = |weight,
                         constants: &[f64],
                         covariance: &[Vec<f64>],
                         sigma: Option<f64>,
                         dof| {
            let value = sum(terms, constants);
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
            components.push(component(own * share, &i.solution, &i.covariance, i.sigma, i.dof)?);
        }
        for a in &self.alternatives {
            let k = match self.splits.is_empty() {
                true => a.boundaries.iter().take_while(|&&b| axis > b).count(),
                false => self.regions_of(&a.splits, at, false).ok()?[0].0,
            };
            components.extend(component(
                a.weight,
                &a.constants[k],
                &a.covariance[k],
                a.sigma[k],
                a.dof[k],
            ));
        }
        let tail = 0.5 * (1.0 - self.options.confidence);
        let (low, high) = (quantile(&components, tail), quantile(&components, 1.0 - tail));
        let floor = if self.all_positive() { 0.0 } else { f64::NEG_INFINITY };
        let band = Band { low: low.max(floor), high: high.max(floor) };
        (band.low.is_finite() && band.high.is_finite()).then_some(band)
    }

    fn domain_of(&self, at: &[f64], axis: f64, interval: usize, gap: Option<usize>) -> Domain {
        let farthest = self.outside(at);
        // N and P may both be inside the measured range when N/P is not. That matters only if
        // constants change along N/P.
        let divided = self.axis.as_ref().filter(|_| !self.boundaries.is_empty());
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

    fn all_positive(&self) -> bool {
        self.residuals.iter().all(|r| r.measured > 0.0)
    }
}

/// Values by name for a prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Completed {
    /// The values, in the order of [`Fit::variables`].
    pub at: Vec<(String, f64)>,
    /// The variables that were not given and have one value in the data.
    pub assumed: Vec<String>,
    /// Given values of recorded variables that the formula has not.
    pub others: Vec<(String, f64)>,
    /// The first variable of several values that was not given: there is no prediction.
    pub missing: Option<PredictError>,
}

impl Completed {
    /// The prediction of the fit that completed them. It is outside the data if a variable that the formula has not is
    /// outside its measured range, too: that the time does not depend on it is known in that range alone.
    ///
    /// # Errors
    /// As [`Fit::predict`], and if a value is missing.
    pub fn predict(&self, fit: &Fit) -> Result<Prediction, PredictError> {
        let values: Vec<f64> = self.at.iter().map(|(_, value)| *value).collect();
        let mut prediction = self.missing.clone().map_or_else(|| fit.predict(&values), Err)?;
        let beyond = fit.outside_of_others(&self.others);
        if let Some(beyond) = beyond.filter(|_| !prediction.domain.is_extrapolation()) {
            prediction.warnings.extend(beyond.warning());
            prediction.domain = beyond;
            prediction.follows = false;
        }
        Ok(prediction)
    }
}

/// The position of a point relative to the data.
struct Location {
    terms: Vec<f64>,
    axis: f64,
    interval: usize,
    /// The intervals that may hold there, with their shares.
    sides: Vec<(usize, f64)>,
    domain: Domain,
    far: Option<DistantPoint>,
}

/// The constants that hold at a point, and its terms.
#[derive(Clone, Debug, PartialEq)]
pub struct TermsAt {
    /// Index of the interval whose constants hold.
    pub interval: usize,
    /// The value of each term's expression, in the order of the formula.
    pub terms: Vec<f64>,
    /// The position of the point relative to the data.
    pub domain: Domain,
}

fn sum(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
