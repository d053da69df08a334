//! Queries a batch system about a job.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cll_campaign::Launcher;

/// Time between two queries: frequent queries slow the system down for all users.
const QUERY_INTERVAL: Duration = Duration::from_secs(5);
/// Time before the first query, which finds most mistakes.
const FIRST_QUERY: Duration = Duration::from_secs(1);
/// Time for a file to reach another host.
const FILE_DELAY: Duration = Duration::from_secs(15);
/// Slurm's reasons of jobs that will never start.
const NEVER_REASONS: &[&str] = &[
    "PartitionConfig",
    "PartitionNodeLimit",
    "PartitionTimeLimit",
    "BadConstraints",
    "QOSMaxNodePerUserLimit",
    "QOSMaxCpuPerJobLimit",
    "AssocMaxNodePerJobLimit",
    "AssocMaxCpuPerJobLimit",
    "DependencyNeverSatisfied",
];
/// Reasons of ordinary waiting.
const USUAL_REASONS: &[&str] = &["", "None", "Priority", "Resources", "-"];

/// A job that is queried from time to time.
#[derive(Debug)]
pub struct JobQuery {
    number: String,
    system: Launcher,
    next: Instant,
    gone: Option<Instant>,
    reported: Option<String>,
}

/// A change of a job's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobUpdate {
    /// None, or there was no query.
    None,
    /// It waits for an unusual reason; reported once.
    Waits(String),
    /// It will never begin.
    Never(String),
    /// The system does not have it any more, and its tasks' files have had time to arrive.
    Over,
}

/// The state of a job in the system.
#[derive(Clone, Debug, PartialEq, Eq)]
enum JobState {
    /// It waits or runs; the reason why it waits, if there is one.
    Alive(Option<String>),
    Over,
}

impl JobQuery {
    /// For a submitted job.
    pub fn new(number: &str, system: Launcher) -> JobQuery {
        let next = Instant::now() + FIRST_QUERY;
        JobQuery { number: number.to_owned(), system, next, gone: None, reported: None }
    }

    /// The system's number of the job.
    pub fn number(&self) -> &str {
        &self.number
    }

    /// Queries, if it is time to.
    pub fn poll(&mut self) -> JobUpdate {
        if self.gone.is_some_and(|since| since.elapsed() >= FILE_DELAY) {
            return JobUpdate::Over;
        }
        if Instant::now() < self.next {
            return JobUpdate::None;
        }
        self.next = Instant::now() + QUERY_INTERVAL;
        match asked(&self.number, self.system) {
            // The query failed this time.
            None => JobUpdate::None,
            Some(JobState::Over) => {
                self.gone.get_or_insert_with(Instant::now);
                JobUpdate::None
            }
            Some(JobState::Alive(why)) => {
                self.gone = None;
                let why = why.unwrap_or_default();
                match () {
                    () if NEVER_REASONS.contains(&why.as_str())
                        || why.starts_with("Can Never Run") =>
                    {
                        JobUpdate::Never(why)
                    }
                    () if USUAL_REASONS.contains(&why.as_str())
                        || self.reported.as_ref() == Some(&why) =>
                    {
                        JobUpdate::None
                    }
                    () => {
                        self.reported = Some(why.clone());
                        JobUpdate::Waits(why)
                    }
                }
            }
        }
    }
}

fn asked(number: &str, system: Launcher) -> Option<JobState> {
    let arguments: &[&str] = match system {
        Launcher::Slurm => &["squeue", "-h", "-o", "%T|%r", "-j"],
        Launcher::Pbs => &["qstat", "-f"],
        _ => &["bjobs", "-noheader", "-o", "stat pend_reason delimiter='|'"],
    };
    let done = Command::new(arguments[0])
        .args(&arguments[1..])
        .arg(number)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let errors = String::from_utf8_lossy(&done.stderr);
    let unknown = ["Invalid job id", "Unknown Job", "has finished", "is not found"];
    if unknown.iter().any(|words| errors.contains(words)) {
        return Some(JobState::Over);
    }
    let output = String::from_utf8_lossy(&done.stdout);
    done.status.success().then(|| match system {
        Launcher::Pbs => full_form(&output),
        _ => lines(&output),
    })
}

/// `STATE|REASON`, a line for each task.
fn lines(output: &str) -> JobState {
    let over = ["DONE", "EXIT", "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL"];
    let all = output.lines().filter_map(|line| line.trim().split_once('|'));
    let mut alive: Vec<(&str, &str)> = all.filter(|(state, _)| !over.contains(state)).collect();
    alive.sort_by_key(|(state, _)| !state.starts_with("PEND"));
    match alive.first() {
        None => JobState::Over,
        Some((state, why)) if state.starts_with("PEND") => JobState::Alive(Some((*why).to_owned())),
        Some(_) => JobState::Alive(None),
    }
}

/// `qstat -f`: `name = value` lines; long ones continue after a tab.
fn full_form(output: &str) -> JobState {
    let joined = output.replace("\n\t", "");
    let value = |name: &str| {
        let mut pairs = joined.lines().filter_map(|line| line.split_once(" = "));
        pairs.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
    };
    match value("job_state").as_deref() {
        // Ended; moved elsewhere and ended there; complete (Torque).
        None | Some("F" | "X" | "C") => JobState::Over,
        Some("Q" | "H" | "W") => {
            let comment = value("comment");
            // The reason of all waiting jobs begins with `Not Running: …`.
            JobState::Alive(comment.filter(|text| !text.starts_with("Not Running: Insufficient")))
        }
        Some(_) => JobState::Alive(None),
    }
}

/// Cancels a job.
pub fn cancel(number: &str, system: Launcher) {
    let program = match system {
        Launcher::Slurm => "scancel",
        Launcher::Pbs => "qdel",
        _ => "bkill",
    };
    // If it has ended already, nothing is to be done.
    let _ = Command::new(program).arg(number).stdin(Stdio::null()).output();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_jobs_in_what_systems_say() {
        assert_eq!(
            lines("PENDING|Priority\nRUNNING|None\n"),
            JobState::Alive(Some("Priority".into()))
        );
        assert_eq!(lines("COMPLETED|None\nRUNNING|None\n"), JobState::Alive(None));
        assert_eq!(lines("DONE|-\nEXIT|-\n"), JobState::Over);
        assert_eq!(lines(""), JobState::Over);
        let waits = "Job Id: 17[].s\n    Job_Name = x\n    job_state = Q\n    comment = Can Never\n\t Run: Insufficient amount of resource: ncpus\n";
        let JobState::Alive(Some(why)) = full_form(waits) else { panic!("it waits") };
        assert!(why.starts_with("Can Never Run: "), "{why}");
        assert_eq!(full_form("Job Id: 17\n    job_state = R\n"), JobState::Alive(None));
        assert_eq!(full_form("Job Id: 17\n    job_state = F\n"), JobState::Over);
    }
}
