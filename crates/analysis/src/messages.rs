//! Messages for a user while something is read or computed.

use cll_diagnostic::Diagnostic;
use cll_files::Notices;

/// Receives notices, and diagnostics of texts.
pub trait Messages: Notices {
    /// Diagnostics of a text. `name` is its file's name, or that of the option with it.
    fn diagnose(&self, name: &str, text: &[u8], diagnostics: &[Diagnostic]);
}
