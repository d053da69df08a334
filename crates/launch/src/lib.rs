//! Runs a program and writes its trace.
//!
//! [`launch`] is a pure function: from options, program and host it makes the [`Launch`], with command,
//! environment and cores. A [`Launcher`] makes a [`Run`] of it and returns the [`Outcome`]. [`Local`] runs
//! programs here; [`batch`] submits jobs to batch systems. [`machine_state`] observes the state of the machine meanwhile.
//! [`identity`] identifies a program and its environment.

#![forbid(unsafe_code)]

pub mod batch;
mod child;
mod clause;
mod command;
mod descendants;
pub mod die_with_parent;
mod error;
mod first_failure;
mod gather;
mod host;
pub mod identity;
mod in_launch;
mod linked;
mod local;
pub mod machine_state;
mod memory;
mod memory_name;
mod mpirun;
mod parallelism;
mod process_limits;
mod program;
mod recorder;
pub mod recovery;
mod srun;
mod started;

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

pub use child::Interruption;
pub use clause::{check_clause, meant};
pub use cll_files::exit_code;
pub use command::{Binding, Command, Launch, Options, Program, Recording, launch};
pub use error::Error;
pub use first_failure::{Failures, FirstFailure, LauncherKind, Record};
pub use gather::Gathering;
pub use host::{Host, Mpi};
pub use in_launch::LaunchMember;
pub use linked::{Family, LinkedMpi, loaded};
pub use local::Local;
pub use mpirun::Mpirun;
pub use parallelism::Parallelism;
pub use program::{Instrumented, TranslatedUnit, find};
pub use recorder::{Finished, Lost, Recorder};
pub use srun::Srun;
pub use started::mpi_of_command;

use cll_files as files;
use cll_trace::meta;

use crate::machine_state::{MachineObservation, Placement};

/// One run of a program.
#[derive(Debug)]
pub struct Run<'a> {
    /// The command.
    pub launch: Launch,
    /// The program's name in the trace's name.
    pub name: &'a str,
    /// The number in it; `None`: the first free one.
    pub number: Option<u32>,
    /// The extension of the trace's name: `dat`, or `log` if supersteps are logged.
    pub kind: &'static str,
    /// The chosen engine of a BSP program; for the trace.
    pub engine: String,
    /// The machine on which communication is predicted; for the trace.
    pub machine: String,
    /// The expected number of processes.
    pub processors: u32,
    /// Folder of the trace.
    pub folder: PathBuf,
    /// The working directory of the program. `None`: ours.
    pub work: Option<PathBuf>,
    /// The time limit.
    pub timeout: Option<Duration>,
    /// Whether others start its processes, perhaps elsewhere: then each writes its own trace.
    pub others: Others,
    /// The launcher of MPI ranks, which ends all when one ends early. Its output says which was first.
    pub ranks: Option<LauncherKind>,
    /// The output.
    pub streams: Streams,
    /// The processors. `None`: as the system chooses.
    pub place: Option<Placement>,
    /// Whether the machine is observed meanwhile.
    pub watched: bool,
}

impl Run<'_> {
    /// The data for the trace that are known at the beginning.
    fn table(&self, number: u32) -> meta::Run {
        let command = self.launch.command.own_words();
        let command = command.map(|word| word.to_string_lossy().into_owned()).collect();
        let (engine, machine) = (self.engine.clone(), self.machine.clone());
        meta::Run { command, number, engine, machine, ..meta::Run::default() }
    }
}

/// The treatment of traces that processes write themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// There are none: all processes record in our memory.
    #[default]
    None,
    /// They stay in the folder unchanged.
    Leave,
    /// They are merged when the program has ended.
    Gather,
    /// They stay. This process and others are processes of one launch, with one run number.
    Join,
}

/// Input and output of the program.
#[derive(Debug)]
pub enum Streams {
    /// Ours.
    Inherited,
    /// No input; the output is written to a file.
    Log(File),
}

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// How the program ended.
    pub status: ExitStatus,
    /// The run's number in the names of traces.
    pub number: u32,
    /// Whether it was ended by the time limit.
    pub timed_out: bool,
    /// Wall time from start to end.
    pub wall: Duration,
    /// The trace, if anything was recorded.
    pub trace: Option<PathBuf>,
    /// Blocks that could not be written.
    pub lost: Option<Lost>,
    /// Processes that it started, that were still recording some time after its end.
    pub left: Vec<u32>,
    /// The signal that cll received meanwhile.
    pub interrupted: Option<i32>,
    /// The observed state of the machine, if it was observed.
    pub seen: Option<MachineObservation>,
    /// The processors that it might use.
    pub allowed: meta::Allowed,
    /// The record of the rank that ended first, if the program failed and was not ended by us.
    pub ends: Option<Failures>,
    /// That rank, by the trace.
    pub first_failure: Option<FirstFailure>,
}

impl Outcome {
    /// The result of a run that ended by itself, without a trace.
    pub fn ended(number: u32, status: ExitStatus, wall: Duration) -> Outcome {
        Outcome {
            status,
            number,
            timed_out: false,
            wall,
            trace: None,
            lost: None,
            left: Vec::new(),
            interrupted: None,
            seen: None,
            allowed: meta::Allowed::default(),
            ends: None,
            first_failure: None,
        }
    }
}

/// Runs programs: on this machine, or (in tests) not at all.
pub trait Launcher {
    /// Runs the program to its end.
    ///
    /// # Errors
    /// If it cannot be started, or its trace cannot be created.
    fn launch(&mut self, run: Run<'_>) -> Result<Outcome, Error>;
}

/// Exit code of a program that was ended by the time limit, as in `timeout(1)`.
pub const TIMED_OUT: u8 = 124;

/// How a program ended, as text; `None` if it ended normally.
pub fn ending(outcome: &Outcome) -> Option<String> {
    if outcome.timed_out {
        return Some("took too long and was ended".to_owned());
    }
    match (outcome.status.code(), outcome.status.signal()) {
        (Some(0), _) => None,
        (Some(code), _) => {
            let first_failure = outcome
                .first_failure
                .as_ref()
                .map(|first_failure| format!(": {first_failure}"))
                .unwrap_or_default();
            Some(format!("ended with exit code {code}{first_failure}"))
        }
        (None, Some(signal)) => Some(format!("was ended by signal {signal} ({})", name_of(signal))),
        (None, None) => Some("ended in an unknown way".to_owned()),
    }
}

/// A signal's name with its usual meaning.
fn name_of(signal: i32) -> &'static str {
    match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL: illegal instruction",
        6 => "SIGABRT: abort, such as a failed assert",
        7 => "SIGBUS: bad memory access",
        8 => "SIGFPE: arithmetic error, such as a division by zero",
        9 => "SIGKILL: killed, perhaps since memory was short",
        11 => "SIGSEGV: bad memory access",
        13 => "SIGPIPE: the reader of its output has gone",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU: limit of processor time",
        25 => "SIGXFSZ: limit of file size",
        31 => "SIGSYS: forbidden system call",
        _ => "see man 7 signal",
    }
}
