//! Notes that readers should know about a profile before they use its numbers.

use std::fmt;

use cll_diagnostic::counted;
use cll_units::{ProcessorId, Seconds, SuperstepNumber};
use schemars::JsonSchema;
use serde::Serialize;

/// One thing to know.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "note", rename_all = "kebab-case")]
pub enum Note {
    /// Supersteps that not all logs have are left out.
    Incomplete {
        /// How many.
        supersteps: u64,
        /// The first of them, by its number in its machine.
        first: SuperstepNumber,
    },
    /// Some processors' records do not reach the end of the program.
    CutOff {
        /// Their numbers.
        processors: Vec<ProcessorId>,
    },
    /// Times below zero: a clock went back.
    Negative {
        /// The processor.
        processor: ProcessorId,
        /// How many supersteps.
        supersteps: u64,
        /// The most negative time.
        #[serde(rename = "least_s")]
        least: Seconds,
    },
    /// A clock that jumped: time between supersteps that is in none of them.
    Jump {
        /// The processor.
        processor: ProcessorId,
        /// The superstep before which it is.
        superstep: SuperstepNumber,
        /// The length of the jump.
        #[serde(rename = "time_s")]
        gap: Seconds,
    },
    /// The processors ran on several hosts, whose clocks were related by the supersteps that they ended together.
    Clocks {
        /// How many.
        hosts: usize,
        /// How far a correction may be off.
        #[serde(rename = "uncertainty_s")]
        uncertainty: Seconds,
    },
    /// The processors ran on several hosts, and no superstep relates their clocks.
    Hosts {
        /// Their names.
        hosts: Vec<String>,
    },
    /// Supersteps of machines that are in no table are left out.
    Unnamed {
        /// How many.
        supersteps: u64,
    },
    /// The log refers to sets of partners that it does not have.
    Partners {
        /// A processor.
        processor: ProcessorId,
        /// How many of its supersteps.
        supersteps: u64,
    },
    /// A processor waited longer than the sum of the supersteps' maxima.
    IdleExceeds {
        /// How many centres.
        centres: usize,
        /// The number of all centres.
        of: usize,
    },
    /// The root's computation and communication are more than the program took.
    MoreThanElapsed {
        /// Their sum.
        #[serde(rename = "sum_s")]
        sum: Seconds,
        /// The time that the program took.
        #[serde(rename = "elapsed_s")]
        elapsed: Seconds,
    },
    /// A centre's line lacks a field, or has one that is no number: what follows is 0.
    Field {
        /// Line of the file, from 1.
        line: usize,
        /// The fault.
        what: String,
    },
    /// A function without a symbol.
    NoSymbols {
        /// Modules without symbols, or that are not what was run.
        modules: Vec<String>,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Incomplete { supersteps, first } => write!(
                f,
                "{}, from number {first} on, {} left out",
                counted(*supersteps as usize, "superstep", "supersteps"),
                if *supersteps == 1 {
                    "is not in the logs of all processors: it is"
                } else {
                    "are not in the logs of all processors: they are"
                }
            ),
            Note::CutOff { processors } => write!(
                f,
                "the log is cut off: {} {} no end of the program",
                numbers("processor", processors),
                if processors.len() == 1 { "has" } else { "have" }
            ),
            Note::Negative { processor, supersteps, least } => write!(
                f,
                "the clock of processor {processor} went back: {} times below zero, down to {:.3e} s, which \
                 are counted unchanged",
                counted(*supersteps as usize, "superstep has", "supersteps have"),
                least.get()
            ),
            Note::Jump { processor, superstep, gap } => write!(
                f,
                "before superstep {superstep} of processor {processor} {:.3} s are in no superstep: \
                 its clock jumped, or it was stopped",
                gap.get()
            ),
            Note::Clocks { hosts, uncertainty } => write!(
                f,
                "the processors ran on {hosts} hosts, whose clocks were related by their supersteps to within \
                 {:.1e} s; the start counts from the first superstep of all",
                uncertainty.get()
            ),
            Note::Hosts { hosts } => write!(
                f,
                "the processors ran on {}, whose clocks no superstep relates: nothing is said of the start",
                hosts.join(", ")
            ),
            Note::Unnamed { supersteps } => write!(
                f,
                "{} that the log does not name: {} left out",
                counted(
                    *supersteps as usize,
                    "superstep is of a machine",
                    "supersteps are of machines"
                ),
                if *supersteps == 1 { "it is" } else { "they are" }
            ),
            Note::Partners { processor, supersteps } => write!(
                f,
                "{} of processor {processor} {} partners: its h-relation is too small",
                counted(*supersteps as usize, "superstep", "supersteps"),
                if *supersteps == 1 { "lacks its" } else { "lack their" }
            ),
            Note::IdleExceeds { centres, of: total } => write!(
                f,
                "in {centres} of {total} centres some processor waited longer than the supersteps' longest waits \
                 add up to: the file is not consistent, its figures are shown unchanged"
            ),
            Note::MoreThanElapsed { sum, elapsed } => write!(
                f,
                "computation and communication are {:.2} s, the program took {:.2} s: \
                 communication was counted over waiting",
                sum.get(),
                elapsed.get()
            ),
            Note::Field { line, what } => write!(f, "line {line}: {what}"),
            Note::NoSymbols { modules } => {
                write!(f, "no symbols for {}: addresses stand for functions", modules.join(", "))
            }
        }
    }
}

/// `processor 3`, `processors 1, 2 and 7 more`.
fn numbers(word: &str, list: &[ProcessorId]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = list.iter().take(SHOWN).map(ProcessorId::to_string).collect();
    let more = match list.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let plural = if list.len() == 1 { "" } else { "s" };
    format!("{word}{plural} {}{more}", shown.join(", "))
}
