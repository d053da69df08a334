//! The value of a model with its uncertainty as a linear form of independent sources.

use std::sync::Arc;

use cll_fit::{Domain, Fit};

use super::Model;
use crate::error::Error;
use crate::normal::deviations;
use crate::value::{Quantity, UncertaintySource, Unit};
use cll_units::text::{PercentDigits, percent};

/// The deviation between launches from which on a variable may be missing.
const VISIBLE: f64 = 0.2;

/// The source that all blocks have in common: which processors are the slowest. The time of a passage is that of its
/// slowest processor. If the same processor is the slowest in all blocks, the sum of blocks takes the sum of their times;
/// if it is another one each time, and they wait only at the end, nearly the sum of the means. The value is the upper end;
/// between the two all is equally likely, so that the mean square of the error is a third of the distance's square.
pub(super) const OF_PROCESSORS: UncertaintySource = 0;

const UPPER_BOUND: &str = "blocks have the times of the slowest processor of each passage: their sum is too high, \
                           where it is not the same processor in all of them";

/// The value of a model, and what its user should know.
#[derive(Clone, Debug)]
pub struct Called {
    /// The value.
    pub quantity: Quantity,
    /// Sentences, such as that the model was used beyond its data.
    pub notices: Vec<String>,
}

impl Model {
    /// The prediction of an experiment at these values, with the interval of a new measurement.
    ///
    /// The band of [`Fit::predict`] is divided: what comes of the constants' covariance has a source for each column of
    /// its Cholesky factor, the rest is one source of the experiment. Thus a model that is used twice has the same
    /// error both times. How much launches and processors differ at equal values are sources, too, which the band does
    /// not have.
    ///
    /// # Errors
    /// If a variable is missing or unknown, or there is no value.
    pub fn call(
        &self,
        experiment: usize,
        point: &[(String, f64)],
        confidence: f64,
    ) -> Result<Called, Error> {
        let name = &self.file.experiments[experiment].name;
        let fit = self.fit(experiment)?;
        let values = values(name, fit, point)?;
        let wrong = |source| Error::Predict { model: name.clone(), source };
        let prediction = fit.predict(&values).map_err(wrong)?;
        let beyond = match &prediction.domain {
            Domain::Beyond { variable, value, nearest, .. } => Some(format!(
                "{name} is used beyond its data: {variable} = {value}, the nearest measured is {nearest}"
            )),
            Domain::Apart { variables, .. } => Some(format!(
                "{name} is used beyond its data: such values of {} were not measured together",
                variables.join(" and ")
            )),
            Domain::Inside { .. } | Domain::Between { .. } => None,
        };
        let mut notices: Vec<String> = beyond.into_iter().collect();
        let beyond = !notices.is_empty();
        let doubts = self.doubts(experiment);
        notices.extend(doubts.reservation().map(|text| format!("{name}: {text}")));
        let terms = fit.terms_at(&values).map_err(wrong)?;
        let first = self.sources[experiment];
        let count = terms.terms.len();
        let mut parts: Vec<(UncertaintySource, f64)> = Vec::with_capacity(count + 1);
        let mut of_constants = 0.0;
        if let Some(factor) = self.factor(experiment, terms.interval) {
            for column in 0..count {
                let rows = terms.terms.iter().zip(&factor);
                let part: f64 = rows.map(|(term, row)| term * row[column]).sum();
                of_constants += part * part;
                if part != 0.0 {
                    parts.push((self.source(experiment, terms.interval, column), part));
                }
            }
        }
        let band = prediction.band.map(|band| {
            let width = (band.high - band.low) / (2.0 * deviations(prediction.confidence));
            let rest = (width * width - of_constants).max(0.0).sqrt();
            parts.insert(0, (first, rest));
            (band.low, band.high)
        });
        // The band is for as many launches as the data have. What it is part of is a value in one launch.
        let deviation = self.deviation_of_launches();
        if deviation > VISIBLE {
            notices.push(format!(
                "{name} differs by {} between launches at the same values: its formula may lack a variable",
                percent(deviation, PercentDigits::Decimals(0))
            ));
        }
        let of_launches = deviation * prediction.value.abs();
        if of_launches > 0.0 {
            parts.push((self.source(experiment, 0, count), of_launches));
        }
        if let Some(imbalance) = self.file.experiments[experiment].imbalance {
            let above = 1.0 - 1.0 / imbalance.slowest.max(1.0);
            parts.push((OF_PROCESSORS, prediction.value * above / 3f64.sqrt()));
            if above > VISIBLE {
                notices.push(UPPER_BOUND.to_owned());
            }
        }
        parts.sort_by_key(|(source, _)| *source);
        let same = (prediction.confidence - confidence).abs() < 1e-9;
        Ok(Called {
            quantity: Quantity {
                value: prediction.value,
                unit: Unit::of_fit(&fit.unit),
                parts: band.is_some().then(|| Arc::from(parts)),
                band: band.filter(|_| same),
                beyond,
                doubtful: !doubts.is_measurable(),
            },
            notices,
        })
    }
}

