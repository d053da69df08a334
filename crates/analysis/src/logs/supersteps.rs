//! The supersteps of an MPI program, from the logs of its calls.

use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use cll_calls::{Overview, Refused, damage_of, holds_calls};
use cll_supersteps::Processor;
use cll_trace::meta::Point;

use super::calls::unrecorded_said;
use super::{Symbols, opener, place, surveys, unusable};
use crate::Error;
use crate::empty_files;
use cll_files::Notices;
use cll_files::reason;

/// If these are logs of MPI calls, the log of their supersteps, in an unnamed temporary file. Prints its notices.
///
/// # Errors
/// If only some are logs of calls, or if the calls have no supersteps; the message says why.
pub fn superstep_log(paths: &[PathBuf], messages: &dyn Notices) -> Result<Option<File>, Error> {
    if !are_calls(paths, messages)? {
        return Ok(None);
    }
    match written(paths, messages)? {
        Ok(file) => Ok(Some(file)),
        Err(why) => Err(refused(paths, &why)),
    }
}

/// The log of the supersteps of calls.
#[derive(Debug)]
pub enum SuperstepLog {
    /// In an unnamed temporary file.
    Found(File),
    /// The calls have none, or not all logs are there: why, in words.
    None(String),
}

/// As [`superstep_log`], for logs of calls; that they have no supersteps is no failure.
///
/// # Errors
/// If a log cannot be read, or they are not of one run.
pub fn supersteps_of(paths: &[PathBuf], messages: &dyn Notices) -> Result<SuperstepLog, Error> {
    match written(paths, messages)? {
        Ok(file) => Ok(SuperstepLog::Found(file)),
        Err(
            why @ (Refused::Twice { .. } | Refused::Empty | Refused::Trace(_) | Refused::Write(_)),
        ) => Err(refused(paths, &why)),
        Err(why) => Ok(SuperstepLog::None(cll_report::escape(&why.to_string()))),
    }
}

/// Whether these are logs of MPI calls.
///
/// # Errors
/// If only some are, or one cannot be read.
pub fn are_calls(paths: &[PathBuf], messages: &dyn Notices) -> Result<bool, Error> {
    empty_files::refuse(paths, messages)?;
    let mut are = Vec::new();
    for path in paths {
        let failure = |error| cll_files::Error::unreadable(path, error);
        let file = File::open(path).map_err(failure)?;
        are.push(holds_calls(file).map_err(failure)?);
    }
    let Some(first) = are.iter().position(|&holds| holds) else { return Ok(false) };
    if let Some(other) = are.iter().position(|&holds| !holds) {
        return Err(Error::request(format!(
            "{} is a log of MPI calls, and {} is not",
            paths[first].display(),
            paths[other].display()
        ))
        .advise("give the logs of all processes of one run"));
    }
    Ok(true)
}

/// The supersteps in a file, or why there are none. Prints what should be known of them.
fn written(paths: &[PathBuf], messages: &dyn Notices) -> Result<Result<File, Refused>, Error> {
    let mut surveys = surveys(paths)?;
    let warnings = damage_of(&surveys, paths).into_iter().chain(unrecorded_said(&surveys));
    warnings.for_each(|text| messages.warn(&text));
    let failure = |error: std::io::Error| {
        Error::system(format!("cannot keep the supersteps in a file: {}", reason(&error)))
    };
    let mut file = tempfile::tempfile().map_err(failure)?;
    let mut symbols = Symbols::default();
    let mut places =
        |survey: &Overview, lane: u32, point: &Point| place(&mut symbols, survey, lane, point);
    let notes = {
        let mut out = BufWriter::new(&mut file);
        let notes =
            match cll_calls::supersteps(&mut surveys, &mut opener(paths), &mut places, &mut out) {
                Ok(notes) => notes,
                Err(why) => return Ok(Err(why)),
            };
        out.flush().map_err(failure)?;
        notes
    };
    for note in notes {
        messages.warn(&cll_report::escape(&note.to_string()));
    }
    file.rewind().map_err(failure)?;
    Ok(Ok(file))
}

/// The number of supersteps of the logged calls of a run, or why there are none.
///
/// # Errors
/// If a log cannot be read.
pub fn count_supersteps(paths: &[PathBuf]) -> Result<Result<u64, Refused>, Error> {
    let mut surveys = surveys(paths)?;
    let mut symbols = Symbols::default();
    let mut places =
        |survey: &Overview, lane: u32, point: &Point| place(&mut symbols, survey, lane, point);
    let mut log = Vec::new();
    match cll_calls::supersteps(&mut surveys, &mut opener(paths), &mut places, &mut log) {
        Ok(_) => {}
        Err(Refused::Trace(error)) => return Err(unusable(&paths[0], &error)),
        Err(why) => return Ok(Err(why)),
    }
    let log = cll_supersteps::read(&log[..]).map_err(|error| unusable(&paths[0], &error))?;
    let count = |processor: &Processor| processor.supersteps.len() as u64;
    Ok(Ok(log.processors.iter().map(count).max().unwrap_or(0)))
}

fn refused(paths: &[PathBuf], why: &Refused) -> Error {
    let name = |path: &Path| path.display().to_string();
    let message = cll_report::escape(&why.to_string());
    match why {
        Refused::Missing { .. } => Error::data(format!("{}: {message}", name(&paths[0])))
            .advise("give the logs of all processes of the run together"),
        Refused::Twice { .. } => Error::request(message).advise("give the logs of one run only"),
        Refused::Empty | Refused::Trace(_) => {
            Error::content(format!("{}: {message}", name(&paths[0])))
        }
        Refused::Write(_) => Error::system(message),
        _ => Error::data(format!("these MPI calls have no supersteps: {message}"))
            .advise(
            "cll mpi stats says where their time went, cll mpi graph draws what the ranks did, cll export --calls \
             exports the calls",
        ),
    }
}
