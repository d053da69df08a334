//! Reads the output of a followed program.

use std::fs::{self, File};
use std::path::Path;

use cll_files::Error;

/// A file for it, in the folder of the build.
pub fn kept(path: &Path) -> Result<File, Error> {
    File::create(path).map_err(|error| Error::refused("write", path, error))
}

/// Returns the last line of a file, behind a colon.
pub fn last(path: &Path) -> String {
    let text = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    line(text.lines().rev().find(|line| !line.trim().is_empty()))
}

/// Returns the first line with words, behind a colon: launchers frame what they say.
pub fn first(path: &Path) -> String {
    let text = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    line(text.lines().find(|line| line.chars().any(char::is_alphabetic)))
}

fn line(text: Option<&str>) -> String {
    text.map_or(String::new(), |line| format!(": {}", line.trim()))
}
