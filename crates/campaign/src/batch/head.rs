//! The directives of a job.

use super::job::{Job, Starter};
use crate::plan::Launcher;

/// The destination of a job's standard output and standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Screen {
    /// They are in a file in the folder from which the job was submitted, named after the job and its number.
    Kept,
    /// Nothing comes there: the script keeps what its tasks write in files of its own.
    Unused,
}

/// The directives of a job, each a line; none without a batch system.
pub(super) fn head(job: &Job, system: Launcher, screen: Screen) -> String {
    let (lines, start) = match system {
        Launcher::Here => return String::new(),
        Launcher::Slurm => (slurm(job, screen), "#SBATCH "),
        Launcher::Pbs => (pbs(job, screen), "#PBS "),
        Launcher::Lsf => (lsf(job, screen), "#BSUB "),
    };
    lines.iter().map(|line| format!("{start}{line}\n")).collect()
}

/// The number of nodes, and the processors of each, if the user has given the size of a node.
fn nodes(job: &Job) -> Option<(u32, u32)> {
    let each = job.batch.per_node?;
    Some((job.processors.div_ceil(each), each.min(job.processors)))
}

fn slurm(job: &Job, screen: Screen) -> Vec<String> {
    let mut lines = vec![format!("--job-name={}", word(&job.name))];
    match job.starter {
        // Its processes or threads run on one node.
        Starter::Alone => {
            lines.push("--ntasks=1".to_owned());
            lines.push(format!("--cpus-per-task={}", job.processors));
        }
        _ => lines.push(format!("--ntasks={}", job.processors)),
    }
    if let (Some((nodes, _)), false) = (nodes(job), job.starter == Starter::Alone) {
        lines.push(format!("--nodes={nodes}"));
    }
    if job.tasks > 1 {
        lines.push(format!("--array=0-{}", job.tasks - 1));
    }
    lines.extend(minutes(job).map(|minutes| format!("--time={minutes}")));
    lines.push(match screen {
        Screen::Kept => "--output=%x.%j.out".to_owned(),
        Screen::Unused => "--output=/dev/null".to_owned(),
    });
    lines.push("--no-requeue".to_owned());
    lines.extend(job.batch.queue.iter().map(|queue| format!("--partition={queue}")));
    lines.extend(job.batch.account.iter().map(|account| format!("--account={account}")));
    lines.extend(job.batch.options.iter().cloned());
    lines
}

fn pbs(job: &Job, screen: Screen) -> Vec<String> {
    let (nodes, each) = nodes(job).unwrap_or((1, job.processors));
    let ranks = if job.starter == Starter::Alone { 1 } else { each };
    let mut lines = vec![
        format!("-N {}", word(&job.name).chars().take(15).collect::<String>()),
        format!("-l select={nodes}:ncpus={each}:mpiprocs={ranks}"),
        "-j oe".to_owned(),
        "-r n".to_owned(),
    ];
    // Without it the file is NAME.oNUMBER.
    if screen == Screen::Unused {
        lines.push("-o /dev/null".to_owned());
    }
    let time = minutes(job).map(|all| format!("-l walltime={:02}:{:02}:00", all / 60, all % 60));
    lines.extend(time);
    // An array of one is refused.
    if job.tasks > 1 {
        lines.push(format!("-J 0-{}", job.tasks - 1));
    }
    lines.extend(job.batch.queue.iter().map(|queue| format!("-q {queue}")));
    lines.extend(job.batch.account.iter().map(|account| format!("-A {account}")));
    lines.extend(job.batch.options.iter().cloned());
    lines
}

fn lsf(job: &Job, screen: Screen) -> Vec<String> {
    let name = match job.tasks {
        0 | 1 => format!("-J {}", word(&job.name)),
        tasks => format!("-J \"{}[1-{tasks}]\"", word(&job.name)),
    };
    let output = match screen {
        Screen::Kept => format!("-o {}.%J.out", word(&job.name)),
        Screen::Unused => "-o /dev/null".to_owned(),
    };
    let mut lines = vec![name, format!("-n {}", job.processors), output, "-rn".to_owned()];
    lines.extend(minutes(job).map(|all| format!("-W {:02}:{:02}", all / 60, all % 60)));
    match (&job.starter, job.batch.per_node) {
        (Starter::Alone, _) => lines.push("-R \"span[hosts=1]\"".to_owned()),
        (_, Some(each)) => lines.push(format!("-R \"span[ptile={each}]\"")),
        _ => {}
    }
    lines.extend(job.batch.queue.iter().map(|queue| format!("-q {queue}")));
    lines.extend(job.batch.account.iter().map(|account| format!("-P {account}")));
    lines.extend(job.batch.options.iter().cloned());
    lines
}

/// Whole minutes, with one more for the system.
fn minutes(job: &Job) -> Option<u64> {
    job.seconds.map(|seconds| (seconds / 60.0).ceil() as u64 + 1)
}

/// A name with characters that every system allows; it begins with a letter.
fn word(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c } else { '_' };
    let word: String = name.chars().map(letter).collect();
    if word.starts_with(|c: char| c.is_ascii_alphabetic()) { word } else { format!("r{word}") }
}
