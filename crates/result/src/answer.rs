//! A model with what it predicts, as JSON: `docs/formats/model.md`.

use cll_fit::Domain;
use cll_search::{AverageError, Averaged};
use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::doubt::Doubts;
use crate::model::ModelFile;
use crate::model_comparison::ModelComparison;
use crate::notice::Notice;
use crate::prediction::{DISPUTED, Predicted};
use crate::scaling::{ScalingPoint, scalings};

/// The model as it is stored, its predictions and its speed-up.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModelJson<'a> {
    #[serde(flatten)]
    model: &'a ModelFile,
    predictions: Vec<PredictionJson<'a>>,
    scaling: Vec<ScalingJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<&'a ModelComparison>,
    #[serde(flatten)]
    doubts: Doubts,
}

impl<'a> ModelJson<'a> {
    /// For a model and what it predicts.
    pub fn of(model: &'a ModelFile, predicted: &'a [Predicted]) -> ModelJson<'a> {
        let predictions =
            predicted.iter().map(|prediction| PredictionJson::new(model, prediction)).collect();
        ModelJson {
            model,
            predictions,
            scaling: scalings_json(model, predicted),
            comparison: None,
            doubts: model.doubts(),
        }
    }

    /// With a comparison with an older model.
    #[must_use]
    pub fn compared(mut self, comparison: Option<&'a ModelComparison>) -> ModelJson<'a> {
        self.comparison = comparison;
        self
    }
}

/// Predictions alone, as `cll predict --json` writes them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Predictions<'a> {
    format: &'static str,
    version: u32,
    #[serde(flatten)]
    doubts: Doubts,
    predictions: Vec<PredictionJson<'a>>,
}

impl<'a> Predictions<'a> {
    /// Collects the predictions of a model.
    pub fn of(model: &'a ModelFile, predicted: &'a [Predicted]) -> Predictions<'a> {
        Predictions {
            format: "cll-predictions",
            version: 1,
            doubts: model.doubts(),
            predictions: predicted
                .iter()
                .map(|prediction| PredictionJson::new(model, prediction))
                .collect(),
        }
    }
}

/// A prediction.
#[derive(Debug, Serialize, JsonSchema)]
struct PredictionJson<'a> {
    experiment: &'a str,
    at: Map<String, Value>,
    assumed: &'a [String],
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    repetitions: Option<usize>,
    run_low: Option<f64>,
    run_high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relative_error: Option<f64>,
    confidence: Option<f64>,
    unit: &'a str,
    domain: Option<&'a Domain>,
    follows: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    averaged: Option<AveragedJson>,
    warnings: Vec<Notice>,
    /// Whether its experiment is measurable; predictions of several models stand side by side.
    measurable: bool,
    error: Option<&'a str>,
}

/// A prediction averaged over the formulas of a search.
#[derive(Debug, Serialize, JsonSchema)]
struct AveragedJson {
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl AveragedJson {
    fn new(averaged: &Result<Averaged, AverageError>) -> AveragedJson {
        match averaged {
            Ok(averaged) => AveragedJson {
                value: Some(averaged.value),
                low: Some(averaged.low),
                high: Some(averaged.high),
                error: None,
            },
            Err(error) => {
                AveragedJson { value: None, low: None, high: None, error: Some(error.to_string()) }
            }
        }
    }
}

impl<'a> PredictionJson<'a> {
    fn new(model: &'a ModelFile, predicted: &'a Predicted) -> PredictionJson<'a> {
        let experiment = &model.experiments[predicted.experiment];
        let option = predicted.view.result.as_ref().ok();
        let unit = experiment.fit.as_ref().map(|fit| fit.unit.clone()).unwrap_or_default();
        let band = option.and_then(|prediction| prediction.band);
        let run = option.and_then(|prediction| prediction.run);
        PredictionJson {
            experiment: &experiment.name,
            at: predicted.at.iter().map(|(name, value)| (name.clone(), (*value).into())).collect(),
            assumed: &predicted.assumed,
            value: option.map(|prediction| prediction.value),
            low: band.map(|band| band.low),
            high: band.map(|band| band.high),
            repetitions: option.map(|prediction| prediction.repetitions),
            run_low: run.map(|run| run.low),
            run_high: run.map(|run| run.high),
            measured: predicted.view.measured,
            relative_error: predicted.view.error(),
            confidence: option.map(|prediction| prediction.confidence),
            unit: &experiment.unit,
            domain: option.map(|prediction| &prediction.domain),
            follows: option.map(|prediction| prediction.follows),
            averaged: predicted.view.averaged.as_ref().map(AveragedJson::new),
            warnings: option
                .map(|prediction| {
                    let warnings = prediction.warnings.iter();
                    let warnings = warnings.map(|w| Notice::new(w.code(), w.text(&unit)));
                    let is_disputed = predicted.view.is_disputed();
                    let disputed =
                        is_disputed.then(|| Notice::new("disputed", DISPUTED.to_owned()));
                    warnings.chain(disputed).collect()
                })
                .unwrap_or_default(),
            measurable: model.doubts_of(experiment).is_measurable(),
            error: predicted.failure.as_deref(),
        }
    }
}

/// The speed-up of an experiment with more processors.
#[derive(Debug, Serialize, JsonSchema)]
struct ScalingJson<'a> {
    experiment: &'a str,
    at: Map<String, Value>,
    points: Vec<PointJson>,
    unlikely: Vec<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PointJson {
    processors: f64,
    time_s: Seconds,
    low_s: Option<Seconds>,
    high_s: Option<Seconds>,
    beyond: bool,
    speed_up: f64,
    efficiency: f64,
    serial_fraction: Option<f64>,
    measured_s: Option<Seconds>,
    measured_speed_up: Option<f64>,
}

fn scalings_json<'a>(model: &'a ModelFile, predicted: &[Predicted]) -> Vec<ScalingJson<'a>> {
    let all = model.experiments.iter().enumerate();
    all.flat_map(|(index, experiment)| {
        scalings(model, index, predicted).into_iter().map(|view| ScalingJson {
            experiment: &experiment.name,
            at: view.values.into_iter().map(|(name, value)| (name, value.into())).collect(),
            points: view.points.into_iter().map(point_json).collect(),
            unlikely: view.unlikely,
        })
    })
    .collect()
}

fn point_json(point: ScalingPoint) -> PointJson {
    PointJson {
        processors: point.processors,
        time_s: point.time,
        low_s: point.band.map(|band| band.0),
        high_s: point.band.map(|band| band.1),
        beyond: point.beyond,
        speed_up: point.speed_up,
        efficiency: point.efficiency,
        serial_fraction: point.serial_fraction,
        measured_s: point.measured,
        measured_speed_up: point.measured_speed_up,
    }
}
