//! Costs of primitives by a machine file.

use crate::Error;
use cll_machine::{Collective, Machine, MessageCall, MessagePassing, Partner, Uncertain};
use cll_trace::layout::call::{Class, Op};

use super::timed::Estimate;

/// The properties of a call that determine its price.
#[derive(Clone, Copy, Debug)]
pub(super) struct PricedCall {
    pub(super) op: Op,
    /// Whether it only begins messages.
    pub(super) is_begun: bool,
    /// Whether it receives anything.
    pub(super) receives: bool,
}

/// The prices of an MPI on one host.
pub(super) struct Prices<'m> {
    all: &'m MessagePassing,
    mpi: String,
    hosts: u32,
}

impl<'m> Prices<'m> {
    /// Creates the prices of the MPI that fits the library of the runs, else of the first one.
    ///
    /// # Errors
    /// If the machine has no costs of messages.
    pub(super) fn new(machine: &'m Machine, library: &str) -> Result<Prices<'m>, Error> {
        let all = &machine.message_passing;
        let settings = all.settings();
        let name = |mpi: &str| {
            let first = mpi.split(' ').next().unwrap_or("").to_ascii_lowercase();
            !first.is_empty() && library.to_ascii_lowercase().starts_with(&first)
        };
        let matching = settings.iter().find(|(mpi, hosts)| *hosts == 1 && name(mpi));
        let (mpi, hosts) =
            matching.or(settings.first()).ok_or_else(|| Error::NoCosts(machine.name.clone()))?;
        Ok(Prices { all, mpi: (*mpi).to_owned(), hosts: *hosts })
    }

    /// The eager limit in bytes.
    pub(super) fn eager(&self) -> Option<f64> {
        Some(self.all.library(&self.mpi, self.hosts)?.eager?.value)
    }

    /// The time of starting so many processes.
    pub(super) fn start(&self, processes: u32) -> Option<f64> {
        let library = self.all.library(&self.mpi, self.hosts)?;
        let known: Vec<(f64, f64)> = library
            .start
            .iter()
            .map(|start| (f64::from(start.processes), start.time.value))
            .collect();
        let count = f64::from(processes);
        let (first, last) = (known.first()?, known.last()?);
        let pair = known.windows(2).find(|pair| (pair[0].0..=pair[1].0).contains(&count));
        let (below, other) = match pair {
            Some(pair) => (pair[0], pair[1]),
            None if known.len() > 1 && count > last.0 => (known[known.len() - 2], *last),
            None => return Some(first.1),
        };
        Some(below.1 + (count - below.0) * (other.1 - below.1) / (other.0 - below.0))
    }

    /// The cost of a call with and without a wait; `None`: the machine does not say.
    pub(super) fn cost(
        &self,
        call: PricedCall,
        bytes: f64,
        processors: f64,
    ) -> Option<(Estimate, Estimate)> {
        let time = |call: MessageCall, partner: Option<Partner>| {
            let line = self.all.message(&self.mpi, self.hosts, call, partner)?;
            Some(estimate(line.time(bytes)))
        };
        let op = call.op;
        match op.class() {
            Class::Send if call.is_begun => {
                let begun = time(MessageCall::Emission, None)?;
                Some((begun, begun))
            }
            Class::Send => {
                let mode = match op {
                    Op::Bsend => MessageCall::Bsend,
                    Op::Ssend => MessageCall::Ssend,
                    Op::Rsend => MessageCall::Rsend,
                    _ => MessageCall::Send,
                };
                let posted = time(mode, Some(Partner::Posted))?;
                Some((time(mode, Some(Partner::Late)).unwrap_or(posted), posted))
            }
            Class::Receive if call.is_begun => Some((Estimate::default(), Estimate::default())),
            Class::Receive => {
                let total = time(MessageCall::Total, None)?;
                let early = time(MessageCall::Receive, Some(Partner::Early)).unwrap_or(total);
                Some((total, early))
            }
            Class::Exchange => {
                let total = time(MessageCall::Total, None)?;
                Some((total, total))
            }
            Class::Wait if call.receives => {
                let total = time(MessageCall::Total, None)?;
                Some((total, time(MessageCall::Reception, None).unwrap_or(total)))
            }
            Class::Collective => {
                let which = Collective::ALL
                    .into_iter()
                    .find(|collective| collective.name().eq_ignore_ascii_case(op.name()))?;
                let lines = self.all.collectives.iter().filter(|line| {
                    (line.mpi.as_str(), line.hosts, line.call)
                        == (self.mpi.as_str(), self.hosts, which)
                });
                let away = |processes: u32| (f64::from(processes) / processors).ln().abs();
                let near = lines
                    .min_by(|line, other| away(line.processes).total_cmp(&away(other.processes)))?;
                let known = estimate(near.time(bytes));
                Some((known, known))
            }
            _ => None,
        }
    }
}

fn estimate(time: Uncertain) -> Estimate {
    Estimate {
        seconds: time.value.max(0.0),
        half: 0.5 * (time.high - time.low).max(0.0),
        ..Estimate::default()
    }
}
