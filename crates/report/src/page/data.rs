//! The input of the viewer, as JSON: the model, its curves along each variable, and the samples.

use std::collections::BTreeMap;

use cll_fit::Fit;
use cll_result::{Doubts, ModelJson, PredictionView};
use serde::Serialize;

use super::PageParts;
use super::samples::{MAX_SAMPLES, Samples, samples};
use super::upsilon::{self, SetsOfSource};
use crate::model::TouchedMemory;
use crate::plot::{Gap, Marker, PlotOptions, PlotSpec, Reference, Scale, plot};

/// Combinations of the other variables that can be chosen along one variable.
const MAX_SLICES: usize = 48;
/// Points at which a curve is evaluated if there are few curves.
const STEPS_PER_CURVE: usize = 160;
/// Points of all curves along one variable together.
const MAX_STEPS: usize = 3000;

#[derive(Serialize)]
struct Everything<'a> {
    format: &'static str,
    version: u32,
    /// As `model.json` has it, with `predictions`.
    model: ModelJson<'a>,
    /// In the order of the model's.
    experiments: Vec<Experiment<'a>>,
    /// The statements of constants, for each source with a text for which they are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    upsilon: Vec<SetsOfSource<'a>>,
}

#[derive(Serialize)]
struct Experiment<'a> {
    /// One for each variable that a curve can be drawn along; the first is shown first.
    views: Vec<View>,
    samples: Option<Samples<'a>>,
    /// The values of the formula's variables at which the sliders begin.
    start: Vec<(&'a str, f64)>,
    /// Why its numbers are not to be believed as they stand.
    #[serde(flatten)]
    doubts: Doubts,
}

/// Curves along one variable.
#[derive(Serialize)]
struct View {
    x: String,
    x_scale: Scale,
    y_scale: Scale,
    slices: Vec<Slice>,
    boundaries: Vec<Gap>,
    references: Vec<Reference>,
    markers: Vec<Marker>,
    notes: Vec<String>,
}

/// The model at one combination of the other variables.
#[derive(Serialize)]
struct Slice {
    label: String,
    at: BTreeMap<String, f64>,
    curves: Vec<Curve>,
}

#[derive(Serialize)]
struct Curve {
    interval: usize,
    beyond: bool,
    x: Vec<f64>,
    y: Vec<f64>,
    /// Empty if the spread is not known.
    low: Vec<f64>,
    high: Vec<f64>,
}

/// The JSON, in which nothing can end its element.
pub(crate) fn json(parts: &PageParts<'_>) -> String {
    let mut encoded = samples(parts.page.samples, MAX_SAMPLES).into_iter();
    let experiments = parts.model.experiments.iter().enumerate().map(|(index, experiment)| {
        let predictions = parts.predictions.get(index).map_or(&[][..], Vec::as_slice);
        let memory = parts.memory(experiment);
        let views = experiment.fit.as_ref().map(|fit| views(fit, predictions, memory));
        Experiment {
            views: views.unwrap_or_default(),
            samples: encoded.next().flatten(),
            start: experiment.fit.as_ref().map(|fit| start(fit, predictions)).unwrap_or_default(),
            doubts: parts.model.doubts_of(experiment),
        }
    });
    let sources = parts.page.sources.iter().enumerate();
    let sources = sources.filter(|(_, source)| source.text.is_some());
    let sets = sources.filter_map(|(number, source)| Some((number, source.sets.as_ref()?)));
    let everything = Everything {
        format: "cll-page",
        version: 1,
        model: ModelJson::of(parts.model, parts.page.predicted),
        experiments: experiments.collect(),
        upsilon: upsilon::data(sets, &parts.model.experiments),
    };
    // Numbers, names and text that was JSON before: there is nothing in it that JSON cannot hold.
    let text = serde_json::to_string(&everything).unwrap_or_else(|_| "null".to_owned());
    text.replace('<', "\\u003c")
}

