//! Times on another machine, from counts of accesses and the costs of both machines, as `cll predict --machine --json`
//! writes them.

mod costs;
mod leaving;
mod sets;

use cll_fit::{Domain, Fit, Unit};
use cll_machine::Machine;
use serde::Serialize;

use crate::doubt::Doubts;
use crate::error::CarryError;
use crate::model::{ModelFile, PredictedModel};
use crate::notice::Notice;
pub use costs::{Counts, beyond, computation};
use costs::{Described, Ranged};
pub use leaving::CarriedBoundary;

/// How times were carried to the other machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
        Some(counts) => Some((Described::of(name, fit, counts, &here.memory)?, counts)),
        None => {
            carried.notes.push(match by {
                By::Rate => "operations per second alone: caches are not known there, and an error of several times is possible",
                _ => "its accesses could not be followed: all of its time is taken as computation",
            }.to_owned());
            None
        }
    };
    let levels = beyond(&there.memory);
    // The model's own interval, as shares of its value.
    let own = |values: &[f64]| {
        let predicted = here_at(values)?;
        let band = predicted.band.filter(|_| predicted.value > 0.0);
        let shares = band.map(|band| [band.low / predicted.value, band.high / predicted.value]);
        Ok::<_, CarryError>((predicted.value, shares.unwrap_or([1.0; 2])))
    };
    let time = |values: &[f64]| match &described {
        Some((described, _)) => {
            let there = described.at(&levels, ratio, values);
            Ok(own(values).map_or(there, |(_, shares)| there.times(shares)))
        }
        None => own(values).map(|(value, shares)| {
            let [middle, low, high] = ratio.map(|ratio| value * ratio);
            Ranged { value: middle, low, high }.times(shares)
        }),
    };
    for values in points {
        let there = time(values)?;
        let here = here_at(values)?;
        for note in here.warnings.iter().map(ToString::to_string) {
            if !carried.notes.contains(&note) {
                carried.notes.push(note);
            }
        }
        carried.points.push(CarriedPoint {
            at: fit.variables.iter().cloned().zip(values.iter().copied()).collect(),
            here_s: here.value,
            domain: here.domain,
            there_s: there.value,
            low_s: there.low,
            high_s: there.high,
        });
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
            along.map(|along| {
                let of = carried
                    .boundaries
                    .iter()
                    .filter(|boundary| boundary.variable == fit.variables[along]);
                let breaks = of.map(|boundary| sets::Break {
                    at: boundary.at,
                    range: (boundary.low, boundary.high),
                });
                (fit.variables[along].clone(), breaks.collect())
            })
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

/// The mean relative error of the model at its points.
fn mean_error(fit: &Fit) -> f64 {
    let used = fit.residuals.iter().filter(|residual| residual.excluded.is_none());
    let (sum, count) =
        used.fold((0.0, 0.0), |(sum, count), residual| (sum + residual.error.abs(), count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// A model's times on another machine.
#[derive(Clone, Debug, Serialize)]
pub struct OnMachine {
    format: &'static str,
    version: u32,
    /// The model's file.
    pub model: String,
    /// The machine on which it was measured.
    pub here: String,
    /// The other one.
    pub there: String,
    /// By experiment.
    pub experiments: Vec<Carried>,
    /// Notes that concern all experiments.
    pub notes: Vec<String>,
    /// The doubts in the measured model.
    #[serde(flatten)]
    pub doubts: Doubts,
}

impl OnMachine {
    /// Without experiments yet. `now`: the present time, `2026-01-31T12:00:00Z`.
    pub fn new(model: String, here: &Machine, there: &Machine, now: &str) -> OnMachine {
        let mut notes: Vec<String> = [here, there].map(|machine| age(machine, now)).into();
        for machine in [here, there] {
            if machine.host.as_ref().is_none_or(|host| host.kernel.is_empty()) {
                notes.push(format!(
                    "{} does not say its kernel: what has changed since is not known",
                    machine.name
                ));
            }
            let disturbed = machine.origin.disturbed.iter();
            notes.extend(
                disturbed.map(|why| format!("{} was measured disturbed: {why}", machine.name)),
            );
        }
        OnMachine {
            format: "cll-on-machine",
            version: 1,
            model,
            here: here.name.clone(),
            there: there.name.clone(),
            experiments: Vec::new(),
            notes,
            doubts: Doubts::default(),
        }
    }
}

/// Why a machine is not the one that a model was measured on; `None` if it is, or if one of both does not say.
pub fn of_another_machine(model: &ModelFile, here: &Machine) -> Option<String> {
    let own = model.machine.as_ref()?;
    let host = here.host.as_ref()?;
    let differs = |own: &str, there: &str| !own.is_empty() && !there.is_empty() && own != there;
    let is_same_host = !host.name.is_empty() && host.name == own.host;
    if differs(&own.cpu, &host.cpu) && !is_same_host {
        return Some(format!(
            "the model was measured on {} ({}), and {} is {}",
            own.host, own.cpu, here.name, host.cpu
        ));
    }
    differs(&own.host, &host.name).then(|| {
        format!("the model was measured on {}, and {} is {}", own.host, here.name, host.name)
    })
}

impl OnMachine {
    /// The fitted experiments as a model of the other machine, marked as predicted. `None` if there are none.
    pub fn model(&self, of: &ModelFile, there: &Machine, now: &str) -> Option<ModelFile> {
        let mut model = ModelFile::new(now.to_owned());
        model.program.clone_from(&of.program);
        let host = there.host.as_ref();
        model.machine = Some(crate::machine::Machine {
            host: there.name.clone(),
            cpu: host.map(|host| host.cpu.clone()).unwrap_or_default(),
            processors: host.and_then(|host| host.cores).unwrap_or(0),
            caches: Vec::new(),
        });
        let predicted = PredictedModel { from: self.model.clone(), measured_on: self.here.clone() };
        model.warnings.push(Notice::new("predicted", predicted.text(&there.name)));
        model.predicted = Some(predicted);
        for time in &self.experiments {
            let Some(fit) = &time.fit else { continue };
            let Some(own) = of.experiments.iter().find(|own| own.name == time.name) else {
                continue;
            };
            let mut experiment = own.clone();
            experiment.samples = 0;
            experiment.formula = fit.formula.text().to_owned();
            experiment.variables.clone_from(&fit.recorded);
            experiment.warnings =
                time.notes.iter().map(|note| Notice::new("predicted", note)).collect();
            experiment.fit = Some(fit.clone());
            // Numbers that come from others are no better than these.
            experiment.doubts = of.doubts_of(own).into_iter().collect();
            (experiment.imbalance, experiment.sync) = (None, None);
            (experiment.search, experiment.suggestion) = (None, None);
            experiment.counters.clear();
            experiment.misses.clear();
            experiment.held_out.clear();
            model.experiments.push(experiment);
        }
        (!model.experiments.is_empty()).then_some(model)
    }
}

/// How old a machine's file is.
fn age(machine: &Machine, now: &str) -> String {
    let days = days(now).zip(days(&machine.origin.when)).map(|(now, then)| now - then);
    match (days, machine.origin.when.as_str()) {
        (Some(0), _) => format!("{} was measured today", machine.name),
        (Some(1), _) => format!("{} was measured a day ago", machine.name),
        (Some(days), _) if days > 0 => format!("{} was measured {days} days ago", machine.name),
        (_, "") => format!("{} does not say when it was measured", machine.name),
        (_, when) => format!("{} was measured {when}", machine.name),
    }
}

/// The number of a day, from a time that begins with `2026-01-31`.
fn days(time: &str) -> Option<i64> {
    let mut parts = time.get(..10)?.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    // Years begin in March, so that the day that is sometimes missing is the last one.
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    Some(365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_in_days() {
        let between = |a: &str, b: &str| days(b).unwrap() - days(a).unwrap();
        assert_eq!(between("2024-02-28T10:00:00Z", "2024-03-01"), 2);
        assert_eq!(between("2025-12-31", "2026-01-01"), 1);
        assert_eq!(between("2000-01-01", "2001-01-01"), 366);
        assert!(days("1998").is_none() && days("").is_none() && days("of old times").is_none());
    }
}
