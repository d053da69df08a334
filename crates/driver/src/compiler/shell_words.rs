//! Words by a shell's rules, and by those of response files.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use crate::Error;

/// Splits at white space, except in quotes and after `\`, as in a shell without variables, and as compilers read
/// `@FILE`.
pub fn split(text: &OsStr) -> Result<Vec<OsString>, Error> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.as_bytes().iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (None, b' ' | b'\t' | b'\n' | b'\r') => {
                words.extend(word.take().map(OsString::from_vec));
            }
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == byte => quote = None,
            (None | Some(b'"'), b'\\') => {
                let next = bytes.next().ok_or(Error::Backslash)?;
                word.get_or_insert_default().push(next);
            }
            _ => word.get_or_insert_default().push(byte),
        }
    }
    match quote {
        Some(quote) => Err(Error::OpenQuote(char::from(quote))),
        None => {
            words.extend(word.map(OsString::from_vec));
            Ok(words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        let words = |text: &str| split(OsStr::new(text)).unwrap();
        assert_eq!(words(" a  b\tc\n"), ["a", "b", "c"]);
        assert_eq!(words(r#"-DX="a b" 'c "d"' e\ f """#), ["-DX=a b", "c \"d\"", "e f", ""]);
        assert_eq!(words(r"'\n'"), [r"\n"]);
        assert!(split(OsStr::new("a \\")).is_err());
    }
}
