//! The error of this crate.

use std::io;

use cll_files::{Advice, reason};

/// Why events cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no counter of this name.
    #[error("there is no counter {name}{meant}")]
    Unknown {
        /// The name.
        name: String,
        /// The name that was probably meant, as a question, or nothing.
        meant: String,
    },
    /// A counter exists in a simulation only.
    #[error("{0} is counted in a simulation only")]
    OnlySimulated(String),
    /// A counter does not exist in a simulation.
    #[error("{name} cannot be counted in a simulation; simulated counters are {}", .simulated.join(", "))]
    NotSimulated {
        /// The name.
        name: String,
        /// The counters of a simulation.
        simulated: Vec<String>,
    },
    /// A counter is not available here.
    #[error("{name} cannot be counted here: {why}")]
    NotAvailable {
        /// The name.
        name: String,
        /// The reason.
        why: String,
    },
    /// One run cannot record so many.
    #[error("{count} counters are too many: {most} can be recorded at a time")]
    TooMany {
        /// Their number.
        count: usize,
        /// The number that can be recorded.
        most: usize,
        /// The options of runs for all of them.
        runs: Vec<String>,
    },
    /// There is no valgrind.
    #[error("--simulate-caches: there is no valgrind in PATH")]
    NoValgrind,
    /// There can be no folder for the counts of a simulation.
    #[error("cannot make a folder for the counts: {}", reason(.0))]
    Folder(#[source] io::Error),
}

impl Advice for Error {
    fn help(&self) -> Vec<String> {
        let sentence = match self {
            Error::TooMany { runs, .. } => {
                let runs = runs.iter().map(|run| format!("a run: {run}"));
                let fit = "cll fit takes the traces of all these runs together";
                return runs.chain([fit.to_owned()]).collect();
            }
            Error::Unknown { .. } => {
                "cll counters lists them; PAPI's events are papi::NAME, or PAPI_…"
            }
            Error::OnlySimulated(_) => "--simulate-caches runs the program in a simulation",
            Error::NotAvailable { .. } => "cll counters lists the available counters",
            Error::NoValgrind => "install it (Debian package valgrind)",
            Error::NotSimulated { .. } | Error::Folder(_) => return Vec::new(),
        };
        vec![sentence.to_owned()]
    }
}
