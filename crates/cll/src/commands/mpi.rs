//! `cll mpi`: reports the logged calls of an MPI program.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use cll_calls::{Overview, holds_calls, of_different_runs};
use cll_report::mpi_text;

use cll_analysis::logs::surveys;

use crate::calls::stats_of;
use crate::cli::{MpiArgs, MpiCommand, MpiStatsArgs};
use crate::failure::{Failure, unreadable};
use crate::terminal::Terminal;

/// The largest number of warnings of one kind.
const MAX_WARNINGS: usize = 8;

/// Runs a command.
pub fn run(args: &MpiArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    match &args.command {
        MpiCommand::Stats(args) => stats(args, terminal),
    }
}

fn stats(args: &MpiStatsArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let paths = logs(&args.files)?;
    let surveys = surveys(&paths)?;
    one_run(&paths, &surveys)?;
    let mut damage = Vec::new();
    for (survey, path) in surveys.iter().zip(&paths) {
        damage.extend(survey.damage.iter().map(|one| format!("{}: {one}", path.display())));
    }
    damage.iter().take(MAX_WARNINGS).for_each(|one| terminal.warn(one));
    if damage.len() > MAX_WARNINGS {
        terminal.warn(&format!("{} more errors in these logs", damage.len() - MAX_WARNINGS));
    }
    let Some(stats) = stats_of(&paths, surveys, damage)? else {
        return Err(Failure::input(format!("{}: it has no MPI calls", paths[0].display()))
            .help("cll run --log records the calls of a program"));
    };
    match args.json {
        true => terminal.json(&stats)?,
        false => terminal.print(mpi_text(&stats, &terminal.style()))?,
    }
    Ok(0)
}

/// The files, and for folders the logs of calls in them.
fn logs(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut all = Vec::new();
    for path in given {
        if path.is_dir() {
            all.extend(logs_in(path)?);
            continue;
        }
        let failure = |error| unreadable(path, &error);
        let file = File::open(path).map_err(failure)?;
        if !holds_calls(file).map_err(failure)? {
            return Err(Failure::input(format!("{}: not a log of MPI calls", path.display()))
                .help("cll run --log records the calls of a program"));
        }
        all.push(path.clone());
    }
    all.sort();
    all.dedup();
    Ok(all)
}

fn logs_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        if path.extension().is_none_or(|extension| extension != "dat") || !path.is_file() {
            continue;
        }
        let failure = |error| unreadable(&path, &error);
        if holds_calls(File::open(&path).map_err(failure)?).map_err(failure)? {
            found.push(path);
        }
    }
    match found.is_empty() {
        true => Err(Failure::input(format!("{}: it has no log of MPI calls", folder.display()))
            .help("cll run --log -o FOLDER writes the logs of a run there")),
        false => Ok(found),
    }
}

/// Refuses logs of several runs.
fn one_run(paths: &[PathBuf], surveys: &[Overview]) -> Result<(), Failure> {
    let Some((other, one)) = of_different_runs(surveys) else { return Ok(()) };
    Err(Failure::usage(format!(
        "{} and {} are logs of different runs",
        paths[other].display(),
        paths[one].display()
    ))
    .help("give the logs of one run; cll run --log -o FOLDER writes a run to a separate folder"))
}
