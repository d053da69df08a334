//! How a program's processors run, and which variable sets their number.

use std::path::Path;

use cll_contract::NPROCS;
use cll_translate::Model;

use super::{Instrumented, Mpirun};

/// How a program's processors run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Team {
    /// As OpenMP threads, or there is only one.
    #[default]
    Threads,
    /// As BSPlib processors.
    Bsp,
    /// As processors of machine objects, all of which run `main`.
    Objects,
    /// As processes of an MPI launcher, whose option sets their number.
    Ranks,
}

impl Team {
    /// Of a program, by its records and its libraries.
    pub fn of_program(program: &Path, instrumented: &Instrumented) -> Team {
        match () {
            () if instrumented.is_pub() => Team::Objects,
            () if instrumented.is_bsp() => Team::Bsp,
            () if instrumented.models().contains(&"MPI") || Mpirun::is_linked(program) => {
                Team::Ranks
            }
            () => Team::Threads,
        }
    }

    /// Of a program's model.
    pub fn of(model: Model) -> Team {
        match model {
            Model::Bsp => Team::Bsp,
            Model::Pub => Team::Objects,
            Model::Mpi => Team::Ranks,
            Model::Sequential | Model::OpenMp => Team::Threads,
        }
    }

    /// The variable with the number of processors; `None`: the launcher sets it.
    pub fn variable(self) -> Option<&'static str> {
        match self {
            Team::Threads => Some("OMP_NUM_THREADS"),
            Team::Bsp | Team::Objects => Some(NPROCS.name()),
            Team::Ranks => None,
        }
    }
}
