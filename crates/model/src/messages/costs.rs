//! The costs of messages by the primitives in a machine's file.

use std::cell::RefCell;
use std::collections::BTreeSet;

use cll_machine::{Collective, Machine, MessageCall, MessageLine, Uncertain};
use cll_trace::layout::call::Op;
use thiserror::Error;

use super::MessageCosts;

/// Which end of the intervals of a machine's times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CostEnd {
    /// All at their lower ends.
    Low,
    /// The values.
    #[default]
    Value,
    /// All at their upper ends.
    High,
}

impl CostEnd {
    fn value_of(self, uncertain: Uncertain) -> f64 {
        match self {
            CostEnd::Low => uncertain.low,
            CostEnd::Value => uncertain.value,
            CostEnd::High => uncertain.high,
        }
        .max(0.0)
    }
}

/// A machine without the times of messages.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the machine {machine} has no times of messages of MPI (emission and reception)")]
pub struct NoPrimitives {
    /// The name of the machine.
    pub machine: String,
}

/// The primitives of one MPI on a machine.
#[derive(Debug)]
pub struct Primitives<'m> {
    machine: &'m Machine,
    mpi: &'m str,
    hosts: u32,
    emission: &'m MessageLine,
    transit: Option<&'m MessageLine>,
    reception: &'m MessageLine,
    eager: Option<Uncertain>,
    /// Which end of each time is used.
    pub end: CostEnd,
    /// The data that were missing, with the data that were used instead.
    substitutions: RefCell<BTreeSet<String>>,
}

impl<'m> Primitives<'m> {
    /// Finds the primitives of the MPI with this name (`Open MPI v4.1.4, …`), else of one of the same kind, else of
    /// the first one; on one host if that is known.
    ///
    /// # Errors
    /// If the machine has no times of messages.
    pub fn new(machine: &'m Machine, library: &str) -> Result<Primitives<'m>, NoPrimitives> {
        let all = &machine.message_passing;
        let lines = |mpi: &str, hosts: u32| {
            let emission = all.message(mpi, hosts, MessageCall::Emission, None)?;
            Some((emission, all.message(mpi, hosts, MessageCall::Reception, None)?))
        };
        let mut settings = all.settings();
        settings.retain(|&(mpi, hosts)| lines(mpi, hosts).is_some());
        let plain = |text: &str| text.replace(" v", " ").to_ascii_lowercase();
        let wanted = plain(library);
        let kind = |name: &str| name.split(' ').next().unwrap_or_default().to_ascii_lowercase();
        settings.sort_by_key(|&(mpi, hosts)| {
            (!wanted.starts_with(&plain(mpi)), kind(mpi) != kind(library), hosts)
        });
        let Some(&(mpi, hosts)) = settings.first() else {
            return Err(NoPrimitives { machine: machine.name.clone() });
        };
        let (emission, reception) =
            lines(mpi, hosts).ok_or_else(|| NoPrimitives { machine: machine.name.clone() })?;
        let transit = all.message(mpi, hosts, MessageCall::Transit, None);
        let eager = all.library(mpi, hosts).and_then(|library| library.eager);
        let mut substitutions = BTreeSet::new();
        if !library.is_empty() && kind(mpi) != kind(library) {
            substitutions.insert(format!("times of {mpi}, since there are none of {library}"));
        }
        if hosts > 1 {
            substitutions.insert("times between two hosts, since there are none of one".to_owned());
        }
        if transit.is_none() {
            substitutions.insert("no time on the way, since it has none".to_owned());
        }
        if eager.is_none() {
            let what = "no standard send waits for its receiver, since there is no eager limit";
            substitutions.insert(what.to_owned());
        }
        let substitutions = RefCell::new(substitutions);
        let end = CostEnd::Value;
        Ok(Primitives {
            machine,
            mpi,
            hosts,
            emission,
            transit,
            reception,
            eager,
            end,
            substitutions,
        })
    }

    /// The MPI whose times are used.
    pub fn mpi(&self) -> &str {
        self.mpi
    }

    /// Seconds until this many processes have begun and ended, as the nearest measured number of them took.
    pub fn start(&self, processes: u32) -> Option<Uncertain> {
        let library = self.machine.message_passing.library(self.mpi, self.hosts)?;
        let nearest =
            library.start.iter().min_by_key(|start| start.processes.abs_diff(processes))?;
        Some(nearest.time)
    }

    /// Returns the data that were missing so far, with the data that were used in their place.
    pub fn substitutions(&self) -> Vec<String> {
        self.substitutions.borrow().iter().cloned().collect()
    }
}

impl MessageCosts for Primitives<'_> {
    fn emission(&self, bytes: f64) -> f64 {
        self.end.value_of(self.emission.time(bytes))
    }

    fn transit(&self, bytes: f64) -> f64 {
        self.transit.map_or(0.0, |line| self.end.value_of(line.time(bytes)))
    }

    fn reception(&self, bytes: f64) -> f64 {
        self.end.value_of(self.reception.time(bytes))
    }

    fn is_rendezvous(&self, bytes: f64) -> bool {
        self.eager.is_some_and(|limit| bytes > limit.value)
    }

    fn collective(&self, op: Op, processes: u32, bytes: f64) -> Option<f64> {
        let is_plain =
            |candidate: &Collective| candidate.name().eq_ignore_ascii_case(op.plain().name());
        let call = Collective::ALL.into_iter().find(is_plain);
        let line = call.and_then(|call| {
            self.machine.message_passing.collectives.iter().find(|line| {
                line.mpi == self.mpi
                    && (line.hosts, line.call, line.processes) == (self.hosts, call, processes)
                    && !line.oversubscribed
            })
        });
        if line.is_none() {
            let what =
                format!("{} of {processes} processes as messages, since it has no time", op.name());
            self.substitutions.borrow_mut().insert(what);
        }
        Some(self.end.value_of(line?.time(bytes)))
    }
}
