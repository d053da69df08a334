//! The MPI engine, with every MPI that is installed: the same suite, what is said when a process ends
//! before its time, which MPI is taken and which refused, several hosts.
//!
//! A start of mpirun costs 0.4 s, so a sentence of the contract that needs a launch of its own is played
//! with one number of processors, and with one of the MPIs, in turn.

mod choice;
mod failures;
mod hosts;
mod suite;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support;

/// MPIs, each with the package that has it.
const MPIS: [(&str, &str); 2] =
    [("openmpi", "Open MPI (Debian: libopenmpi-dev)"), ("mpich", "MPICH (Debian: libmpich-dev)")];

/// Those that are here; the test is told as skipped for the others.
pub fn mpis(test: &str) -> Vec<&'static str> {
    let is_here = |name: &str| {
        let found = |program: String| on_path(&program).is_some();
        found(format!("mpirun.{name}")) && found(format!("mpicc.{name}"))
    };
    let (here, missing): (Vec<_>, Vec<_>) = MPIS.into_iter().partition(|(name, _)| is_here(name));
    for (_, package) in missing {
        support::skip(test, package);
    }
    here.into_iter().map(|(name, _)| name).collect()
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.exists())
}

/// How programs are started on the engine of this name; `None`: by themselves.
pub fn launcher(engine: &str, processors: usize) -> Option<Command> {
    if !MPIS.iter().any(|(name, _)| *name == engine) {
        return None;
    }
    let mut command = Command::new(format!("mpirun.{engine}"));
    command.args(["-n", &processors.to_string()]);
    if engine == "openmpi" {
        command.arg("--oversubscribe");
        // Containers in which tests run have no other user.
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    command.env("XDG_CACHE_HOME", cache());
    Some(command)
}

/// Where what is compiled for MPIs is kept meanwhile.
fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}
