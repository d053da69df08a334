//! The lexer: divides bytes into tokens that cover every byte.
//!
//! Why: decision 0004.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memchr3};

/// The kind of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Blanks, line splices, a byte order mark; no end of a line.
    Space,
    /// The end of a line: `\n` or `\r\n`.
    Newline,
    /// `/* … */`, also without its end.
    BlockComment,
    /// `// …` without the end of the line.
    LineComment,
    /// A name or a keyword.
    Identifier,
    /// A preprocessing number.
    Number,
    /// A string literal with its prefix, also one ended by the end of the line.
    String,
    /// A character constant with its prefix, also one ended by the end of the line.
    Character,
    /// Operators and brackets; [`Token::byte`] distinguishes those of one character.
    Punctuator,
    /// A preprocessing directive from its `#` to the end of its last line,
    /// exclusive.
    Directive,
    /// A `#pragma` selected by the caller of [`crate::File::read`].
    Marker,
    /// A byte that begins no token of C.
    Other,
}

/// A token: a kind and a range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// The byte of a punctuator of one character, with digraphs and trigraphs
    /// resolved (`{` for `<%`); 0 for every other token.
    pub byte: u8,
    /// Whether it is the first on its line, ignoring comments and blanks.
    pub first: bool,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset after its last byte.
    pub end: usize,
}

impl Token {
    /// Whether it is the punctuator `byte`.
    pub fn is(&self, byte: u8) -> bool {
        self.byte == byte
    }
}

const BLANK: u8 = 1;
const WORD: u8 = 2;
const DIGIT: u8 = 4;

const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b' ' | b'\t' | 0x0b | 0x0c | b'\r' => BLANK,
            b'0'..=b'9' => WORD | DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80..=0xff => WORD,
            _ => 0,
        };
        byte += 1;
    }
    class
};

fn class(byte: u8) -> u8 {
    CLASS[byte as usize]
}

/// Divides `source` into tokens; concatenated they are `source`.
pub fn lex(source: &[u8]) -> Lexer<'_> {
    Lexer { source, offset: 0, first: true, directives: true }
}

/// The tokens of `source[range]`, in which no line begins a directive: for instance the inside of a
/// directive.
pub fn lex_within(source: &[u8], range: std::ops::Range<usize>) -> Lexer<'_> {
    Lexer { source: &source[..range.end], offset: range.start, first: false, directives: false }
}

/// The token's text without line splices.
pub fn spelling<'a>(source: &'a [u8], token: &Token) -> Cow<'a, [u8]> {
    unspliced(&source[token.start..token.end])
}

/// `text` without line splices.
pub(crate) fn unspliced(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut position = 0;
    while position < text.len() {
        match splice(text, position) {
            0 => {
                out.push(text[position]);
                position += 1;
            }
            length => position += length,
        }
    }
    Cow::Owned(out)
}

/// Length of the line splice at `offset`, 0 if there is none: a backslash, blanks
/// (as GCC and Clang allow) and the line's end.
pub fn splice(source: &[u8], offset: usize) -> usize {
    if source.get(offset) != Some(&b'\\') {
        return 0;
    }
    let mut end = offset + 1;
    while end < source.len() && class(source[end]) & BLANK != 0 {
        end += 1;
    }
    if source.get(end) == Some(&b'\n') { end + 1 - offset } else { 0 }
}

/// The first offset from `offset` on that is not inside a sequence of splices.
fn past_splices(source: &[u8], mut offset: usize) -> usize {
    loop {
        match splice(source, offset) {
            0 => return offset,
            length => offset += length,
        }
    }
}

/// The tokens of a source, in order; see [`lex`].
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    source: &'a [u8],
    offset: usize,
    first: bool,
    directives: bool,
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let source = self.source;
        let start = self.offset;
        let byte = *source.get(start)?;
        let first = self.first;
        let mut punctuator = 0;
        let (kind, end) = if class(byte) & BLANK != 0 {
            blank(source, start)
        } else if class(byte) & DIGIT != 0 {
            (TokenKind::Number, number_end(source, start))
        } else if class(byte) & WORD != 0 {
            if start == 0 && source.starts_with(b"\xef\xbb\xbf") {
                (TokenKind::Space, 3)
            } else {
                word(source, start)
            }
        } else {
            match byte {
                b'\n' => (TokenKind::Newline, start + 1),
                b'\\' if splice(source, start) > 0 => blank(source, start),
                b'/' => slash(source, start, &mut punctuator),
                b'"' => (TokenKind::String, quoted_end(source, start + 1, b'"')),
                b'\'' => (TokenKind::Character, quoted_end(source, start + 1, b'\'')),
                b'.' if dotted_number(source, start) => {
                    (TokenKind::Number, number_end(source, start + 1))
                }
                _ => {
                    let (hash, end) = operator(source, start, &mut punctuator);
                    if hash && first && self.directives {
                        (TokenKind::Directive, directive_end(source, end))
                    } else if end == start + 1 && punctuator == 0 {
                        (TokenKind::Other, end)
                    } else {
                        (TokenKind::Punctuator, end)
                    }
                }
            }
        };
        self.offset = end;
        match kind {
            TokenKind::Newline => self.first = true,
            TokenKind::Space | TokenKind::BlockComment | TokenKind::LineComment => {}
            _ => self.first = false,
        }
        if kind == TokenKind::Directive {
            punctuator = 0;
        }
        Some(Token { kind, byte: punctuator, first, start, end })
    }
}

