//! How files are known that `cll translate` has written.

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Before a source in which nothing is translated. It moves no line.
const COPIED: &[u8] = b"/* Copied by cll translate. */ ";
/// The begin of a generated header.
const HEADER: &[u8] = b"/* Written by cll translate for ";

/// A copy of a source without `#pragma cll` lines that [`is_translated`] knows.
pub fn copied(source: &[u8]) -> Vec<u8> {
    let (mark, text) = match source.strip_prefix(BYTE_ORDER_MARK) {
        Some(text) => (BYTE_ORDER_MARK, text),
        None => (&b""[..], source),
    };
    [mark, COPIED, text].concat()
}

/// Whether a file that begins so is a translated source, a copy, or a generated header.
pub fn is_translated(start: &[u8]) -> bool {
    let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
    let mut lines = start.split(|&byte| byte == b'\n');
    let (first, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let includes = first.starts_with(b"#include \"") && first.ends_with(b".cll.h\"");
    start.starts_with(COPIED)
        || start.starts_with(HEADER)
        || (includes && second.starts_with(b"#line 1 \""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Source, translate};

    const ANNOTATED: &[u8] =
        b"int main(void)\n{\n    int N = 1;\n#pragma cll e e[0] + e[1]*N\n    N++;\n#pragma cll end e\n}\n";

    #[test]
    fn what_is_written_is_known_and_what_is_read_is_not() {
        for mark in [&b""[..], BYTE_ORDER_MARK] {
            let text = [mark, ANNOTATED].concat();
            let source = Source { name: "x.c", text: &text };
            let translation = translate(&source, &Options::default());
            assert!(is_translated(&translation.code.unwrap()));
            assert!(is_translated(translation.header.unwrap().timed().as_bytes()));
            assert!(!is_translated(&text));
            let copy = copied(&text);
            assert!(is_translated(&copy) && copy.starts_with(mark) && copy.ends_with(ANNOTATED));
        }
        assert!(!is_translated(b"#include \"mine.cll.h\"\nint main(void) { return 0; }\n"));
    }
}
