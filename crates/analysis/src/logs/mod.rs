//! Logs of a run: files, tables of supersteps and of MPI calls, function names.

mod call_details;
mod call_graph;
mod call_profile;
mod calls;
mod ends;
mod source;
mod supersteps;
mod symbols;

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::Error;
use cll_calls::{Input, Overview};
use cll_files::Notices;
use cll_supersteps::{Processor, Stored, stored};
use cll_trace::TraceError;
use cll_trace::meta::{Module, Point};

use crate::folders::traces_in;

pub use call_graph::call_graph;
pub(crate) use call_graph::path_name;
pub use call_profile::{CallProfile, call_profile};
pub use calls::{call_statistics, unrecorded, unrecorded_said};
pub use ends::{first_to_end, has_ended, parent_process};
pub use source::Source;
pub use supersteps::{SuperstepLog, are_calls, count_supersteps, superstep_log, supersteps_of};
pub use symbols::Symbols;

/// Files as given; for a folder its logs.
///
/// # Errors
/// If a folder cannot be read or has no logs.
pub fn logs_in(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut log_paths = Vec::new();
    for path in paths {
        if !path.is_dir() {
            log_paths.extend(traces_in(std::slice::from_ref(path))?);
            continue;
        }
        let entries =
            std::fs::read_dir(path).map_err(|error| cll_files::Error::unreadable(path, error))?;
        let files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        let files_with = |kind: &str| {
            let is = |file: &&PathBuf| file.extension().is_some_and(|extension| extension == kind);
            let mut all: Vec<PathBuf> = files.iter().filter(is).cloned().collect();
            all.sort();
            all
        };
        // Processes that MPI starts write traces.
        let logs = match files_with("log") {
            none if none.is_empty() => files_with("dat"),
            logs => logs,
        };
        if logs.is_empty() {
            let wrong = format!("there is no log (*.log, *.dat) in {}", path.display());
            return Err(Error::content(wrong));
        }
        log_paths.extend(logs);
    }
    Ok(log_paths)
}

/// The sources of a run's logs.
pub fn sources(
    paths: &[PathBuf],
    messages: &dyn Notices,
) -> Result<(Vec<PathBuf>, Vec<Source>), Error> {
    let paths = logs_in(paths)?;
    if let Some(file) = superstep_log(&paths, messages)? {
        let source =
            Source::new(file).map_err(|error| cll_files::Error::unreadable(&paths[0], error))?;
        return Ok((paths, vec![source]));
    }
    let open = |path: &PathBuf| {
        let source = File::open(path).and_then(Source::new);
        source.map_err(|error| cll_files::Error::unreadable(path, error))
    };
    let sources = paths.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    Ok((paths, sources))
}

/// Tables of a run's logs.
pub fn logs<'a>(
    paths: &[PathBuf],
    sources: &'a [Source],
    messages: &dyn Notices,
) -> Result<Vec<Stored<'a>>, Error> {
    let mut logs = Vec::new();
    for (path, source) in paths.iter().zip(sources) {
        let log = stored(source)
            .map_err(|error| Error::content(format!("{}: {error}", path.display())))?;
        for damage in &log.damage {
            messages.warn(&format!("{}: {damage}", path.display()));
        }
        if log.processors.is_empty() {
            return Err(Error::content(format!("{} has no supersteps", path.display()))
                .advise("cll run --log PROGRAM logs the supersteps of a BSP program"));
        }
        logs.push(log);
    }
    Ok(logs)
}

/// The tables of logs of MPI calls.
///
/// # Errors
/// If one cannot be read.
pub fn surveys(paths: &[PathBuf]) -> Result<Vec<Overview>, Error> {
    // Each log is read to its end: several at the same time.
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(paths.len());
    let share = paths.len().div_ceil(threads.max(1)).max(1);
    let mut read: Vec<Option<Result<Overview, Error>>> = paths.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        for (slots, paths) in read.chunks_mut(share).zip(paths.chunks(share)) {
            scope.spawn(move || {
                slots.iter_mut().zip(paths).for_each(|(slot, path)| *slot = Some(survey(path)));
            });
        }
    });
    read.into_iter().flatten().collect()
}

fn survey(path: &Path) -> Result<Overview, Error> {
    let file = File::open(path).map_err(|error| cll_files::Error::unreadable(path, error))?;
    Overview::read(file).map_err(|error| unusable(path, &error))
}

/// Why a run of several programs has no supersteps, if these logs are of one; they were [joined](cll_calls::join).
pub fn without_supersteps(surveys: &[Overview]) -> Option<String> {
    let is_joined = surveys.iter().any(|survey| survey.world.is_some());
    is_joined.then(|| "there are processes outside of MPI_COMM_WORLD".to_owned())
}

/// Opens the log of a number again.
pub fn opener<'p>(
    paths: &'p [PathBuf],
) -> impl FnMut(usize) -> Result<Box<dyn Input + 'p>, TraceError> + 'p {
    |index| Ok(Box::new(File::open(&paths[index])?))
}

/// The failure for a trace that cannot be used.
pub fn unusable(path: &Path, error: &TraceError) -> Error {
    Error::content(format!("{}: {error}", path.display()))
}

/// File and line of a call, if debug information has them.
pub fn place(symbols: &mut Symbols, survey: &Overview, lane: u32, point: &Point) -> (String, u32) {
    let modules = survey.lanes.get(&lane).map_or(&[][..], |lane| &lane.modules);
    place_in(symbols, modules, point)
}

/// The same, by the files that code lies in.
pub(crate) fn place_in(symbols: &mut Symbols, modules: &[Module], point: &Point) -> (String, u32) {
    let processor = Processor { modules: modules.to_vec(), ..Processor::default() };
    let frames = symbols.functions(&processor, point);
    frames.into_iter().next().map_or((String::new(), 0), |frame| (frame.file, frame.line))
}
