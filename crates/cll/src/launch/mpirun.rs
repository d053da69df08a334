//! How programs are started on MPI: by the mpirun that is there.

use std::env::{var_os, vars_os};
use std::ffi::{OsStr, OsString};
use std::process::{Command, Stdio};

use crate::compiler::in_path;
use crate::failure::{Failure, reason};

/// Names another mpirun, with its options, if any.
const VARIABLE: &str = "CLL_MPIRUN";

/// An mpirun.
#[derive(Debug)]
pub struct Mpirun {
    words: Vec<OsString>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    OpenMpi,
    /// MPICH's launcher, and that of what is made of it.
    Hydra,
    Unknown,
}

impl Mpirun {
    /// The mpirun of `PATH`, or what `CLL_MPIRUN` names.
    ///
    /// # Errors
    /// If there is none.
    pub fn find() -> Result<Mpirun, Failure> {
        let named = var_os(VARIABLE).filter(|value| !value.is_empty());
        let text = named.as_deref().unwrap_or(OsStr::new("mpirun")).to_string_lossy().into_owned();
        let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
        let program = words.first().cloned().unwrap_or_default();
        let is_there = match program.as_encoded_bytes().contains(&b'/') {
            true => std::path::Path::new(&program).is_file(),
            false => in_path(&program).is_some(),
        };
        if !is_there {
            let failure =
                Failure::usage(format!("--engine mpi: there is no {}", program.display()));
            return Err(failure.help(
                "install an MPI (on Debian openmpi-bin and libopenmpi-dev, or mpich and libmpich-dev), or \
                 name its launcher: CLL_MPIRUN=/opt/mpi/bin/mpirun",
            ));
        }
        let mut ask = Command::new(&program);
        let asked = ask.arg("--version").stdin(Stdio::null()).output().map_err(|error| {
            Failure::system(format!("cannot run {}: {}", program.display(), reason(&error)))
        })?;
        let said = [asked.stdout, asked.stderr].concat();
        Ok(Mpirun { words, kind: kind(&String::from_utf8_lossy(&said)) })
    }

    /// What stands before the program: for so many processes, or as many as the mpirun starts by
    /// itself; `variables` are set for it.
    pub fn words(&self, processes: Option<u32>, variables: &[&str]) -> Vec<OsString> {
        let mut words = self.words.clone();
        if let Some(processes) = processes {
            words.extend(["-n".into(), processes.to_string().into()]);
        }
        if self.kind == Kind::OpenMpi {
            // More processors than cores are allowed on every engine.
            words.push("--oversubscribe".into());
            // MPICH's takes all variables to other hosts.
            for name in handed_on(variables) {
                words.extend(["-x".into(), name]);
            }
        }
        words
    }
}

/// The variables of ours that processes on other hosts must have.
fn handed_on(variables: &[&str]) -> Vec<OsString> {
    let mut names: Vec<OsString> = variables.iter().map(OsString::from).collect();
    for (name, _) in vars_os() {
        if name.as_encoded_bytes().starts_with(b"CLL_") && !names.contains(&name) {
            names.push(name);
        }
    }
    names.sort();
    names
}

fn kind(version: &str) -> Kind {
    let is = |names: &[&str]| names.iter().any(|name| version.contains(name));
    if is(&["Open MPI", "OpenRTE", "PRRTE", "prterun"]) {
        Kind::OpenMpi
    } else if is(&["HYDRA", "hydra", "Hydra", "Intel(R) MPI", "MVAPICH"]) {
        Kind::Hydra
    } else {
        Kind::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers_are_told_apart_by_what_they_say_of_themselves() {
        assert_eq!(kind("mpirun (Open MPI) 5.0.2"), Kind::OpenMpi);
        assert_eq!(kind("mpirun.openmpi (OpenRTE) 4.1.4"), Kind::OpenMpi);
        assert_eq!(kind("HYDRA build details:\n    Version: 4.0.2"), Kind::Hydra);
        assert_eq!(kind("Intel(R) MPI Library for Linux* OS"), Kind::Hydra);
        assert_eq!(kind("srun 23"), Kind::Unknown);
    }

    #[test]
    fn open_mpi_is_told_which_variables_go_along() {
        let mpirun = Mpirun { words: vec!["mpirun".into()], kind: Kind::OpenMpi };
        let words = mpirun.words(Some(3), &["CLL_ENGINE"]);
        assert_eq!(words[..4], ["mpirun", "-n", "3", "--oversubscribe"].map(OsString::from));
        let at = words.iter().position(|word| word == "CLL_ENGINE").unwrap();
        assert_eq!(words[at - 1], "-x");
        let hydra = Mpirun {
            words: vec!["mpiexec".into(), "-f".into(), "hosts".into()],
            kind: Kind::Hydra,
        };
        assert_eq!(
            hydra.words(None, &["CLL_ENGINE"]),
            ["mpiexec", "-f", "hosts"].map(OsString::from)
        );
    }
}
