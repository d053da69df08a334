//! A round: every combination once, with the observed state of the machine.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use cll_result::RunModel;
use cll_units::Seconds;
use serde::{Deserialize, Serialize};

use super::campaign::Launched;
use crate::Template;
use cll_files as files;
use cll_launch::machine_state::MachineObservation;

/// A completed round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// The number.
    pub number: u32,
    /// When it began, Unix time in seconds.
    pub began: f64,
    /// The observed state of machine and program.
    pub seen: MachineObservation,
    /// The runs.
    pub runs: Vec<Run>,
}

/// A run of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The description.
    #[serde(alias = "told")]
    pub description: RunModel,
    /// Values of the variables given from outside.
    pub values: Vec<f64>,
    /// Bytes of its trace; 0 without one.
    pub bytes: u64,
}

impl Round {
    /// From the launches of the round, which recorded counters in these groups.
    pub fn new(
        number: u32,
        began: f64,
        launches: &[Launched],
        arguments: &Template,
        groups: &[Vec<String>],
    ) -> Round {
        let seen = launches.iter().filter_map(|launched| launched.outcome.seen.clone());
        let seen = seen.reduce(|mut all, more| {
            all.add(more);
            all
        });
        let runs = launches.iter().map(|launched| {
            let counters = groups.get(launched.launching.group).filter(|_| groups.len() > 1);
            Run::new(launched, arguments, counters.cloned().unwrap_or_default())
        });
        Round { number, began, seen: seen.unwrap_or_default(), runs: runs.collect() }
    }

    /// The paths of its traces in a folder.
    pub fn traces(&self, folder: &Path) -> Vec<PathBuf> {
        let named = self.runs.iter().filter(|run| !run.description.trace.is_empty());
        named.map(|run| files::in_folder(folder, &run.description.trace)).collect()
    }

    /// Whether all its traces exist unchanged.
    pub fn is_whole(&self, folder: &Path) -> bool {
        self.runs.iter().filter(|run| !run.description.trace.is_empty()).all(|run| {
            let path = files::in_folder(folder, &run.description.trace);
            fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == run.bytes)
        })
    }
}

impl Run {
    fn new(launched: &Launched, arguments: &Template, counters: Vec<String>) -> Run {
        let Launched { launching, outcome } = launched;
        let arguments = arguments.fill(&launching.values, launching.processors);
        let trace = outcome.trace.as_deref();
        Run {
            description: RunModel {
                trace: trace.map(files::base).unwrap_or_default(),
                arguments,
                processors: launching.processors,
                order: format!("shuffled {}", launching.seed),
                exit: outcome.status.code(),
                signal: outcome.status.signal(),
                timed_out: outcome.timed_out,
                wall: Some(Seconds(outcome.wall.as_secs_f64())),
                round: Some(launching.round),
                counters,
            },
            values: launching.values.clone(),
            bytes: trace.and_then(|path| fs::metadata(path).ok()).map_or(0, |file| file.len()),
        }
    }
}