fn blank(source: &[u8], start: usize) -> (TokenKind, usize) {
    if source[start] == b'\r' && source.get(start + 1) == Some(&b'\n') {
        return (TokenKind::Newline, start + 2);
    }
    let mut position = start;
    while position < source.len() {
        if class(source[position]) & BLANK != 0 {
            if source[position] == b'\r' && source.get(position + 1) == Some(&b'\n') {
                break;
            }
            position += 1;
        } else {
            match splice(source, position) {
                0 => break,
                length => position += length,
            }
        }
    }
    (TokenKind::Space, position)
}

fn word_end(source: &[u8], mut offset: usize) -> usize {
    loop {
        while offset < source.len() && class(source[offset]) & WORD != 0 {
            offset += 1;
        }
        // A splice belongs to the word only if the word continues after it.
        let behind = past_splices(source, offset);
        if behind > offset && behind < source.len() && class(source[behind]) & WORD != 0 {
            offset = behind;
        } else {
            return offset;
        }
    }
}

fn word(source: &[u8], start: usize) -> (TokenKind, usize) {
    let end = word_end(source, start);
    let quote = match source.get(end) {
        Some(&quote @ (b'"' | b'\'')) if end - start <= 3 => quote,
        _ => return (TokenKind::Identifier, end),
    };
    let kind = if quote == b'"' { TokenKind::String } else { TokenKind::Character };
    match &source[start..end] {
        b"L" | b"u" | b"U" | b"u8" => (kind, quoted_end(source, end + 1, quote)),
        b"R" | b"LR" | b"uR" | b"UR" | b"u8R" if quote == b'"' => {
            match raw_string_end(source, end + 1) {
                Some(end) => (TokenKind::String, end),
                None => (TokenKind::Identifier, end),
            }
        }
        _ => (TokenKind::Identifier, end),
    }
}

/// End of the raw string whose delimiter begins at `offset`, if it is a raw string.
fn raw_string_end(source: &[u8], offset: usize) -> Option<usize> {
    let delimiter = source[offset..].iter().take(17).position(|&byte| byte == b'(')?;
    let name = &source[offset..offset + delimiter];
    if name.iter().any(|byte| b" ()\\\t\x0b\x0c\r\n\"".contains(byte)) {
        return None;
    }
    let mut closing = Vec::with_capacity(name.len() + 2);
    closing.push(b')');
    closing.extend_from_slice(name);
    closing.push(b'"');
    let inside = offset + delimiter + 1;
    memchr::memmem::find(&source[inside..], &closing).map(|number| inside + number + closing.len())
}

/// End of the literal whose content begins at `offset`: after its quote, or at the end of the line.
fn quoted_end(source: &[u8], mut offset: usize, quote: u8) -> usize {
    while let Some(number) = memchr3(quote, b'\\', b'\n', &source[offset..]) {
        offset += number;
        match source[offset] {
            b'\n' => {
                return if offset > 0 && source[offset - 1] == b'\r' { offset - 1 } else { offset };
            }
            b'\\' => match splice(source, offset) {
                0 => {
                    // The escaped character may come after splices.
                    let escaped = past_splices(source, offset + 1);
                    offset = if source.get(escaped) == Some(&b'\n') || escaped >= source.len() {
                        escaped
                    } else {
                        escaped + 1
                    };
                }
                length => offset += length,
            },
            _ => return offset + 1,
        }
    }
    source.len()
}

fn dotted_number(source: &[u8], start: usize) -> bool {
    let digit = past_splices(source, start + 1);
    source.get(digit).is_some_and(|&byte| class(byte) & DIGIT != 0)
}

fn number_end(source: &[u8], mut offset: usize) -> usize {
    loop {
        let behind = past_splices(source, offset);
        let Some(&byte) = source.get(behind) else { return offset };
        if matches!(byte, b'e' | b'E' | b'p' | b'P') {
            offset = behind + 1;
            let sign = past_splices(source, offset);
            if matches!(source.get(sign), Some(b'+' | b'-')) {
                offset = sign + 1;
            }
        } else if byte == b'.' || class(byte) & WORD != 0 {
            offset = behind + 1;
        } else if byte == b'\'' {
            // A digit separator of C23.
            match source.get(behind + 1) {
                Some(&next) if class(next) & WORD != 0 => offset = behind + 2,
                _ => return offset,
            }
        } else {
            return offset;
        }
    }
}