/// The values of the first prediction; without one those of the point that takes the longest.
fn start<'a>(fit: &'a Fit, predictions: &[PredictionView]) -> Vec<(&'a str, f64)> {
    let names = fit.variables.iter().map(String::as_str);
    if let Some(first) = predictions.first() {
        return names.zip(first.at.iter().copied()).collect();
    }
    let points = fit.residuals.iter().filter(|residual| residual.excluded.is_none());
    let Some(last) = points.max_by(|a, b| a.fitted.total_cmp(&b.fitted)) else { return Vec::new() };
    let value = |name: &str| {
        let column = fit.recorded.iter().position(|known| known == name)?;
        last.values.get(column).copied()
    };
    names.filter_map(|name| Some((name, value(name)?))).collect()
}

/// The curves along each variable of the formula. The variable that plots choose by default is first.
fn views(
    fit: &Fit,
    predictions: &[PredictionView],
    memory: Option<TouchedMemory<'_>>,
) -> Vec<View> {
    let along = |x: Option<&str>| view(fit, predictions, x, memory);
    let Some(first) = along(None) else { return Vec::new() };
    let others = fit.variables.iter().filter(|name| **name != first.x);
    let others: Vec<View> = others.filter_map(|name| along(Some(name))).collect();
    std::iter::once(first).chain(others).collect()
}

fn view(
    fit: &Fit,
    predictions: &[PredictionView],
    x: Option<&str>,
    memory: Option<TouchedMemory<'_>>,
) -> Option<View> {
    let options = |x_scale, steps| PlotOptions {
        x: x.map(str::to_owned),
        x_scale,
        max_series: MAX_SLICES,
        steps,
        ..PlotOptions::default()
    };
    // As it would be drawn alone: its scales, and how many curves there are.
    let spec = plot(fit, predictions, &options(None, 2)).ok()?;
    let steps = (MAX_STEPS / spec.series.len().max(1)).clamp(16, STEPS_PER_CURVE);
    // Places by their ratios serve both kinds of axes.
    let positive = |spec: &PlotSpec| {
        let places = spec.series.iter().flat_map(|s| s.points.iter().map(|p| p.x));
        places.chain(spec.markers.iter().map(|m| m.x)).all(|x| x > 0.0)
    };
    let scale = if positive(&spec) { Scale::Log } else { Scale::Linear };
    let name = x.map(str::to_owned).unwrap_or_else(|| named(fit, &spec));
    let (x_scale, y_scale) = (spec.x.scale, spec.y.scale);
    let spec = plot(fit, predictions, &options(Some(scale), steps)).ok()?;
    Some(View {
        x_scale,
        y_scale,
        slices: spec.series.into_iter().map(slice).collect(),
        boundaries: spec.boundaries,
        references: memory.map(|m| m.references(fit, &name)).unwrap_or_default(),
        markers: spec.markers,
        x: name,
        // What is put together there is not here.
        notes: spec.notes.into_iter().filter(|note| note.contains("combinations")).collect(),
    })
}

/// The variable along x: titles have been made harmless, names are as they are.
fn named(fit: &Fit, spec: &PlotSpec) -> String {
    let text = fit.recorded.iter().find(|name| crate::escape(name) == spec.x.title);
    text.cloned().unwrap_or_default()
}

fn slice(series: crate::plot::Series) -> Slice {
    let curve = |curve: crate::plot::Curve| {
        let band = |end: fn((f64, f64)) -> f64| {
            let ends = curve.points.iter().map(|p| p.band.map(|band| short(end(band))));
            ends.collect::<Option<Vec<f64>>>().unwrap_or_default()
        };
        Curve {
            interval: curve.interval,
            beyond: curve.beyond,
            x: curve.points.iter().map(|p| short(p.x)).collect(),
            y: curve.points.iter().map(|p| short(p.y)).collect(),
            low: band(|band| band.0),
            high: band(|band| band.1),
        }
    };
    Slice {
        label: series.label,
        at: series.at,
        curves: series.curves.into_iter().map(curve).collect(),
    }
}

/// Seven digits: more cannot be drawn.
fn short(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}
