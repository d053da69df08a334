//! Rounds of runs of an MPI program whose calls are logged.

use std::ops::Range;
use std::path::PathBuf;

use cll_launch::{Launcher, Outcome};

use super::{Campaign, Grid, Launching, Progress, order};
use crate::Error;

/// A run with the logs of its ranks.
#[derive(Debug)]
pub struct LoggedRun {
    /// The settings.
    pub launching: Launching,
    /// How it went.
    pub outcome: Outcome,
    /// The logs, by rank.
    pub logs: Vec<PathBuf>,
}

/// Makes these rounds of all combinations, each in its own order. Ends after the first run that failed, which is then the
/// last one of the list, and after a signal. More rounds of the same runs may be made later: they have other numbers.
///
/// # Errors
/// If the program cannot be started.
pub fn logged_rounds(
    campaign: &mut Campaign,
    grid: &Grid,
    rounds: Range<u32>,
    seed: u64,
    launcher: &mut dyn Launcher,
    progress: &mut dyn Progress,
) -> Result<Vec<LoggedRun>, Error> {
    let mut runs = Vec::new();
    let stem = format!("{}.cll", campaign.name);
    for round in rounds {
        for launching in order(grid, round, seed) {
            let launched = campaign.carry_out(vec![launching], launcher, progress)?;
            for launch in launched {
                let logs = cll_files::ranks_of(&campaign.folder, &stem, launch.outcome.number);
                let ends = launch.is_last() || cll_launch::ending(&launch.outcome).is_some();
                runs.push(LoggedRun { launching: launch.launching, outcome: launch.outcome, logs });
                if ends {
                    return Ok(runs);
                }
            }
        }
    }
    Ok(runs)
}
