//! The error of this crate, and the words of the system's errors.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use crate::{Kept, LONGEST_TEXT};

/// An error with sentences on what to do.
pub trait Advice: std::error::Error {
    /// The sentences, in order.
    fn help(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Why a file or folder cannot be read, written or made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refuses an operation.
    #[error("cannot {doing} {}: {}", .path.display(), reason(.source))]
    Refused {
        /// As a message has it: `make the folder`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file given by the user cannot be read.
    #[error("cannot read {}: {}", .path.display(), reason(.source))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// An output cannot be written: it may be a pipe whose reader is gone.
    #[error("cannot write {}: {}", .path.display(), reason(.source))]
    Unwritten {
        /// The output.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file is too long for a text that was written by hand.
    #[error("{} is longer than {} MiB", .path.display(), LONGEST_TEXT >> 20)]
    TooLong {
        /// The file.
        path: PathBuf,
    },
    /// A file is where a folder must be.
    #[error("{} must be a folder, and is not one", .path.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
    },
    /// There can be no folder for temporary files.
    #[error("cannot make a folder in {}: {}", .folder.display(), reason(.source))]
    NoTemporaryFolder {
        /// The folder that should have it.
        folder: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A numbered file cannot be made.
    #[error("cannot write {}: {}", .path.display(), reason(.source))]
    Unnumbered {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Every number of a file is used.
    #[error("all numbers are used: {stem}.*.{kind} in {}", .folder.display())]
    NumbersUsed {
        /// The folder.
        folder: PathBuf,
        /// The name before the number.
        stem: String,
        /// The extension.
        kind: String,
    },
    /// The name of an output is empty.
    #[error("the name of the output is empty")]
    NoName,
    /// The output is a folder.
    #[error("cannot write {}: it is a folder", .0.display())]
    IsFolder(PathBuf),
    /// The name of the output ends as that of a folder.
    #[error("cannot write {}: the name ends in `/`, and there is no such folder", .0.display())]
    EndsInSlash(PathBuf),
    /// The folder of the output does not exist.
    #[error("cannot write {output}: there is no folder {}", .folder.display())]
    NoParent {
        /// The output, with the target of a link.
        output: String,
        /// The folder.
        folder: PathBuf,
    },
    /// The user may not write the output.
    #[error("cannot write {output}: {}", reason(.source))]
    NotPermitted {
        /// The output, with the target of a link.
        output: String,
        /// The system's error.
        source: io::Error,
    },
    /// The output would replace what a person or a long measurement has made.
    #[error("{} is {} and would be replaced by the output", .path.display(), .kept.text())]
    WouldReplaceKept {
        /// The file.
        path: PathBuf,
        /// The kind of the file.
        kept: Kept,
    },
    /// An output whose name was derived would replace a file of others.
    #[error("{} is no {what} and would be replaced", .path.display())]
    WouldReplaceOther {
        /// The file.
        path: PathBuf,
        /// As a message has it: `page of cll`.
        what: String,
        /// How the user chooses another name.
        rename: String,
    },
    /// The output would replace an input.
    #[error("{} is an input and would be replaced by the output", .0.display())]
    WouldReplaceInput(PathBuf),
    /// A page cannot be served at this port.
    #[error("cannot listen at 127.0.0.1:{port}: {source}")]
    NotServed {
        /// The port.
        port: u16,
        /// The system's error.
        source: io::Error,
    },
}

impl Error {
    /// The system refuses an operation on a file: `make the folder`.
    pub fn refused(doing: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Error {
        Error::Refused { doing, path: path.into(), source }
    }

    /// A file given by the user cannot be read.
    pub fn unreadable(path: impl Into<PathBuf>, source: io::Error) -> Error {
        Error::Unreadable { path: path.into(), source }
    }

    /// An output cannot be written.
    pub fn unwritten(path: impl Into<PathBuf>, source: io::Error) -> Error {
        Error::Unwritten { path: path.into(), source }
    }
}

impl Advice for Error {
    fn help(&self) -> Vec<String> {
        let sentence = match self {
            Error::TooLong { .. } => "give the name of a text that was written by hand",
            Error::NoFolder { .. } => "choose another name, or move the file",
            Error::NoTemporaryFolder { .. } => "set TMPDIR to another folder for temporary files",
            Error::Unnumbered { .. } => "-o DIR chooses another folder for the trace",
            Error::IsFolder(_) => "give the name of a file in it",
            Error::WouldReplaceKept { .. } => {
                "choose another name for the output, or remove the file before"
            }
            Error::WouldReplaceOther { rename, .. } => {
                return vec![format!("{rename}; --force replaces the file")];
            }
            Error::WouldReplaceInput(_) => "choose another name for the output",
            Error::NotServed { .. } => "without --port a free one is taken",
            Error::Refused { .. }
            | Error::Unreadable { .. }
            | Error::Unwritten { .. }
            | Error::NumbersUsed { .. }
            | Error::NoName
            | Error::EndsInSlash(_)
            | Error::NoParent { .. }
            | Error::NotPermitted { .. } => return Vec::new(),
        };
        vec![sentence.to_owned()]
    }
}

/// The system's message without the number, in lower case.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let text = lower_first(text);
    match text.as_str() {
        "file too large" => format!("{text} (ulimit -f limits the size of files)"),
        _ => text,
    }
}

/// Converts the beginning of a sentence to that of a fragment: `No such file` to `no such file`.
pub fn lower_first(text: impl Display) -> String {
    let text = text.to_string();
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        // Not an acronym.
        (Some(first), Some(second)) if first.is_uppercase() && !second.is_uppercase() => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text,
    }
}
