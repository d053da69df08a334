//! Predictions beyond the level of memory in which the data were measured.

use cll_fit::{Prediction, Unit, Warning, WorkingSet};
use cll_machine::{Level, Machine};

use crate::error::LevelError;
use crate::model::ExperimentModel;
use crate::prediction::Predicted;

/// Widens the interval of a prediction whose working set outgrows the level of memory in which the largest measured working
/// set was: its upper end becomes that of a program all of whose time is accesses to the level that holds the working set
/// there. A warning of the prediction says so.
///
/// # Errors
/// A sentence that says why the interval cannot be checked: the working set or a level is not known.
pub fn allow_for_next_level(
    predicted: &mut Predicted,
    experiment: &ExperimentModel,
    machine: &Machine,
) -> Result<(), LevelError> {
    let (Some(fit), Ok(prediction)) = (&experiment.fit, &mut predicted.view.result) else {
        return Ok(());
    };
    if fit.unit != Unit::Seconds || !prediction.domain.is_extrapolation() {
        return Ok(());
    }
    let name = &experiment.name;
    let Some(expression) = &experiment.working_set else {
        return Err(LevelError::NoWorkingSet(name.clone()));
    };
    let working_set = fit
        .working_set(expression)
        .map_err(|source| LevelError::WorkingSet { name: name.clone(), source })?;
    let Some((measured, there)) = both_levels(&working_set, &predicted.view.at, machine) else {
        return Err(LevelError::NoLevel {
            name: name.clone(),
            machine: machine.name.clone(),
            expression: expression.clone(),
        });
    };
    if there.latency.value > measured.latency.value {
        widen(prediction, measured, there);
    }
    Ok(())
}

/// The level that holds the largest measured working set, and the level that holds the one at a point.
fn both_levels<'a>(
    working_set: &WorkingSet<'_>,
    values: &[f64],
    machine: &'a Machine,
) -> Option<(&'a Level, &'a Level)> {
    let level = |bytes: f64| {
        let holds = |level: &&Level| level.size.is_none_or(|size| bytes <= size.value);
        machine.memory.levels.iter().find(holds)
    };
    Some((level(working_set.largest()?)?, level(working_set.bytes(values)?)?))
}

fn widen(prediction: &mut Prediction, measured: &Level, there: &Level) {
    let ratio = there.latency.high / measured.latency.low;
    for band in prediction.band.iter_mut().chain(&mut prediction.run) {
        band.high *= ratio;
    }
    prediction.warnings.push(Warning::NextLevel {
        measured: measured.name.clone(),
        level: there.name.clone(),
        ratio,
    });
}
