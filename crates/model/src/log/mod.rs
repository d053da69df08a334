//! From a superstep log to a program: measured computation, bytes and partners.

mod gather;
mod machines;
mod pattern;
mod requests;
mod supersteps;

use cll_machine::Uncertain;
use cll_supersteps::Log;
use cll_units::{ProcessorId, Seconds, SuperstepNumber};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use crate::parameters::{Quantities, QuantityKind};
use crate::program::{Flaw, Parameter, Program};

pub use gather::gather;
pub use pattern::{Message, traffic_pattern};

/// A log as a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// The structure of the log. Supersteps are named by the place of the call that ended them.
    pub program: Program,
    /// The quantities; for now only the scale of the measured computation, 1.
    pub quantities: Quantities,
    /// The scale of the measured computation. For another machine it is the quotient of both rates.
    pub scale: Parameter,
    /// The measured values of each superstep, by object, then superstep.
    pub measured: Vec<Vec<Measured>>,
    /// The program's real time: from the first processor's beginning to the last one's end.
    pub total: Seconds,
    /// Notes that should be known about the log.
    pub notes: Vec<Note>,
}

/// The measured values of a superstep: means over the program's processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Measured {
    /// Computation, without that of parts.
    #[serde(rename = "computation_s")]
    pub computation: Seconds,
    /// The call that ended it, without waiting.
    #[serde(rename = "communication_s")]
    pub communication: Seconds,
    /// Waiting for others in it.
    #[serde(rename = "waiting_s")]
    pub waiting: Seconds,
}

/// A note that users should know about a log before they use its numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "note", rename_all = "kebab-case")]
pub enum Note {
    /// Processors have logged different numbers of supersteps of a machine: the later ones are left out.
    CutOff {
        /// The machine's key.
        machine: String,
        /// How many all have.
        supersteps: u64,
        /// How many the processor with most has.
        most: u64,
    },
    /// The last superstep of a machine in the log is not the last one of the machine.
    Unfinished {
        /// The machine's key.
        machine: String,
        /// How many supersteps it has.
        supersteps: u64,
    },
    /// The clock of a host was related to the first one's by the supersteps that both have ended.
    Related {
        /// The name of the host.
        host: String,
        /// The possible error of this, nanoseconds.
        uncertainty_ns: u64,
        /// How much faster the first one's is, billionths.
        drift_ppb: i64,
    },
    /// The clocks of these hosts cannot be compared with the others': all processors are assumed to begin at the same
    /// time.
    Hosts {
        /// Their names.
        hosts: Vec<String>,
    },
    /// There were more processors than the records could name the machines of: these are left out.
    Unnamed {
        /// How many supersteps.
        supersteps: u64,
    },
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Note::CutOff { machine, supersteps, most } => write!(
                f,
                "the log is cut off: of machine {machine} all processors have {supersteps} supersteps, \
                 one has {most}; what comes later is left out, in the measured time too"
            ),
            Note::Unfinished { machine, supersteps } => write!(
                f,
                "the log is cut off: machine {machine} has {supersteps} supersteps in it and no end"
            ),
            Note::Related { host, uncertainty_ns, drift_ppb } => {
                write!(
                    f,
                    "times on {host} were related to the other host's by the supersteps that both \
                     ended: to within {:.1} us",
                    *uncertainty_ns as f64 * 1e-3
                )?;
                match drift_ppb {
                    0 => Ok(()),
                    _ => write!(f, "; one clock gains {:.1} ppm", drift_ppb.abs() as f64 * 1e-3),
                }
            }
            Note::Hosts { hosts } => write!(
                f,
                "the times on {} cannot be compared with the others', since no superstep ended on \
                 both: all processors are taken to begin together",
                hosts.join(", ")
            ),
            Note::Unnamed { supersteps } => write!(
                f,
                "{supersteps} supersteps are of machines that the log does not name: they are left out"
            ),
        }
    }
}

