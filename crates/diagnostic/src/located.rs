//! Diagnostics with lines and columns, as programs read them.

use serde::Serialize;

use crate::{Diagnostic, Lines};

/// A diagnostic with line and column from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocatedDiagnostic {
    /// The line of its first label.
    pub line: usize,
    /// The column there, as [`Lines::position`] counts it.
    pub column: usize,
    /// The diagnostic itself; its fields stand beside line and column.
    #[serde(flatten)]
    pub diagnostic: Diagnostic,
}

impl LocatedDiagnostic {
    /// The diagnostics of a text, in their order.
    pub fn all(
        text: &[u8],
        diagnostics: impl IntoIterator<Item = Diagnostic>,
    ) -> Vec<LocatedDiagnostic> {
        let lines = Lines::new(text);
        let located = diagnostics.into_iter().map(|diagnostic| {
            let (line, column) = lines.position(text, diagnostic.primary.span.start);
            LocatedDiagnostic { line, column, diagnostic }
        });
        located.collect()
    }
}
