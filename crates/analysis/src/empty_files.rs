//! Log files in which a process has recorded nothing: it was killed at the start, or the disk was full.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use cll_trace::TraceError;

use crate::Error;
use cll_files::Notices;
use cll_launch::recovery;

/// Whether a file has only zero bytes: space for a block was allocated, and no block begun.
fn is_blank(path: &Path) -> Result<bool, Error> {
    // A pipe or the like can be read only once, so it is not checked.
    if !path.is_file() {
        return Ok(false);
    }
    let file = File::open(path).map_err(|error| cll_files::Error::unreadable(path, error))?;
    for byte in BufReader::new(file).bytes() {
        if byte.map_err(|error| cll_files::Error::unreadable(path, error))? != 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

fn named(path: &Path) -> String {
    format!("{}: {}", path.display(), TraceError::Empty)
}

/// The files with content; a warning names the others.
///
/// # Errors
/// If all are empty.
pub fn leave_out(paths: Vec<PathBuf>, messages: &dyn Notices) -> Result<Vec<PathBuf>, Error> {
    recovery::recover(&paths, messages)?;
    if let [path] = &paths[..] {
        return if is_blank(path)? { Err(Error::content(named(path))) } else { Ok(paths) };
    }
    let others = with_content(paths, |text| messages.warn(&format!("{text}; it is left out")))?;
    if others.is_empty() { Err(Error::content("all of these files are empty")) } else { Ok(others) }
}

/// The files with content; `report` gets a text on each of the others.
pub fn with_content(paths: Vec<PathBuf>, report: impl Fn(&str)) -> Result<Vec<PathBuf>, Error> {
    let mut others = Vec::new();
    for path in paths {
        if is_blank(&path)? { report(&named(&path)) } else { others.push(path) }
    }
    Ok(others)
}

/// Checks files. All of them are needed.
///
/// # Errors
/// If one is empty.
pub fn refuse(paths: &[PathBuf], messages: &dyn Notices) -> Result<(), Error> {
    recovery::recover(paths, messages)?;
    for path in paths {
        if is_blank(path)? {
            return Err(Error::content(named(path)).advise(
                "supersteps need the logs of all processes of a run; cll export --calls exports the calls that the \
                 others have logged",
            ));
        }
    }
    Ok(())
}
