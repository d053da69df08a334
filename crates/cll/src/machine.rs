//! Machines by name or file, and the check of their files.

use cll_diagnostic::Diagnostic;
use cll_machine::{Machine, Read, read};

pub use cll_analysis::machine::{kept, load, text};

/// A file's diagnostics, for `cll machine check`.
pub fn check(bytes: &[u8]) -> (Option<Machine>, Vec<Diagnostic>) {
    let Read { machine, diagnostics } = read(bytes);
    (machine, diagnostics)
}
