//! Escapes for foreign text: names come from other people's programs and files and may contain
//! control characters that a terminal obeys.

/// The text with control characters, invisible characters and those that change the writing
/// direction as escapes: a new line is `\n`, ESC is `\u{1b}`. All other text is unchanged.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if obeyed(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

fn obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        for (text, expected) in [
            ("a->n", "a->n"),
            ("größe µ 表", "größe µ 表"),
            ("\x1b[31mred\x07", "\\u{1b}[31mred\\u{7}"),
            ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
            ("x\u{202e}y\u{200b}z", "x\\u{202e}y\\u{200b}z"),
            ("\u{9b}31m", "\\u{9b}31m"),
        ] {
            assert_eq!(escape(text), expected);
        }
    }
}
