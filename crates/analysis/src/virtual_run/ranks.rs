//! Ranks of MPI that compute in turns: the prediction when they have ended.

use std::path::{Path, PathBuf};

use crate::Error;
use cll_calls::{LeftOut, Overview};
use cll_machine::Machine;
use cll_model::Interval;
use cll_model::messages::{CostEnd, Free, MessageCosts, NoTime, OfLogs, Primitives, of_logs};
use cll_result::VirtualPrediction;
use cll_supersteps::{RunSummary, TimeShares};
use cll_units::ProcessorId;

use super::real::real_run;
use crate::logs::{opener, surveys, unrecorded, unusable};
use crate::machine::load;
use crate::messages::Messages;

/// The confidence of the intervals in a machine's file.
const CONFIDENCE: f64 = 0.95;

/// The data that predict the times of ranks on separate cores.
#[derive(Debug)]
pub struct RankCosts {
    machine: Option<Machine>,
    factor: f64,
}

impl RankCosts {
    /// With the messages of a machine; without one they take no time. Phases take `factor` of their time here.
    ///
    /// # Errors
    /// If the machine's file cannot be read, or has no times of messages.
    pub fn read(
        machine: Option<&Path>,
        factor: f64,
        messages: &dyn Messages,
    ) -> Result<RankCosts, Error> {
        let machine = machine.map(|path| load(path, messages)).transpose()?;
        if let Some(machine) = &machine {
            Primitives::new(machine, "").map_err(|none| {
                Error::content(none.to_string())
                    .advise("cll machine probe --mpi measures the times of messages here")
            })?;
        }
        Ok(RankCosts { machine, factor })
    }

    /// The prediction from the logs of a run, and how many phases began beside those that had a core.
    ///
    /// # Errors
    /// If a log cannot be read, or does not say what a rank waited for.
    pub fn predict(&self, logs: &[PathBuf]) -> Result<(VirtualPrediction, u64), Error> {
        let overviews = surveys(logs)?;
        let beside =
            overviews.iter().filter_map(|overview| Some(overview.virtually.as_ref()?.extra)).sum();
        Ok((self.prediction(logs, &overviews)?, beside))
    }

    fn prediction(
        &self,
        logs: &[PathBuf],
        overviews: &[Overview],
    ) -> Result<VirtualPrediction, Error> {
        let time = |costs: &dyn MessageCosts| {
            of_logs(overviews, &mut opener(logs), costs, self.factor).map_err(|error| match error {
                NoTime::Log(error) => unusable(&logs[0], &error),
                error => Error::content(format!("there is no time on separate cores: {error}")),
            })
        };
        let Some(machine) = &self.machine else {
            return Ok(prediction_from(overviews, &time(&Free)?));
        };
        let library = overviews.iter().find_map(|overview| overview.mpi.as_ref());
        let library = library.map_or("", |mpi| mpi.library.as_str());
        let mut primitives =
            Primitives::new(machine, library).map_err(|none| Error::content(none.to_string()))?;
        let mut evaluate = |end: CostEnd| {
            primitives.end = end;
            let outcome = time(&primitives)?;
            Ok::<_, Error>((outcome.evaluated.last().end, outcome, primitives.substitutions()))
        };
        let (value, outcome, substitutions) = evaluate(CostEnd::Value)?;
        let (low, high) = (evaluate(CostEnd::Low)?.0, evaluate(CostEnd::High)?.0);
        let model = Interval { value, low, high, confidence: CONFIDENCE };
        Ok(VirtualPrediction {
            machine: Some(machine.name.clone()),
            model: outcome.evaluated.complete.then_some(model),
            substitutions: machine.reservation().into_iter().chain(substitutions).collect(),
            ..prediction_from(overviews, &outcome)
        })
    }
}

fn prediction_from(overviews: &[Overview], outcome: &OfLogs) -> VirtualPrediction {
    let own = || overviews.iter().filter_map(|overview| overview.virtually.as_ref());
    let last = outcome.evaluated.last();
    VirtualPrediction {
        processors: outcome.evaluated.ranks.len() as u32,
        cores: own().map(|rank| rank.cores).max().unwrap_or(0),
        complete: outcome.evaluated.complete && overviews.iter().all(|overview| overview.ended),
        summary: RunSummary {
            total: last.end,
            last: TimeShares {
                processor: ProcessorId(last.rank),
                computation: last.computation,
                communication: last.communication,
                waiting: last.waiting,
            },
            supersteps: Vec::new(),
        },
        real: real_run(own()),
        asked_for_time: own().map(|record| record.asked).sum(),
        ranks: outcome.evaluated.ranks.clone(),
        unrecorded: unrecorded(overviews).unwrap_or_default(),
        left_out: left_out(&outcome.left_out),
        ..VirtualPrediction::new()
    }
}

fn left_out(omitted: &LeftOut) -> Vec<String> {
    let known = [
        (omitted.one_sided, "one-sided accesses"),
        (omitted.outside, "messages to other programs"),
        (omitted.collectives, "collectives of neighbours or of two groups"),
    ];
    let there = known.into_iter().filter(|pair| pair.0 > 0);
    there.map(|(count, what)| format!("{count} {what}")).collect()
}
