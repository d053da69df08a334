//! The surroundings that a launch depends on besides options and program.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::process::Signal;

use super::{Mpirun, Srun, die_with_parent};

/// The properties of this computer for a launch.
#[derive(Clone, Debug)]
pub struct Host<'a> {
    /// The launcher of MPI processes. `None`: others have started this process.
    pub mpi: Option<Mpi<'a>>,
    /// The names of the variables in our environment.
    pub variables: Vec<OsString>,
    /// The cores that a program may use.
    pub cores: u32,
    /// Our process number.
    pub process: u32,
    /// Our executable, if it is known.
    pub executable: Option<PathBuf>,
    /// A unique name for the launch.
    pub job: String,
}

/// A launcher of MPI processes.
#[derive(Clone, Debug)]
pub enum Mpi<'a> {
    /// The mpirun of an MPI.
    Mpirun(&'a Mpirun),
    /// Slurm.
    Srun(Srun),
}

impl<'a> Host<'a> {
    /// This computer, with its mpirun, if that is needed.
    pub fn here(mpirun: Option<&'a Mpirun>) -> Host<'a> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let cores = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
        Host {
            mpi: mpirun.map(Mpi::Mpirun),
            variables: std::env::vars_os().map(|(name, _)| name).collect(),
            cores,
            process: std::process::id(),
            executable: std::env::current_exe().ok(),
            job: format!("cll-{}-{:x}", std::process::id(), now.as_nanos()),
        }
    }

    /// Whether a variable is set.
    pub(super) fn has(&self, name: &str) -> bool {
        self.variables.iter().any(|variable| variable == name)
    }

    /// The variables in our environment.
    pub(super) fn ours(&self) -> impl Iterator<Item = &OsString> {
        self.variables.iter().filter(|name| name.as_encoded_bytes().starts_with(b"CLL_"))
    }

    /// The words before a command that is to receive this signal when we end; none if our executable is not known.
    pub(super) fn tied_to_us(&self, signal: Signal) -> Vec<OsString> {
        let executable = self.executable.clone();
        executable
            .map_or(Vec::new(), |own| die_with_parent::wrapper_arguments(own, self.process, signal))
    }
}
