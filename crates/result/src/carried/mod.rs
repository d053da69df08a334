//! Times on another machine, from counts of accesses and the costs of both machines, as `cll predict --machine --json`
//! writes them.

mod costs;
mod leaving;
mod on_machine;
mod sets;

use cll_fit::{Domain, Fit, Prediction, Unit};
use cll_machine::Machine;
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::CarryError;
pub use costs::{Counts, beyond, computation};
use costs::{Described, Ranged};
pub use leaving::CarriedBoundary;
pub use on_machine::{OnMachine, of_another_machine};

/// How times were carried to the other machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Counts of accesses and operations with the costs of both.
    OperationsAndMemory,
    /// The same, but operations are as fast as accesses to the first level.
    Memory,
    /// The operations per second of both.
    Rate,
}

/// An experiment on another machine.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Carried {
    /// The name of the experiment.
    pub name: String,
    /// How.
    pub by: By,
    /// The time of computation there divided by that here.
    pub computation: f64,
    /// The smallest and the largest ratio of an operation.
    pub computation_range: (f64, f64),
    /// The part of the latency beyond the first level that the program waits for, from the times here.
    pub waits: f64,
    /// The mean relative error of the times that were measured here, computed in the same way.
    pub error_here: f64,
    /// The sizes at which arrays leave levels there, ascending.
    pub boundaries: Vec<CarriedBoundary>,
    /// The formula fitted to the times there: the sets ℵ of its constants on that machine. `None` if it cannot be fitted.
    pub fit: Option<Fit>,
    /// The times.
    pub points: Vec<CarriedPoint>,
    /// Notes that the reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A time on both machines.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CarriedPoint {
    /// The values of the variables.
    pub at: Vec<(String, f64)>,
    /// The model's time on its own machine, seconds.
    pub here_s: f64,
    /// The time there, seconds.
    pub there_s: f64,
    /// The lower end of its range.
    pub low_s: f64,
    /// The upper end.
    pub high_s: f64,
    /// The position of the values relative to the data of the model.
    pub domain: Domain,
}

/// Carries an experiment to another machine.
///
/// The measured times are described as `T = c·A + w·M`: A accesses of a passage, and M seconds that its accesses would
/// wait beyond the first level if nothing were done in the meantime, by reuse distances and the latencies of the machine.
/// c and w, neither below zero, follow from the times here by least squares of the relative errors. There c is
/// multiplied by the ratio of the costs of operations, and M is that of the other machine.
///
/// # Errors
/// If the machines or the fit lack what is needed.
pub fn carried(
    name: &str,
    fit: &Fit,
    counts: Option<&Counts>,
    (here, there): (&Machine, &Machine),
    points: &[Vec<f64>],
) -> Result<Carried, CarryError> {
    if fit.unit != Unit::Seconds {
        return Err(CarryError::NoTime { name: name.to_owned(), unit: fit.unit.to_string() });
    }
    let (ratio, by) = computation(here, there)?;
    let mut carried = Carried {
        name: name.to_owned(),
        by,
        computation: ratio[0],
        computation_range: (ratio[1], ratio[2]),
        waits: 0.0,
        error_here: 0.0,
        boundaries: Vec::new(),
        fit: None,
        points: Vec::new(),
        notes: Vec::new(),
    };
    let here_at = |values: &[f64]| {
        fit.predict(values).map_err(|source| CarryError::Predict { name: name.to_owned(), source })
    };
    let described = match counts.filter(|_| by != By::Rate) {
        Some(counts) => Some((Described::new(name, fit, counts, &here.memory)?, counts)),
        None => {
            carried.notes.push(without_counts(by).to_owned());
            None
        }
    };
    let levels = beyond(&there.memory);
    let own = |values: &[f64]| {
        let predicted = here_at(values)?;
        Ok::<_, CarryError>((predicted.value, shares(&predicted)))
    };
    let time = |values: &[f64]| match &described {
        Some((described, _)) => {
            let there = described.time_at(&levels, ratio, values);
            Ok(own(values).map_or(there, |(_, shares)| there.times(shares)))
        }
        None => own(values).map(|(value, shares)| {
            let [middle, low, high] = ratio.map(|ratio| value * ratio);
            Ranged { value: middle, low, high }.times(shares)
        }),
    };
    for values in points {
        let (point, warnings) = carried_point(name, fit, values, &time)?;
        for note in warnings {
            if !carried.notes.contains(&note) {
                carried.notes.push(note);
            }
        }
        carried.points.push(point);
    }
    let breaks = match &described {
        Some((described, counts)) => {
            carried.waits = described.waits;
            carried.error_here = described.error;
            let along = leaving::along(fit);
            let all =
                leaving::boundaries(described, &counts.named, (&there.memory, ratio), fit, along);
            let own = leaving::without_cause(fit, &described.populations, &here.memory, along);
            carried.notes.extend(own);
            carried.boundaries = all;
            along.map(|along| breaks_along(&fit.variables[along], &carried.boundaries))
        }
        None => {
            carried.error_here = mean_error(fit);
            sets::own(fit)
        }
    };
    match sets::sets(fit, breaks, points, &time) {
        Ok(fit) => carried.fit = Some(fit),
        Err(why) => carried.notes.push(format!("its constants there cannot be fitted: {why}")),
    }
    Ok(carried)
}

/// The note on a time whose accesses were not followed.
fn without_counts(by: By) -> &'static str {
    match by {
        By::Rate => {
            "operations per second alone: caches are not known there, and an error of several times is possible"
        }
        By::OperationsAndMemory | By::Memory => {
            "its accesses could not be followed: all of its time is taken as computation"
        }
    }
}

/// The ends of the model's own interval, as shares of its value.
fn shares(predicted: &Prediction) -> [f64; 2] {
    let band = predicted.band.filter(|_| predicted.value > 0.0);
    band.map_or([1.0; 2], |band| [band.low / predicted.value, band.high / predicted.value])
}

/// The time at a point on both machines, with the warnings about the prediction here.
fn carried_point(
    name: &str,
    fit: &Fit,
    values: &[f64],
    time: &dyn Fn(&[f64]) -> Result<Ranged, CarryError>,
) -> Result<(CarriedPoint, Vec<String>), CarryError> {
    let there = time(values)?;
    let wrong = |source| CarryError::Predict { name: name.to_owned(), source };
    let here = fit.predict(values).map_err(wrong)?;
    let point = CarriedPoint {
        at: fit.variables.iter().cloned().zip(values.iter().copied()).collect(),
        here_s: here.value,
        domain: here.domain,
        there_s: there.value,
        low_s: there.low,
        high_s: there.high,
    };
    Ok((point, here.warnings.iter().map(ToString::to_string).collect()))
}

/// The boundaries along a variable, as those of intervals.
fn breaks_along(variable: &str, boundaries: &[CarriedBoundary]) -> (String, Vec<sets::Break>) {
    let own = boundaries.iter().filter(|boundary| boundary.variable == variable);
    let breaks = own
        .map(|boundary| sets::Break { value: boundary.at, range: (boundary.low, boundary.high) });
    (variable.to_owned(), breaks.collect())
}

/// The mean relative error of the model at its points.
fn mean_error(fit: &Fit) -> f64 {
    let used = fit.residuals.iter().filter(|residual| residual.excluded.is_none());
    let (sum, count) =
        used.fold((0.0, 0.0), |(sum, count), residual| (sum + residual.error.abs(), count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}
