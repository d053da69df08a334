//! The directives of a job.

use super::job::{Job, Starter};
use crate::plan::Launcher;

/// The directives of a job, each a line; none without a batch system.
pub(super) fn head(job: &Job, system: Launcher) -> String {
    match system {
        Launcher::Here => String::new(),
        Launcher::Slurm => slurm(job),
        Launcher::Pbs => pbs(job),
        Launcher::Lsf => lsf(job),
    }
}

/// The number of nodes, and the processors of each, if the user has given the size of a node.
fn nodes(job: &Job) -> Option<(u32, u32)> {
    let each = job.batch.per_node?;
    Some((job.processors.div_ceil(each), each.min(job.processors)))
}

fn slurm(job: &Job) -> String {
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
    lines.push("--output=/dev/null".to_owned());
    lines.push("--no-requeue".to_owned());
    lines.extend(job.batch.queue.iter().map(|queue| format!("--partition={queue}")));
    lines.extend(job.batch.account.iter().map(|account| format!("--account={account}")));
    lines.extend(job.batch.options.iter().cloned());
    with("#SBATCH ", &lines)
}

fn pbs(job: &Job) -> String {
    let (nodes, each) = nodes(job).unwrap_or((1, job.processors));
    let ranks = if job.starter == Starter::Alone { 1 } else { each };
    let mut lines = vec![
        format!("-N {}", word(&job.name).chars().take(15).collect::<String>()),
        format!("-l select={nodes}:ncpus={each}:mpiprocs={ranks}"),
        "-j oe".to_owned(),
        "-o /dev/null".to_owned(),
        "-r n".to_owned(),
    ];
    let time = minutes(job).map(|all| format!("-l walltime={:02}:{:02}:00", all / 60, all % 60));
    lines.extend(time);
    // An array of one is refused.
    if job.tasks > 1 {
        lines.push(format!("-J 0-{}", job.tasks - 1));
    }
    lines.extend(job.batch.queue.iter().map(|queue| format!("-q {queue}")));
    lines.extend(job.batch.account.iter().map(|account| format!("-A {account}")));
    lines.extend(job.batch.options.iter().cloned());
    with("#PBS ", &lines)
}

fn lsf(job: &Job) -> String {
    let name = match job.tasks {
        0 | 1 => format!("-J {}", word(&job.name)),
        tasks => format!("-J \"{}[1-{tasks}]\"", word(&job.name)),
    };
    let mut lines =
        vec![name, format!("-n {}", job.processors), "-o /dev/null".to_owned(), "-rn".to_owned()];
    lines.extend(minutes(job).map(|all| format!("-W {:02}:{:02}", all / 60, all % 60)));
    match (&job.starter, job.batch.per_node) {
        (Starter::Alone, _) => lines.push("-R \"span[hosts=1]\"".to_owned()),
        (_, Some(each)) => lines.push(format!("-R \"span[ptile={each}]\"")),
        _ => {}
    }
    lines.extend(job.batch.queue.iter().map(|queue| format!("-q {queue}")));
    lines.extend(job.batch.account.iter().map(|account| format!("-P {account}")));
    lines.extend(job.batch.options.iter().cloned());
    with("#BSUB ", &lines)
}

fn with(start: &str, lines: &[String]) -> String {
    lines.iter().map(|line| format!("{start}{line}\n")).collect()
}

/// Whole minutes, with one more for the system.
fn minutes(job: &Job) -> Option<u64> {
    job.seconds.map(|seconds| (seconds / 60.0).ceil() as u64 + 1)
}

/// A name with characters that every system allows; it begins with a letter.
fn word(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c } else { '_' };
    let word: String = name.chars().map(letter).collect();
    match word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => word,
        false => format!("r{word}"),
    }
}
