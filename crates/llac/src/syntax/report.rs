//! Collects diagnostics.

use cll_diagnostic::Diagnostic;

use super::codes;

/// More errors are not helpful.
const MAX_ERRORS: usize = 50;

/// The diagnostics of one text, with a limited number of errors.
#[derive(Debug, Default)]
pub(super) struct Report {
    diagnostics: Vec<Diagnostic>,
    dropped: bool,
    /// Whether an error says that the text is too short.
    pub(super) is_short: bool,
    /// Whether an error is about something else.
    pub(super) is_wrong: bool,
}

impl Report {
    /// Keeps an error in what is there, unless there are too many already.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.is_wrong = true;
        self.keep(diagnostic);
    }

    /// Keeps an error about what is not there yet.
    pub(super) fn short(&mut self, diagnostic: Diagnostic) {
        self.is_short = true;
        self.keep(diagnostic);
    }

    fn keep(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(diagnostic)
        } else {
            self.dropped = true
        }
    }

    /// Whether further errors are dropped.
    pub(super) fn is_full(&self) -> bool {
        self.dropped
    }

    /// All of them, in the order of their places.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
        if self.dropped {
            let end = self.diagnostics.last().map_or(0, |last| last.primary.span.end);
            self.diagnostics.push(
                Diagnostic::error(codes::MORE, end..end, "there are more errors than these")
                    .help("correct these first; the others may then disappear"),
            );
        }
        self.diagnostics
    }
}
