//! Text in columns of a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns that the text takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The text, padded with spaces to this number of columns, on its right or left side.
pub(crate) fn pad(text: &str, width: usize, right: bool) -> String {
    let spaces = " ".repeat(width.saturating_sub(columns(text)));
    if right { spaces + text } else { text.to_owned() + &spaces }
}

/// The beginning of the text that fits in this number of columns, with `mark` if something was cut off.
pub fn truncate(text: &str, width: usize, mark: &str) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mark = if columns(mark) <= width { mark } else { "" };
    let room = width - columns(mark);
    text[..prefix(text, room)].to_owned() + mark
}

/// Lines of at most this number of columns: broken at spaces, and inside a word only if it is longer
/// than a line. At least one line.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    let bound = bound(text);
    // A word that is longer than a line must be broken.
    let words = bound.iter().flat_map(|piece| {
        let long = columns(piece) > width;
        piece.split(move |c| c == ' ' && long)
    });
    for word in words {
        let needed = columns(word) + if line.is_empty() { 0 } else { columns(&line) + 1 };
        if needed <= width {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        let mut rest = word;
        while columns(rest) > width {
            let (head, tail) = split(rest, width);
            // A character wider than the line stands alone.
            let cut = if head.is_empty() {
                rest.chars().next().map_or(rest.len(), char::len_utf8)
            } else {
                rest.len() - tail.len()
            };
            lines.push(rest[..cut].to_owned());
            rest = &rest[cut..];
        }
        line.push_str(rest);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// The words of a text; those that belong together stay together: `N = 5`, `3.2 ms`, `90 %`.
pub(crate) fn bound(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        let sign = matches!(word, "=" | "<" | ">" | "<=" | ">=" | "≤" | "≥" | "±" | "+-");
        let after_number = words.last().is_some_and(|w| w.ends_with(|c: char| c.is_ascii_digit()));
        match words.last_mut() {
            Some(last) if open || sign || (after_number && is_unit(word)) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
        open = sign;
    }
    words
}

fn is_unit(word: &str) -> bool {
    let end = word.find(|c: char| !c.is_alphabetic() && c != '%').unwrap_or(word.len());
    matches!(
        &word[..end],
        "%" | "s" | "ms" | "µs" | "us" | "ns" | "ps" | "fs" | "B" | "KiB" | "MiB" | "GiB" | "min"
    )
}

/// Number of bytes of the longest beginning of at most this number of columns.
fn prefix(text: &str, width: usize) -> usize {
    let mut used = 0;
    for (offset, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > width {
            return offset;
        }
    }
    text.len()
}

/// The longest beginning of at most this number of columns, and the rest. In a word that is too long, a
/// break is after an operator or comma if there is one.
fn split(text: &str, width: usize) -> (&str, &str) {
    let end = prefix(text, width);
    let good =
        text[..end].rfind(['*', '+', '/', ',', ')', '_', '.']).map_or(0, |offset| offset + 1);
    if good * 2 > end { text.split_at(good) } else { text.split_at(end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_then_behind_operators() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("f[0]+f[1]*N", 6), ["f[0]+", "f[1]*N"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("表表表", 4), ["表表", "表"]);
        assert_eq!(wrap("表", 1), ["表"]);
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("at N = 431, 90 % of", 10), ["at", "N = 431,", "90 % of"]);
        assert_eq!(wrap("of 3.2 ms*N", 9), ["of", "3.2 ms*N"]);
    }

    #[test]
    fn what_is_cut_is_marked() {
        assert_eq!(truncate("matrix_init", 8, "…"), "matrix_…");
        assert_eq!(truncate("matrix", 8, "…"), "matrix");
        assert_eq!(truncate("matrix", 1, "..."), "m");
        assert_eq!(columns(&truncate("表表表", 4, "…")), 3);
    }
}
