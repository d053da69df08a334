//! Diagnostics as text: place, source, carets, help.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use cll_diagnostic::{Diagnostic, Lines, Severity};

use super::{Terminal, escaped};

/// A text to which diagnostics refer.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The name of the text: a file's name, or `--formula`.
    pub name: &'a str,
    /// The bytes of the text, in any encoding.
    pub bytes: &'a [u8],
}

/// The largest number of diagnostics that are shown for one text.
const SHOWN: usize = 50;

impl Terminal {
    /// Prints diagnostics on standard error, each with its place in the text. If there are more than [`SHOWN`], it
    /// prints the first errors, or the first of all if there is no error, and the total.
    pub fn diagnose(&self, text: Text<'_>, diagnostics: &[Diagnostic]) {
        if diagnostics.is_empty() {
            return;
        }
        let shown = Rendered::new(text.bytes);
        let renderer = if self.color_err { Renderer::styled() } else { Renderer::plain() };
        let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(self.width);
        for diagnostic in chosen(diagnostics) {
            let rendered = render(&renderer, text.name, &shown, diagnostic);
            self.error_text(rendered.as_bytes());
            self.error_text(b"\n\n");
        }
        if let Some(all) = all(text.name, diagnostics) {
            self.note(&all);
        }
    }
}

/// The diagnostics to show, in their order.
fn chosen(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
    let by_severity =
        |errors: bool| diagnostics.iter().filter(move |diagnostic| diagnostic.is_error() == errors);
    if diagnostics.len() <= SHOWN {
        return diagnostics.iter().collect();
    }
    by_severity(true).chain(by_severity(false)).take(SHOWN).collect()
}

/// The total, if not all of them are shown.
fn all(name: &str, diagnostics: &[Diagnostic]) -> Option<String> {
    if diagnostics.len() <= SHOWN {
        return None;
    }
    let count =
        |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let counts = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| {
        let count = count(severity);
        (count > 0).then(|| format!("{count} {severity}{}", if count == 1 { "" } else { "s" }))
    });
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    Some(format!("{name} has {}; the first {SHOWN} are shown, errors first", counts.join(", ")))
}

fn render(renderer: &Renderer, name: &str, shown: &Rendered, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let labels = || std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
    let spans: Vec<Range<usize>> = labels().map(|label| shown.span(&label.span)).collect();
    // The renderer scans all of its text, so it gets only the lines with labels.
    let (line, lines) = shown.lines(&spans);
    let within = |span: &Range<usize>| span.start - lines.start..span.end - lines.start;
    let name = cll_diagnostic::escape(name);
    let mut snippet = Snippet::source(&shown.text[lines.clone()]).path(name).line_start(line);
    for (number, (label, span)) in labels().zip(&spans).enumerate() {
        let kind = if number == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(within(span));
        snippet = snippet.annotation(if label.text.is_empty() {
            annotation
        } else {
            annotation.label(escaped(&label.text))
        });
    }
    let title = escaped(&diagnostic.message);
    let mut group = level.primary_title(title).id(diagnostic.code).element(snippet);
    for sentence in &diagnostic.help {
        group = group.element(Level::HELP.message(escaped(sentence)));
    }
    renderer.render(&[group])
}

/// A text as UTF-8, with a map from bytes of the original.
struct Rendered {
    text: String,
    /// `(byte in the original, byte in the text)` after each sequence that was replaced.
    moved: Vec<(usize, usize)>,
    numbers: Lines,
}

impl Rendered {
    fn new(bytes: &[u8]) -> Rendered {
        let mut text = String::with_capacity(bytes.len());
        let mut moved = Vec::new();
        let mut position = 0;
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            position += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
                position += chunk.invalid().len();
                moved.push((position, text.len()));
            }
        }
        Rendered { numbers: Lines::new(text.as_bytes()), text, moved }
    }

    /// The bytes of the text for bytes of the original, at character boundaries.
    fn span(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.text_position(span.start);
        start..self.text_position(span.end).max(start)
    }

    /// The lines that hold these spans: the number of the first one, and their bytes.
    fn lines(&self, spans: &[Range<usize>]) -> (usize, Range<usize>) {
        let first = spans.iter().map(|span| span.start).min().unwrap_or(0);
        let last = spans.iter().map(|span| span.end).max().unwrap_or(0);
        let start = self.text[..first].rfind('\n').map_or(0, |newline| newline + 1);
        let end =
            self.text[last..].find('\n').map_or(self.text.len(), |newline| last + newline + 1);
        (self.numbers.line(start), start..end)
    }

    fn text_position(&self, byte: usize) -> usize {
        let before = self.moved.partition_point(|&(original, _)| original <= byte);
        let (original, here) = match before {
            0 => (0, 0),
            _ => self.moved[before - 1],
        };
        let mut position = (here + byte.saturating_sub(original)).min(self.text.len());
        while !self.text.is_char_boundary(position) {
            position -= 1;
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(source: &[u8], diagnostic: &Diagnostic) -> String {
        let renderer = Renderer::plain().decor_style(DecorStyle::Ascii);
        render(&renderer, "a.c", &Rendered::new(source), diagnostic)
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
        let shown = Rendered::new(source);
        assert_eq!(&shown.text[shown.span(&(9..12))], "bad");
        let text = plain(source, &Diagnostic::error("T001", 9..12, "no"));
        assert!(text.contains("a.c:1:10"), "{text}");
    }

    #[test]
    fn of_many_the_errors_come_first_and_all_are_counted() {
        let warning = Diagnostic::warning("T001", 0..1, "w");
        let error = Diagnostic::error("T002", 0..1, "e");
        let mut many = vec![warning; SHOWN];
        assert_eq!((chosen(&many).len(), all("a.c", &many)), (SHOWN, None));
        many.push(error);
        let shown = chosen(&many);
        assert_eq!((shown.len(), shown[0].code, shown[1].code), (SHOWN, "T002", "T001"));
        let counts =
            "a.c has 1 error, 50 warnings; the first 50 are shown, errors first".to_owned();
        assert_eq!(all("a.c", &many), Some(counts));
    }

    #[test]
    fn lines_are_counted_from_the_beginning_of_the_text() {
        let source = b"one\ntwo\nthree\nfour\nfive\n";
        let diagnostic = Diagnostic::error("T001", 14..18, "wrong").also(4..7, "opened here");
        let text = plain(source, &diagnostic);
        for part in ["a.c:4:1", "2 | two", "4 | four", "opened here"] {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
        assert!(!text.contains("five"), "{text}");
    }

    #[test]
    fn a_place_beyond_the_text_is_its_end() {
        let text = plain(b"int x;", &Diagnostic::error("T001", 50..60, "unclosed"));
        assert!(text.contains("unclosed"), "{text}");
    }
}
