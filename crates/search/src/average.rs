//! Keeps with a model what its predictions are averaged over: all formulas that are not negligible, with their
//! constants, the uncertainty of these, and their weights.

use cll_fit::{Band, Fit, Weights};
use cll_formula::{Quantity, parse_quantity};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::predict::{Averaged, Said, averaged};
use crate::result::{AveragedModel, Search};

/// Formulas with less than this probability are not needed if the value of one of their variables is not given.
const DISPENSABLE: f64 = 0.1;

/// Formulas by which predictions are averaged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Average {
    /// The variables of the terms.
    pub variables: Vec<AveragedVariable>,
    /// All terms, each once: `1`, `N*log2(N)`.
    pub terms: Vec<String>,
    /// The formulas, most probable first.
    pub formulas: Vec<AveragedFormula>,
    /// Variance of a new measurement: relative, or in the unit squared with absolute weights.
    pub noise: f64,
    /// How points were weighted.
    pub weights: Weights,
    /// Confidence of intervals.
    pub confidence: f64,
}

/// A variable of the terms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AveragedVariable {
    /// The name.
    pub name: String,
    /// The value at all points, if there was only one value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<f64>,
}

/// One of the formulas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AveragedFormula {
    /// How probable it is.
    pub weight: f64,
    /// Indices of its terms.
    pub terms: Vec<usize>,
    /// The constant of each term, in the observable's unit per unit of the term.
    pub constants: Vec<f64>,
    /// A factor of their covariance: that of two constants is the sum, over all
    /// rows, of the product of their two elements.
    pub spread: Vec<Vec<f64>>,
    /// Degrees of freedom of the spread.
    pub dof: f64,
}

/// Why there is no averaged prediction.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AverageError {
    /// The value of a variable is not given.
    #[error("the averaged prediction needs {variable}")]
    Missing {
        /// The name.
        variable: String,
    },
    /// The data refuse the prediction of the chosen formula there.
    #[error("no average where the data do not support the formula")]
    Unsupported,
    /// A term has no value there.
    #[error("a searched formula has no value there")]
    NoValue,
    /// A term cannot be read: the file was changed.
    #[error("the term `{term}` of a searched formula cannot be read")]
    Unreadable {
        /// As text.
        term: String,
    },
}

/// An [`Average`] whose terms are parsed.
#[derive(Clone, Debug)]
pub struct ReadyAverage<'a> {
    average: &'a Average,
    /// Each term with the indices of its variables.
    terms: Vec<(Quantity, Vec<usize>)>,
}

impl Search {
    /// The formulas that predictions are averaged over. `only` gives the value of a variable that has one value at
    /// all points.
    pub fn average(&self, only: impl Fn(&str) -> Option<f64>) -> Average {
        let mut terms: Vec<String> = Vec::new();
        let mut formula = |member: &AveragedModel| {
            let index = |text: String| {
                terms.iter().position(|known| *known == text).unwrap_or_else(|| {
                    terms.push(text);
                    terms.len() - 1
                })
            };
            AveragedFormula {
                weight: member.weight,
                terms: self.columns.texts(&member.model).into_iter().map(index).collect(),
                constants: member.solution.constants.clone(),
                spread: member.solution.spread(),
                dof: member.solution.dof,
            }
        };
        let formulas = self.members.iter().map(&mut formula).collect();
        let used: Vec<String> = terms
            .iter()
            .filter_map(|term| parse_quantity(term).quantity)
            .flat_map(|term| term.variables().iter().map(|v| v.name.clone()).collect::<Vec<_>>())
            .collect();
        let variables = self
            .variables
            .iter()
            .filter(|name| used.contains(name))
            .map(|name| AveragedVariable { name: name.clone(), only: only(name) });
        Average {
            variables: variables.collect(),
            terms,
            formulas,
            noise: self.new_variance,
            weights: self.weights,
            confidence: self.confidence,
        }
    }
}

