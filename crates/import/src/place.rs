//! Places in a text that is held as a whole.

use std::cell::OnceCell;
use std::ops::Range;

use crate::error::{Excerpt, ImportCause, ImportError, Spot};

/// Characters of a line that are shown before and behind a place.
const AROUND: usize = 48;

/// Where the lines of a text end, once somebody asks.
#[derive(Debug, Default)]
pub(crate) struct LineEnds(OnceCell<Vec<usize>>);

/// A text with the names of its places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedText<'a> {
    pub(crate) text: &'a str,
    ends: &'a LineEnds,
}

impl<'a> PlacedText<'a> {
    /// A text, and room for its lines.
    pub(crate) fn new(text: &'a str, ends: &'a LineEnds) -> PlacedText<'a> {
        PlacedText { text, ends }
    }

    /// The number of the line of a byte, from 1.
    pub(crate) fn line(&self, offset: usize) -> u64 {
        let ends =
            self.ends.0.get_or_init(|| self.text.match_indices('\n').map(|(end, _)| end).collect());
        ends.partition_point(|end| *end < offset) as u64 + 1
    }

    /// An error at these bytes.
    pub(crate) fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> ImportError {
        self.error(span, ImportCause::Unexpected(message.into()))
    }

    /// An error at these bytes.
    pub(crate) fn error(&self, span: Range<usize>, cause: ImportCause) -> ImportError {
        let start = self.boundary(span.start);
        let end = self.boundary(span.end).max(start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |index| index + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |index| start + index);
        let (before, rest) = (&self.text[line_start..start], &self.text[start..line_end]);
        let inside = &self.text[start..end.min(line_end)];
        let character = before.chars().count() + 1;

        let skipped =
            before.char_indices().rev().nth(AROUND).map_or(0, |(index, c)| index + c.len_utf8());
        let lead = if skipped > 0 { "… " } else { "" };
        let shown_before = format!("{lead}{}", cll_diagnostic::escape(&before[skipped..]));
        let cut = rest.char_indices().nth(2 * AROUND).map_or(rest.len(), |(index, _)| index);
        let tail = if cut < rest.len() { " …" } else { "" };
        let shown_rest = cll_diagnostic::escape(&rest[..cut]);
        let marked = cll_diagnostic::escape(&inside[..inside.len().min(cut)]);
        let excerpt = Excerpt {
            before: shown_before.chars().count(),
            length: marked.chars().count().max(1),
            line: format!("{shown_before}{shown_rest}{tail}").trim_end().to_owned(),
        };
        let place = Spot { line: self.line(start), column: 0, character };
        ImportError { file: None, place, cause, excerpt: Some(Box::new(excerpt)), help: None }
    }

    /// The nearest beginning of a character at or before this byte.
    fn boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_marked() {
        let ends = LineEnds::default();
        let source = PlacedText::new("one\n{\"N\": \u{1b}µx}\n", &ends);
        let error = source.wrong(10..14, "odd").to_string();
        assert_eq!(error, "line 2, character 7: odd\n  {\"N\": \\u{1b}µx}\n        ^^^^^^^^");
        let end = source.wrong(99..120, "cut off").to_string();
        assert_eq!(end, "line 3, character 1: cut off\n  \n  ^");
    }

    #[test]
    fn long_lines_are_shown_in_part() {
        let text = format!("{}X{}", "a".repeat(5000), "b".repeat(5000));
        let ends = LineEnds::default();
        let error = PlacedText::new(&text, &ends).wrong(5000..5001, "odd");
        assert_eq!(error.place.character, 5001);
        let excerpt = error.excerpt.unwrap();
        assert!(excerpt.line.len() < 200 && excerpt.line.starts_with("… a"), "{}", excerpt.line);
        assert_eq!(excerpt.line.chars().nth(excerpt.before), Some('X'));
    }
}
