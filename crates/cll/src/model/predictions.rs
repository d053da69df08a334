//! Predictions that were asked for on a command line.

use std::fmt;

use cll_fit::{Domain, Fit, PredictError};
use cll_report::PredictionView;
use serde::Serialize;

use super::file::{ModelFile, Notice};
use crate::failure::Failure;
use crate::names::{nearest, split, suggestion};
use crate::sampling::Range;

/// Values of variables at which to predict.
#[derive(Clone, Debug, PartialEq)]
pub struct At(Vec<(String, f64)>);

/// A prediction of one experiment.
#[derive(Clone, Debug)]
pub struct Predicted {
    /// Index of the experiment in the model.
    pub experiment: usize,
    /// The values, those that were given and those that the data leave no choice about.
    pub at: Vec<(String, f64)>,
    /// The variables that were not given.
    pub assumed: Vec<String>,
    /// What came of it; with as many values as the formula has variables.
    pub view: PredictionView,
}

impl At {
    /// Understands `N=3000`, `N=1e6,P=8`, `N=1000:8000:*2,P=1,2`: all combinations.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn parse(text: &str) -> Result<Vec<At>, Failure> {
        let wrong = |why: String| {
            Failure::usage(format!("`{text}`: {why}"))
                .help("values are given as N=3000, N=1e6,P=8 or N=1000:8000:*2")
        };
        let mut variables: Vec<(String, String)> = Vec::new();
        for part in text.split(',') {
            match variables.last_mut() {
                // A list goes on.
                Some((_, values)) if !part.contains('=') => {
                    values.push(',');
                    values.push_str(part);
                }
                _ => {
                    let (name, value) = split(part).map_err(wrong)?;
                    if variables.iter().any(|(known, _)| known == name) {
                        return Err(wrong(format!("{name} is given twice")));
                    }
                    variables.push((name.to_owned(), value.to_owned()));
                }
            }
        }
        let mut all = vec![At(Vec::new())];
        for (name, values) in variables {
            let range: Range = values.parse().map_err(wrong)?;
            all = all
                .into_iter()
                .flat_map(|At(before)| {
                    let name = &name;
                    let with = move |value: &f64| {
                        At(before.iter().cloned().chain([(name.clone(), *value)]).collect())
                    };
                    range.values().iter().map(with).collect::<Vec<_>>()
                })
                .collect();
        }
        Ok(all)
    }
}

impl At {
    /// Names with their values.
    pub fn values(&self) -> &[(String, f64)] {
        &self.0
    }
}

impl fmt::Display for At {
    /// `N=3000, P=8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> =
            self.0.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&words.join(", "))
    }
}

/// Predicts every fitted experiment at all of the values.
///
/// # Errors
/// If a name is no variable of any experiment.
pub fn predict_all(model: &ModelFile, asked: &[At]) -> Result<Vec<Predicted>, Failure> {
    let fits = || {
        let fitted = model.experiments.iter().enumerate();
        fitted.filter_map(|(index, one)| Some((index, one.fit.as_ref()?)))
    };
    if !model.has_fit() {
        return Ok(Vec::new());
    }
    let mut known: Vec<&str> = fits()
        .flat_map(|(_, fit)| fit.variables.iter().chain(&fit.recorded))
        .chain(model.experiments.iter().flat_map(|one| &one.variables))
        .map(String::as_str)
        .collect();
    known.sort_unstable();
    known.dedup();
    if let Some((name, _)) =
        asked.iter().flat_map(|At(values)| values).find(|(name, _)| !known.contains(&name.as_str()))
    {
        return Err(Failure::usage(format!(
            "no experiment has a variable {name}: {}",
            suggestion(name, &known)
        )));
    }
    let mut predicted = Vec::new();
    for (experiment, fit) in fits() {
        predicted.extend(asked.iter().map(|at| predict(experiment, fit, at)));
    }
    Ok(predicted)
}

