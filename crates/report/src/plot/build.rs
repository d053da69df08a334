//! From a fit and its predictions to a plot.

use cll_fit::{Fit, Split, Unit};
use cll_result::{Doubts, ExperimentModel, ModelFile, PredictionView};

use super::choose::{Along, x_scale, y_scale};
use super::curves::curves;
use super::groups::{SeriesPoints, chosen, groups, only, others, predicted};
use super::text::{description, formula, label};
use super::thin::thin;
use super::{Axis, Gap, Marker, PlotError, PlotSpec, Reference, Scale, Series};
use crate::escape;

/// The options of a plot that the user may choose.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotOptions {
    /// The name of the plot; `None`: the name of the formula's experiment.
    pub name: Option<String>,
    /// The variable along x; `None`: the axis of the intervals, or the variable with most values.
    pub x: Option<String>,
    /// Values of other variables: only their series are shown. A series that was not measured is shown if all other
    /// variables have values.
    pub only: Vec<(String, Vec<f64>)>,
    /// How values are placed along x; `None`: by their spacing.
    pub x_scale: Option<Scale>,
    /// How the observable's values are placed; `None`: by their range.
    pub y_scale: Option<Scale>,
    /// Named places along x, such as sizes of caches.
    pub references: Vec<Reference>,
    /// The largest number of series that are shown (at least 1): the first, the last, and some between them.
    pub max_series: usize,
    /// Points of a series beyond this number are put together.
    pub max_points: usize,
    /// Places at which a curve is evaluated.
    pub steps: usize,
}

impl Default for PlotOptions {
    fn default() -> PlotOptions {
        PlotOptions {
            name: None,
            x: None,
            only: Vec::new(),
            x_scale: None,
            y_scale: None,
            references: Vec::new(),
            max_series: 6,
            max_points: 300,
            steps: 120,
        }
    }
}

/// The plot of a fitted experiment with what its model says of it: its name, what was observed, and the doubts in
/// its numbers. `None` if it has no fit.
pub fn experiment_plot(
    model: &ModelFile,
    experiment: &ExperimentModel,
    predictions: &[PredictionView],
    options: &PlotOptions,
) -> Option<Result<PlotSpec, PlotError>> {
    let fit = experiment.fit.as_ref()?;
    let named = PlotOptions { name: Some(experiment.name.clone()), ..options.clone() };
    Some(plot(fit, predictions, &named).map(|mut spec| {
        if experiment.observable != "time" {
            spec.y.title = escape(&experiment.observable);
        }
        spec.doubt(model.doubts_of(experiment));
        spec
    }))
}

/// The plot of a fit along one variable, with predictions.
///
/// Predictions that failed, and whatever is not a finite number, are left out; the text report
/// tells of them.
pub fn plot(
    fit: &Fit,
    predictions: &[PredictionView],
    options: &PlotOptions,
) -> Result<PlotSpec, PlotError> {
    let along = Along::choose(fit, options.x.as_deref())?;
    let used = match &along {
        Along::Recorded { used, .. } => *used,
        Along::Order => None,
    };
    let mut groups = groups(fit, &along, used);
    let everywhere: Vec<f64> = groups.iter().flat_map(|g| &g.points).map(|p| p.x).collect();
    only(fit, &options.only, used, &mut groups);
    let all = groups.len();
    predicted(fit, predictions, used, &mut groups);
    let (groups, shown) = chosen(groups, options.max_series.max(1));

    let points = || groups.iter().flat_map(|g| &g.points);
    let markers = || groups.iter().flat_map(|g| &g.markers);
    let measured: Vec<f64> = points().map(|p| p.x).collect();
    // A series without points is drawn where others were measured.
    let measured = if measured.is_empty() { everywhere } else { measured };
    let xs: Vec<f64> = measured.iter().copied().chain(markers().map(|m| m.x)).collect();
    let scale = options.x_scale.unwrap_or_else(|| match x_scale(&measured) {
        // Measured values are powers of two: then the ticks are, too, whatever the predictions.
        Scale::Binary if xs.iter().all(|&x| x > 0.0) => Scale::Binary,
        _ => x_scale(&xs),
    });
    let values = points().map(|p| p.y).chain(markers().map(|m| m.y));
    let y = options.y_scale.unwrap_or_else(|| y_scale(values));
    let measured = range(measured.into_iter(), scale);

    let (several, is_chosen) = (groups.len() > 1, !options.only.is_empty());
    let series: Vec<Series> = groups
        .iter()
        .map(|group| Series {
            label: if several || is_chosen {
                label(fit, &group.values, used)
            } else {
                String::new()
            },
            at: others(fit, &group.values, used),
            points: thin(group.points.clone(), scale, options.max_points),
            curves: match reach(measured, group, scale) {
                Some(range) => curves(fit, &group.values, used, range, scale, options.steps),
                None => Vec::new(),
            },
        })
        .collect();
    let markers = groups
        .into_iter()
        .enumerate()
        .flat_map(|(k, group)| group.markers.into_iter().map(move |m| Marker { series: k, ..m }))
        .collect();

    let notes = notes(&series, (shown, all));
    let references = options.references.iter();
    Ok(PlotSpec {
        title: escape(options.name.as_deref().unwrap_or(fit.formula.experiment())),
        formula: formula(fit),
        description: description(fit, options.name.as_deref(), &along),
        x: Axis { title: escape(along.title()), unit: Unit::Other(String::new()), scale },
        y: Axis {
            title: match &fit.unit {
                Unit::Seconds => "time".to_owned(),
                Unit::Other(name) => escape(name),
            },
            unit: fit.unit.clone(),
            scale: y,
        },
        boundaries: boundaries(fit, &along, &series),
        series,
        references: references.filter(|r| r.at.is_finite()).cloned().collect(),
        markers,
        confidence: fit.options.confidence,
        notes,
        doubts: Doubts::default(),
    })
}

