//! The files of a job's tasks in its folder.

use std::fs;
use std::path::Path;

use crate::{Error, files};

/// The result of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskResult {
    /// The exit code, as in a shell.
    pub status: i32,
    /// When it began, Unix time in seconds.
    pub began: f64,
    /// When it ended.
    pub ended: f64,
    /// The host of its script.
    pub host: String,
}

/// The exit codes of a shell if `timeout` has ended a program.
const TIMED_OUT: i32 = 124;

impl TaskResult {
    /// Whether it was ended by the time limit.
    pub fn timed_out(&self, limit: Option<f64>) -> bool {
        // 137: it did not end at the first signal.
        let is = [TIMED_OUT, 128 + 9].contains(&self.status);
        is && limit.is_some_and(|limit| self.ended - self.began >= limit)
    }

    /// Returns the exit code, or the signal that ended the task.
    pub fn ending(&self) -> (Option<i32>, Option<i32>) {
        match self.status {
            status if status > 128 => (None, Some(status - 128)),
            status => (Some(status), None),
        }
    }
}

/// The runs whose tasks have ended. The folder is read once, not a file for each run: it may be on another host.
///
/// # Errors
/// If it cannot be read.
pub fn ended(folder: &Path) -> Result<Vec<i64>, Error> {
    let entries = fs::read_dir(folder).map_err(|error| files::Error::unreadable(folder, error))?;
    let number =
        |entry: fs::DirEntry| entry.file_name().to_str()?.strip_suffix(".end")?.parse::<i64>().ok();
    Ok(entries.flatten().filter_map(number).collect())
}

/// The result of a run's task, if it has ended.
///
/// # Errors
/// If it exists and cannot be read.
pub fn task_result(folder: &Path, run: i64) -> Result<Option<TaskResult>, Error> {
    let path = folder.join(format!("{run}.end"));
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(files::Error::unreadable(&path, error).into()),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let read = || -> Option<TaskResult> {
        let [status, began, ended, host] = words[..] else { return None };
        let (status, host) = (status.parse().ok()?, host.to_owned());
        Some(TaskResult { status, began: began.parse().ok()?, ended: ended.parse().ok()?, host })
    };
    read().map(Some).ok_or(Error::TaskResult(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_task_leaves_is_read() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(task_result(place.path(), 3).unwrap(), None);
        fs::write(place.path().join("3.end"), "124 10.5 12.25 n01\n").unwrap();
        fs::write(place.path().join("3.log"), "").unwrap();
        let result = task_result(place.path(), 3).unwrap().unwrap();
        let expected = TaskResult { status: 124, began: 10.5, ended: 12.25, host: "n01".into() };
        assert_eq!(result, expected);
        assert!(result.timed_out(Some(1.5)) && !result.timed_out(Some(2.0)));
        assert!(!result.timed_out(None), "the program itself may end so");
        assert_eq!(ended(place.path()).unwrap(), [3]);
        fs::write(place.path().join("4.end"), "half").unwrap();
        assert!(task_result(place.path(), 4).is_err());
    }
}
