//! The kinds of the user's compilers, and how each is chosen.

use cll_contract as contract;

use crate::Error;

use super::in_path;

/// The kind of a compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompilerKind {
    #[default]
    /// The compiler of C.
    C,
    /// The compiler of C++.
    Cxx,
    /// The compiler of MPI programs in C.
    MpiC,
    /// The compiler of MPI programs in C++.
    MpiCxx,
}

impl CompilerKind {
    /// The environment variable that chooses it.
    pub fn variable(self) -> &'static str {
        match self {
            CompilerKind::C => contract::CC.name(),
            CompilerKind::Cxx => contract::CXX.name(),
            CompilerKind::MpiC => contract::MPICC.name(),
            CompilerKind::MpiCxx => contract::MPICXX.name(),
        }
    }

    /// Whether it compiles every source as C++.
    pub fn is_cxx(self) -> bool {
        matches!(self, CompilerKind::Cxx | CompilerKind::MpiCxx)
    }

    /// The kind for MPI programs in the same language.
    pub fn of_mpi(self) -> CompilerKind {
        if self.is_cxx() { CompilerKind::MpiCxx } else { CompilerKind::MpiC }
    }

    /// The first of its usual names that is in PATH.
    pub fn usual(self) -> Result<&'static str, Error> {
        let (names, missing, package) = match self {
            CompilerKind::C => (["cc", "gcc"], "no C compiler: there is neither cc nor gcc", "gcc"),
            CompilerKind::Cxx => {
                (["c++", "g++"], "no C++ compiler: there is neither c++ nor g++", "g++")
            }
            CompilerKind::MpiC => {
                (["mpicc"; 2], "no compiler of MPI programs: there is no mpicc", "libopenmpi-dev")
            }
            CompilerKind::MpiCxx => (
                ["mpicxx", "mpic++"],
                "no compiler of MPI programs in C++: there is neither mpicxx nor mpic++",
                "libopenmpi-dev",
            ),
        };
        names.into_iter().find(|name| in_path(name).is_some()).ok_or_else(|| Error::NoCompiler {
            missing,
            package,
            variable: self.variable(),
        })
    }
}
