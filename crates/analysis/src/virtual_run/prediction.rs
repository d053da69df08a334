//! The time of virtual processors, from the log of their run.

use std::fs::File;
use std::path::Path;

use crate::Error;
use cll_result::VirtualPrediction;
use cll_supersteps::{Contention, Log, RunSummary};

use super::costs::Costs;
use super::interval::by_model;
use super::real::real_run;

/// The prediction from the log of a run; nothing if no superstep has ended. Without costs communication takes no time.
///
/// With `keeps`, contention between phases stays in the time of the model.
///
/// # Errors
/// If the log cannot be read.
pub fn virtual_prediction(
    trace: &Path,
    costs: Option<&Costs>,
    keeps: bool,
) -> Result<Option<VirtualPrediction>, Error> {
    let file = File::open(trace).map_err(|error| cll_files::Error::unreadable(trace, error))?;
    let log = cll_supersteps::read(file)
        .map_err(|error| Error::content(format!("{}: {error}", trace.display())))?;
    Ok((!log.is_empty()).then(|| prediction_from(&log, costs, keeps)))
}

fn prediction_from(log: &Log, costs: Option<&Costs>, keeps: bool) -> VirtualPrediction {
    let virtual_processors =
        || log.processors.iter().filter_map(|processor| processor.virtually.as_ref());
    let nprocs = log
        .processors
        .iter()
        .flat_map(|processor| &processor.machines)
        .map(|machine| machine.nprocs)
        .max();
    let processors = nprocs.unwrap_or(0);
    let contention = Contention::new(log);
    VirtualPrediction {
        processors,
        cores: virtual_processors().map(|processor| processor.cores).max().unwrap_or(0),
        machine: costs.map(|costs| costs.name().to_owned()),
        substitutions: costs.map_or(Vec::new(), |costs| costs.substitutions.clone()),
        complete: virtual_processors().count() == processors as usize,
        summary: RunSummary::new(log),
        model: by_model(log, costs, contention.as_ref(), keeps),
        model_without_contention: contention.is_some() && !keeps,
        contention,
        real: real_run(virtual_processors()),
        asked_for_time: virtual_processors().map(|processor| processor.asked).sum(),
        ..VirtualPrediction::new()
    }
}
