//! Predictions at values by name, completed by what has only one value in the data.

use crate::{Fit, PredictError, Prediction};

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

impl Fit {
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
}
