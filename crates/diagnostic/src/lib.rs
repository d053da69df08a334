//! A message about a place in a text.
//!
//! A [`Diagnostic`] is a value: what is wrong ([`Diagnostic::message`]), where
//! ([`Label`]s with byte spans into one text), and what to do
//! ([`Diagnostic::help`]). The crates that read text return diagnostics; only
//! the program renders them.

#![forbid(unsafe_code)]

mod counted;
mod escape;
#[cfg(feature = "fields")]
pub mod fields;
mod lines;
mod located;
mod shell_word;
mod suggestion;

use std::fmt;
use std::ops::Range;

use serde::Serialize;

pub use counted::counted;
pub use escape::escape;
pub use lines::Lines;
pub use located::LocatedDiagnostic;
pub use shell_word::{shell_file, shell_word};
pub use suggestion::{nearest, suggestion};

/// How much a [`Diagnostic`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something that the reader may want to know.
    Note,
    /// The text is probably not what its author intended; work continues.
    Warning,
    /// The text cannot be used.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// A place in the text, with what to show beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Label {
    /// Byte offsets into the text, `start <= end`. An empty span is a point.
    pub span: Range<usize>,
    /// Shown beside the carets; may be empty.
    pub text: String,
}

/// A message about a place in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// Stable identifier, such as `F004`: a letter for the part that reports it (`F` formula, `C` C
    /// source, `T` translation) and three digits.
    pub code: &'static str,
    /// The error, as a lower-case fragment with the datum in it.
    pub message: String,
    /// The place itself.
    pub primary: Label,
    /// Other places that are involved, for instance where a region was opened.
    pub secondary: Vec<Label>,
    /// The advice for the user, one sentence each.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic with neither label text, secondary places nor help.
    pub fn new(
        severity: Severity,
        code: &'static str,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> Self {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            help: Vec::new(),
        }
    }

    /// An error at `span`.
    pub fn error(code: &'static str, span: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }

    /// A note at `span`.
    pub fn note(code: &'static str, span: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, span, message)
    }

    /// Sets the text beside the carets of the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds another place that is involved.
    #[must_use]
    pub fn also(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a sentence about what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// The same message for a text that contains this one's text from byte `by` on.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        let shift = |span: &mut Range<usize>| *span = span.start + by..span.end + by;
        shift(&mut self.primary.span);
        self.secondary.iter_mut().for_each(|label| shift(&mut label.span));
        self
    }

    /// Whether the text cannot be used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Diagnostic {
    /// One line without the place: `error[F004]: message`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.code, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifting_moves_every_place() {
        let moved = Diagnostic::error("F001", 2..5, "x").also(7..9, "opened here").shifted(10);
        assert_eq!(moved.primary.span, 12..15);
        assert_eq!(moved.secondary[0].span, 17..19);
        assert_eq!(moved.to_string(), "error[F001]: x");
    }
}
