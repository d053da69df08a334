//! Models: JSON, predictions as columns, plots as values, HTML.

use std::path::PathBuf;
use std::sync::Arc;

use cll_analysis::Error;
use cll_analysis::{
    Location, check_fitted, compare_models, locations, predict_all, predicted_held_out, read_model,
    references, select, write_model,
};
use cll_files::{Notices, Output};
use cll_fit::{CompareOptions, Domain};
use cll_report::{PlotOptions, PlotSpec, ReportOptions, Scale, Style, model_comparison_text};
use cll_report::{experiment_plot, model_html, model_report};
use cll_result::{Doubt, ModelFile, ModelJson, Predicted, Predictions};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::{Columns, Values, to_python};
use crate::fit::categories;
use crate::work::in_thread;

/// A model: fitted experiments.
#[pyclass(frozen, module = "cll._cll")]
pub struct Model {
    file: Arc<ModelFile>,
}

impl Model {
    /// Makes a model of a model's file.
    pub fn new(file: ModelFile) -> Model {
        Model { file: Arc::new(file) }
    }
}

#[pymethods]
impl Model {
    /// As `model.json`.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let file = Arc::clone(&self.file);
        in_thread(py, move |_| {
            let text = file.to_json().map_err(|error| Error::system(error.to_string()))?;
            String::from_utf8(text).map_err(|error| Error::system(error.to_string()))
        })
    }

    /// Name of each experiment, and why it has no fit.
    fn failures(&self) -> Vec<(String, Option<String>)> {
        let all = self.file.experiments.iter();
        all.map(|experiment| (experiment.name.clone(), experiment.failure.clone())).collect()
    }

    /// Code and text of each doubt in its numbers, and whether they are measurable.
    fn doubts(&self) -> (Vec<(String, String)>, bool) {
        let doubts = self.file.doubts();
        let code = |one: &Doubt| (one.kind.code().to_owned(), one.text.clone());
        (doubts.iter().map(code).collect(), doubts.is_measurable())
    }

    /// A model of the text of `model.json`.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: String) -> PyResult<Model> {
        in_thread(py, move |_| {
            let file = ModelFile::parse(text.as_bytes());
            file.map(Model::new).map_err(|error| Error::content(error.to_string()))
        })
    }

    /// As `cll fit --json`, with the predictions at these values.
    fn answer(&self, py: Python<'_>, at: Vec<Vec<(String, f64)>>) -> PyResult<String> {
        let file = Arc::clone(&self.file);
        in_thread(py, move |_| {
            let mut predicted = predict_all(&file, &asked(at))?;
            predicted.extend(predicted_held_out(&file));
            json(&ModelJson::of(&file, &predicted))
        })
    }

    /// The values of texts such as `N=1000:8000:*2,P=4`: all combinations.
    #[staticmethod]
    fn values(py: Python<'_>, text: String) -> PyResult<Vec<Vec<(String, f64)>>> {
        in_thread(py, move |_| {
            let all = locations(&text)?;
            Ok(all.iter().map(|at| at.values().to_vec()).collect())
        })
    }

    /// The model of the chosen experiments alone.
    fn chosen(&self, py: Python<'_>, experiments: Vec<String>) -> PyResult<Model> {
        let file = Arc::clone(&self.file);
        in_thread(py, move |_| Ok(Model::new(chosen(&file, &experiments)?)))
    }

    /// Predictions of the chosen experiments at these values, as columns, with intervals of this confidence or of the
    /// fit's. With them the index of the value.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        at: Vec<Vec<(String, f64)>>,
        experiments: Vec<String>,
        confidence: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let file = Arc::clone(&self.file);
        let columns = in_thread(py, move |messages| {
            let mut file = chosen(&file, &experiments)?;
            if let Some(confidence) = confidence {
                with_confidence(&mut file, confidence)?;
            }
            if !file.has_fit() {
                return Err(Error::data("the model has no fitted experiment to predict with"));
            }
            if let Some(reservation) = file.reservation() {
                messages.warn(&reservation);
            }
            let asked = asked(at);
            let predicted = predict_all(&file, &asked)?;
            if predicted.iter().all(|prediction| prediction.failure.is_some())
                && let Some(why) =
                    predicted.iter().find_map(|prediction| prediction.failure.clone())
            {
                return Err(Error::request(why));
            }
            Ok(prediction_columns(&file, &predicted, asked.len()))
        })?;
        to_python(py, columns)
    }

    /// The JSON of `cll predict --json` at these values.
    fn predictions_json(
        &self,
        py: Python<'_>,
        at: Vec<Vec<(String, f64)>>,
        experiments: Vec<String>,
    ) -> PyResult<String> {
        let file = Arc::clone(&self.file);
        in_thread(py, move |_| {
            let file = chosen(&file, &experiments)?;
            let predicted = predict_all(&file, &asked(at))?;
            json(&Predictions::of(&file, &predicted))
        })
    }

    /// The plots of the chosen experiments, as JSON.
    fn plots(
        &self,
        py: Python<'_>,
        experiments: Vec<String>,
        x: Option<String>,
        log: Option<bool>,
        at: Vec<Vec<(String, f64)>>,
    ) -> PyResult<String> {
        let file = Arc::clone(&self.file);
        in_thread(py, move |messages| {
            let file = chosen(&file, &experiments)?;
            let predicted = predict_all(&file, &asked(at))?;
            let scale = log.map(|log| if log { Scale::Log } else { Scale::Linear });
            let mut plots: Vec<PlotSpec> = Vec::new();
            for (index, experiment) in file.experiments.iter().enumerate() {
                let options = PlotOptions {
                    x: x.clone(),
                    x_scale: scale,
                    y_scale: scale,
                    ..PlotOptions::default()
                };
                let own = predicted.iter().filter(|known| known.experiment == index);
                let own: Vec<_> = own.map(|known| known.view.clone()).collect();
                let Some(drawn) = experiment_plot(&file, experiment, &own, &options) else {
                    let why = experiment.failure.as_deref().unwrap_or("it has no fit");
                    messages.warn(&format!("{} cannot be drawn: {why}", experiment.name));
                    continue;
                };
                let mut spec = drawn
                    .map_err(|error| Error::request(format!("{}: {error}", experiment.name)))?;
                spec.references = references(file.machine.as_ref(), experiment, &spec.x.title);
                plots.push(spec);
            }
            if plots.is_empty() {
                return Err(Error::data("there is no fitted experiment to draw"));
            }
            json(&plots)
        })
    }

    /// The report as a part of an HTML page. `id` begins the identities in it.
    fn html(&self, py: Python<'_>, id: String) -> PyResult<String> {
        let file = Arc::clone(&self.file);
        in_thread(py, move |_| Ok(model_html(&file, &predicted_held_out(&file), &id)))
    }

    /// The report as text.
    fn text(&self, py: Python<'_>, width: usize, points: bool) -> PyResult<String> {
        let file = Arc::clone(&self.file);
        in_thread(py, move |_| {
            let style = Style { width, ..Style::default() };
            let options = ReportOptions { points, accept: false };
            Ok(model_report(&file, &predicted_held_out(&file), options, &style))
        })
    }

    /// Writes `model.json`.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let file = Arc::clone(&self.file);
        in_thread(py, move |_| write_model(&file, Output::at(&path)?))
    }
}

