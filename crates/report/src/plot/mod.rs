//! The content of a plot, without its drawing. The terminal plot, the SVG and later pages are
//! drawn from the same [`PlotSpec`].

mod build;
mod choose;
mod curves;
mod error;
mod extent;
mod groups;
mod mapping;
mod text;
mod thin;
mod ticks;

use std::collections::BTreeMap;

use cll_fit::Unit;
use cll_result::{Doubt, DoubtKind, Doubts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use build::{PlotOptions, experiment_plot, plot};
pub use error::PlotError;
pub(crate) use mapping::Mapping;
pub(crate) use ticks::{Ticks, ticks};

/// A plot of one experiment over one variable: measured points and the model.
///
/// Every number in it is finite. Coordinates are in the units of the axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlotSpec {
    /// The experiment's name.
    pub title: String,
    /// The fitted formula, one line for each interval of validity.
    pub formula: Vec<String>,
    /// The plot in words, for those who cannot see it.
    pub description: String,
    /// The variable.
    pub x: Axis,
    /// The observable.
    pub y: Axis,
    /// One for each combination of values of the other variables.
    pub series: Vec<Series>,
    /// Boundaries of the intervals of validity.
    pub boundaries: Vec<Gap>,
    /// Named places on the x axis, such as sizes of caches.
    pub references: Vec<Reference>,
    /// Predictions.
    pub markers: Vec<Marker>,
    /// Confidence of bands and of the markers' ranges, in (0, 1).
    pub confidence: f64,
    /// Notes for the reader: points that are not shown, and why.
    pub notes: Vec<String>,
    /// Why the numbers are not to be believed as they stand; they are always drawn.
    #[serde(flatten)]
    pub doubts: Doubts,
}

/// An axis of a plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Axis {
    /// The title of the axis: `N`, `time`.
    pub title: String,
    /// The unit of the axis; an empty name for a bare number.
    pub unit: Unit,
    /// How values are placed on it.
    pub scale: Scale,
}

/// How values are placed on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// By their differences.
    #[default]
    Linear,
    /// By their ratios; values of zero and below have no place.
    Log,
    /// As [`Scale::Log`], with ticks at powers of two.
    Binary,
}

/// The points and curves that belong together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    /// The other variables' values, `P = 4`; empty if there is only one series.
    pub label: String,
    /// The other variables' values by name.
    pub at: BTreeMap<String, f64>,
    /// In ascending order of `x`.
    pub points: Vec<PlotPoint>,
    /// The model, in segments: one for each interval and for the range beyond the data.
    pub curves: Vec<Curve>,
}

/// A measured point, or several that are too close to be distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlotPoint {
    /// Value of the variable.
    pub x: f64,
    /// The fitted value; the median if points were merged.
    pub y: f64,
    /// The repetitions.
    pub spread: Whiskers,
    /// The model there.
    pub model: f64,
    /// (measured - model)/measured; the median if points were merged.
    pub error: f64,
    /// Least and greatest error of the points that it represents.
    pub errors: (f64, f64),
    /// Whether it was left out of the fit.
    pub excluded: bool,
    /// How many points it represents.
    pub points: usize,
}

/// The spread of the repetitions of a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Whiskers {
    /// How many repetitions.
    pub count: usize,
    /// The smallest.
    pub minimum: f64,
    /// First quartile.
    pub lower_quartile: f64,
    /// Third quartile.
    pub upper_quartile: f64,
    /// The largest.
    pub maximum: f64,
}

/// A piece of the model's curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Curve {
    /// Index of the interval of validity whose constants it uses.
    pub interval: usize,
    /// Whether it is beyond the data.
    pub beyond: bool,
    /// In ascending order of `x`.
    pub points: Vec<CurvePoint>,
}

/// A point of the model's curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CurvePoint {
    /// Value of the variable.
    pub x: f64,
    /// The model's value.
    pub y: f64,
    /// The interval of a new measurement with the plot's confidence.
    pub band: Option<(f64, f64)>,
}

/// A boundary of two intervals of validity, between two measured values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    /// Last measured value on the left.
    pub low: f64,
    /// First measured value on the right.
    pub high: f64,
    /// The value at which predictions change to the right interval.
    pub at: f64,
}

/// A named place on the x axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reference {
    /// The place on the x axis.
    pub at: f64,
    /// The name of the place: `L2, 2 MiB`.
    pub label: String,
}

/// A prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Marker {
    /// Value of the variable.
    pub x: f64,
    /// Predicted value.
    pub y: f64,
    /// The interval of a new measurement with the plot's confidence.
    pub band: Option<(f64, f64)>,
    /// `N = 3000: 20.8 ms`.
    pub label: String,
    /// Index of the series it belongs to.
    pub series: usize,
    /// Whether it is beyond the data.
    pub beyond: bool,
}

impl PlotSpec {
    /// Adds doubts. Predictions that are not reliable have a question mark.
    pub fn doubt(&mut self, doubts: Doubts) {
        let is_new = self.doubts.is_measurable() && !doubts.is_measurable();
        self.doubts.extend(doubts);
        if is_new {
            self.markers.iter_mut().for_each(|marker| marker.label.insert_str(0, "? "));
        }
    }

    /// The doubts as sentences, the gravest first.
    pub(crate) fn doubt_texts(&self) -> Vec<String> {
        let is_grave = |entry: &&Doubt| entry.kind == DoubtKind::NotMeasurable;
        let grave = self.doubts.iter().filter(is_grave);
        let grave = grave.map(|doubt| format!("NOT MEASURABLE: {}", doubt.text));
        let others = self.doubts.iter().filter(|doubt| !is_grave(doubt));
        grave.chain(others.map(|doubt| sentence(&doubt.text))).collect()
    }

    /// Number of measured points that an axis with ratios cannot show.
    pub(crate) fn hidden(&self) -> usize {
        let points = self.series.iter().flat_map(|s| &s.points);
        points
            .filter(|p| !self.x.scale.shows(p.x) || !self.y.scale.shows(p.y))
            .map(|p| p.points)
            .sum()
    }

    /// [`PlotSpec::notes`], and points that the axes cannot show.
    pub(crate) fn all_notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        match self.hidden() {
            0 => {}
            1 => {
                notes.push("1 point of zero or less has no place on a logarithmic axis".to_owned())
            }
            n => notes
                .push(format!("{n} points of zero or less have no place on a logarithmic axis")),
        }
        notes
    }
}

impl Scale {
    /// Whether values are placed by their ratios.
    pub fn is_log(self) -> bool {
        self != Scale::Linear
    }

    /// Whether the value has a place.
    pub(crate) fn shows(self, value: f64) -> bool {
        value.is_finite() && (value > 0.0 || !self.is_log())
    }
}

/// With a large first letter.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
