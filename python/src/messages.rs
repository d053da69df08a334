//! Messages while something is read or computed: diagnostics as text, notices as warnings of Python.

use std::sync::{Mutex, PoisonError};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use cll_analysis::Messages;
use cll_diagnostic::{Diagnostic, Severity};
use cll_files::Notices;
use pyo3::prelude::*;

/// The messages of one call.
#[derive(Debug, Default)]
pub struct Collected {
    /// Errors of texts, each with its place.
    errors: Mutex<Vec<String>>,
    /// Things that are not as they should be.
    warnings: Mutex<Vec<String>>,
    /// Things that are good to know.
    notes: Mutex<Vec<String>>,
}

impl Collected {
    /// The errors of texts: what is wrong, and where.
    pub fn errors(&self) -> Vec<String> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Gives notes to the package, and the rest to Python's `warnings`.
    ///
    /// # Errors
    /// If the user has made errors of warnings.
    pub fn to_warnings(&self, py: Python<'_>) -> PyResult<()> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if !notes.is_empty() {
            let note = py.import("cll.errors")?.getattr("note")?;
            notes.into_iter().try_for_each(|text| note.call1((text,)).map(|_| ()))?;
        }
        let texts = self.warnings.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if texts.is_empty() {
            return Ok(());
        }
        let warn = py.import("cll.errors")?.getattr("warn")?;
        texts.into_iter().try_for_each(|text| warn.call1((text,)).map(|_| ()))
    }

    fn add(to: &Mutex<Vec<String>>, text: String) {
        to.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }
}

impl Notices for Collected {
    fn note(&self, text: &str) {
        Collected::add(&self.notes, text.to_owned());
    }

    fn warn(&self, text: &str) {
        Collected::add(&self.warnings, text.to_owned());
    }
}

impl Messages for Collected {
    fn diagnose(&self, name: &str, text: &[u8], diagnostics: &[Diagnostic]) {
        const SHOWN: usize = 20;
        let text = String::from_utf8_lossy(text);
        for diagnostic in diagnostics.iter().take(SHOWN) {
            let to = match diagnostic.severity {
                Severity::Error => &self.errors,
                Severity::Warning => &self.warnings,
                Severity::Note => &self.notes,
            };
            Collected::add(to, rendered(name, &text, diagnostic));
        }
    }
}

/// A diagnostic with the lines that it is about and carets below them.
fn rendered(name: &str, text: &str, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let within = |at: usize| {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let mut snippet = Snippet::source(text).path(name);
    for (number, label) in
        std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary).enumerate()
    {
        let kind = if number == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let span = within(label.span.start)..within(label.span.end.max(label.span.start));
        let annotation = kind.span(span);
        snippet = snippet.annotation(if label.text.is_empty() {
            annotation
        } else {
            annotation.label(label.text.clone())
        });
    }
    let mut group = level.primary_title(&diagnostic.message).id(diagnostic.code).element(snippet);
    for sentence in &diagnostic.help {
        group = group.element(Level::HELP.message(sentence));
    }
    Renderer::plain().decor_style(DecorStyle::Ascii).render(&[group])
}
