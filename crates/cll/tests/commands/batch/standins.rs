//! PBS and LSF, by programs of ours that refuse what the vendors' manuals do not allow.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::scenes::{self, System};
use crate::support::have;

/// The commands of a system in a folder, and one for its jobs.
fn commands(script: &str, names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "tests/commands/batch", script].iter().collect();
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    std::fs::create_dir(folder.path().join("queues")).unwrap();
    for name in names {
        symlink(&source, folder.path().join("bin").join(name)).unwrap();
    }
    folder
}

fn variables(folder: &Path) -> Vec<(String, std::ffi::OsString)> {
    vec![("QUEUES".into(), folder.join("queues").into_os_string())]
}

#[test]
fn pbs_makes_runs_and_gives_them_back() {
    let test = "pbs_makes_runs_and_gives_them_back";
    if !test_draw::is_drawn(test, 0, 2) || !have("python3", test) {
        return;
    }
    let folder = commands("pbs.py", &["qsub", "qstat", "qdel"]);
    let system = System {
        name: "pbs",
        submit: "qsub",
        variables: variables(folder.path()),
        path: Some(folder.path().join("bin")),
        beyond: &["is cancelled", "Can Never Run"],
        no_queue: &["Unknown queue"],
    };
    scenes::a_campaign(&system);
    scenes::killed_while_waiting(&system);
    scenes::killed_while_handing_in(&system);
    scenes::refused(&system);
    scenes::one_program(&system);
}

#[test]
fn lsf_makes_runs_and_gives_them_back() {
    let test = "lsf_makes_runs_and_gives_them_back";
    if !test_draw::is_drawn(test, 1, 2) || !have("python3", test) {
        return;
    }
    let folder = commands("lsf.py", &["bsub", "bjobs", "bkill"]);
    let system = System {
        name: "lsf",
        submit: "bsub",
        variables: variables(folder.path()),
        path: Some(folder.path().join("bin")),
        beyond: &["lsf does not grant a job of 9 processors", "Too many processors requested"],
        no_queue: &["nope: No such queue"],
    };
    scenes::a_campaign(&system);
    scenes::killed_while_waiting(&system);
    scenes::killed_while_handing_in(&system);
    scenes::refused(&system);
    scenes::one_program(&system);
}
