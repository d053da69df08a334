//! The MPIs that are installed, and how programs are started on them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support;

/// MPIs, each with the package that has it.
const MPIS: [(&str, &str); 2] =
    [("openmpi", "Open MPI (Debian: libopenmpi-dev)"), ("mpich", "MPICH (Debian: libmpich-dev)")];

/// Those that are installed; for the others the test is reported as skipped.
pub fn mpis(test: &str) -> Vec<&'static str> {
    let is_here = |name: &str| {
        let is_on_path = |program: String| on_path(&program).is_some();
        is_on_path(format!("mpirun.{name}")) && is_on_path(format!("mpicc.{name}"))
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

/// How programs are started on the engine with this name; `None`: directly.
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

/// The cache of compiled files during the tests.
pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

/// Processes that MPI has started do not know of each other before bsp_begin: all may print the same, except
/// for their number.
pub fn once(message: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in message.lines().filter(|line| !line.is_empty()) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.join("\n")
}
