//! The error of this crate.

use std::io;
use std::path::PathBuf;

use cll_files::{Advice, base, reason, stem};

/// Why a program cannot be run, recorded or submitted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder.
    #[error(transparent)]
    Files(#[from] cll_files::Error),
    /// Signals cannot be caught.
    #[error("cannot catch signals: {}", reason(.0))]
    Signals(io::Error),
    /// There is no memory that is shared with the program.
    #[error("cannot make the memory that is shared with the program: {}", reason(.0))]
    NoMemory(io::Error),
    /// The memory that is shared with the program cannot be read.
    #[error("cannot read the shared memory: {}", reason(.0))]
    Memory(io::Error),
    /// The program's output cannot be read.
    #[error("cannot read the program's output: {}", reason(.0))]
    Output(io::Error),
    /// The end of the program cannot be awaited.
    #[error("cannot wait for the program: {}", reason(.0))]
    Wait(io::Error),
    /// More processes or threads than the limits allow.
    #[error("{count} {kind} cannot be started here: {why}")]
    TooMany {
        /// Their number.
        count: u32,
        /// As a message has it: `processors`.
        kind: &'static str,
        /// The limit that would be exceeded.
        why: String,
    },
    /// A clause of the program names a counter that does not exist.
    #[error("{place}: there is no counter {name}{meant}")]
    NoCounter {
        /// File and line of the clause.
        place: String,
        /// The name.
        name: String,
        /// The name that was probably meant, as a question, or nothing.
        meant: String,
    },
    /// There is no mpirun of this name.
    #[error("cannot start MPI processes: there is no {0}")]
    NoMpirun(String),
    /// The mpirun is that of another MPI than the program's.
    #[error(
        "{} is linked with {wanted}, and {word} is {own}'s: each process would run separately, as a single rank",
        .program.display()
    )]
    OtherMpirun {
        /// The program.
        program: PathBuf,
        /// The MPI of the program.
        wanted: &'static str,
        /// The usual name of the launcher of that MPI.
        launcher: &'static str,
        /// The mpirun.
        word: String,
        /// The MPI of the mpirun.
        own: &'static str,
    },
    /// The MPI of an mpirun is not known.
    #[error("{mpirun} would start {}, and whose MPI that is, is not known", .program.display())]
    UnknownMpirun {
        /// The command of the mpirun.
        mpirun: String,
        /// The program.
        program: PathBuf,
    },
    /// The program is linked with an MPI that does not exist here.
    #[error("{} is linked with {library}, which was not found", .program.display())]
    NoMpi {
        /// The program.
        program: PathBuf,
        /// The name of the library.
        library: String,
    },
    /// The program is linked with an unknown MPI.
    #[error(
        "{} is linked with {}, which is an unknown MPI; Open MPI and MPICH (and what is made of it) are",
        .program.display(),
        .library.display()
    )]
    UnknownMpi {
        /// The program.
        program: PathBuf,
        /// The library.
        library: PathBuf,
    },
    /// The program is linked statically with its MPI.
    #[error(
        "{} contains its MPI (it is linked statically), so its calls cannot be logged",
        .0.display()
    )]
    StaticMpi(PathBuf),
    /// Samples of a killed run cannot be added to their trace.
    #[error(
        "cannot add to {} the samples that were in memory when cll run was killed: {}",
        .trace.display(),
        reason(.source)
    )]
    NotRecovered {
        /// The trace.
        trace: PathBuf,
        /// Where the samples are.
        memory: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file is not executable.
    #[error("{} is not an executable file", .0.display())]
    NotExecutable(PathBuf),
    /// No program in `PATH` has this name.
    #[error("there is no program {} in PATH", .name.display())]
    NotInPath {
        /// The name.
        name: PathBuf,
        /// Whether this folder has such a program.
        is_here: bool,
    },
    /// There is no program of this path.
    #[error("{source}")]
    NoProgram {
        /// The path cannot be read.
        source: cll_files::Error,
        /// A similar path.
        near: Option<PathBuf>,
    },
    /// The program has no records.
    #[error(
        "{} records nothing: it has no region that cll cc has translated, and it is not a BSP program",
        .0.display()
    )]
    RecordsNothing(PathBuf),
    /// The program was built by a cll with another interface.
    #[error(
        "{} was built by another version of cll (interface {}, this one has {known}): {file} must be compiled again",
        .program.display(),
        .interface.map_or("unknown".to_owned(), |version| version.to_string())
    )]
    OtherInterface {
        /// The program.
        program: PathBuf,
        /// Version of the interface, if it can be read.
        interface: Option<u32>,
        /// That of this cll.
        known: u32,
        /// The source.
        file: String,
    },
    /// The program has a model that is not known here.
    #[error(
        "{} has the model {model} ({file}), which this version cannot run; it runs sequential, OpenMP, MPI, BSP and PUB programs",
        .program.display()
    )]
    UnknownModel {
        /// The program.
        program: PathBuf,
        /// Name of the model.
        model: String,
        /// The source.
        file: String,
    },
    /// The program is a script.
    #[error("{} is a script: give the program that it starts", .0.display())]
    Script(PathBuf),
    /// The file is not a program.
    #[error("{} is not a program (ELF) that can be read: {source}", .path.display())]
    NotElf {
        /// The file.
        path: PathBuf,
        /// The reader's error.
        source: object::Error,
    },
    /// The records of the program are those of another version.
    #[error(
        "{} was built by another version of cll ({begin}…): it must be compiled again",
        .program.display()
    )]
    OtherRecords {
        /// The program.
        program: PathBuf,
        /// The first characters of the record.
        begin: String,
    },
    /// The records of the program are damaged.
    #[error(
        "the records of experiments in {} cannot be read ({source}): compile it again",
        .program.display()
    )]
    DamagedRecords {
        /// The program.
        program: PathBuf,
        /// The reader's error.
        source: serde_json::Error,
    },
    /// A result of a task is damaged.
    #[error("{} was not written by the job's script", .0.display())]
    TaskResult(PathBuf),
    /// Jobs cannot be submitted to it.
    #[error("{0} is not a batch system")]
    NoBatchSystem(&'static str),
    /// The batch system would refuse the directives of a job.
    #[error("{system} would refuse the job: {why}")]
    Directives {
        /// Name of the system.
        system: &'static str,
        /// The first reason.
        why: String,
    },
    /// The command that submits jobs cannot be run.
    #[error("cannot run {command}: {}", reason(.source))]
    Submit {
        /// The command.
        command: String,
        /// Name of the system.
        system: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The batch system refuses a job.
    #[error("{system} does not grant a job of {processors} processors: {answer}")]
    NotGranted {
        /// Name of the system.
        system: &'static str,
        /// Processors of the job.
        processors: u32,
        /// Its words, escaped.
        answer: String,
    },
}

impl Advice for Error {
    fn help(&self) -> Vec<String> {
        let sentence = match self {
            Error::Files(error) => return error.help(),
            Error::NoProgram { source, near } => {
                let near = near.iter().map(|near| format!("did you mean {}?", near.display()));
                return source.help().into_iter().chain(near).collect();
            }
            Error::RecordsNothing(path) => {
                return vec![
                    "cll cc warns of `#pragma cll` lines that it does not read, and cll translate --auto lists what is left out".to_owned(),
                    format!(
                        "if it was built with another compiler, build it with cll cc: cll cc -O2 -o {} {}.c, or make \
                         CC=\"cll cc\"",
                        base(path),
                        stem(path)
                    ),
                ];
            }
            Error::OtherMpirun { wanted, launcher, own, .. } => {
                return vec![format!(
                    "compile it with {own}'s mpicc (CLL_CC), or name {wanted}'s launcher: CLL_MPIRUN={launcher}"
                )];
            }
            Error::NotRecovered { memory, .. } => {
                return vec![format!("they stay in {} until then", memory.display())];
            }
            Error::NotInPath { name, is_here: true } => {
                return vec![format!("to run the one in this folder: ./{}", name.display())];
            }
            Error::Submit { system, .. } => {
                return vec![format!("jobs for {system} cannot be submitted on this computer")];
            }
            Error::TooMany { .. } => {
                "use fewer by -n; a BSP program runs on any number of virtual processors, which take turns: \
                 --engine virtual"
            }
            Error::NoCounter { .. } => {
                "cll counters lists them; PAPI's events are papi::NAME, or PAPI_…"
            }
            Error::NoMpirun(_) => {
                "install an MPI (on Debian openmpi-bin and libopenmpi-dev, or mpich and libmpich-dev), or \
                 name its launcher: CLL_MPIRUN=/opt/mpi/bin/mpirun"
            }
            Error::UnknownMpirun { .. } => "CLL_MPIRUN names the mpirun of Open MPI or MPICH",
            Error::NoMpi { .. } => "set LD_LIBRARY_PATH to the folder of the library",
            Error::StaticMpi(_) => {
                "link it with the MPI's shared library: without -static, with libmpi.so instead of libmpi.a"
            }
            Error::Script(_) => {
                "programs built by cll cc also record without cll run, into CLL_OUT or the current folder"
            }
            Error::Directives { .. } => "the options of [batch] are lines of its directives",
            Error::Signals(_)
            | Error::NoMemory(_)
            | Error::Memory(_)
            | Error::Output(_)
            | Error::Wait(_)
            | Error::UnknownMpi { .. }
            | Error::NotExecutable(_)
            | Error::NotInPath { is_here: false, .. }
            | Error::OtherInterface { .. }
            | Error::UnknownModel { .. }
            | Error::NotElf { .. }
            | Error::OtherRecords { .. }
            | Error::DamagedRecords { .. }
            | Error::TaskResult(_)
            | Error::NoBatchSystem(_)
            | Error::NotGranted { .. } => return Vec::new(),
        };
        vec![sentence.to_owned()]
    }
}
