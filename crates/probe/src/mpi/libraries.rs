//! The MPIs of this machine: each has its compiler, which compiles the probe, and its launcher.

use std::env::var_os;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::path::PathBuf;

use cll_contract::MPICC;
use cll_launch::{Family, Mpirun};
use cll_mpicc::{Output, Recipe, find};

/// An MPI with its probe.
#[derive(Clone, Debug)]
pub struct Library {
    /// `Open MPI`, `MPICH`, or `an MPI without a name`.
    pub family: String,
    /// The probe.
    pub program: PathBuf,
    /// The launcher that starts the program.
    pub mpirun: Mpirun,
    /// Whether all its processes are on this host, so that they can be bound to its cores.
    pub binds: bool,
}

/// The MPIs, and why others could not be had.
#[derive(Clone, Debug, Default)]
pub struct Libraries {
    /// Those that can be measured.
    pub all: Vec<Library>,
    /// The reasons why other libraries cannot be used, in words.
    pub missing: Vec<String>,
}

const RECIPE: Recipe<'static> = Recipe {
    sources: &[
        ("analyzer.h", include_bytes!("../../../../probes/analyzer.h")),
        ("mpi.c", include_bytes!("../../../../probes/mpi.c")),
    ],
    derived: &[],
    outputs: &[Output { name: "probe-mpi", arguments: &["-O2", "mpi.c"] }],
};

impl Libraries {
    /// The MPI of the compiler that `CLL_MPICC` names; without that all of which `mpicc`, `mpicc.openmpi` or `mpicc.mpich` is
    /// there, each once.
    pub fn here() -> Libraries {
        let mut libraries = Libraries::default();
        let named = var_os(MPICC.name()).filter(|name| !name.is_empty());
        let names: Vec<OsString> = match &named {
            Some(name) => vec![name.clone()],
            None => std::iter::once("mpicc".into())
                .chain(
                    [Family::OpenMpi, Family::Mpich]
                        .map(|family| family.programs("mpicc")[0].clone().into()),
                )
                .collect(),
        };
        for name in names {
            let Some(compiler) = find(OsStr::new(&name)) else {
                if named.is_some() {
                    let text =
                        format!("{}={}: there is no such program", MPICC.name(), name.display());
                    libraries.missing.push(text);
                }
                continue;
            };
            let compiled = match RECIPE.made_by(&compiler) {
                Ok(compiled) => compiled,
                Err(error) => {
                    libraries.missing.push(format!(
                        "the MPI of {}: {}",
                        name.display(),
                        error.what
                    ));
                    continue;
                }
            };
            if libraries.all.iter().any(|library| library.family == compiled.family) {
                continue;
            }
            let program = compiled.files.into_iter().next().unwrap_or_default();
            match Mpirun::for_program(&program) {
                Ok(mpirun) => libraries.all.push(Library {
                    family: compiled.family,
                    program,
                    mpirun,
                    binds: false,
                }),
                Err(failure) => {
                    let text = format!("{}: {}", compiled.family, said(&failure));
                    if !libraries.missing.contains(&text) {
                        libraries.missing.push(text);
                    }
                }
            }
        }
        if libraries.all.is_empty() && libraries.missing.is_empty() {
            libraries.missing.push("MPI: there is no mpicc".to_owned());
        }
        libraries
    }
}

/// The first line of a failure.
pub fn said(error: &impl Display) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
