//! Which process of an MPI program ended first. When one dies its launcher ends the others, so the records of all
//! stop. The first one is known from messages of MPI and its launcher (`message`), in the program's output (`ears`).
//! The records say which process that was, and what it recorded last.
//!
//! If the messages name no process, as Hydra's if a rank is killed, nothing is reported. The order in which
//! processes end (pidfd) is not the order in which they died: a killed process yields its core between the end of
//! its connections and its own end.

mod launcher_messages;
mod output_tail;

use std::fmt;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitStatus;

use cll_diagnostic::escape;
use cll_trace::Trace;
use cll_units::Seconds;

use super::name_of;

pub use launcher_messages::{EndCause, FailedProcess, LauncherKind};
use launcher_messages::{LauncherMessage, find_message};
pub use output_tail::{OutputTail, end_of};

/// Failures that were reported by MPI and its launcher.
#[derive(Clone, Debug, Default)]
pub struct Failures {
    /// The launcher's message.
    message: Option<LauncherMessage>,
}

/// A process, from its records.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The rank in `MPI_COMM_WORLD`, and the number of ranks.
    pub rank: Option<(u32, u32)>,
    /// The process number.
    pub pid: u32,
    /// The name of the host.
    pub host: String,
}

/// The process that ended first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstFailure {
    named: FailedProcess,
    last: Option<String>,
}

impl Failures {
    /// For a launch that has ended.
    pub fn from_output(printed: &str, launcher_kind: LauncherKind, status: ExitStatus) -> Failures {
        Failures { message: find_message(printed, launcher_kind, status.code()) }
    }

    /// The first process, by the trace of all processes.
    pub fn with_trace(&self, trace: Option<&Path>) -> Option<FirstFailure> {
        let open = || File::open(trace?).ok();
        let Some(survey) = open().and_then(|file| cll_trace::survey(file).ok()) else {
            return self.with(&[], |_| None);
        };
        let records: Vec<Record> = survey.processes.iter().map(record).collect();
        self.with(&records, |index| {
            let place = open().and_then(|file| last(file, &survey, index));
            Some(match place {
                Some(place) => format!("its last record is of {place}"),
                None => "it had recorded nothing".to_owned(),
            })
        })
    }

    /// The first process, by the records; `last` describes the last record of the process with an index.
    pub fn with(
        &self,
        records: &[Record],
        last: impl FnOnce(usize) -> Option<String>,
    ) -> Option<FirstFailure> {
        let (mut named, index) = self.first(records)?;
        if let Some(record) = index.map(|index| &records[index]) {
            // Its own record is more exact than its launcher's message.
            named.rank = record.rank.map(|(rank, _)| rank).or(named.rank);
            named.pid = Some(record.pid);
            named.host = Some(record.host.clone()).filter(|host| !host.is_empty()).or(named.host);
        }
        Some(FirstFailure { named, last: index.and_then(last) })
    }

    fn first(&self, records: &[Record]) -> Option<(FailedProcess, Option<usize>)> {
        let Some(LauncherMessage::First(named)) = &self.message else { return None };
        let is_named = |record: &Record| record.rank.map(|(rank, _)| rank) == named.rank;
        let ranks = records.iter().filter_map(|record| record.rank).map(|(_, count)| count).max();
        // If the rank does not exist, the message is not from a launcher.
        let is_one = named.rank < ranks || ranks.is_none();
        is_one.then(|| (named.clone(), records.iter().position(is_named)))
    }
}

fn record(process: &cll_trace::Process) -> Record {
    Record {
        rank: process.processor.as_ref().map(|processor| (processor.number, processor.count)),
        pid: process.pid,
        host: process.table.host.clone(),
    }
}

/// The experiment that a process recorded last, and its place.
fn last(file: File, survey: &Trace, index: usize) -> Option<String> {
    let mut latest: Option<(Seconds, u32)> = None;
    let streamed = cll_trace::stream(file, survey, |sample| {
        let end = sample.start + sample.inclusive;
        if sample.process == index && latest.is_none_or(|(known, _)| end >= known) {
            latest = Some((end, sample.place.id));
        }
        ControlFlow::Continue(())
    });
    streamed.ok()?;
    let place = survey.processes[index].place(u16::try_from(latest?.1).ok()?)?;
    Some(escape(&format!("{} at {}:{}", place.experiment, place.file, place.line)))
}

impl fmt::Display for FirstFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailedProcess { rank, pid, host, how } = &self.named;
        let host = host.as_ref().map(|host| format!(" on {}", escape(host))).unwrap_or_default();
        match (rank, pid) {
            (Some(rank), Some(pid)) => write!(f, "rank {rank} (process {pid}{host})")?,
            (Some(rank), None) => write!(f, "rank {rank}{host}")?,
            (None, Some(pid)) => write!(f, "process {pid}{host}")?,
            (None, None) => write!(f, "a process{host}")?,
        }
        f.write_str(" was the first to end: ")?;
        match how {
            EndCause::Signal(signal) => write!(f, "by signal {signal} ({})", name_of(*signal))?,
            EndCause::Status(status) => write!(f, "on its own, with exit code {status}")?,
            EndCause::Early => f.write_str("on its own, too early")?,
            EndCause::Abort(code) => write!(f, "by MPI_Abort with code {code}")?,
            EndCause::Error => f.write_str("MPI ended it, since it found an error")?,
        }
        self.last.as_ref().map_or(Ok(()), |last| write!(f, "; {last}"))
    }
}

#[cfg(test)]
mod tests;
