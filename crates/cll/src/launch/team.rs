//! How a parallel program learns how many processors it has.

use std::env::var_os;
use std::path::Path;

use cll_contract::{BIND, NPROCS, START, Setting, Start};
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

    /// The variables that tell it. The program does not learn who launches it: it would end with the
    /// thread that does, which only begins it.
    pub fn environment(self, processors: u32) -> Vec<Setting> {
        let Some(variable) = self.variable() else { return Vec::new() };
        let mut all: Vec<Setting> = vec![(variable, processors.to_string().into())];
        if self != Team::Threads && var_os(BIND.name()).is_none() {
            all.push(BIND.set(true));
        }
        all.extend(self.start());
        all
    }

    /// The variables that tell how processors begin.
    pub fn start(self) -> Vec<Setting> {
        let mut all: Vec<Setting> = Vec::new();
        if self == Team::Objects && var_os(START.name()).is_none() {
            // All its processors are to run main.
            all.push(START.set(Start::Exec));
        }
        all
    }
}
