//! Predictions requested on the command line.

use std::fmt;

use cll_fit::{Completed, Fit, PredictError};
use cll_result::{ModelFile, Predicted, PredictionView};
use cll_search::Average;

use crate::Error;
use cll_campaign::{Range, split};
use cll_diagnostic::{nearest, suggestion};

/// Values of variables at which to predict.
#[derive(Clone, Debug, PartialEq)]
pub struct At(Vec<(String, f64)>);

impl At {
    /// Parses `N=3000`, `N=1e6,P=8`, `N=1000:8000:*2,P=1,2`: all combinations.
    ///
    /// # Errors
    /// If the text is none of these.
    pub fn parse(text: &str) -> Result<Vec<At>, Error> {
        let wrong = |why: &dyn fmt::Display| {
            Error::request(format!("`{text}`: {why}"))
                .advise("values are given as N=3000, N=1e6,P=8 or N=1000:8000:*2")
        };
        let mut variables: Vec<(String, String)> = Vec::new();
        for part in text.split(',') {
            match variables.last_mut() {
                // A list continues.
                Some((_, values)) if !part.contains('=') => {
                    values.push(',');
                    values.push_str(part);
                }
                _ => {
                    let (name, value) = split(part).map_err(|error| wrong(&error))?;
                    if variables.iter().any(|(known, _)| known == name) {
                        return Err(wrong(&format!("{name} is given twice")));
                    }
                    variables.push((name.to_owned(), value.to_owned()));
                }
            }
        }
        let mut all = vec![At(Vec::new())];
        for (name, values) in variables {
            let range: Range =
                values.parse().map_err(|error: cll_campaign::Error| wrong(&error))?;
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
    /// Values by name, each name once.
    pub fn of(values: Vec<(String, f64)>) -> At {
        At(values)
    }

    /// The values of these variables; `None` if it has none of them.
    pub fn only(&self, names: &[String]) -> Option<At> {
        let At(values) = self;
        let kept: Vec<_> =
            values.iter().filter(|(name, _)| names.contains(name)).cloned().collect();
        (!kept.is_empty()).then_some(At(kept))
    }

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
/// If a name is not a variable of any experiment.
pub fn predict_all(model: &ModelFile, asked: &[At]) -> Result<Vec<Predicted>, Error> {
    let fits = || {
        let fitted = model.experiments.iter().enumerate();
        fitted.filter_map(|(index, experiment)| Some((index, experiment.fit.as_ref()?)))
    };
    if !model.has_fit() {
        return Ok(Vec::new());
    }
    let mut known: Vec<&str> = fits()
        .flat_map(|(_, fit)| fit.variables.iter().chain(&fit.recorded))
        .chain(model.experiments.iter().flat_map(|experiment| &experiment.variables))
        .map(String::as_str)
        .collect();
    known.sort_unstable();
    known.dedup();
    if let Some((name, _)) =
        asked.iter().flat_map(|At(values)| values).find(|(name, _)| !known.contains(&name.as_str()))
    {
        return Err(Error::request(format!(
            "no experiment has a variable {name}: {}",
            suggestion(name, &known)
        )));
    }
    let mut predicted = Vec::new();
    for (experiment, fit) in fits() {
        let search = model.experiments[experiment].search.as_ref();
        let average = search.and_then(|search| search.average.as_ref()).map(Average::ready);
        predicted.extend(asked.iter().map(|point| {
            let mut prediction = predict(experiment, fit, asked, point);
            prediction.view.averaged = average.as_ref().map(|average| match average {
                Ok(ready) => ready.predict_beside(fit, point.values()),
                Err(error) => Err(error.clone()),
            });
            prediction
        }));
    }
    Ok(predicted)
}

fn predict(experiment: usize, fit: &Fit, asked: &[At], At(given): &At) -> Predicted {
    let completed = fit.complete(given);
    let result = completed.predict(fit);
    let Completed { at: point, assumed, .. } = completed;
    let values = point.iter().map(|(_, value)| *value).collect();
    let view = PredictionView { at: values, result, measured: None, averaged: None };
    let failure = view.result.as_ref().err().map(|error| explain(error, &point, asked));
    Predicted { experiment, at: point, assumed, view, failure }
}

/// Why there is no value, with the name that was probably meant.
fn explain(error: &PredictError, point: &[(String, f64)], asked: &[At]) -> String {
    if let PredictError::Missing { variable, .. } = error {
        let names = asked.iter().flat_map(|At(values)| values).map(|(name, _)| name.as_str());
        let unused = names.filter(|name| !point.iter().any(|(known, _)| known == name));
        if let Some(near) = nearest(variable, unused) {
            return format!("{error} ({near} was given)");
        }
    }
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Vec<At> {
        At::parse(text).unwrap()
    }

    #[test]
    fn values_lists_and_ranges() {
        let pair = |n: f64, p: f64| At(vec![("N".into(), n), ("P".into(), p)]);
        assert_eq!(parse("N=3"), [At(vec![("N".into(), 3.0)])]);
        assert_eq!(parse("N=1e3, P=2"), [pair(1000.0, 2.0)]);
        assert_eq!(
            parse("N=1,2,P=4:8:*2"),
            [pair(1.0, 4.0), pair(1.0, 8.0), pair(2.0, 4.0), pair(2.0, 8.0)]
        );
        for wrong in ["", "N", "3", "N=", "N=x", "N=1,N=2"] {
            assert!(At::parse(wrong).is_err(), "{wrong}");
        }
    }
}
