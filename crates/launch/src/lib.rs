//! Runs a program and keeps what it records.
//!
//! [`launch`] is a pure function: of what is asked, the program and the host it makes the [`Launch`], which says what is
//! started, in which environment, on which cores. A [`Launcher`] takes a [`Run`] with it and gives the [`Outcome`];
//! [`Local`] does so here, and [`batch`] hands jobs to systems that do it elsewhere. [`regime`] is the state of the
//! machine meanwhile, [`identity`] by what a program and what runs it are known.

#![forbid(unsafe_code)]

pub mod batch;
mod child;
mod clause;
mod command;
mod descendants;
mod died;
mod gather;
mod granted;
mod host;
pub mod identity;
mod joined;
mod linked;
mod local;
mod memory;
mod memory_name;
mod mpirun;
mod program;
mod recorder;
pub mod regime;
mod srun;
pub mod stranded;
mod team;
pub mod tied;

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

pub use child::Interruption;
pub use clause::{check_clause, meant};
pub use cll_files::failure::exit_code;
pub use command::{Binding, Command, Launch, Options, Program, Recording, launch};
pub use died::{Died, Ends, Record, Speaker};
pub use gather::Gathering;
pub use host::{Host, Mpi};
pub use joined::Joined;
pub use linked::{Family, Linked, loaded};
pub use local::Local;
pub use mpirun::Mpirun;
pub use program::{Instrumented, Unit, find};
pub use recorder::{Finished, Lost, Recorder};
pub use srun::Srun;
pub use team::Team;

use cll_files as files;
use cll_files::failure::{self, Failure};
use cll_trace::meta;

use crate::regime::{Placement, Seen};

/// One run of a program.
#[derive(Debug)]
pub struct Run<'a> {
    /// What is started.
    pub launch: Launch,
    /// What the program is called in the trace's name.
    pub name: &'a str,
    /// The number in it; `None`: the first that is free.
    pub number: Option<u32>,
    /// How the trace's name ends: `dat`, or `log` if supersteps are logged.
    pub kind: &'static str,
    /// What carries the processors of a BSP program, if that was chosen; for the trace.
    pub engine: String,
    /// The machine whose communication counts; for the trace.
    pub machine: String,
    /// How many processes it is expected to have.
    pub processors: u32,
    /// Folder of the trace.
    pub folder: PathBuf,
    /// Folder that it runs in. `None`: ours.
    pub work: Option<PathBuf>,
    /// Time after which it is ended.
    pub timeout: Option<Duration>,
    /// Whether its processes are started by others, perhaps elsewhere: then each writes a trace of its
    /// own.
    pub others: Others,
    /// The launcher of an MPI program's ranks, which ends all when one ends before its time: it is listened to for who
    /// was first.
    pub ranks: Option<Speaker>,
    /// Where its output goes.
    pub streams: Streams,
    /// Where it runs. `None`: where it would without us.
    pub place: Option<Placement>,
    /// Whether the machine is watched meanwhile.
    pub watched: bool,
}

impl Run<'_> {
    /// What is known of it when it begins, for its trace.
    fn table(&self, number: u32) -> meta::Run {
        let command = self.launch.command.own_words();
        let command = command.map(|word| word.to_string_lossy().into_owned()).collect();
        let (engine, machine) = (self.engine.clone(), self.machine.clone());
        meta::Run { command, number, engine, machine, ..meta::Run::default() }
    }
}

/// What becomes of traces that processes write themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// There are none: all record in memory of ours.
    #[default]
    None,
    /// They stay in the folder as they are.
    Leave,
    /// They become one trace, when the program has ended.
    Gather,
    /// They stay; this process and others have been started by a launcher, whose run has one number.
    Join,
}

/// Input and output of the program that is run.
#[derive(Debug)]
pub enum Streams {
    /// Ours.
    Own,
    /// No input; what it prints goes to a file.
    Log(File),
}

/// What came of a run.
#[derive(Debug)]
pub struct Outcome {
    /// How the program ended.
    pub status: ExitStatus,
    /// The run's number in the names of traces.
    pub number: u32,
    /// Whether it was ended because its time was up.
    pub timed_out: bool,
    /// Wall time from start to end.
    pub wall: Duration,
    /// The trace, if anything was recorded.
    pub trace: Option<PathBuf>,
    /// What could not be written.
    pub lost: Option<Lost>,
    /// Processes that it started, that were still recording when it had ended
    /// and some time had passed.
    pub left: Vec<u32>,
    /// The signal that this program was sent meanwhile.
    pub interrupted: Option<i32>,
    /// What was seen of the machine, if it was watched.
    pub seen: Option<Seen>,
    /// What is known of the rank that ended first, where the program ended badly and not by us.
    pub ends: Option<Ends>,
    /// That rank, by the trace.
    pub died: Option<Died>,
}

/// What runs programs: on this machine, or (in tests) nowhere.
pub trait Launcher {
    /// Runs the program to its end.
    ///
    /// # Errors
    /// If it cannot be started, or there can be no trace.
    fn launch(&mut self, run: Run<'_>) -> Result<Outcome, Failure>;
}

/// Exit code of a program whose time was up, as of `timeout(1)`.
pub const TIMED_OUT: u8 = 124;

/// How a program ended, in words; `None` if it ended well.
pub fn ending(outcome: &Outcome) -> Option<String> {
    if outcome.timed_out {
        return Some("took too long and was ended".to_owned());
    }
    match (outcome.status.code(), outcome.status.signal()) {
        (Some(0), _) => None,
        (Some(code), _) => {
            let died = outcome.died.as_ref().map(|died| format!(": {died}")).unwrap_or_default();
            Some(format!("ended with exit code {code}{died}"))
        }
        (None, Some(signal)) => Some(format!("was ended by signal {signal} ({})", name_of(signal))),
        (None, None) => Some("ended in an unknown way".to_owned()),
    }
}

/// A signal's name with what it mostly means.
fn name_of(signal: i32) -> &'static str {
    match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL: illegal instruction",
        6 => "SIGABRT: abort, such as a failed assert",
        7 => "SIGBUS: bad memory access",
        8 => "SIGFPE: arithmetic error, such as a division by zero",
        9 => "SIGKILL: killed, perhaps for want of memory",
        11 => "SIGSEGV: bad memory access",
        13 => "SIGPIPE: nobody reads its output",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU: limit of processor time",
        25 => "SIGXFSZ: limit of file size",
        31 => "SIGSYS: forbidden system call",
        _ => "see man 7 signal",
    }
}