/// Notes on series and points that are not shown, or put together.
fn notes(series: &[Series], (shown, all): (usize, usize)) -> Vec<String> {
    let mut notes = Vec::new();
    if shown < all {
        notes.push(format!("{shown} of {all} combinations of the other variables are shown"));
    }
    if series.iter().flat_map(|s| &s.points).any(|p| p.points > 1) {
        let points: usize = series.iter().flat_map(|s| &s.points).map(|p| p.points).sum();
        let shown: usize = series.iter().map(|s| s.points.len()).sum();
        notes.push(format!("{points} points put together to {shown}: medians and ranges"));
    }
    notes
}

/// The range of a series' curve: all measured values and its own predictions.
fn reach(measured: Option<(f64, f64)>, group: &SeriesPoints, scale: Scale) -> Option<(f64, f64)> {
    let ends = measured.into_iter().flat_map(|(low, high)| [low, high]);
    range(ends.chain(group.markers.iter().map(|m| m.x)), scale)
}

/// The range of x that the scale can show.
fn range(xs: impl Iterator<Item = f64>, scale: Scale) -> Option<(f64, f64)> {
    let shown = xs.filter(|&x| scale.shows(x));
    let (low, high) =
        shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    (low <= high).then_some((low, high))
}

/// The boundaries of intervals along x: known if x is their axis; else, with one series, between the
/// last and first points of neighbouring intervals, if these are separate.
fn boundaries(fit: &Fit, along: &Along, series: &[Series]) -> Vec<Gap> {
    let Along::Recorded { name, .. } = along else { return Vec::new() };
    if fit.axis.as_deref() == Some(name) {
        let all = fit.boundaries.iter();
        let gaps = all.map(|b| Gap { low: b.last_left, high: b.first_right, at: b.at });
        let changes = fit.changes.iter().flatten().map(|change| {
            let (low, high) = change.reach();
            Gap { low, high, at: change.position() }
        });
        let gaps = gaps.chain(changes);
        return gaps.filter(|g| [g.low, g.high, g.at].iter().all(|v| v.is_finite())).collect();
    }
    // Of regions those that divide all the data.
    let is_root =
        |split: &&Split| split.axis == *name && split.above.1 - split.below.0 == fit.splits.len();
    let root = fit.splits.iter().filter(is_root).map(|split| &split.boundary);
    let root: Vec<Gap> = root
        .map(|b| Gap { low: b.last_left, high: b.first_right, at: b.at })
        .filter(|g| [g.low, g.high, g.at].iter().all(|v| v.is_finite()))
        .collect();
    if !root.is_empty() {
        return root;
    }
    let [series] = series else { return Vec::new() };
    let curves = series.curves.windows(2).filter(|w| w[0].interval != w[1].interval);
    let gaps = curves.filter_map(|w| {
        let boundary = w[1].points.first()?.x;
        let points = || series.points.iter().map(|p| p.x);
        let low = points().filter(|&x| x < boundary).fold(f64::NEG_INFINITY, f64::max);
        let high = points().filter(|&x| x >= boundary).fold(f64::INFINITY, f64::min);
        (low.is_finite() && high.is_finite()).then_some(Gap { low, high, at: boundary })
    });
    gaps.collect()
}
