//! Finds the compiler of the MPI that has started this process.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cll_mpicc::{NoMpi, Output, Recipe, find};

use super::launcher::Launcher;
use super::{GATHERING, TABLE, TRANSPORT, WATCH};

/// The files that the engine needs.
const ENGINE: Recipe<'static> = Recipe {
    sources: &[
        ("transport.c", TRANSPORT.as_bytes()),
        ("gathering.c", GATHERING.as_bytes()),
        ("cll_mpi.h", TABLE.as_bytes()),
        ("watch.c", WATCH.as_bytes()),
    ],
    derived: &[],
    outputs: &[
        Output {
            name: "transport.so",
            arguments: &[
                "-O2",
                "-fPIC",
                "-shared",
                "-fvisibility=hidden",
                "transport.c",
                "gathering.c",
            ],
        },
        Output { name: "watch", arguments: &["-O2", "-Wl,--as-needed", "watch.c"] },
    ],
};

/// The compiled files, and their compiler.
#[derive(Debug)]
pub struct Library {
    pub compiler: PathBuf,
    pub transport: PathBuf,
    pub watch: PathBuf,
}

/// The transport for the MPI of the launcher; compiled if necessary.
pub fn library(launcher: &Launcher) -> Result<Library, NoMpi> {
    if let Some(named) =
        std::env::var_os(cll_contract::MPICC.name()).filter(|name| !name.is_empty())
    {
        let Some(compiler) = find(&named) else {
            return Err(NoMpi::new(
                format_args!("CLL_MPICC={}: there is no such program", named.display()),
                "the compiler of the MPI whose mpirun you use, such as CLL_MPICC=mpicc",
            ));
        };
        return match compiled(&compiler)? {
            (library, family) if launcher.starts(&family) => Ok(library),
            (_, family) => Err(refused(launcher, &[(compiler, family)])),
        };
    }
    let candidates = candidates(launcher);
    let (mut others, mut failure) = (Vec::new(), None);
    for compiler in candidates {
        match compiled(&compiler) {
            Ok((library, family)) if launcher.starts(&family) => return Ok(library),
            Ok((_, family)) => others.push((compiler, family)),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match failure {
        Some(error) if others.is_empty() => Err(error),
        _ if !others.is_empty() => Err(refused(launcher, &others)),
        _ => Err(NoMpi::new(
            format_args!("{} has started this program, but there is no mpicc", launcher.name()),
            "install the compiler of MPI programs (on Debian libopenmpi-dev or libmpich-dev), on \
             this host too, or name it: CLL_MPICC=/opt/mpi/bin/mpicc",
        )),
    }
}

/// The files that a compiler makes, and its MPI.
fn compiled(compiler: &Path) -> Result<(Library, String), NoMpi> {
    let outputs = ENGINE.made_by(compiler)?;
    let [transport, watch] = &outputs.files[..] else { unreachable!("two outputs") };
    let library =
        Library { compiler: outputs.compiler, transport: transport.clone(), watch: watch.clone() };
    Ok((library, outputs.family))
}

/// Compilers in the folder of the launcher, then those on PATH; each once.
fn candidates(launcher: &Launcher) -> Vec<PathBuf> {
    let beside = launcher.folder();
    let names = launcher.compilers();
    let beside = beside.iter().flat_map(|folder| {
        names.iter().filter_map(move |name| find(folder.join(name).as_os_str()))
    });
    let on_path = names.iter().filter_map(|name| find(&OsString::from(name)));
    let mut found: Vec<PathBuf> = Vec::new();
    for path in beside.chain(on_path) {
        let same = |other: &PathBuf| is_same(other, &path);
        if !found.iter().any(same) {
            found.push(path);
        }
    }
    found
}

fn is_same(path: &Path, other: &Path) -> bool {
    path == other
        || path.file_name() == other.file_name()
            && path.canonicalize().ok() == other.canonicalize().ok()
}

fn refused(launcher: &Launcher, others: &[(PathBuf, String)]) -> NoMpi {
    let list: Vec<String> = others
        .iter()
        .map(|(compiler, family)| format!("{} belongs to {family}", compiler.display()))
        .collect();
    NoMpi::new(
        format_args!("{} has started this program, but {}", launcher.name(), list.join(", and ")),
        "start it with the mpirun of the same MPI, or name the compiler of the one that you use: \
         CLL_MPICC=mpicc.openmpi, CLL_MPICC=mpicc.mpich",
    )
}
