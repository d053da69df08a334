//! Runs an MPI program whose processes count their messages, and reads these.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Error;
use cll_contract::OUT;
use cll_files as files;
use cll_launch::machine_state::Placement;
use cll_launch::{
    Host, Launcher, Options, Others, Outcome, Parallelism, Program, Run, Streams, ending, launch,
};
use cll_reuse::Sent;

use super::build::{Built, Mpi};
use super::output;

/// How a run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Whole,
    /// The time was up.
    Late,
}

/// The messages of a run, and whether it has ended; else they are those of the passages before the last second.
///
/// # Errors
/// If the program cannot be run or fails.
pub fn messages(
    (built, mpi): (&Built, &Mpi),
    (arguments, processes): (&[OsString], u32),
    budget: Duration,
    launcher: &mut dyn Launcher,
) -> Result<(Vec<Sent>, End), Error> {
    for path in inside(&mpi.messages)? {
        let _ = fs::remove_file(path);
    }
    // Without a socket no accesses are sent.
    let _ = fs::remove_file(&built.socket);
    let outcome = launched((built, mpi), (arguments, processes), budget, launcher)?;
    if !outcome.timed_out
        && let Some(failure) = failed(&outcome, built)
    {
        return Err(failure);
    }
    let end = if outcome.timed_out { End::Late } else { End::Whole };
    let mut all: BTreeMap<String, Sent> = BTreeMap::new();
    for path in inside(&mpi.messages)? {
        if path.extension().is_none_or(|end| end != "messages") {
            continue;
        }
        let text = fs::read_to_string(&path)
            .map_err(|error| files::Error::refused("read", &path, error))?;
        for line in text.lines() {
            let Some((key, sent)) = read(line, processes) else {
                return Err(Error::Messages(line.to_owned()));
            };
            match all.get_mut(&key) {
                Some(known) => {
                    known.number += sent.number;
                    known.passages = known.passages.max(sent.passages);
                }
                None => {
                    all.insert(key, sent);
                }
            }
        }
    }
    Ok((all.into_values().collect(), end))
}

/// The files of a folder.
fn inside(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let all = fs::read_dir(folder).map_err(|error| files::Error::refused("read", folder, error))?;
    Ok(all.flatten().map(|entry| entry.path()).collect())
}

/// A line of a process's file; what it has in common with those of other processes is the key.
fn read(line: &str, processes: u32) -> Option<(String, Sent)> {
    let words: Vec<&str> = line.split(' ').collect();
    let (first, values) = words.split_at_checked(6)?;
    let [place, call, code, bytes, number, passages] = first else { return None };
    let value = |word: &&str| word.parse::<u64>().ok().map(f64::from_bits);
    let sent = Sent {
        place: place.parse().ok()?,
        values: values.iter().map(value).collect::<Option<_>>()?,
        passages: passages.parse().ok()?,
        processes,
        call: (*call).to_owned(),
        code: code.parse().ok()?,
        bytes: bytes.parse::<u64>().ok()? as f64,
        number: number.parse().ok()?,
    };
    let key = [&[*place, *call, *code, *bytes], values].concat().join(" ");
    Some((key, sent))
}

/// Starts the program with its launcher, and waits for its end.
pub(super) fn launched(
    (built, mpi): (&Built, &Mpi),
    (arguments, processes): (&[OsString], u32),
    timeout: Duration,
    launcher: &mut dyn Launcher,
) -> Result<Outcome, Error> {
    let folder = built.folder.path().join("traces");
    files::make_folder(&folder)?;
    let errors = built.folder.path().join("errors");
    let log = output::kept(&errors)?;
    let options = Options {
        processors: Some(processes),
        // The part that follows accesses is of one thread.
        variables: vec![("OMP_NUM_THREADS".to_owned(), "1".into())],
        settings: vec![(OUT.name(), folder.clone().into_os_string())],
        arguments: arguments.to_vec(),
        ..Options::default()
    };
    let program =
        Program { path: &built.program, parallelism: Parallelism::Ranks, has_threads: false };
    let outcome = launcher.launch(Run {
        launch: launch(&options, &program, &Host::here(Some(&mpi.mpirun))),
        name: "followed",
        number: None,
        kind: "dat",
        processors: processes,
        engine: String::new(),
        machine: String::new(),
        work: None,
        folder,
        timeout: Some(timeout),
        others: Others::Leave,
        ranks: None,
        streams: Streams::Log(log),
        place: Some(Placement::free()),
        watched: false,
    })?;
    Ok(outcome)
}

/// Why a run is of no use.
pub(super) fn failed(outcome: &Outcome, built: &Built) -> Option<Error> {
    if outcome.interrupted.is_some() {
        return Some(Error::ProgramInterrupted);
    }
    let how = ending(outcome)?;
    let message = output::first(&built.folder.path().join("errors"));
    Some(Error::ProgramEnded { how, said: message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_processes_are_read() {
        let line = format!("4097 MPI_Send 66 4096 3 2 {}", 512f64.to_bits());
        let (key, sent) = read(&line, 4).unwrap();
        assert_eq!(key, format!("4097 MPI_Send 66 4096 {}", 512f64.to_bits()));
        assert_eq!((sent.place, sent.code, sent.number, sent.passages), (4097, 66, 3, 2));
        assert_eq!((sent.values, sent.bytes, sent.processes), (vec![512.0], 4096.0, 4));
        for wrong in ["", "1 MPI_Send 2 3", "1 MPI_Send 2 3 4 5 six", "1 MPI_Send 2 -3 4 5"] {
            assert!(read(wrong, 4).is_none(), "{wrong}");
        }
    }
}
