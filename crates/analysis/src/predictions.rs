//! Predictions requested on the command line.

use cll_fit::{Completed, Fit, PredictError};
use cll_result::{ModelFile, Predicted, PredictionView};
use cll_search::Average;

use crate::Error;
use cll_campaign::Location;
use cll_diagnostic::{nearest, suggestion};

/// Values at which to predict, as a user writes them: `N=3000`, `N=1000:8000:*2,P=1,2`, all combinations.
///
/// # Errors
/// If the text is none of these.
pub fn locations(text: &str) -> Result<Vec<Location>, Error> {
    Location::parse(text).map_err(|why| {
        Error::request(format!("`{text}`: {why}"))
            .advise("values are given as N=3000, N=1e6,P=8 or N=1000:8000:*2")
    })
}

/// Predicts every fitted experiment at all of the values.
///
/// # Errors
/// If a name is not a variable of any experiment.
pub fn predict_all(model: &ModelFile, asked: &[Location]) -> Result<Vec<Predicted>, Error> {
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
        asked.iter().flat_map(Location::values).find(|(name, _)| !known.contains(&name.as_str()))
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

fn predict(experiment: usize, fit: &Fit, asked: &[Location], location: &Location) -> Predicted {
    let completed = fit.complete(location.values());
    let result = completed.predict(fit);
    let Completed { at: point, assumed, .. } = completed;
    let values = point.iter().map(|(_, value)| *value).collect();
    let view = PredictionView { at: values, result, measured: None, averaged: None };
    let failure = view.result.as_ref().err().map(|error| explain(error, &point, asked));
    Predicted { experiment, at: point, assumed, view, failure }
}

/// Why there is no value, with the name that was probably meant.
fn explain(error: &PredictError, point: &[(String, f64)], asked: &[Location]) -> String {
    if let PredictError::Missing { variable, .. } = error {
        let names = asked.iter().flat_map(Location::values).map(|(name, _)| name.as_str());
        let unused = names.filter(|name| !point.iter().any(|(known, _)| known == name));
        if let Some(near) = nearest(variable, unused) {
            return format!("{error} ({near} was given)");
        }
    }
    error.to_string()
}
