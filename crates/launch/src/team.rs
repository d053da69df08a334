//! Who shares the work of a program, and by which variable it learns how many they are.

use std::path::Path;

use cll_contract::NPROCS;
use cll_translate::Model;

use super::{Instrumented, Mpirun};

/// Who shares the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Team {
    /// Threads of OpenMP, or nobody.
    #[default]
    Threads,
    /// Processors of BSPlib.
    Bsp,
    /// Processors of machine objects, all of which run `main`.
    Objects,
    /// Processes that MPI's launcher starts: their number is an option of it.
    Ranks,
}

impl Team {
    /// Of a program, by what it says of itself and what it is linked with.
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

    /// The variable that tells the program how many processors it has; `None`: its launcher does.
    pub fn variable(self) -> Option<&'static str> {
        match self {
            Team::Threads => Some("OMP_NUM_THREADS"),
            Team::Bsp | Team::Objects => Some(NPROCS.name()),
            Team::Ranks => None,
        }
    }
}
