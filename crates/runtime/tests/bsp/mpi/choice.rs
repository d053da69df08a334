//! Which MPI a program runs on, and what is refused.

use std::fs;
use std::process::Command;

use super::{cache, launcher, mpis};
use crate::all::each;
use crate::build::alone;
use crate::stated::situations;
use crate::support::Program;

fn program() -> Program {
    alone(&situations().join("runs/begin_in_main.c"), &[])
}

/// How a command ended, and its output.
fn ended(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    let message = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&message).into_owned())
}

fn started_by(mpi: &str, program: &Program) -> Command {
    let mut command = launcher(mpi, 2).unwrap();
    command.arg(&program.path).env_remove("CLL_NPROCS").env_remove("CLL_ENGINE");
    command
}

#[test]
fn a_launcher_is_enough() {
    let program = program();
    for mpi in mpis("a_launcher_is_enough") {
        let (well, message) = ended(&mut started_by(mpi, &program));
        assert!(well && message == "2 processors\nsum 1\ngoes on\n", "{mpi}: {message}");
    }
}

#[test]
fn without_a_launcher_there_is_no_mpi() {
    let program = program();
    let mut command = Command::new(&program.path);
    let (well, message) = ended(command.env("CLL_ENGINE", "mpi"));
    assert!(!well && message.contains("mpirun -n 4"), "{message}");
}

#[test]
fn the_compiler_of_another_mpi_is_refused_by_name() {
    let mpis = mpis("the_compiler_of_another_mpi_is_refused_by_name");
    let [first, other] = mpis[..] else { return };
    let program = program();
    for (mpi, wrong, names) in [
        (first, other, ["Open MPI's mpirun", "belongs to MPICH"]),
        (other, first, ["MPICH's mpirun", "belongs to Open MPI"]),
    ] {
        let mut command = started_by(mpi, &program);
        let (well, message) = ended(command.env("CLL_MPICC", format!("mpicc.{wrong}")));
        assert!(!well && names.iter().all(|name| message.contains(name)), "{mpi}: {message}");
        assert!(
            message.contains("help: start it with the mpirun of the same MPI"),
            "{mpi}: {message}"
        );
    }
}

#[test]
fn a_program_that_is_linked_with_another_mpi_is_refused() {
    let mpis = mpis("a_program_that_is_linked_with_another_mpi_is_refused");
    let [first, other] = mpis[..] else { return };
    for (mpi, wrong) in [(first, other), (other, first)] {
        let command = Command::new(format!("mpicc.{wrong}")).arg("-show").output().unwrap();
        let shown = String::from_utf8_lossy(&command.stdout).into_owned();
        let wanted = |word: &&str| word.starts_with("-L") || word.starts_with("-lmpi");
        let mut flags: Vec<&str> = shown.split_whitespace().filter(wanted).collect();
        flags.insert(0, "-Wl,--no-as-needed");
        let program = alone(&situations().join("runs/begin_in_main.c"), &flags);
        let (well, message) = ended(&mut started_by(mpi, &program));
        assert!(!well && message.contains("linked with another MPI"), "{mpi}: {message}");
    }
}

#[test]
fn a_compiler_that_is_none_is_named() {
    let program = program();
    for mpi in mpis("a_compiler_that_is_none_is_named") {
        for (wrong, expected) in
            [("/nowhere/mpicc", "no such program"), ("false", "cannot compile")]
        {
            let mut command = started_by(mpi, &program);
            let (well, message) = ended(command.env("CLL_MPICC", wrong));
            assert!(
                !well && message.contains(expected) && message.contains("CLL_MPICC"),
                "{mpi}: {message}"
            );
        }
    }
}

/// Processes that start at the same time compile at the same time; also those of several programs.
#[test]
fn many_may_compile_at_once() {
    let program = program();
    let mpis = mpis("many_may_compile_at_once");
    let folder = tempfile::tempdir().unwrap();
    let runs: Vec<&str> = mpis.iter().flat_map(|mpi| [*mpi; 3]).collect();
    each(&runs, |mpi| {
        let (well, message) = ended(started_by(mpi, &program).env("XDG_CACHE_HOME", folder.path()));
        if well && message == "2 processors\nsum 1\ngoes on\n" {
            Ok(())
        } else {
            Err(format!("{mpi}: {message}"))
        }
    });
    let left: Vec<_> = fs::read_dir(folder.path().join("cll/mpi"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.contains('-') && name != "lock")
        .collect();
    assert!(left.is_empty(), "left by compilers: {left:?}");
}

/// If a folder cannot be written to, another one is used.
#[test]
fn a_cache_that_cannot_be_written_to() {
    let program = program();
    for mpi in mpis("a_cache_that_cannot_be_written_to") {
        let mut command = started_by(mpi, &program);
        command.env("XDG_CACHE_HOME", "/proc/nowhere").env("TMPDIR", cache());
        let (well, message) = ended(&mut command);
        assert!(well && message.starts_with("2 processors"), "{mpi}: {message}");
    }
}

#[test]
fn different_programs_are_named() {
    let (first, other) = (program(), alone(&situations().join("runs/begin_below_main.c"), &[]));
    for mpi in mpis("different_programs_are_named") {
        let mut command = launcher(mpi, 1).unwrap();
        command.arg(&first.path).args([":", "-n", "1"]).arg(&other.path);
        let (well, message) = ended(&mut command);
        let named =
            [&first, &other].map(|program| program.path.file_name().unwrap().to_str().unwrap());
        let both = named.iter().all(|name| message.contains(name));
        assert!(!well && both && message.contains("different programs"), "{mpi}: {message}");
    }
}
