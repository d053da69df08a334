//! Errors as exceptions of the package.

use std::io;

use cll_analysis::Error;
use cll_files::Advice;
use pyo3::prelude::*;

use crate::messages::Collected;

const REQUEST: &str = "UsageError";
const CONTENT: &str = "InputError";
const SYSTEM: &str = "SystemFailure";

/// The exception for an error. Its text has the diagnostics of the call.
pub fn exception(py: Python<'_>, error: &Error, messages: &Collected) -> PyErr {
    let mut all = messages.errors();
    // Of a wrong text the diagnostics say all.
    if !matches!(error, Error::Diagnosed) {
        let help = error.help().into_iter().map(|sentence| format!("\nhelp: {sentence}"));
        all.push(error.to_string() + &help.collect::<String>());
    }
    of_class(py, class(error), &all.join("\n"))
}

/// The name of the exception's class: as `cll` chooses exit codes.
fn class(error: &Error) -> &'static str {
    match error {
        Error::Request(_) => REQUEST,
        Error::Content(_) | Error::Diagnosed => CONTENT,
        Error::Data(_) => "FitError",
        Error::System(_) => SYSTEM,
        Error::Files(error) | Error::Machine { source: error, .. } => class_of_file(error),
        Error::Launch(error) => class_of_launch(error),
        Error::CampaignDb(error) => class_of_campaign(error),
    }
}

fn class_of_file(error: &cll_files::Error) -> &'static str {
    use cll_files::Error;
    match error {
        Error::Unreadable { source, .. } => match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::IsADirectory => CONTENT,
            _ => SYSTEM,
        },
        Error::TooLong { .. } => CONTENT,
        Error::NoName
        | Error::WouldReplaceKept { .. }
        | Error::WouldReplaceOther { .. }
        | Error::WouldReplaceInput(_) => REQUEST,
        _ => SYSTEM,
    }
}

/// Nothing is launched here: traces are recovered.
fn class_of_launch(error: &cll_launch::Error) -> &'static str {
    use cll_launch::Error;
    match error {
        Error::Files(error) | Error::NoProgram { source: error, .. } => class_of_file(error),
        Error::NotRecovered { .. } => SYSTEM,
        _ => CONTENT,
    }
}

fn class_of_campaign(error: &cll_campaign_db::Error) -> &'static str {
    use cll_campaign_db::Error;
    match error {
        Error::Files(error) => class_of_file(error),
        Error::Launch(error) => class_of_launch(error),
        Error::Exists(_) | Error::Several { .. } => REQUEST,
        Error::NoCampaign(_)
        | Error::Version { .. }
        | Error::Plan { .. }
        | Error::Damaged { .. } => CONTENT,
        Error::Held(_) | Error::DiskFull(_) | Error::Database { .. } | Error::Lost(_) => SYSTEM,
    }
}

/// The exception for a mistake of cll's.
pub fn internal(py: Python<'_>, text: &str) -> PyErr {
    of_class(py, "InternalError", &format!("{text} (a mistake of cll: please report it)"))
}

fn of_class(py: Python<'_>, class: &str, text: &str) -> PyErr {
    let made = py
        .import("cll.errors")
        .and_then(|errors| errors.getattr("of"))
        .and_then(|of| of.call1((class, text)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
