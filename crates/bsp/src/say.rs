//! The only thing that is printed: why a machine was stopped.

use std::io::Write;

/// Prints a line to the standard error.
pub(crate) fn say(text: &str) {
    // If nobody reads it, nothing can be done about it.
    let _ = writeln!(std::io::stderr(), "cll: {text}");
}
