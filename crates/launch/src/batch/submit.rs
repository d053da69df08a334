//! Submits jobs, so that it is known afterwards whether that was done, even if this process was ended meanwhile.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cll_campaign::Launcher;
use cll_campaign::batch::{JOB_FILE, Job, Script, directives, script};
use cll_diagnostic::shell_word;
use rustix::fs::{FlockOperation, flock};

use crate::Error;
use crate::files;

/// The system's answer to the submission: in the job's folder, since this process may be gone by then.
const ANSWER: &str = "answer";
/// How long to wait for a submitting command whose parent is gone.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// A task of a job.
#[derive(Clone, Debug)]
pub struct Task {
    /// The number of its run.
    pub run: i64,
    /// The seed of its loops.
    pub seed: u64,
    /// The arguments.
    pub arguments: Vec<String>,
}

/// Submits a job; returns the system's number for it.
///
/// # Errors
/// If the system is not available or refuses; the message has its answer.
pub fn submit(job: &Job, tasks: &[Task], system: Launcher) -> Result<String, Error> {
    let folder = Path::new(&job.folder);
    let Some(Script { text, submit }) = script(job, system) else {
        return Err(Error::NoBatchSystem(system.name()));
    };
    if let Err(wrong) = directives(&text, system) {
        let why = wrong[0].why.to_string();
        return Err(Error::Directives { system: system.name(), why });
    }
    files::make_folder(folder)?;
    let line = |task: &Task| {
        let words: Vec<String> = task.arguments.iter().map(|word| shell_word(word)).collect();
        format!("{} {} {}\n", task.run, task.seed, words.join(" "))
    };
    let lines: String = tasks.iter().map(line).collect();
    files::replace(&folder.join("tasks"), lines.as_bytes())?;
    let path = folder.join("script");
    files::replace(&path, text.as_bytes())?;
    let failure = |error| files::Error::refused("write", folder, error);
    let input = File::open(&path).map_err(failure)?;
    let answer = File::create(folder.join(ANSWER)).map_err(failure)?;
    // The command holds the lock until it ends, even without this process.
    flock(&answer, FlockOperation::LockExclusive).map_err(|error| failure(error.into()))?;
    let done = Command::new(&submit[0])
        .args(&submit[1..])
        .current_dir(folder)
        .stdin(input)
        .stdout(answer)
        .stderr(Stdio::piped())
        .spawn()
        .and_then(std::process::Child::wait_with_output)
        .map_err(|source| Error::Submit {
            command: submit[0].clone(),
            system: system.name(),
            source,
        })?;
    let output = fs::read_to_string(folder.join(ANSWER)).unwrap_or_default();
    match number(&output, system).filter(|_| done.status.success()) {
        Some(number) => Ok(number),
        None => {
            let words = String::from_utf8_lossy(&done.stderr).trim().to_owned();
            let words = if words.is_empty() { output.trim().to_owned() } else { words };
            Err(Error::NotGranted {
                system: system.name(),
                processors: job.processors,
                answer: cll_diagnostic::escape(&words).to_string(),
            })
        }
    }
}

/// The number of a job that was being submitted when this process was ended. `None`: it was not submitted; if the
/// system has it nevertheless, its tasks find their folder missing and do nothing.
///
/// # Errors
/// If the folder can neither be read nor removed.
pub fn submitted_number(folder: &Path, system: Launcher) -> Result<Option<String>, Error> {
    if !folder.is_dir() {
        return Ok(None);
    }
    if let Ok(answer) = File::open(folder.join(ANSWER)) {
        let begin = Instant::now();
        while flock(&answer, FlockOperation::NonBlockingLockExclusive).is_err() {
            if begin.elapsed() >= MAX_WAIT {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let output = fs::read_to_string(folder.join(ANSWER)).unwrap_or_default();
        if let Some(number) = number(&output, system) {
            return Ok(Some(number));
        }
    }
    let begun = |folder: &Path| {
        let text = fs::read_to_string(folder.join(JOB_FILE)).unwrap_or_default();
        Some(text.trim().to_owned()).filter(|number| !number.is_empty())
    };
    if let Some(number) = begun(folder) {
        return Ok(Some(number));
    }
    let void = PathBuf::from(format!("{}.void", folder.display()));
    let rename = |from: &Path, to: &Path| {
        fs::rename(from, to).map_err(|error| files::Error::refused("rename", from, error))
    };
    rename(folder, &void)?;
    match begun(&void) {
        // A task has written it already.
        Some(number) => {
            rename(&void, folder)?;
            Ok(Some(number))
        }
        None => Ok(None),
    }
}

/// The number of a job in the system's answer.
fn number(answer: &str, system: Launcher) -> Option<String> {
    let answer = answer.trim();
    let text = match system {
        // `17`, or `17;cluster`.
        Launcher::Slurm => answer.split(';').next()?.to_owned(),
        // `17[].server`.
        Launcher::Pbs => answer.lines().last()?.to_owned(),
        // `Job <17> is submitted to queue <normal>.`
        _ => answer.split_once('<')?.1.split_once('>')?.0.to_owned(),
    };
    Some(text).filter(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_jobs_in_what_systems_say() {
        assert_eq!(number("17\n", Launcher::Slurm).as_deref(), Some("17"));
        assert_eq!(number("17;big\n", Launcher::Slurm).as_deref(), Some("17"));
        assert_eq!(number("17[].pbs01\n", Launcher::Pbs).as_deref(), Some("17[].pbs01"));
        let answer = "Job <17> is submitted to default queue <normal>.\n";
        assert_eq!(number(answer, Launcher::Lsf).as_deref(), Some("17"));
        assert_eq!(number("no\n", Launcher::Slurm), None);
        assert_eq!(number("", Launcher::Lsf), None);
    }

    #[test]
    fn what_was_being_handed_in_is_known_by_the_answer_or_by_a_task_or_made_void() {
        let place = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let folder = place.path().join(name);
            fs::create_dir(&folder).unwrap();
            folder
        };
        let number_of = |folder: &Path| submitted_number(folder, Launcher::Slurm).unwrap();
        let answered = folder("a");
        fs::write(answered.join(ANSWER), "17\n").unwrap();
        assert_eq!(number_of(&answered).as_deref(), Some("17"));
        let begun = folder("b");
        fs::write(begun.join(JOB_FILE), "18\n").unwrap();
        assert_eq!(number_of(&begun).as_deref(), Some("18"));
        let neither = folder("c");
        fs::write(neither.join(ANSWER), "").unwrap();
        assert_eq!(number_of(&neither), None);
        assert!(!neither.exists());
        assert_eq!(number_of(&place.path().join("d")), None);
    }
}
