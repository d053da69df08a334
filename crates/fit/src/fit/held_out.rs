//! Prediction errors at points that are held out of the fit (validation on a test set).

use cll_formula::Formula;
use serde::{Deserialize, Serialize};

use crate::input::aggregate;
use crate::{Aggregate, Data, Fit, FitError, HeldOutValue, Options, Point, Prediction, fit};
use cll_statistics::quantile;

/// A fit and the points that were held out of it. Errors are (measured - model)/measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeldOut {
    /// The fit to the other points.
    pub fit: Fit,
    /// The points held out.
    pub points: Vec<HeldOutPoint>,
    /// Median of the absolute errors. This and the other statistics are `None` if no point could be
    /// predicted.
    pub median_error: Option<f64>,
    /// Their 90th percentile.
    pub p90_error: Option<f64>,
    /// The largest.
    pub largest_error: Option<f64>,
    /// Share of the prediction bands that contain the measurement.
    pub covered: Option<f64>,
}

/// A point that was held out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeldOutPoint {
    /// Values of the recorded variables.
    pub values: Vec<f64>,
    /// The aggregate of the repetitions, as for the fitted points.
    pub measured: f64,
    /// The prediction of the fit; `None` if it has none there.
    pub prediction: Option<Prediction>,
    /// (measured - model)/measured.
    pub error: Option<f64>,
    /// Whether the band contains the measurement.
    pub covered: Option<bool>,
}

/// Fits all points except those that `held` selects (by index and point), and predicts the selected
/// ones.
///
/// # Errors
/// As [`fit`], for the points that are not held out.
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
    let mut fit = fit(formula, &inside, options)?;
    let points: Vec<HeldOutPoint> = outside
        .into_iter()
        .filter(|point| !point.observations.is_empty())
        .map(|point| predicted(&fit, data, options.aggregate, point))
        .collect();
    let measured = points
        .iter()
        .map(|point| HeldOutValue { values: point.values.clone(), measured: point.measured });
    fit.held_out = measured.collect();
    let mut errors: Vec<f64> = points.iter().filter_map(|p| p.error).map(f64::abs).collect();
    errors.sort_unstable_by(f64::total_cmp);
    let error_at = |share| (!errors.is_empty()).then(|| quantile(&errors, share));
    let reported: Vec<bool> = points.iter().filter_map(|p| p.covered).collect();
    let inside = reported.iter().filter(|&&c| c).count() as f64;
    Ok(HeldOut {
        median_error: error_at(0.5),
        p90_error: error_at(0.9),
        largest_error: error_at(1.0),
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
    let prediction = at.and_then(|values| fit.estimate(&values).ok());
    let error =
        prediction.as_ref().filter(|_| measured != 0.0).map(|p| (measured - p.value) / measured);
    let covered = prediction
        .as_ref()
        .and_then(|p| p.band)
        .map(|band| band.low <= measured && measured <= band.high);
    HeldOutPoint { values: point.values.clone(), measured, prediction, error, covered }
}
