//! The content of a machine's file.

use std::collections::BTreeSet;

use cll_units::Bytes;
use schemars::JsonSchema;
use serde::Serialize;

use crate::communication::{Classic, Combine, Empty, Line};
use crate::memory::{Memory, Operation};
use crate::message_passing::{
    Collective, CollectiveLine, MessageCall, MessageLine, MessagePassing, Partner,
};
use crate::regimes::Regimes;
use crate::uncertain::Uncertain;

/// A machine: where its numbers come from, and the numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Machine {
    /// The name of the machine.
    pub name: String,
    /// Prose for people.
    pub about: String,
    /// Where the numbers come from.
    pub origin: Origin,
    /// The computer, if it is known.
    pub host: Option<Host>,
    /// The operator @: how received and sent bytes combine. It is the one with which one g explains the measurements of
    /// all patterns best. `None` if it is not known.
    pub combine: Option<Combine>,
    /// Missing data, in words.
    pub missing: Vec<String>,
    /// (s, g, l), one for each engine and number of processors.
    pub classic: Vec<Classic>,
    /// Supersteps in which nothing is sent.
    pub empty: Vec<Empty>,
    /// Supersteps by engine, processors, synchronisation, pattern and @.
    pub communication: Vec<Line>,
    /// The costs of memory.
    #[serde(skip_serializing_if = "Memory::is_empty")]
    pub memory: Memory,
    /// The costs of operations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<Operation>,
    /// Seconds from asking for a process until it has ended, if it does nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process_start: Option<Uncertain>,
    /// Seconds of a page of memory from its first use until it is given back to the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_use: Option<Uncertain>,
    /// The primitives of MPIs.
    #[serde(skip_serializing_if = "MessagePassing::is_empty")]
    pub message_passing: MessagePassing,
    /// Values that were seen in several regimes, and the regime of the messages between two processors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regimes: Vec<Regimes>,
}

/// Where a machine's numbers come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Origin {
    /// When they were measured, `2026-01-31T12:00:00Z`, or as the source has it; empty if not known.
    pub when: String,
    /// The program that measured them: `cll 0.1.0`; empty if not known.
    pub by: String,
    /// In what way, in words.
    pub how: String,
    /// The file of the raw samples, in the folder of the machine's file; `None` if there is none.
    pub samples: Option<String>,
    /// Where they were published; `None` if they were measured here.
    pub source: Option<String>,
    /// Why they are not reliable, if the measurement found that.
    pub disturbed: Vec<String>,
}

/// The description of the computer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Host {
    /// The name of the host in its network; empty if not known.
    pub name: String,
    /// Model of its processor; empty if not known.
    pub cpu: String,
    /// Number of processors that can run at the same time; `None` if not known.
    pub cores: Option<u32>,
    /// Caches of data, from the first level on.
    pub caches: Vec<Cache>,
    /// The release of its kernel; empty if not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kernel: String,
    /// The version of its processor's microcode; empty if not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub microcode: String,
}

impl Host {
    /// Describes the changes of the computer up to `now`, in words; nothing if `now` is another computer, or not known.
    pub fn changes(&self, now: &Host) -> Vec<String> {
        if (&self.name, &self.cpu) != (&now.name, &now.cpu) || self.name.is_empty() {
            return Vec::new();
        }
        let texts =
            [("kernel", &self.kernel, &now.kernel), ("microcode", &self.microcode, &now.microcode)];
        let changed = texts
            .into_iter()
            .filter(|(_, then, now)| !then.is_empty() && !now.is_empty() && then != now);
        let mut all: Vec<String> =
            changed.map(|(what, then, now)| format!("{what} {then} is now {now}")).collect();
        if let (Some(then), Some(now)) = (self.cores, now.cores)
            && then != now
        {
            all.push(format!("{then} cores are now {now}"));
        }
        all
    }
}

/// One cache.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Cache {
    /// `L1`, `L2`, …
    pub name: String,
    /// The size of the cache.
    pub bytes: Bytes,
}

