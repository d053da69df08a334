//! How a parallel program learns how many processors it has.

use std::env::var_os;
use std::ffi::OsString;
use std::path::Path;

use cll_translate::Model;

use super::{Instrumented, Mpirun};

/// How the processors of a BSP program begin.
const START: &str = "CLL_START";

/// Whether each has a core to itself.
const BIND: &str = "CLL_BIND";

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

/// Tells a BSP program what carries its processors.
pub const ENGINE: &str = "CLL_ENGINE";

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
            Team::Bsp | Team::Objects => Some("CLL_NPROCS"),
            Team::Ranks => None,
        }
    }

    /// The variables that tell it. The program does not learn who launches it: it would end with the
    /// thread that does, which only begins it.
    pub fn environment(self, processors: u32) -> Vec<(&'static str, OsString)> {
        let Some(variable) = self.variable() else { return Vec::new() };
        let mut all: Vec<(&'static str, OsString)> =
            vec![(variable, processors.to_string().into())];
        if self != Team::Threads && var_os(BIND).is_none() {
            all.push((BIND, "1".into()));
        }
        all.extend(self.start());
        all
    }

    /// The variables that tell how processors begin.
    pub fn start(self) -> Vec<(&'static str, OsString)> {
        let mut all: Vec<(&'static str, OsString)> = Vec::new();
        if self == Team::Objects && var_os(START).is_none() {
            // All its processors are to run main.
            all.push((START, "exec".into()));
        }
        all
    }
}
