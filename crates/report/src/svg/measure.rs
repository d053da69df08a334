//! How wide a text will be, without a font: the widths of DejaVu Sans, the widest of the families
//! that the plots ask for, so that a reader's font seldom needs more room.

use unicode_width::UnicodeWidthChar;

use crate::text::bound;

/// Width of the text in a font of this size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' => 0.28,
        ' ' | ',' | '.' | '·' | '/' | '|' | ':' | ';' => 0.34,
        'f' | 'r' | 't' | 'I' | 'J' | '(' | ')' | '[' | ']' | '{' | '}' | '-' | '!' => 0.41,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' | '*' | '_' => 0.56,
        'm' | 'W' => 0.98,
        'w' | '+' | '=' | '<' | '>' | '±' | '×' | '−' | 'M' | 'O' | 'Q' | '≤' | '≥' => 0.84,
        '%' | '…' | '@' | '–' | '→' => 1.0,
        'A'..='Z' => 0.7,
        '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁻' => 0.42,
        c if c.is_ascii() => 0.64,
        c => 0.68 * c.width().unwrap_or(0) as f64,
    }
}

/// The beginning of the text that fits, with `…` if something was cut; empty if not even that
/// fits.
pub(crate) fn shorten(text: &str, room: f64, size: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut left = room - width("…", size);
    if left < 0.0 {
        return String::new();
    }
    let fitting = text.chars().take_while(|&c| {
        left -= em(c) * size;
        left >= 0.0
    });
    let mut out: String = fitting.collect();
    out.truncate(out.trim_end().len());
    out.push('…');
    out
}

/// Lines that fit, at most this number; broken before `+`, `-` and at spaces. The last one is shortened
/// if text is left.
pub(crate) fn lines(text: &str, room: f64, size: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut words = bound(text).into_iter().peekable();
    while let Some(word) = words.next() {
        // A sign stays with the term that it belongs to.
        let piece = match words.peek() {
            Some(next) if matches!(word.as_str(), "+" | "-") => {
                let piece = format!("{word} {next}");
                words.next();
                piece
            }
            _ => word,
        };
        let longer = if line.is_empty() { piece.clone() } else { format!("{line} {piece}") };
        if width(&longer, size) <= room || line.is_empty() {
            line = longer;
            continue;
        }
        if lines.len() + 1 == most {
            line = format!("{longer} {}", words.collect::<Vec<_>>().join(" "));
            break;
        }
        lines.push(std::mem::replace(&mut line, piece));
    }
    if !line.is_empty() && most > 0 {
        lines.push(line);
    }
    lines.iter().map(|l| shorten(l, room, size)).filter(|l| !l.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_formula_is_broken_before_its_signs() {
        let text = "t = 1.20 µs + 3.42 ns*N + 0.61 ns*N*N";
        assert_eq!(lines(text, 1000.0, 12.0, 3), [text]);
        assert_eq!(lines(text, 135.0, 12.0, 3), ["t = 1.20 µs", "+ 3.42 ns*N", "+ 0.61 ns*N*N"]);
        assert_eq!(lines(text, 135.0, 12.0, 2), ["t = 1.20 µs", "+ 3.42 ns*N + 0.61…"]);
        assert!(lines(text, 5.0, 12.0, 2).is_empty());
    }

    #[test]
    fn shortened_text_fits() {
        for room in [0.0, 10.0, 50.0, 100.0] {
            let text = shorten("a_long_name_of_an_experiment", room, 12.0);
            assert!(width(&text, 12.0) <= room);
        }
    }
}