impl Machine {
    /// A remark about predictions with this machine if only (s, g, l) were published; `None` if there are more data, or
    /// the user has measured it.
    pub fn reservation(&self) -> Option<String> {
        self.origin.source.as_ref()?;
        if self.classic.is_empty() || !self.empty.is_empty() || !self.communication.is_empty() {
            return None;
        }
        let when = match self.origin.when.as_str() {
            "" => "at a time that its source does not say".to_owned(),
            when => format!("in {when}"),
        };
        let combine = match self.combine {
            None => "; whether bytes in and out add up there nobody has said",
            Some(_) => "",
        };
        Some(format!(
            "{} is known by its (s, g, l) alone, published {when}: one g for every pattern, that of large messages, so \
             that short ones would take longer than is said{combine}",
            self.name
        ))
    }

    /// Whether it has more than the costs of supersteps; then its file is of version 2 or later.
    pub(crate) fn has_more_than_supersteps(&self) -> bool {
        !self.memory.is_empty()
            || !self.operations.is_empty()
            || self.process_start.is_some()
            || self.page_use.is_some()
            || !self.message_passing.is_empty()
    }

    /// Whether it has costs of misses at the same time, or of pages; then its file is of version 5 or later.
    pub(crate) fn has_independent_costs(&self) -> bool {
        !self.memory.independent.is_empty() || self.page_use.is_some()
    }

    /// The engines for which there are data, in the order of the file.
    pub fn engines(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        let named = (self.communication.iter().map(|line| &line.engine))
            .chain(self.empty.iter().map(|empty| &empty.engine))
            .chain(self.classic.iter().map(|classic| &classic.engine));
        for engine in named.filter_map(|engine| engine.as_deref()) {
            if !found.contains(&engine) {
                found.push(engine);
            }
        }
        found
    }
}

/// What two files have of one machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Repeated {
    /// The costs of supersteps.
    #[error("(s, g, l) of {processors} processors")]
    Costs {
        /// Number of processors.
        processors: u32,
    },
    /// The times of a call that sends.
    #[error("{call} of {mpi}")]
    Message {
        /// Name of the call.
        call: &'static str,
        /// The MPI.
        mpi: String,
    },
    /// The times of a collective call.
    #[error("{call} of {processes} processes")]
    Collective {
        /// Name of the call.
        call: &'static str,
        /// Number of processes.
        processes: u32,
    },
}

impl Machine {
    /// The regimes of a value, if it has several.
    pub fn regimes(&self, what: &str) -> Option<&Regimes> {
        self.regimes.iter().find(|regimes| regimes.what == what)
    }

    /// Adds what another file has measured of this machine.
    ///
    /// # Errors
    /// With the name of what both have; then nothing was added.
    pub fn add(&mut self, more: Machine) -> Result<(), Repeated> {
        let known: BTreeSet<_> = self.classic.iter().map(classic_key).collect();
        for classic in &more.classic {
            if known.contains(&classic_key(classic)) {
                return Err(Repeated::Costs { processors: classic.processors });
            }
        }
        let (all, new) = (&mut self.message_passing, more.message_passing);
        let known: BTreeSet<_> = all.messages.iter().map(message_key).collect();
        for line in &new.messages {
            if known.contains(&message_key(line)) {
                return Err(Repeated::Message { call: line.call.name(), mpi: line.mpi.clone() });
            }
        }
        let known: BTreeSet<_> = all.collectives.iter().map(collective_key).collect();
        for line in &new.collectives {
            if known.contains(&collective_key(line)) {
                let (call, processes) = (line.call.name(), line.processes);
                return Err(Repeated::Collective { call, processes });
            }
        }
        all.messages.extend(new.messages);
        all.collectives.extend(new.collectives);
        self.classic.extend(more.classic);
        let known: BTreeSet<String> = self.missing.iter().cloned().collect();
        self.missing.extend(more.missing.into_iter().filter(|text| !known.contains(text)));
        if let (Some(source), Some(other)) = (&mut self.origin.source, more.origin.source) {
            *source += &format!("; {other}");
        }
        Ok(())
    }
}

/// Returns the key of a line: each key occurs at most once.
fn classic_key(line: &Classic) -> (Option<&str>, u32, bool) {
    (line.engine.as_deref(), line.processors, line.oversubscribed)
}

fn message_key(line: &MessageLine) -> (&str, u32, MessageCall, Option<Partner>) {
    (&line.mpi, line.hosts, line.call, line.partner)
}

fn collective_key(line: &CollectiveLine) -> (&str, u32, Collective, u32) {
    (&line.mpi, line.hosts, line.call, line.processes)
}
