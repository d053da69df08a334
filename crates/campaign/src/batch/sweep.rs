//! The papers' batch script: a program on every number of processors of its `procs`.

use std::fmt::Write as _;

use cll_diagnostic::shell_word;

use super::head::head;
use super::job::Job;
use super::script::starter;
use crate::plan::Launcher;

/// A program on one number of processors after the other (González et al. 2003, §3: `procs = 1:32:2`
/// "makes the compiler generate a batch script").
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// What is run, in one task; its `processors` are the most of all counts, its `folder` is not looked
    /// at: the script runs where it was handed in.
    pub job: Job,
    /// Numbers of processors.
    pub counts: Vec<u32>,
    /// By which variable the program learns how many they are, if not by its starter.
    pub variable: Option<String>,
}

/// Its script, for a batch system or a shell. Arguments of the script are the program's. Every run is
/// made, and the script's exit code is that of the last that failed.
pub fn sweep(sweep: &Sweep, system: Launcher) -> String {
    let job = &sweep.job;
    let counts: Vec<String> = sweep.counts.iter().map(u32::to_string).collect();
    let folder = match system {
        // A system runs a copy that lies elsewhere.
        Launcher::Slurm => "\"${SLURM_SUBMIT_DIR:-.}\"",
        Launcher::Pbs => "\"${PBS_O_WORKDIR:-.}\"",
        Launcher::Lsf => "\"${LS_SUBCWD:-.}\"",
        Launcher::Here => "\"$(dirname \"$0\")\"",
    };
    let mut text = format!("#!/bin/sh\n{}\n", head(job, system));
    // A string takes what is written to it.
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
