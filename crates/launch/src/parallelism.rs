//! How a program's processors run, and which variable sets their number.

use std::path::Path;

use cll_contract::NPROCS;
use cll_translate::Model;

use super::{Instrumented, Mpirun};

/// How a program's processors run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parallelism {
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

impl Parallelism {
    /// Determines the parallelism of a program, by its records and its libraries.
    pub fn for_program(program: &Path, instrumented: &Instrumented) -> Parallelism {
        match () {
            () if instrumented.is_pub() => Parallelism::Objects,
            () if instrumented.is_bsp() => Parallelism::Bsp,
            () if instrumented.models().contains(&"MPI") || Mpirun::is_linked(program) => {
                Parallelism::Ranks
            }
            () => Parallelism::Threads,
        }
    }

    /// Determines the parallelism of a program's model.
    pub fn for_model(model: Model) -> Parallelism {
        match model {
            Model::Bsp => Parallelism::Bsp,
            Model::Pub => Parallelism::Objects,
            Model::Mpi => Parallelism::Ranks,
            Model::Sequential | Model::OpenMp => Parallelism::Threads,
        }
    }

    /// The variable with the number of processors; `None`: the launcher sets it.
    pub fn variable(self) -> Option<&'static str> {
        match self {
            Parallelism::Threads => Some("OMP_NUM_THREADS"),
            Parallelism::Bsp | Parallelism::Objects => Some(NPROCS.name()),
            Parallelism::Ranks => None,
        }
    }
}
