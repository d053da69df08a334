//! Which process of an MPI program came to its end first. When one dies its launcher ends the others, so the records of all
//! break off. Who was first is known from what MPI and its launcher say (`words`), heard beside what the program prints
//! (`ears`), and, where all processes are on this host, from the system (`order`): Hydra's words name whom it has ended
//! itself as well. The records tell which process that was, and what it recorded last.

mod ears;
mod order;
mod words;

use std::fmt;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitStatus;

use cll_report::escape;
use cll_trace::Trace;

use super::name_of;

pub use ears::{Ears, end_of};
pub use order::Order;
pub use words::{How, Named, Speaker};
use words::{Words, heard};

/// What was heard and seen of processes that have ended.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    /// What the launcher says.
    words: Option<Words>,
    /// The processes of this host, by number, in the order in which they ended.
    ended: Vec<u32>,
    host: String,
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
    /// Whether it ended by itself.
    pub ended: bool,
}

/// The process that came to its end first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Died {
    named: Named,
    last: Option<String>,
}

impl Ends {
    /// Of a launch that has ended.
    pub fn of(printed: &str, speaker: Speaker, status: ExitStatus, ended: Vec<u32>) -> Ends {
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        Ends { words: heard(printed, speaker, status.code()), ended, host }
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
        match &self.words {
            Some(Words::First(named)) => {
                let of = |record: &Record| record.rank.map(|(rank, _)| rank) == named.rank;
                let ranks = records.iter().filter_map(|record| record.rank).map(|(_, of)| of).max();
                // Whoever names a rank that is none is no launcher.
                let is_one = named.rank < ranks || ranks.is_none();
                is_one.then(|| (named.clone(), records.iter().position(of)))
            }
            words => {
                let index = self.first_seen(records)?;
                let how = match (records[index].ended, words) {
                    (true, _) => How::Early,
                    (false, Some(Words::Some(signal))) => How::Killed(*signal),
                    (false, _) => How::Killed(None),
                };
                let named = Named { rank: None, pid: None, host: None, how };
                Some((named, Some(index)))
            }
        }
    }

    /// The first that the system saw, if it has seen all, and a process was killed: where all ended by themselves one
    /// of them was first, too.
    fn first_seen(&self, records: &[Record]) -> Option<usize> {
        let count = records.iter().filter_map(|record| record.rank).map(|(_, of)| of).max()?;
        let is_seen = |record: &&Record| {
            record.rank.is_some() && record.host == self.host && self.ended.contains(&record.pid)
        };
        let all = records.iter().filter(is_seen).count() == count as usize;
        let killed = records.iter().any(|record| !record.ended);
        let of = |pid: &u32| records.iter().position(|record| record.pid == *pid);
        self.ended.iter().find_map(of).filter(|_| all && killed)
    }
}

fn record(process: &cll_trace::Process) -> Record {
    Record {
        rank: process.processor.as_ref().map(|processor| (processor.number, processor.count)),
        pid: process.pid,
        host: process.table.host.clone(),
        ended: process.end.is_some(),
    }
}

/// The experiment that a process recorded last, and its place.
fn last(file: File, survey: &Trace, index: usize) -> Option<String> {
    let mut latest: Option<(f64, u32)> = None;
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
            // What Hydra tells of it is made of the signals of all.
            How::Killed(Some(signal)) => {
                let name = name_of(*signal);
                write!(
                    f,
                    "without an ordinary exit; of all processes the launcher tells signal {signal} ({name})"
                )?;
            }
            How::Killed(None) => f.write_str("without an ordinary exit")?,
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
