//! A program that ends when we do, however that is: MPI's launchers, which end all ranks then, wherever they run.
//!
//! What is to happen at our death a process can only ask for itself (`PR_SET_PDEATHSIG`). So it begins as this
//! program with a first word that no user writes, asks, and goes on as the launcher.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use rustix::process::{Signal, getppid, set_parent_process_death_signal};

use super::descendants::pid_of;
use crate::failure::reason;

/// The first word; the process whose end counts, the signal to be sent then, the program and its arguments follow.
const WORD: &str = "--cll-ends-with";

/// The words that stand before a program that is to get a signal when this process ends; `own` is our own file.
pub(super) fn words(own: PathBuf, process: u32, signal: Signal) -> Vec<OsString> {
    let numbers = [process.to_string(), signal.as_raw().to_string()];
    let mut words: Vec<OsString> = vec![own.into(), WORD.into()];
    words.extend(numbers.map(OsString::from));
    words
}

/// Exit code of a process whose program cannot be run, as shells have it.
const NO_PROGRAM: u8 = 127;

/// Becomes the program, if these are the arguments of such a process. Returns `None` if they are not; else the
/// exit code, and what there is to say of it.
pub fn begin(arguments: &[OsString]) -> Option<(ExitCode, Option<String>)> {
    let [_, word, parent, signal, program, rest @ ..] = arguments else { return None };
    if word != OsStr::new(WORD) {
        return None;
    }
    let parent = parent.to_str().and_then(|text| text.parse().ok()).and_then(pid_of);
    let signal = signal.to_str().and_then(|text| text.parse().ok());
    // Where this cannot be asked for, the program runs as it would by itself.
    let _ = set_parent_process_death_signal(signal.and_then(Signal::from_named_raw));
    if getppid() != parent {
        return Some((ExitCode::FAILURE, None));
    }
    let error = Command::new(program).args(rest).exec();
    let message = format!("cannot run {}: {}", program.display(), reason(&error));
    Some((ExitCode::from(NO_PROGRAM), Some(message)))
}
