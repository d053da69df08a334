//! The only thing that is printed: why a machine was stopped.

use std::io::Write;

/// Prints a line to the standard error.
pub(crate) fn say(text: &str) {
    // An error cannot be reported anywhere.
    let _ = writeln!(std::io::stderr(), "cll: {text}");
}