impl Model {
    /// The factor of an interval's covariance; `None` if that is not known.
    fn factor(&self, experiment: usize, interval: usize) -> Option<Vec<Vec<f64>>> {
        let fit = self.file.experiments[experiment].fit.as_ref()?;
        let covariance = &fit.intervals[interval].covariance;
        (covariance.len() == fit.intervals[interval].solution.len()).then(|| cholesky(covariance))
    }

    /// The source of a column of the factor.
    fn source(&self, experiment: usize, interval: usize, column: usize) -> UncertaintySource {
        let fit = self.file.experiments[experiment].fit.as_ref();
        let columns = fit.map_or(0, |fit| fit.owners().len());
        self.sources[experiment] + 1 + (interval * (columns + 1) + column) as u64
    }

    /// The uncertainty of a number of an interval's solution.
    pub(crate) fn parts_of_constant(
        &self,
        experiment: usize,
        interval: usize,
        column: usize,
    ) -> Option<Arc<[(UncertaintySource, f64)]>> {
        let factor = self.factor(experiment, interval)?;
        let each = factor[column].iter().enumerate().filter(|(_, part)| **part != 0.0);
        Some(
            each.map(|(source, part)| (self.source(experiment, interval, source), *part)).collect(),
        )
    }
}

/// The values of the fit's variables, in order. A variable that had one value in all data may be left out.
fn values(model: &str, fit: &Fit, at: &[(String, f64)]) -> Result<Vec<f64>, Error> {
    let known = fit.variables.iter().chain(&fit.recorded);
    let known: Vec<&str> = known.map(String::as_str).collect();
    if let Some((unknown, _)) = at.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        let (model, variable) = (model.to_owned(), unknown.clone());
        return Err(if known.is_empty() {
            Error::NoVariables { model, variable }
        } else {
            let suggestion = cll_diagnostic::suggestion(unknown, &known).to_string();
            Error::NoVariable { model, variable, suggestion }
        });
    }
    let value_of = |variable: &String| {
        let given = at.iter().find(|(name, _)| name == variable).map(|(_, value)| *value);
        let only = || {
            let range = fit.domain.iter().find(|range| range.variable == *variable)?;
            (range.distinct == 1).then_some(range.low)
        };
        given
            .or_else(only)
            .ok_or_else(|| Error::Missing { model: model.to_owned(), variable: variable.clone() })
    };
    fit.variables.iter().map(value_of).collect()
}

/// A lower triangle `L` with `L·Lᵀ` = `matrix`; columns of a semidefinite matrix that are not positive are zero.
fn cholesky(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut factor = vec![vec![0.0; size]; size];
    for column in 0..size {
        let done: f64 = factor[column][..column].iter().map(|x| x * x).sum();
        let pivot = matrix[column][column] - done;
        if pivot <= 1e-12 * matrix[column][column].abs() {
            continue;
        }
        factor[column][column] = pivot.sqrt();
        for row in column + 1..size {
            let done: f64 = (0..column).map(|k| factor[row][k] * factor[column][k]).sum();
            factor[row][column] = (matrix[row][column] - done) / factor[column][column];
        }
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::cholesky;

    #[test]
    fn the_factor_gives_the_matrix() {
        let matrix = vec![vec![4.0, 2.0, 0.0], vec![2.0, 5.0, 0.0], vec![0.0, 0.0, 0.0]];
        let factor = cholesky(&matrix);
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| factor[i][k] * factor[j][k]).sum();
                assert!((product - matrix[i][j]).abs() < 1e-12, "{i} {j}");
            }
        }
    }
}
