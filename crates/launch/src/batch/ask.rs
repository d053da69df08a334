//! Queries a batch system about a job.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cll_campaign::Launcher;

/// Time between two queries: frequent queries slow the system down for all users.
const SELDOM: Duration = Duration::from_secs(5);
/// Time before the first query, which finds most mistakes.
const SOON: Duration = Duration::from_secs(1);
/// Time for a file to reach another host.
const GRACE: Duration = Duration::from_secs(15);
/// Slurm's reasons of jobs that will never start.
const NEVER: &[&str] = &[
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
const USUAL: &[&str] = &["", "None", "Priority", "Resources", "-"];

/// A job that is queried from time to time.
#[derive(Debug)]
pub struct Inquiry {
    number: String,
    system: Launcher,
    next: Instant,
    gone: Option<Instant>,
    told: Option<String>,
}

/// A change of a job's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
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
enum Known {
    /// It waits or runs; the reason why it waits, if there is one.
    Alive(Option<String>),
    Over,
}

impl Inquiry {
    /// For a submitted job.
    pub fn of(number: &str, system: Launcher) -> Inquiry {
        let next = Instant::now() + SOON;
        Inquiry { number: number.to_owned(), system, next, gone: None, told: None }
    }

    /// The system's number of the job.
    pub fn number(&self) -> &str {
        &self.number
    }

    /// Queries, if it is time to.
    pub fn ask(&mut self) -> News {
        if self.gone.is_some_and(|since| since.elapsed() >= GRACE) {
            return News::Over;
        }
        if Instant::now() < self.next {
            return News::None;
        }
        self.next = Instant::now() + SELDOM;
        match asked(&self.number, self.system) {
            // The query failed this time.
            None => News::None,
            Some(Known::Over) => {
                self.gone.get_or_insert_with(Instant::now);
                News::None
            }
            Some(Known::Alive(why)) => {
                self.gone = None;
                let why = why.unwrap_or_default();
                match () {
                    () if NEVER.contains(&why.as_str()) || why.starts_with("Can Never Run") => {
                        News::Never(why)
                    }
                    () if USUAL.contains(&why.as_str()) || self.told.as_ref() == Some(&why) => {
                        News::None
                    }
                    () => {
                        self.told = Some(why.clone());
                        News::Waits(why)
                    }
                }
            }
        }
    }
}

fn asked(number: &str, system: Launcher) -> Option<Known> {
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
        return Some(Known::Over);
    }
    let said = String::from_utf8_lossy(&done.stdout);
    done.status.success().then(|| match system {
        Launcher::Pbs => full_form(&said),
        _ => lines(&said),
    })
}

/// `STATE|REASON`, a line for each task.
fn lines(said: &str) -> Known {
    let over = ["DONE", "EXIT", "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL"];
    let all = said.lines().filter_map(|line| line.trim().split_once('|'));
    let mut alive: Vec<(&str, &str)> = all.filter(|(state, _)| !over.contains(state)).collect();
    alive.sort_by_key(|(state, _)| !state.starts_with("PEND"));
    match alive.first() {
        None => Known::Over,
        Some((state, why)) if state.starts_with("PEND") => Known::Alive(Some((*why).to_owned())),
        Some(_) => Known::Alive(None),
    }
}

/// `qstat -f`: `name = value` lines; long ones continue after a tab.
fn full_form(said: &str) -> Known {
    let joined = said.replace("\n\t", "");
    let value = |name: &str| {
        let mut pairs = joined.lines().filter_map(|line| line.split_once(" = "));
        pairs.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
    };
    match value("job_state").as_deref() {
        // Ended; moved elsewhere and ended there; complete (Torque).
        None | Some("F" | "X" | "C") => Known::Over,
        Some("Q" | "H" | "W") => {
            let comment = value("comment");
            // The reason of all waiting jobs begins with `Not Running: …`.
            Known::Alive(comment.filter(|text| !text.starts_with("Not Running: Insufficient")))
        }
        Some(_) => Known::Alive(None),
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
            Known::Alive(Some("Priority".into()))
        );
        assert_eq!(lines("COMPLETED|None\nRUNNING|None\n"), Known::Alive(None));
        assert_eq!(lines("DONE|-\nEXIT|-\n"), Known::Over);
        assert_eq!(lines(""), Known::Over);
        let waits = "Job Id: 17[].s\n    Job_Name = x\n    job_state = Q\n    comment = Can Never\n\t Run: Insufficient amount of resource: ncpus\n";
        let Known::Alive(Some(why)) = full_form(waits) else { panic!("it waits") };
        assert!(why.starts_with("Can Never Run: "), "{why}");
        assert_eq!(full_form("Job Id: 17\n    job_state = R\n"), Known::Alive(None));
        assert_eq!(full_form("Job Id: 17\n    job_state = F\n"), Known::Over);
    }
}
