//! The compilers of a user, and how each is chosen.

use cll_contract as contract;

use crate::failure::Failure;

use super::in_path;

/// Which of the user's compilers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    /// Of C.
    C,
    /// Of C++.
    Cxx,
    /// Of programs of MPI in C.
    MpiC,
    /// Of programs of MPI in C++.
    MpiCxx,
}

impl Kind {
    /// Environment variable that chooses it.
    pub fn variable(self) -> &'static str {
        match self {
            Kind::C => contract::CC.name(),
            Kind::Cxx => contract::CXX.name(),
            Kind::MpiC => contract::MPICC.name(),
            Kind::MpiCxx => contract::MPICXX.name(),
        }
    }

    /// Whether it takes every source for C++.
    pub fn is_cxx(self) -> bool {
        matches!(self, Kind::Cxx | Kind::MpiCxx)
    }

    /// The same of an MPI.
    pub fn of_mpi(self) -> Kind {
        match self.is_cxx() {
            true => Kind::MpiCxx,
            false => Kind::MpiC,
        }
    }

    /// The first of its usual names that is in PATH.
    pub fn usual(self) -> Result<&'static str, Failure> {
        let (names, missing, package) = match self {
            Kind::C => (["cc", "gcc"], "no C compiler: there is neither cc nor gcc", "gcc"),
            Kind::Cxx => (["c++", "g++"], "no C++ compiler: there is neither c++ nor g++", "g++"),
            Kind::MpiC => {
                (["mpicc"; 2], "no compiler of MPI programs: there is no mpicc", "libopenmpi-dev")
            }
            Kind::MpiCxx => (
                ["mpicxx", "mpic++"],
                "no compiler of MPI programs in C++: there is neither mpicxx nor mpic++",
                "libopenmpi-dev",
            ),
        };
        names.into_iter().find(|name| in_path(name).is_some()).ok_or_else(|| {
            Failure::system(format!("{missing} in PATH")).help(format!(
                "install one (Debian: apt-get install {package}), or name it by {}",
                self.variable()
            ))
        })
    }
}
