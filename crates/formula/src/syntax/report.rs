//! Collects diagnostics.

use std::ops::Range;

use cll_diagnostic::Diagnostic;

use crate::codes;

/// More errors are not helpful.
const MAX_ERRORS: usize = 20;

/// The diagnostics of one text, with a limited number of errors.
#[derive(Debug, Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
}

impl Report {
    /// Keeps `diagnostic`, unless there are too many errors already.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.is_error() {
            self.errors += 1;
            if self.errors > MAX_ERRORS {
                return;
            }
        }
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn error(&mut self, code: &'static str, span: Range<usize>, message: String) {
        self.push(Diagnostic::error(code, span, message));
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether further errors would be dropped.
    pub(crate) fn is_full(&self) -> bool {
        self.errors > MAX_ERRORS
    }

    /// All diagnostics, in the order of their positions. Notes and warnings only if there is no
    /// error, since they are about a valid formula.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        let mut kept = self.diagnostics;
        if self.errors > 0 {
            kept.retain(Diagnostic::is_error);
        }
        kept.sort_by_key(|d| d.primary.span.start);
        if self.errors > MAX_ERRORS {
            let end = kept.last().map_or(0, |d| d.primary.span.end);
            kept.push(
                Diagnostic::error(codes::MORE, end..end, "there are more errors than these")
                    .help("correct these first; the others may then disappear"),
            );
        }
        kept
    }
}