fn predict(experiment: usize, fit: &Fit, At(given): &At) -> Predicted {
    let mut at = Vec::new();
    let mut assumed = Vec::new();
    let mut missing = None;
    for variable in &fit.variables {
        let value = given.iter().find(|(name, _)| name == variable).map(|(_, value)| *value);
        let value = value.or_else(|| {
            // The data know no other.
            let range = fit.domain.iter().find(|range| range.variable == *variable)?;
            (range.distinct == 1).then(|| {
                assumed.push(variable.clone());
                range.low
            })
        });
        match value {
            Some(value) => at.push((variable.clone(), value)),
            None => missing = missing.or(Some(variable.clone())),
        }
    }
    let values: Vec<f64> = at.iter().map(|(_, value)| *value).collect();
    let view = match missing {
        None => PredictionView::of(fit, &values),
        Some(variable) => {
            let error = PredictError::Missing { variable, needed: fit.variables.clone() };
            PredictionView { at: values, result: Err(error), measured: None }
        }
    };
    Predicted { experiment, at, assumed, view }
}

impl Predicted {
    /// Whether a value was not given that it needs.
    pub fn is_missing(&self) -> bool {
        matches!(self.view.result, Err(PredictError::Missing { .. }))
    }

    /// Why there is no value, with the name that was probably meant.
    pub fn failure(&self, asked: &[At]) -> Option<String> {
        let error = self.view.result.as_ref().err()?;
        if let PredictError::Missing { variable, .. } = error {
            let names = asked.iter().flat_map(|At(values)| values).map(|(name, _)| name.as_str());
            let unused = names.filter(|name| !self.at.iter().any(|(known, _)| known == name));
            if let Some(near) = nearest(variable, unused) {
                return Some(format!("{error} ({near} was given)"));
            }
        }
        Some(error.to_string())
    }
}

/// A prediction as JSON: `docs/formats/model.md`.
#[derive(Debug, Serialize)]
pub struct PredictionJson<'a> {
    experiment: &'a str,
    at: serde_json::Map<String, serde_json::Value>,
    assumed: &'a [String],
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relative_error: Option<f64>,
    confidence: Option<f64>,
    unit: &'a str,
    domain: Option<&'a Domain>,
    follows: Option<bool>,
    warnings: Vec<Notice>,
    error: Option<String>,
}

impl<'a> PredictionJson<'a> {
    /// For a prediction of this model.
    pub fn of(model: &'a ModelFile, predicted: &'a Predicted, asked: &[At]) -> PredictionJson<'a> {
        let experiment = &model.experiments[predicted.experiment];
        let found = predicted.view.result.as_ref().ok();
        let band = found.and_then(|prediction| prediction.band);
        PredictionJson {
            experiment: &experiment.name,
            at: predicted.at.iter().map(|(name, value)| (name.clone(), (*value).into())).collect(),
            assumed: &predicted.assumed,
            value: found.map(|prediction| prediction.value),
            low: band.map(|band| band.low),
            high: band.map(|band| band.high),
            measured: predicted.view.measured,
            relative_error: predicted.view.error(),
            confidence: found.map(|prediction| prediction.confidence),
            unit: &experiment.unit,
            domain: found.map(|prediction| &prediction.domain),
            follows: found.map(|prediction| prediction.follows),
            warnings: found
                .map(|prediction| {
                    let warnings = prediction.warnings.iter();
                    warnings.map(|w| Notice::new(w.code(), w.to_string())).collect()
                })
                .unwrap_or_default(),
            error: predicted.failure(asked),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Vec<At> {
        At::parse(text).unwrap()
    }

    #[test]
    fn values_lists_and_ranges() {
        let pair = |n: f64, p: f64| At(vec![("N".into(), n), ("P".into(), p)]);
        assert_eq!(at("N=3"), [At(vec![("N".into(), 3.0)])]);
        assert_eq!(at("N=1e3, P=2"), [pair(1000.0, 2.0)]);
        assert_eq!(
            at("N=1,2,P=4:8:*2"),
            [pair(1.0, 4.0), pair(1.0, 8.0), pair(2.0, 4.0), pair(2.0, 8.0)]
        );
        for wrong in ["", "N", "3", "N=", "N=x", "N=1,N=2"] {
            assert!(At::parse(wrong).is_err(), "{wrong}");
        }
    }
}
