//! Runs a program that is ended when this process ends, for any reason. MPI's launchers then end all ranks, on all
//! hosts.
//!
//! Only a process itself can request a signal at the death of its parent (`PR_SET_PDEATHSIG`). So the process
//! first runs this program with a special first argument, requests the signal, and then executes the launcher.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use rustix::process::{Signal, getppid, set_parent_process_death_signal};

use super::descendants::pid_of;
use cll_files::reason;

/// The first argument. The others: the process whose end counts, the signal, the program and its arguments.
const FIRST_ARGUMENT: &str = "--cll-ends-with";

/// The words before a program that is to receive a signal when this process ends; `own` is our executable.
pub(super) fn wrapper_arguments(own: PathBuf, process: u32, signal: Signal) -> Vec<OsString> {
    let numbers = [process.to_string(), signal.as_raw().to_string()];
    let mut wrapper_arguments: Vec<OsString> = vec![own.into(), FIRST_ARGUMENT.into()];
    wrapper_arguments.extend(numbers.map(OsString::from));
    wrapper_arguments
}

/// Exit code of a process whose program cannot be run, as in shells.
const NO_PROGRAM: u8 = 127;

/// Executes the program, if these are the arguments of such a process. Returns `None` if they are not; else the
/// exit code and the message of a failure.
pub fn begin(arguments: &[OsString]) -> Option<(ExitCode, Option<String>)> {
    let [_, word, parent, signal, program, rest @ ..] = arguments else { return None };
    if word != OsStr::new(FIRST_ARGUMENT) {
        return None;
    }
    let parent = parent.to_str().and_then(|text| text.parse().ok()).and_then(pid_of);
    let signal = signal.to_str().and_then(|text| text.parse().ok());
    // If this cannot be requested, the program runs without it.
    let _ = set_parent_process_death_signal(signal.and_then(Signal::from_named_raw));
    if getppid() != parent {
        return Some((ExitCode::FAILURE, None));
    }
    let error = Command::new(program).args(rest).exec();
    let message = format!("cannot run {}: {}", program.display(), reason(&error));
    Some((ExitCode::from(NO_PROGRAM), Some(message)))
}
