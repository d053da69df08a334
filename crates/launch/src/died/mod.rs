//! Which process of an MPI program came to its end first. When one dies its launcher ends the others, so the records of all
//! break off. Who was first is known from what MPI and its launcher say (`words`), heard beside what the program prints
//! (`ears`). The records tell which process that was, and what it recorded last.
//!
//! Where they name nobody, as Hydra where a rank is killed, nothing is said: in which order processes end, as the system tells
//! it (pidfd), is not that in which they died, since who is killed gives its core away between the end of its
//! connections and its own.

mod ears;
mod words;

use std::fmt;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitStatus;

use cll_diagnostic::escape;
use cll_trace::Trace;
use cll_units::Seconds;

use super::name_of;

pub use ears::{Ears, end_of};
pub use words::{How, Named, Speaker};
use words::{Words, heard};

/// What was heard of processes that have ended.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    /// What the launcher says.
    words: Option<Words>,
}

/// What a process has recorded of itself.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Its rank in `MPI_COMM_WORLD`, and how many there are.
    pub rank: Option<(u32, u32)>,
    /// Its number.
    pub pid: u32,
    /// Its host.
    pub host: String,
}

/// The process that came to its end first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Died {
    named: Named,
    last: Option<String>,
}

impl Ends {
    /// Of a launch that has ended.
    pub fn of(printed: &str, speaker: Speaker, status: ExitStatus) -> Ends {
        Ends { words: heard(printed, speaker, status.code()) }
    }

    /// Who was first, by the trace of all processes.
    pub fn with_trace(&self, trace: Option<&Path>) -> Option<Died> {
        let open = || File::open(trace?).ok();
        let Some(survey) = open().and_then(|file| cll_trace::survey(file).ok()) else {
            return self.with(&[], |_| None);
        };
        let records: Vec<Record> = survey.processes.iter().map(record).collect();
        self.with(&records, |index| {
            let place = open().and_then(|file| last(file, &survey, index));
            Some(match place {
                Some(place) => format!("the last that it recorded is {place}"),
                None => "it had recorded nothing".to_owned(),
            })
        })
    }

    /// Who was first, by what processes have recorded; `last` says what the process with an index did last.
    pub fn with(
        &self,
        records: &[Record],
        last: impl FnOnce(usize) -> Option<String>,
    ) -> Option<Died> {
        let (mut named, index) = self.first(records)?;
        if let Some(record) = index.map(|index| &records[index]) {
            // It knows itself better than its launcher does.
            named.rank = record.rank.map(|(rank, _)| rank).or(named.rank);
            named.pid = Some(record.pid);
            named.host = Some(record.host.clone()).filter(|host| !host.is_empty()).or(named.host);
        }
        Some(Died { named, last: index.and_then(last) })
    }

    fn first(&self, records: &[Record]) -> Option<(Named, Option<usize>)> {
        let Some(Words::First(named)) = &self.words else { return None };
        let of = |record: &Record| record.rank.map(|(rank, _)| rank) == named.rank;
        let ranks = records.iter().filter_map(|record| record.rank).map(|(_, of)| of).max();
        // Whoever names a rank that is none is no launcher.
        let is_one = named.rank < ranks || ranks.is_none();
        is_one.then(|| (named.clone(), records.iter().position(of)))
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

impl fmt::Display for Died {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Named { rank, pid, host, how } = &self.named;
        let host = host.as_ref().map(|host| format!(" on {}", escape(host))).unwrap_or_default();
        match (rank, pid) {
            (Some(rank), Some(pid)) => write!(f, "rank {rank} (process {pid}{host})")?,
            (Some(rank), None) => write!(f, "rank {rank}{host}")?,
            (None, Some(pid)) => write!(f, "process {pid}{host}")?,
            (None, None) => write!(f, "a process{host}")?,
        }
        f.write_str(" was the first to end: ")?;
        match how {
            How::Signal(signal) => write!(f, "by signal {signal} ({})", name_of(*signal))?,
            How::Status(status) => write!(f, "by itself, with exit code {status}")?,
            How::Early => f.write_str("by itself, before its time")?,
            How::Abort(code) => write!(f, "by MPI_Abort with code {code}")?,
            How::Error => f.write_str("MPI ended it, since it found an error")?,
        }
        self.last.as_ref().map_or(Ok(()), |last| write!(f, "; {last}"))
    }
}

#[cfg(test)]
mod tests;
