//! Files in which a process has recorded nothing: it was killed when it began, or the disk was full.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use cll_trace::TraceError;

use crate::failure::{Failure, unreadable};
use crate::launch::stranded;
use crate::terminal::Terminal;

/// Whether a file has no byte but zeros, as where room for a block was made and none begun.
fn is_blank(path: &Path) -> Result<bool, Failure> {
    // What may be read once only, such as a pipe, is not looked at.
    if !path.is_file() {
        return Ok(false);
    }
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    for byte in BufReader::new(file).bytes() {
        if byte.map_err(|error| unreadable(path, &error))? != 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

fn named(path: &Path) -> String {
    format!("{}: {}", path.display(), TraceError::Empty)
}

/// Those with a content; of the others the user is told.
///
/// # Errors
/// If all are blank.
pub fn leave_out(paths: Vec<PathBuf>, terminal: &Terminal) -> Result<Vec<PathBuf>, Failure> {
    stranded::recover(&paths, terminal)?;
    if let [path] = &paths[..] {
        return if is_blank(path)? { Err(Failure::input(named(path))) } else { Ok(paths) };
    }
    let others = with_content(paths, |text| terminal.warn(&format!("{text}; it is left out")))?;
    match others.is_empty() {
        true => Err(Failure::input("all of these files are empty")),
        false => Ok(others),
    }
}

/// Those with a content; of the others `tell` gets the words.
pub fn with_content(paths: Vec<PathBuf>, tell: impl Fn(&str)) -> Result<Vec<PathBuf>, Failure> {
    let mut others = Vec::new();
    for path in paths {
        match is_blank(&path)? {
            true => tell(&named(&path)),
            false => others.push(path),
        }
    }
    Ok(others)
}

/// Where the logs of all processes are needed.
///
/// # Errors
/// If one is blank.
pub fn refuse(paths: &[PathBuf], terminal: &Terminal) -> Result<(), Failure> {
    stranded::recover(paths, terminal)?;
    for path in paths {
        if is_blank(path)? {
            return Err(Failure::input(named(path)).help(
                "supersteps need the logs of all processes of a run; cll export --calls gives those that the \
                 others have logged",
            ));
        }
    }
    Ok(())
}
