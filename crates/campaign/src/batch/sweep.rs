//! The papers' batch script: a program on every number of processors of its `procs`.

use std::fmt::Write as _;

use cll_diagnostic::shell_word;

use super::head::{Screen, head};
use super::job::Job;
use super::script::starter;
use crate::plan::Launcher;

/// A program on one number of processors after another (González et al. 2003, §3: `procs = 1:32:2` "makes the
/// compiler generate a batch script").
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The job of one task; its `processors` are the largest number, its `folder` is not used: the script runs in
    /// the folder from which it was submitted.
    pub job: Job,
    /// Numbers of processors.
    pub counts: Vec<u32>,
    /// The variable with the number of processors, unless the starter passes it.
    pub variable: Option<String>,
}

/// The line by which a script is known that [`sweep`] has made.
pub const SWEEP_MARK: &str = "# Written by cll translate.";

/// The script, for a batch system or a shell. Arguments of the script are passed to the program. Every run is
/// made; the script's exit code is that of the last failed run.
pub fn sweep(sweep: &Sweep, system: Launcher) -> String {
    let job = &sweep.job;
    let counts: Vec<String> = sweep.counts.iter().map(u32::to_string).collect();
    let folder = match system {
        // A system runs a copy in another folder.
        Launcher::Slurm => "\"${SLURM_SUBMIT_DIR:-.}\"",
        Launcher::Pbs => "\"${PBS_O_WORKDIR:-.}\"",
        Launcher::Lsf => "\"${LS_SUBCWD:-.}\"",
        Launcher::Here => "\"$(dirname \"$0\")\"",
    };
    let mut text = format!("#!/bin/sh\n{SWEEP_MARK}\n{}\n", head(job, system, Screen::Kept));
    // Writing to a string cannot fail.
    let mut line = |line: &str| {
        let _ = writeln!(text, "{line}");
    };
    line(&format!("cd {folder} || exit 1"));
    for (name, value) in &job.environment {
        line(&format!("export {name}={}", shell_word(value)));
    }
    job.batch.before.iter().for_each(|before| line(before));
    line("status=0");
    line(&format!("for P in {}; do", counts.join(" ")));
    if let Some(variable) = &sweep.variable {
        line(&format!("  export {variable}=$P"));
    }
    line("  echo \"== P = $P\" >&2");
    line(&format!(
        "  {}{} \"$@\" || status=$?",
        starter(job, system, "$P"),
        shell_word(&job.program)
    ));
    line("done");
    line("exit $status");
    text
}
