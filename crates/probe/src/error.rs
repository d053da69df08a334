//! The error of this crate.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use cll_files::{Advice, reason};

/// Why a machine or a program cannot be probed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder.
    #[error(transparent)]
    Files(#[from] cll_files::Error),
    /// A launch.
    #[error(transparent)]
    Launch(#[from] cll_launch::Error),
    /// A compilation.
    #[error(transparent)]
    Driver(#[from] cll_driver::Error),
    /// A probe does not compile: the compiler has said why.
    #[error("a probe does not compile")]
    ProbeNotCompiled,
    /// The user has interrupted before there were enough rounds.
    #[error("interrupted after {done} of at least {least} rounds: nothing is written")]
    Interrupted {
        /// Rounds that were made.
        done: usize,
        /// The smallest number.
        least: usize,
    },
    /// No engine is left.
    #[error("no engine could be measured")]
    NoEngine,
    /// No MPI is left.
    #[error("no MPI could be measured")]
    NoMpi {
        /// The reason for each.
        missing: Vec<String>,
    },
    /// A probe of supersteps has failed.
    #[error("the probe ({launch}) {how}")]
    Supersteps {
        /// The launch in words.
        launch: String,
        /// How it ended.
        how: String,
        /// Lines that it printed.
        printed: Vec<String>,
    },
    /// A probe of the machine has failed.
    #[error("the probe of {kernel} {how}")]
    Kernel {
        /// The name of the probe.
        kernel: &'static str,
        /// How it ended.
        how: String,
        /// The last line that it printed.
        printed: Option<String>,
    },
    /// A probe of an MPI has failed.
    #[error("the probe {how}{}", .printed.as_ref().map_or(String::new(), |line| format!(": {line}")))]
    Mpi {
        /// How it ended.
        how: String,
        /// The first line that it printed.
        printed: Option<String>,
    },
    /// A probe of an MPI lacks its end.
    #[error("the probe has not come to its end")]
    Unfinished,
    /// The arguments of a program cannot be told apart.
    #[error("--arguments {text}: {source}")]
    Arguments {
        /// The arguments.
        text: String,
        /// The error in them.
        source: cll_driver::Error,
    },
    /// A number of processes is given for a program without MPI.
    #[error("-n is for programs of MPI: the source does not say `#pragma cll parallel MPI`")]
    NotMpi,
    /// A source of the program cannot be translated: its messages were shown.
    #[error("a source cannot be translated")]
    Diagnosed,
    /// The program has another model.
    #[error(
        "{source_name} uses {model}; cll why follows accesses in sequential programs, and in those of MPI"
    )]
    Model {
        /// Name of the source.
        source_name: String,
        /// Name of the model.
        model: &'static str,
    },
    /// The program has no experiment.
    #[error("{} has no experiment", .0.display())]
    NoExperiment(PathBuf),
    /// The program is not linked with MPI.
    #[error("the program is not linked with MPI, although its source says `parallel MPI`")]
    NotLinked,
    /// The program does not compile.
    #[error("the program does not compile: {0}")]
    NotCompiled(String),
    /// A line of the file with a process's messages is damaged.
    #[error("the messages of a process cannot be read: {0}")]
    Messages(String),
    /// The program was interrupted.
    #[error("the program was interrupted")]
    ProgramInterrupted,
    /// The program has ended otherwise than it should.
    #[error("the program {how}{said}")]
    ProgramEnded {
        /// How it ended.
        how: String,
        /// What it has said, behind a colon.
        said: String,
    },
    /// The program has failed.
    #[error("the program failed ({status}){said}")]
    ProgramFailed {
        /// How it ended.
        status: ExitStatus,
        /// What it has said, behind a colon.
        said: String,
    },
    /// The program cannot be run.
    #[error("the program cannot be run: {}", reason(.0))]
    NotRun(#[source] io::Error),
    /// The program cannot be read.
    #[error("the program cannot be read: {0}")]
    Object(#[from] cll_symbols::Error),
    /// The accesses of the program cannot be received.
    #[error("the accesses cannot be received: {}", reason(.0))]
    Accesses(#[source] io::Error),
    /// The thread that receives the accesses has stopped.
    #[error("the accesses cannot be received")]
    Reader,
    /// The program has ended before it sent an access.
    #[error("the program ended before it sent an access ({how})")]
    EndedBefore {
        /// How it ended.
        how: String,
    },
    /// The program sends no accesses.
    #[error("the program sends no accesses")]
    NoAccesses,
    /// The program does not begin to send.
    #[error("{error}{said}")]
    NotBegun {
        /// The reason.
        error: Box<Error>,
        /// What the program has said, behind a colon.
        said: String,
    },
}

impl Advice for Error {
    fn help(&self) -> Vec<String> {
        let sentence = match self {
            Error::Files(error) => return error.help(),
            Error::Launch(error) => return error.help(),
            Error::Driver(error) => return error.help(),
            Error::NotBegun { error, .. } => return error.help(),
            Error::NoMpi { missing } => return vec![missing.join("\n")],
            Error::Supersteps { printed, .. } if !printed.is_empty() => {
                return vec![format!("it printed:\n  {}", printed.join("\n  "))];
            }
            Error::Kernel { printed: Some(line), .. } => {
                return vec![format!("it printed: {line}")];
            }
            Error::Model { .. } => {
                "`cll obsp` and `cll profile` say where a parallel program spends its time"
            }
            Error::NoExperiment(_) => {
                "a region is marked so: #pragma cll f f[0] + f[1]*N … #pragma cll end f"
            }
            Error::NotLinked => "CLL_CC or CLL_MPICC names the compiler of an MPI",
            Error::NotCompiled(_) => {
                "options, other files and libraries stand after `--`: cll why a.c -- b.c -Iinclude"
            }
            Error::ProgramEnded { .. } | Error::ProgramFailed { .. } => {
                "its arguments: --arguments WORDS"
            }
            Error::ProbeNotCompiled
            | Error::Interrupted { .. }
            | Error::NoEngine
            | Error::Supersteps { .. }
            | Error::Kernel { .. }
            | Error::Mpi { .. }
            | Error::Unfinished
            | Error::Arguments { .. }
            | Error::NotMpi
            | Error::Diagnosed
            | Error::Messages(_)
            | Error::ProgramInterrupted
            | Error::NotRun(_)
            | Error::Object(_)
            | Error::Accesses(_)
            | Error::Reader
            | Error::EndedBefore { .. }
            | Error::NoAccesses => return Vec::new(),
        };
        vec![sentence.to_owned()]
    }
}