/// Why a log is no program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LogError {
    /// No superstep.
    #[error("there are no supersteps in it")]
    Empty,
    /// A processor is in two files.
    #[error("processor {processor} is in two of these logs: they are of different runs")]
    Twice {
        /// The number of the processor.
        processor: ProcessorId,
    },
    /// Logs of different programs, or runs of one.
    #[error("these logs are of different programs: {first} and {other}")]
    Programs {
        /// One.
        first: String,
        /// Another.
        other: String,
    },
    /// Runs with different numbers of processors.
    #[error("these logs are of different runs: one has {first} processors, another {other}")]
    Runs {
        /// One.
        first: u32,
        /// Another.
        other: u32,
    },
    /// Processors of whom there is no log.
    #[error("{} of the {of} processors of machine {machine}: {}", missing_words(.missing), listed(.missing))]
    Missing {
        /// The machine's key.
        machine: String,
        /// Their numbers in it.
        missing: Vec<u32>,
        /// How many it has.
        of: u32,
    },
    /// The log refers to a set of partners that it does not have: h and Ω are not known.
    #[error(
        "processor {processor} lacks the partners of superstep {superstep} of machine {machine}: bytes and Ω cannot be known"
    )]
    Partners {
        /// The machine's key.
        machine: String,
        /// The superstep.
        superstep: SuperstepNumber,
        /// The processor.
        processor: ProcessorId,
    },
    /// A partner that the machine does not have.
    #[error(
        "superstep {superstep} of machine {machine} names processor {partner} of {of}: the log is damaged"
    )]
    Partner {
        /// The machine's key.
        machine: String,
        /// The superstep.
        superstep: SuperstepNumber,
        /// The partner.
        partner: u32,
        /// How many processors it has.
        of: u32,
    },
    /// A machine whose place within another is not known.
    #[error(
        "machine {machine} is a part of machine {parent}, of which nothing fits: the log is damaged"
    )]
    Place {
        /// The key of the machine.
        machine: String,
        /// Key of what was partitioned.
        parent: String,
    },
    /// Processors ended one superstep in different ways.
    #[error(
        "the processors of machine {machine} ended superstep {superstep} in different ways: these logs are of different runs, or damaged"
    )]
    Endings {
        /// The machine's key.
        machine: String,
        /// The superstep.
        superstep: SuperstepNumber,
    },
    /// The structure is none.
    #[error(transparent)]
    Flaw(#[from] Flaw),
}

fn missing_words(missing: &[u32]) -> String {
    match missing.len() {
        1 => "there is no log of one".to_owned(),
        n => format!("there is no log of {n}"),
    }
}

fn listed(numbers: &[u32]) -> String {
    let shown: Vec<String> = numbers.iter().take(8).map(u32::to_string).collect();
    let more = if numbers.len() > 8 { ", …" } else { "" };
    let word = if numbers.len() == 1 { "processor" } else { "processors" };
    format!("{word} {}{more}", shown.join(", "))
}

/// The program of a log, with measured W.
///
/// # Errors
/// If the log is not the complete log of one run: see [`LogError`].
pub fn program(log: &Log) -> Result<Logged, LogError> {
    let mut notes = Vec::new();
    let machines = machines::machines(log, &mut notes)?;
    let (joins, total) = gather::times(log, &machines, &mut notes);
    let mut quantities = Quantities::default();
    let scale =
        quantities.add("measured computation", QuantityKind::Computation, Uncertain::exact(1.0));
    let (objects, measured) = supersteps::objects(log, &machines, scale)?;
    let program = Program::new(objects, joins)?;
    Ok(Logged { program, quantities, scale, measured, total, notes })
}

impl Logged {
    /// Multiplies the measured computation by a factor, for another machine.
    pub fn rescale(&mut self, name: impl Into<String>, factor: Uncertain) {
        self.quantities.set(self.scale, name.into(), factor);
    }
}
