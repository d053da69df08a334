//! C string literals.

/// `text` as a C string literal with its quotes.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for byte in text.bytes() {
        match byte {
            b'"' => out += "\\\"",
            b'\\' => out += "\\\\",
            // No trigraph may result.
            b'?' => out += "\\?",
            0x20..=0x7e => out.push(byte as char),
            _ => out += &format!("\\{byte:03o}"),
        }
    }
    out.push('"');
    out
}

/// `text` with nothing that would end a C comment.
pub(super) fn in_comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting() {
        assert_eq!(literal("a\"b\\c\n\u{e9}?"), r#""a\"b\\c\012\303\251\?""#);
        assert_eq!(in_comment("a*/b/*c\nd"), "a* /b/ *c d");
    }
}