/// The model with these experiments only; all if there are no names.
fn chosen(file: &Arc<ModelFile>, names: &[String]) -> Result<ModelFile, Error> {
    let mut chosen = ModelFile::clone(file);
    chosen.experiments = select(chosen.experiments, names, |experiment| &experiment.name)?;
    Ok(chosen)
}

/// Intervals of another confidence than that of the fits.
fn with_confidence(file: &mut ModelFile, confidence: f64) -> Result<(), Error> {
    if !(confidence > 0.0 && confidence < 1.0) {
        let text = format!("confidence={confidence}: it must be between 0 and 1");
        return Err(Error::request(text));
    }
    for experiment in &mut file.experiments {
        if let Some(fit) = &mut experiment.fit {
            fit.options.confidence = confidence;
        }
        if let Some(average) = experiment.search.as_mut().and_then(|search| search.average.as_mut())
        {
            average.confidence = confidence;
        }
    }
    Ok(())
}

fn asked(at: Vec<Vec<(String, f64)>>) -> Vec<Location> {
    at.into_iter().map(Location::new).collect()
}

/// A value as JSON.
///
/// # Errors
/// If it has no JSON.
pub fn json(value: &impl serde::Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::system(error.to_string()))
}

/// One row for each prediction: row, experiment, values, value, low, high, inside, domain, …
fn prediction_columns(file: &ModelFile, predicted: &[Predicted], asked: usize) -> Columns {
    let of = |number: &dyn Fn(&Predicted) -> Option<f64>| {
        Values::Numbers(
            predicted.iter().map(|prediction| number(prediction).unwrap_or(f64::NAN)).collect(),
        )
    };
    let names: Vec<&str> = predicted
        .iter()
        .map(|prediction| file.experiments[prediction.experiment].name.as_str())
        .collect();
    let units: Vec<&str> = predicted
        .iter()
        .map(|prediction| file.experiments[prediction.experiment].unit.as_str())
        .collect();
    let mut variables: Vec<&String> = Vec::new();
    for prediction in predicted {
        for (name, _) in &prediction.at {
            if !variables.contains(&name) {
                variables.push(name);
            }
        }
    }
    let rows = (0..predicted.len()).map(|row| (row % asked.max(1)) as i64);
    let mut all: Columns = vec![
        ("row".to_owned(), "", Values::Integers(rows.collect())),
        ("experiment".to_owned(), "", categories(&names)),
    ];
    for name in variables {
        let value = |one: &Predicted| {
            one.at.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
        };
        all.push((format!("variable.{name}"), "", of(&value)));
    }
    let found = |one: &Predicted| one.view.result.as_ref().ok().cloned();
    all.push(("value".to_owned(), "", of(&|prediction| Some(found(prediction)?.value))));
    all.push(("low".to_owned(), "", of(&|prediction| Some(found(prediction)?.band?.low))));
    all.push(("high".to_owned(), "", of(&|prediction| Some(found(prediction)?.band?.high))));
    all.push(("run_low".to_owned(), "", of(&|prediction| Some(found(prediction)?.run?.low))));
    all.push(("run_high".to_owned(), "", of(&|prediction| Some(found(prediction)?.run?.high))));
    let inside = predicted.iter().map(|predicted| {
        let domain = found(predicted).map(|prediction| prediction.domain);
        u8::from(matches!(domain, Some(Domain::Inside { .. } | Domain::Between { .. })))
    });
    all.push(("inside".to_owned(), "", Values::Flags(inside.collect())));
    let domains: Vec<&str> = predicted
        .iter()
        .map(|predicted| {
            match predicted.view.result.as_ref().map(|prediction| &prediction.domain) {
                Ok(Domain::Inside { .. }) => "inside",
                Ok(Domain::Between { .. }) => "between",
                Ok(Domain::Beyond { .. }) => "beyond",
                Ok(Domain::Apart { .. }) => "apart",
                Err(_) => "none",
            }
        })
        .collect();
    all.push(("domain".to_owned(), "", categories(&domains)));
    if predicted.iter().any(|prediction| prediction.view.averaged.is_some()) {
        let averaged = |one: &Predicted| one.view.averaged.clone()?.ok();
        all.push(("averaged".to_owned(), "", of(&|prediction| Some(averaged(prediction)?.value))));
        all.push((
            "averaged_low".to_owned(),
            "",
            of(&|prediction| Some(averaged(prediction)?.low)),
        ));
        all.push((
            "averaged_high".to_owned(),
            "",
            of(&|prediction| Some(averaged(prediction)?.high)),
        ));
    }
    all.push(("unit".to_owned(), "", categories(&units)));
    if predicted.iter().any(|prediction| prediction.failure.is_some()) {
        let errors = predicted.iter().map(|prediction| prediction.failure.clone()).collect();
        all.push(("error".to_owned(), "", Values::Texts(errors)));
    }
    all
}

/// Reads `model.json`, or the folder with it.
#[pyfunction]
pub fn load_model(py: Python<'_>, path: PathBuf) -> PyResult<Model> {
    in_thread(py, move |_| Ok(Model::new(read_model(&path)?)))
}

/// A new model beside an older one: JSON and text.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    old: PyRef<'_, Model>,
    new: PyRef<'_, Model>,
    threshold: f64,
    confidence: f64,
) -> PyResult<(String, String)> {
    let (old, new) = (Arc::clone(&old.file), Arc::clone(&new.file));
    in_thread(py, move |_| {
        check_fitted(&old, std::path::Path::new("the old model"))?;
        let comparison = compare_models(&old, &new, &CompareOptions { confidence, threshold })?;
        Ok((json(&comparison)?, model_comparison_text(&comparison, &new, &Style::default())))
    })
}