fn slash(source: &[u8], start: usize, punctuator: &mut u8) -> (TokenKind, usize) {
    let second = past_splices(source, start + 1);
    match source.get(second) {
        Some(b'*') => (TokenKind::BlockComment, block_comment_end(source, second + 1)),
        Some(b'/') => (TokenKind::LineComment, line_end(source, second + 1)),
        Some(b'=') if second == start + 1 => (TokenKind::Punctuator, start + 2),
        _ => {
            *punctuator = b'/';
            (TokenKind::Punctuator, start + 1)
        }
    }
}

fn block_comment_end(source: &[u8], mut offset: usize) -> usize {
    while let Some(star) = memchr(b'*', &source[offset..]) {
        let behind = past_splices(source, offset + star + 1);
        if source.get(behind) == Some(&b'/') {
            return behind + 1;
        }
        offset += star + 1;
    }
    source.len()
}

/// End of the logical line that contains `offset`, without its line end.
fn line_end(source: &[u8], mut offset: usize) -> usize {
    while let Some(number) = memchr2(b'\n', b'\\', &source[offset..]) {
        offset += number;
        if source[offset] == b'\n' {
            return if offset > 0 && source[offset - 1] == b'\r' { offset - 1 } else { offset };
        }
        offset += splice(source, offset).max(1);
    }
    source.len()
}

/// End of the operator at `start`, and whether it is a single `#`.
fn operator(source: &[u8], start: usize, punctuator: &mut u8) -> (bool, usize) {
    let byte = source[start];
    let second = source.get(start + 1).copied().unwrap_or(0);
    let third = source.get(start + 2).copied().unwrap_or(0);
    let length = match (byte, second, third) {
        (b'<', b'%', _) => return single(punctuator, b'{', start + 2),
        (b'%', b'>', _) => return single(punctuator, b'}', start + 2),
        (b'<', b':', _) => return single(punctuator, b'[', start + 2),
        (b':', b'>', _) => return single(punctuator, b']', start + 2),
        (b'%', b':', _) => return single(punctuator, b'#', start + 2),
        (b'?', b'?', b'=') => return single(punctuator, b'#', start + 3),
        (b'?', b'?', b'<') => return single(punctuator, b'{', start + 3),
        (b'?', b'?', b'>') => return single(punctuator, b'}', start + 3),
        (b'?', b'?', b'(') => return single(punctuator, b'[', start + 3),
        (b'?', b'?', b')') => return single(punctuator, b']', start + 3),
        (b'.', b'.', b'.') | (b'<', b'<', b'=') | (b'>', b'>', b'=') => 3,
        (b'-', b'>' | b'-' | b'=', _)
        | (b'+', b'+' | b'=', _)
        | (b'&', b'&' | b'=', _)
        | (b'|', b'|' | b'=', _)
        | (b'<', b'<' | b'=', _)
        | (b'>', b'>' | b'=', _)
        | (b'=' | b'!' | b'*' | b'%' | b'^', b'=', _)
        | (b'#', b'#', _)
        | (b':', b':', _) => 2,
        _ => 1,
    };
    if length == 1 {
        // A byte that begins no C token stays 0: `Other`.
        if b"[](){}.&*+-~!/%<>^|?:;=,#".contains(&byte) {
            *punctuator = byte;
        }
    }
    (length == 1 && byte == b'#', start + length)
}

fn single(punctuator: &mut u8, byte: u8, end: usize) -> (bool, usize) {
    *punctuator = byte;
    (byte == b'#', end)
}

/// End of the directive that continues at `offset`, after its `#`.
fn directive_end(source: &[u8], mut offset: usize) -> usize {
    if names_header(source, offset)
        && let Some(open) = memchr2(b'<', b'\n', &source[offset..]).map(|number| offset + number)
        && source[open] == b'<'
        && let Some(close) = memchr2(b'>', b'\n', &source[open..]).map(|number| open + number)
        && source[close] == b'>'
    {
        offset = close + 1;
    }
    while offset < source.len() {
        match source[offset] {
            b'\n' => return if source[offset - 1] == b'\r' { offset - 1 } else { offset },
            b'\\' => offset += splice(source, offset).max(1),
            quote @ (b'"' | b'\'') => offset = quoted_end(source, offset + 1, quote),
            b'/' => {
                let (kind, end) = slash(source, offset, &mut 0);
                if kind == TokenKind::LineComment {
                    return end;
                }
                offset = end;
            }
            _ => offset += 1,
        }
    }
    source.len()
}

/// Whether the directive is an `#include`, whose `<…>` is not C text.
fn names_header(source: &[u8], mut offset: usize) -> bool {
    while offset < source.len() && matches!(source[offset], b' ' | b'\t') {
        offset += 1;
    }
    source[offset..].starts_with(b"include") || source[offset..].starts_with(b"import")
}

#[cfg(test)]
mod tests;