impl Average {
    /// With its terms parsed.
    ///
    /// # Errors
    /// If a term is none, or there is no formula.
    pub fn ready(&self) -> Result<ReadyAverage<'_>, AverageError> {
        let read = |term: &String| {
            let wrong = || AverageError::Unreadable { term: term.clone() };
            let quantity = parse_quantity(term).quantity.ok_or_else(wrong)?;
            let place = |name: &str| self.variables.iter().position(|v| v.name == name);
            let places: Option<Vec<usize>> =
                quantity.variables().iter().map(|v| place(&v.name)).collect();
            Ok((quantity, places.ok_or_else(wrong)?))
        };
        let terms: Vec<(Quantity, Vec<usize>)> =
            self.terms.iter().map(read).collect::<Result<_, AverageError>>()?;
        let is_whole = |formula: &AveragedFormula| {
            let count = formula.terms.len();
            formula.constants.len() == count
                && formula.terms.iter().all(|&term| term < terms.len())
                && formula.spread.iter().all(|row| row.len() == count)
        };
        if self.formulas.iter().all(is_whole) {
            Ok(ReadyAverage { average: self, terms })
        } else {
            Err(AverageError::NoValue)
        }
    }
}

impl ReadyAverage<'_> {
    /// Predicts where the variables have these values. Others may be among them; those that had one value may be
    /// left out, and those that stand only in formulas whose probability is below a tenth: these are left out, too.
    ///
    /// # Errors
    /// If a value is missing, or a term has none there.
    pub fn predict(&self, given: &[(String, f64)]) -> Result<Averaged, AverageError> {
        let average = self.average;
        let value = |variable: &AveragedVariable| {
            let given = given.iter().find(|(name, _)| *name == variable.name);
            given.map(|(_, value)| *value).or(variable.only)
        };
        let at: Vec<Option<f64>> = average.variables.iter().map(value).collect();
        let values: Vec<Option<f64>> = self
            .terms
            .iter()
            .map(|(term, places)| {
                let own: Option<Vec<f64>> = places.iter().map(|&place| at[place]).collect();
                own.map(|own| term.value(&own))
            })
            .collect();
        let predictions = average.formulas.iter().filter_map(|formula| {
            let terms: Option<Vec<f64>> = formula.terms.iter().map(|&term| values[term]).collect();
            let terms = terms?;
            let dot = |a: &[f64]| a.iter().zip(&terms).map(|(a, b)| a * b).sum::<f64>();
            let square: f64 = formula.spread.iter().map(|row| dot(row).powi(2)).sum();
            let value = dot(&formula.constants);
            Some(Said { weight: formula.weight, value, error: square.sqrt(), dof: formula.dof })
        });
        let said: Vec<Said> = predictions.collect();
        let weight: f64 = said.iter().map(|prediction| prediction.weight).sum();
        let whole: f64 = average.formulas.iter().map(|formula| formula.weight).sum();
        if weight < (1.0 - DISPENSABLE) * whole {
            let missing = average.variables.iter().zip(&at).find(|(_, value)| value.is_none());
            return Err(missing.map_or(AverageError::NoValue, |(variable, _)| {
                AverageError::Missing { variable: variable.name.clone() }
            }));
        }
        let variance = |value: f64| {
            let scale = if average.weights == Weights::Relative { value } else { 1.0 };
            average.noise * scale * scale
        };
        averaged(&said, variance, average.weights, average.confidence).ok_or(AverageError::NoValue)
    }

    /// [`ReadyAverage::predict`] beside the fit of the chosen formula: with what makes the fit's intervals wider, and only
    /// where the data support a prediction.
    ///
    /// # Errors
    /// As [`ReadyAverage::predict`], and if the data refuse the fit's prediction.
    pub fn predict_beside(
        &self,
        fit: &Fit,
        given: &[(String, f64)],
    ) -> Result<Averaged, AverageError> {
        if fit.complete(given).predict(fit).is_err_and(|error| error.is_refusal()) {
            return Err(AverageError::Unsupported);
        }
        let averaged = self.predict(given)?;
        let band = Band { low: averaged.low, high: averaged.high };
        let Band { low, high } = fit.widened_band(averaged.value, band);
        Ok(Averaged { low, high, ..averaged })
    }
}
