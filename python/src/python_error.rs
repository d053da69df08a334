//! Failures as exceptions of the package.

use cll_files::{Failure, Status};
use pyo3::prelude::*;

use crate::messages::Collected;

/// The exception for a failure. Its text has the diagnostics of the call.
pub fn exception(py: Python<'_>, failure: Failure, messages: &Collected) -> PyErr {
    let (status, text) = match failure {
        Failure::Message { status, message, help } => {
            let help = help.iter().map(|sentence| format!("\nhelp: {sentence}"));
            (status, message + &help.collect::<String>())
        }
        Failure::Reported(status) => (status, String::new()),
        Failure::BrokenPipe => (Status::System, "the output is closed".to_owned()),
    };
    let mut all = messages.errors();
    all.extend(Some(text).filter(|text| !text.is_empty()));
    let class = match status {
        Status::Usage => "UsageError",
        Status::Input => "InputError",
        Status::Fit => "FitError",
        Status::Compile | Status::Program | Status::NotMeasurable => "Error",
        Status::System => "SystemFailure",
    };
    of_class(py, class, &all.join("\n"))
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
