//! How good predictions are: points are held out of the fit and predicted by it.

use cll_formula::Formula;
use serde::{Deserialize, Serialize};

use crate::repetitions::aggregate;
use crate::{Aggregate, Data, Fit, FitError, Options, Point, Prediction, fit};
use cll_statistics::quantile;

/// A fit beside the points that were held out of it. Errors are (measured - model)/measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldOut {
    /// The fit to the other points.
    pub fit: Fit,
    /// The points held out.
    pub points: Vec<HeldOutPoint>,
    /// Median of the absolute values of the errors; with the others `None` when nothing could be
    /// predicted.
    pub median_error: Option<f64>,
    /// Their 90th percentile.
    pub p90_error: Option<f64>,
    /// The largest.
    pub largest_error: Option<f64>,
    /// Share of the bands that held the measurement.
    pub covered: Option<f64>,
}

/// A point that was held out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldOutPoint {
    /// Values of the recorded variables.
    pub values: Vec<f64>,
    /// What was measured, aggregated like the fit's points.
    pub measured: f64,
    /// What the fit predicts; `None` where it cannot.
    pub prediction: Option<Prediction>,
    /// (measured - model)/measured.
    pub error: Option<f64>,
    /// Whether the band held the measurement.
    pub covered: Option<bool>,
}

/// Fits all points but those that `held` picks (by their index and the point), and predicts these.
pub fn hold_out(
    formula: &Formula,
    data: &Data,
    options: &Options,
    held: impl Fn(usize, &Point) -> bool,
) -> Result<HeldOut, FitError> {
    let (mut inside, mut outside) = (data.clone(), Vec::new());
    inside.points.clear();
    for (index, point) in data.points.iter().enumerate() {
        if held(index, point) { outside.push(point) } else { inside.points.push(point.clone()) }
    }
    let fit = fit(formula, &inside, options)?;
    let points: Vec<HeldOutPoint> = outside
        .into_iter()
        .filter(|point| !point.observations.is_empty())
        .map(|point| predicted(&fit, data, options.aggregate, point))
        .collect();
    let mut errors: Vec<f64> = points.iter().filter_map(|p| p.error).map(f64::abs).collect();
    errors.sort_unstable_by(f64::total_cmp);
    let at = |share| (!errors.is_empty()).then(|| quantile(&errors, share));
    let reported: Vec<bool> = points.iter().filter_map(|p| p.covered).collect();
    let inside = reported.iter().filter(|&&c| c).count() as f64;
    Ok(HeldOut {
        median_error: at(0.5),
        p90_error: at(0.9),
        largest_error: at(1.0),
        covered: (!reported.is_empty()).then(|| inside / reported.len() as f64),
        fit,
        points,
    })
}

fn predicted(fit: &Fit, data: &Data, how: Aggregate, point: &Point) -> HeldOutPoint {
    let measured = aggregate(&point.observations, how);
    let at: Option<Vec<f64>> = fit
        .variables
        .iter()
        .map(|name| data.variable(name).and_then(|c| point.values.get(c)).copied())
        .collect();
    let prediction = at.and_then(|at| fit.predict(&at).ok());
    let error =
        prediction.as_ref().filter(|_| measured != 0.0).map(|p| (measured - p.value) / measured);
    let covered = prediction
        .as_ref()
        .and_then(|p| p.band)
        .map(|band| band.low <= measured && measured <= band.high);
    HeldOutPoint { values: point.values.clone(), measured, prediction, error, covered }
}
