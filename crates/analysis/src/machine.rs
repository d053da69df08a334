//! Machines by name or file.

use std::fs;
use std::path::Path;

use cll_diagnostic::nearest;
use cll_files::failure::{Failure, Status, unreadable};
use cll_machine::{Machine, PUBLISHED, Published, Read, read};

use crate::messages::Messages;

/// The machine that the user has named: a file, else a published machine. The messages have the diagnostics of the file.
///
/// # Errors
/// If there is no such file or machine, or the file is wrong.
pub fn load(word: &Path, messages: &dyn Messages) -> Result<Machine, Failure> {
    let (bytes, name) = text(word)?;
    let Read { machine, diagnostics } = read(&bytes);
    messages.diagnose(&name, &bytes, &diagnostics);
    machine.ok_or(Failure::Reported(Status::Input))
}

/// The text of a machine's file, and its name for messages.
///
/// # Errors
/// If there is no such file or machine.
pub fn text(word: &Path) -> Result<(Vec<u8>, String), Failure> {
    let name = word.display().to_string();
    match fs::read(word) {
        Ok(bytes) => Ok((bytes, name)),
        Err(error) => match word.to_str().and_then(Published::named) {
            Some(published) => Ok((published.text.as_bytes().to_vec(), name)),
            None => Err(not_there(word, &error)),
        },
    }
}

fn not_there(word: &Path, error: &std::io::Error) -> Failure {
    let name = word.display().to_string();
    let is_name = word.components().count() == 1 && word.extension().is_none();
    let failure = match is_name && error.kind() == std::io::ErrorKind::NotFound {
        true => Failure::input(format!("there is no file and no published machine {name}")),
        false => unreadable(word, error),
    };
    match nearest(&name, PUBLISHED.iter().map(|one| one.name)) {
        Some(near) => failure.help(format!("did you mean {near}?")),
        None => failure.help(
            "cll machine list shows the published machines; cll machine probe --bsp --out FILE measures this machine",
        ),
    }
}
