//! How Slurm starts the processes of an MPI program.

use std::ffi::OsString;
use std::path::Path;

use super::mpirun::is_of_mpich;

/// `srun`, with the interface that the program's MPI supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Srun {
    interface: &'static str,
}

impl Srun {
    /// For MPICH and its derivatives, or for others.
    pub fn for_mpi(is_mpich: bool) -> Srun {
        Srun { interface: if is_mpich { "pmi2" } else { "pmix" } }
    }

    /// For a program, by the MPI with which it is linked.
    pub fn for_program(program: &Path) -> Srun {
        Srun::for_mpi(is_of_mpich(program))
    }

    /// The command before the program, for this number of processes.
    pub fn words(self, processes: Option<&str>) -> Vec<OsString> {
        let mut words: Vec<OsString> =
            vec!["srun".into(), format!("--mpi={}", self.interface).into()];
        words.extend(processes.into_iter().flat_map(|count| ["-n".into(), count.into()]));
        words
    }

    /// The same as a line of a script, with `{P}` for the number.
    pub fn line(self) -> String {
        let words = self.words(Some("{P}"));
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }
}
