//! Reads a preprocessing directive.

use std::borrow::Cow;
use std::ops::Range;

use crate::lex::{Token, TokenKind, lex_within, spelling, unspliced};

/// The directives that affect the structure of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// `#if`, `#ifdef`, `#ifndef`.
    If,
    /// `#elif`, `#elifdef`, `#elifndef`.
    Elif,
    /// `#else`.
    Else,
    /// `#endif`.
    Endif,
    /// `#pragma`.
    Pragma,
    /// Every other one, also the null directive.
    Other,
}

/// The parts of a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// The name.
    pub name: Name,
    /// The text after the name, up to the end of the directive.
    pub rest: Range<usize>,
}

impl Directive {
    /// Reads the directive `token` of `source`.
    pub fn read(source: &[u8], token: &Token) -> Directive {
        let mut tokens = words(source, token.start..token.end).skip(1);
        let Some(word) = tokens.next() else {
            return Directive { name: Name::Other, rest: token.end..token.end };
        };
        let name = match &*spelling(source, &word) {
            b"if" | b"ifdef" | b"ifndef" => Name::If,
            b"elif" | b"elifdef" | b"elifndef" => Name::Elif,
            b"else" => Name::Else,
            b"endif" => Name::Endif,
            b"pragma" => Name::Pragma,
            _ => Name::Other,
        };
        Directive { name, rest: word.end..token.end }
    }

    /// The value of an `#if` condition if it is `0` or `1`.
    pub fn constant(&self, source: &[u8]) -> Option<bool> {
        let mut tokens = words(source, self.rest.clone());
        let value = tokens.next()?;
        if value.kind != TokenKind::Number || tokens.next().is_some() {
            return None;
        }
        match &*spelling(source, &value) {
            b"0" => Some(false),
            b"1" => Some(true),
            _ => None,
        }
    }
}

/// The tokens of `source[range]` without space and comments.
pub fn words(source: &[u8], range: Range<usize>) -> impl Iterator<Item = Token> + '_ {
    lex_within(source, range).filter(|token| {
        !matches!(
            token.kind,
            TokenKind::Space
                | TokenKind::Newline
                | TokenKind::BlockComment
                | TokenKind::LineComment
        )
    })
}

/// `source[range]` without line splices.
pub fn plain(source: &[u8], range: Range<usize>) -> Cow<'_, [u8]> {
    unspliced(&source[range])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::lex;

    fn read(source: &str) -> Directive {
        let token = lex(source.as_bytes()).next().expect("a token");
        Directive::read(source.as_bytes(), &token)
    }

    #[test]
    fn names_are_found_through_splices_and_comments() {
        for (source, name) in [
            ("#if 0", Name::If),
            ("#\\\n el\\\nif X", Name::Elif),
            ("# /* c */ pragma x", Name::Pragma),
            ("#", Name::Other),
            ("%:endif", Name::Endif),
        ] {
            assert_eq!(read(source).name, name, "{source}");
        }
    }

    #[test]
    fn plain_conditions() {
        for (source, value) in
            [("#if 0 // no", Some(false)), ("#if 1", Some(true)), ("#if 0+X", None), ("#if", None)]
        {
            assert_eq!(read(source).constant(source.as_bytes()), value, "{source}");
        }
    }
}
