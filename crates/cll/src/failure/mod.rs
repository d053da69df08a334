//! Failures of commands: the exit code of each error of the other crates is decided here, and nowhere else.
//! Why: decision 0176.

mod analysis;
mod campaign_db;
mod counters;
mod driver;
mod files;
mod launch;
mod measure;
mod mpi_model;
mod probe;
mod sampling;

use std::io;
use std::path::Path;

use cll_files::Advice;
pub use cll_files::reason;

/// The kind of a failure, which gives the program's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The command line is wrong.
    Usage,
    /// A text is wrong: source, formula, data, trace, model.
    Input,
    /// The user's program does not compile.
    Compile,
    /// The measured program failed or took too long.
    Program,
    /// There are not enough data, or they cannot be used.
    Fit,
    /// The system refuses: permission, disk, no compiler.
    System,
    /// The machine is too loaded for measuring.
    NotMeasurable,
}

impl Status {
    /// The exit code, as in `docs/commands.md`.
    pub fn code(self) -> u8 {
        match self {
            Status::Usage => 2,
            Status::Input => 3,
            Status::Compile => 4,
            Status::Program => 5,
            Status::Fit => 6,
            Status::System => 7,
            Status::NotMeasurable => 8,
        }
    }
}

/// Why a command ends early.
#[derive(Debug)]
pub enum Failure {
    /// The reader of the output is gone: no error.
    BrokenPipe,
    /// A failure whose message was printed already.
    Reported(Status),
    /// A failure whose message is to be printed.
    Message {
        /// The exit code.
        status: Status,
        /// A lower-case fragment with the value in it.
        message: String,
        /// The advice for the user, one sentence each.
        help: Vec<String>,
    },
}

impl Failure {
    fn message(status: Status, message: impl Into<String>) -> Failure {
        Failure::Message { status, message: message.into(), help: Vec::new() }
    }

    /// The command line is wrong.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::message(Status::Usage, message)
    }

    /// A text is wrong.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure::message(Status::Input, message)
    }

    /// The user's program does not compile.
    pub fn compile(message: impl Into<String>) -> Failure {
        Failure::message(Status::Compile, message)
    }

    /// The measured program failed.
    pub fn program(message: impl Into<String>) -> Failure {
        Failure::message(Status::Program, message)
    }

    /// The data cannot be used.
    pub fn fit(message: impl Into<String>) -> Failure {
        Failure::message(Status::Fit, message)
    }

    /// The system refuses.
    pub fn system(message: impl Into<String>) -> Failure {
        Failure::message(Status::System, message)
    }

    /// The system refuses an operation on a file.
    pub fn file(doing: &'static str, path: &Path, error: io::Error) -> Failure {
        cll_files::Error::refused(doing, path, error).into()
    }

    /// The failure with the message and the help of an error.
    fn with(status: Status, error: &impl Advice) -> Failure {
        Failure::Message { status, message: error.to_string(), help: error.help() }
    }

    /// Adds a sentence on what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Failure {
        if let Failure::Message { help, .. } = &mut self {
            help.push(text.into());
        }
        self
    }
}

/// A file given by the user could not be read: wrong input if it does not exist, else a failure of the system.
pub fn unreadable(path: &Path, error: io::Error) -> Failure {
    cll_files::Error::unreadable(path, error).into()
}

#[cfg(test)]
mod tests;
