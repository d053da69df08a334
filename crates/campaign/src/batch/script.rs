//! The script of a job: the system's directives, then a part that is equal for all.

use std::fmt::Write as _;

use cll_contract::{ORDER, OUT};
use cll_diagnostic::shell_word;

use super::head::{Screen, head};
use super::job::{Job, Starter};
use crate::plan::Launcher;

/// In the folder of a job: the system's number for it, written by the first task.
pub const JOB_FILE: &str = "job";

/// A script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The text of the script.
    pub text: String,
    /// The command that submits it, without the script's name; the script is its standard input.
    pub submit: Vec<String>,
}

/// The script of a job. Its task number i (from 0) reads line i + 1 of `FOLDER/tasks`: the number of the run, the
/// seed of the program's loops, and the program's arguments, quoted for a shell. When the run has ended it writes
/// `FOLDER/NUMBER.end` (exit code, begin, end, host), `NUMBER.log` with the program's output, the folder
/// `NUMBER.traces`, and [`JOB_FILE`]. A task whose folder was removed does nothing, so a forgotten job makes no
/// runs. A program that exceeds its time limit ends with 124, as by `timeout`.
///
/// `None` if there is no batch system.
pub fn script(job: &Job, system: Launcher) -> Option<Script> {
    // The number of a task, and of the whole job.
    let (index, number) = match system {
        Launcher::Here => return None,
        Launcher::Slurm => {
            ("${SLURM_ARRAY_TASK_ID:-0}", "echo \"${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}\"")
        }
        Launcher::Pbs => {
            ("${PBS_ARRAY_INDEX:-0}", "echo \"$PBS_JOBID\" | sed 's/\\[[0-9]*\\]/[]/'")
        }
        // Its arrays begin with 1.
        Launcher::Lsf => {
            ("$((${LSB_JOBINDEX:-1} > 0 ? ${LSB_JOBINDEX:-1} - 1 : 0))", "echo \"$LSB_JOBID\"")
        }
    };
    let head = head(job, system, Screen::Unused);
    let mut text = format!("#!/bin/sh\n{head}\n");
    // Writing to a string cannot fail.
    let mut line = |line: &str| {
        let _ = writeln!(text, "{line}");
    };
    line(&format!("cd {} || exit 1", shell_word(&job.folder)));
    line(&format!("task={index}"));
    line(&format!(
        "[ -e {JOB_FILE} ] || {{ {number} > {JOB_FILE}.$task && mv {JOB_FILE}.$task {JOB_FILE}; }}"
    ));
    line("line=$(sed -n \"$((task + 1))p\" tasks)");
    line("[ -n \"$line\" ] || exit 1");
    line("eval \"set -- $line\"");
    line("run=$1 seed=$2");
    line("shift 2");
    line("mkdir -p \"$run.traces\"");
    let (out, order) = (OUT.name(), ORDER.name());
    line(&format!("{out}=$PWD/$run.traces {order}=shuffled:$seed"));
    line(&format!("export {out} {order}"));
    for (name, value) in &job.environment {
        line(&format!("export {name}={}", shell_word(value)));
    }
    job.batch.before.iter().for_each(|before| line(before));
    line("begin=$(date +%s.%N)");
    line(&format!(
        "(cd {} && {}{}{}{} \"$@\") > \"$run.log\" 2>&1 < /dev/null",
        shell_word(&job.work),
        limit(job),
        starter(job, system, &job.processors.to_string()),
        job.wrapper.iter().map(|word| shell_word(word) + " ").collect::<String>(),
        shell_word(&job.program)
    ));
    line("status=$?");
    line("end=$(date +%s.%N)");
    // Renamed, so that a reader sees all of it or nothing.
    line(
        "echo \"$status $begin $end $(hostname)\" > \"$run.part\" && mv \"$run.part\" \"$run.end\"",
    );
    line("exit 0");
    let submit = match system {
        Launcher::Slurm => vec!["sbatch", "--parsable"],
        Launcher::Pbs => vec!["qsub"],
        _ => vec!["bsub"],
    };
    Some(Script { text, submit: submit.into_iter().map(str::to_owned).collect() })
}

/// The command that limits the time: the systems count in minutes, and kill the script with the program.
fn limit(job: &Job) -> String {
    job.seconds.map_or(String::new(), |seconds| format!("timeout -k 10 {seconds} "))
}

/// The command before the program, followed by a space.
pub(super) fn starter(job: &Job, system: Launcher, count: &str) -> String {
    match (&job.starter, system) {
        (Starter::Command(command), _) => format!("{} ", command.replace("{P}", count)),
        (Starter::System, Launcher::Slurm) => format!("srun -n {count} "),
        (Starter::System, Launcher::Lsf) => format!("blaunch -z \"$LSB_HOSTS\" -n {count} "),
        _ => String::new(),
    }
}
