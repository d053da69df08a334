//! Predictions from a fit: a value with its band, at values of the variables.

use super::location::Location;
use crate::numerics::dot;
use crate::{Band, Domain, Fit, PredictError, Prediction};

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

        let mut warnings = self.warnings_of(&domain, follows);
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
        let formula = dot(terms, solution);
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

    /// The part of the formula's value of each term, or of each level, at a point.
    pub(crate) fn parts_at(&self, point: &[f64]) -> Option<Vec<f64>> {
        let solution = &self.intervals[self.interval_at(point)?].solution;
        Some(self.terms_of(point).iter().zip(solution).map(|(term, c)| term * c).collect())
    }

    /// The formula's value at a point.
    pub(crate) fn formula_at(&self, point: &[f64]) -> Option<f64> {
        self.parts_at(point).map(|parts| parts.iter().sum())
    }
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
