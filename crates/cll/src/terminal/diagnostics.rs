//! Diagnostics as people read them: place, text, carets, help.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use cll_diagnostic::{Diagnostic, Label, Severity};

use super::Terminal;

/// A text that diagnostics speak of.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// What it is called: a file's name, `--formula`.
    pub name: &'a str,
    /// Its bytes, in whatever encoding.
    pub bytes: &'a [u8],
}

impl Terminal {
    /// Shows diagnostics on standard error, each with its place in the text.
    pub fn diagnose(&self, text: Text<'_>, diagnostics: &[Diagnostic]) {
        if diagnostics.is_empty() {
            return;
        }
        let shown = Shown::new(text.bytes);
        let renderer = if self.color_err { Renderer::styled() } else { Renderer::plain() };
        let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(self.width);
        for diagnostic in diagnostics {
            let rendered = render(&renderer, text.name, &shown, diagnostic);
            self.error_text(rendered.as_bytes());
            self.error_text(b"\n\n");
        }
    }
}

fn render(renderer: &Renderer, name: &str, shown: &Shown, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let label = |kind: AnnotationKind, label: &'_ Label| {
        let annotation = kind.span(shown.span(&label.span));
        match label.text.is_empty() {
            true => annotation,
            false => annotation.label(label.text.clone()),
        }
    };
    let mut snippet = Snippet::source(&shown.text)
        .path(name)
        .annotation(label(AnnotationKind::Primary, &diagnostic.primary));
    for secondary in &diagnostic.secondary {
        snippet = snippet.annotation(label(AnnotationKind::Context, secondary));
    }
    let mut group = level.primary_title(&diagnostic.message).id(diagnostic.code).element(snippet);
    for sentence in &diagnostic.help {
        group = group.element(Level::HELP.message(sentence));
    }
    renderer.render(&[group])
}

/// A text as UTF-8, and where its bytes went.
struct Shown {
    text: String,
    /// `(byte in the original, byte in the text)` after each sequence that was replaced.
    moved: Vec<(usize, usize)>,
}

impl Shown {
    fn new(bytes: &[u8]) -> Shown {
        let mut shown = Shown { text: String::with_capacity(bytes.len()), moved: Vec::new() };
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            shown.text.push_str(chunk.valid());
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                shown.text.push(char::REPLACEMENT_CHARACTER);
                at += chunk.invalid().len();
                shown.moved.push((at, shown.text.len()));
            }
        }
        shown
    }

    /// The bytes of the text for those of the original, at character boundaries.
    fn span(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.at(span.start);
        start..self.at(span.end).max(start)
    }

    fn at(&self, byte: usize) -> usize {
        let before = self.moved.partition_point(|&(original, _)| original <= byte);
        let (original, here) = match before {
            0 => (0, 0),
            _ => self.moved[before - 1],
        };
        let mut at = (here + byte.saturating_sub(original)).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(source: &[u8], diagnostic: &Diagnostic) -> String {
        let renderer = Renderer::plain().decor_style(DecorStyle::Ascii);
        render(&renderer, "a.c", &Shown::new(source), diagnostic)
    }

    #[test]
    fn place_carets_code_and_help_are_there() {
        let diagnostic = Diagnostic::error("F004", 12..16, "f[0] is used twice")
            .label("here again")
            .also(4..8, "first here")
            .help("give each term a constant of its own");
        let text = plain(b"\n\n  f[0] + f[0]*N\n", &diagnostic);
        for part in ["error[F004]: f[0] is used twice", "a.c:3:", "^^^^", "----", "help: give"] {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
    }

    #[test]
    fn bytes_that_are_no_utf8_keep_their_places() {
        let source = b"/* \xe9\xe8 */ bad";
        let shown = Shown::new(source);
        assert_eq!(&shown.text[shown.span(&(9..12))], "bad");
        let text = plain(source, &Diagnostic::error("T001", 9..12, "no"));
        assert!(text.contains("a.c:1:10"), "{text}");
    }

    #[test]
    fn a_place_beyond_the_text_is_its_end() {
        let text = plain(b"int x;", &Diagnostic::error("T001", 50..60, "unclosed"));
        assert!(text.contains("unclosed"), "{text}");
    }
}
