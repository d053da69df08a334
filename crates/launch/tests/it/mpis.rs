//! Launchers of MPI processes and batch systems.

use std::env::{current_exe, var_os};
use std::path::{Path, PathBuf};
use std::process::Command;

use cll_campaign::batch::Starter;
use cll_campaign::{Batch, Launcher};
use cll_files::Advice;
use cll_launch::batch::starter;
use cll_launch::{Family, Mpirun, Srun};
use tempfile::tempdir;

use crate::elf::{Elf, executable};

/// Names the program for the test that another one starts.
const PROGRAM: &str = "TEST_PROGRAM";

fn linked(folder: &Path, library: &str) -> PathBuf {
    Elf { needed: vec![library.to_owned()], ..Elf::default() }.write(folder, "heat")
}

/// Returns the launcher of a program, if these programs are all that is in `PATH` and `CLL_MPIRUN` names that.
fn launcher_of(program: &Path, path: &Path, named: Option<&str>) -> String {
    let mut child = Command::new(current_exe().unwrap());
    child.args(["--exact", "mpis::a_search", "--ignored", "--nocapture"]).env(PROGRAM, program);
    child.env("PATH", path).env_remove("CLL_MPIRUN");
    child.envs(named.map(|named| ("CLL_MPIRUN", named)));
    let output = child.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find_map(|line| Some(line.split_once("found: ")?.1.to_owned()));
    line.unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn the_launcher_belongs_to_the_mpi_of_the_program() {
    let folder = tempdir().unwrap();
    let bin = folder.path();
    let launcher = |name: &str, version: &str| {
        executable(bin, name, format!("#!/bin/sh\necho '{version}'\n").as_bytes());
    };
    let open_mpi = linked(bin, "libmpi.so.40");
    let nothing = launcher_of(&open_mpi, bin, None);
    assert!(nothing.contains("cannot start MPI processes: there is no mpirun"), "{nothing}");
    launcher("mpirun", "mpirun (Open MPI) 5.0.2");
    assert_eq!(launcher_of(&open_mpi, bin, None), "mpirun Some(OpenMpi) OpenMpi");
    assert_eq!(
        launcher_of(&open_mpi, bin, Some("mpirun --wide")),
        "mpirun --wide Some(OpenMpi) OpenMpi"
    );
    let mpich = linked(bin, "libmpich.so.12");
    let other = launcher_of(&mpich, bin, None);
    for part in [
        "heat is linked with MPICH, and mpirun is Open MPI's: each process would run separately, as a single rank",
        "compile it with Open MPI's mpicc (CLL_CC), or name MPICH's launcher: CLL_MPIRUN=mpirun.mpich",
    ] {
        assert!(other.contains(part), "{other}");
    }
    // The one that is named after the MPI; not if the user has named another one.
    launcher("mpirun.mpich", "HYDRA build details:");
    assert_eq!(launcher_of(&mpich, bin, None), "mpirun.mpich Some(Mpich) Hydra");
    assert!(launcher_of(&mpich, bin, Some("mpirun")).contains("as a single rank"));
    // Unknown ones start anything.
    launcher("start", "my own 1.0");
    assert_eq!(launcher_of(&mpich, bin, Some("start")), "start None Any");
    assert!(launcher_of(&mpich, bin, Some("gone")).contains("there is no gone"));
}

#[test]
#[ignore = "the test above starts it"]
fn a_search() {
    let program = PathBuf::from(var_os(PROGRAM).unwrap());
    let text = match Mpirun::for_program(&program) {
        Ok(mpirun) => {
            format!("{} {:?} {:?}", mpirun.line(), mpirun.family(), mpirun.launcher_kind())
        }
        Err(error) => format!("{error} {}", error.help().join(" ")),
    };
    println!("found: {text}");
}

#[test]
fn processes_of_a_job_are_started_by_the_system() {
    let folder = tempdir().unwrap();
    let (mpich, open_mpi) = (linked(folder.path(), "libmpich.so.12"), folder.path().join("other"));
    Elf { needed: vec!["libmpi.so.40".to_owned()], ..Elf::default() }.write(folder.path(), "other");
    let own = Batch { starter: Some("mine {P}".to_owned()), ..Batch::default() };
    let command = |text: &str| Starter::Command(text.to_owned());
    for (program, is_ranks, system, batch, expected) in [
        (&mpich, true, Launcher::Slurm, Batch::default(), command("srun --mpi=pmi2 -n {P}")),
        (&open_mpi, true, Launcher::Slurm, Batch::default(), command("srun --mpi=pmix -n {P}")),
        (&mpich, true, Launcher::Pbs, Batch::default(), command("mpirun -n {P}")),
        (&mpich, true, Launcher::Lsf, Batch::default(), command("mpirun -n {P}")),
        (&mpich, false, Launcher::Slurm, Batch::default(), Starter::Alone),
        (&mpich, false, Launcher::Lsf, own.clone(), command("mine {P}")),
        (&mpich, true, Launcher::Slurm, own, command("mine {P}")),
    ] {
        let starter = starter(program, is_ranks, system, &batch);
        assert_eq!(format!("{starter:?}"), format!("{expected:?}"), "{system:?}");
    }
    assert_eq!(Srun::for_mpi(true).words(None), ["srun", "--mpi=pmi2"]);
}

#[test]
fn programs_of_an_mpi_are_searched_by_its_name_first() {
    assert_eq!(Family::OpenMpi.programs("mpicc"), ["mpicc.openmpi", "mpicc"]);
    assert_eq!(Family::Mpich.programs("mpirun"), ["mpirun.mpich", "mpirun"]);
    let folder = tempdir().unwrap();
    for (library, is_linked) in
        [("libmpi.so.12", true), ("libmpi.so.40", true), ("libm.so.6", false)]
    {
        assert_eq!(Mpirun::is_linked(&linked(folder.path(), library)), is_linked, "{library}");
    }
    assert!(!Mpirun::is_linked(&folder.path().join("none")));
}
