//! Tokens of a file, read one by one.

use cll_csource::file::Variant;
use cll_csource::{Token, TokenKind, spelling};

/// A range of a file's tokens, with the place that is read next.
#[derive(Clone, Copy)]
pub(crate) struct Tokens<'v> {
    source: &'v [u8],
    tokens: &'v [Token],
    position: usize,
    end: usize,
}

impl<'v> Tokens<'v> {
    /// The tokens `from..to` of the file.
    pub(crate) fn new(variant: &'v Variant<'_>, from: usize, to: usize) -> Tokens<'v> {
        let end = to.min(variant.tokens.len());
        Tokens { source: variant.source, tokens: &variant.tokens, position: from.min(end), end }
    }

    /// Those from the present place to `to`.
    pub(crate) fn until(&self, to: usize) -> Tokens<'v> {
        Tokens { end: to.min(self.end).max(self.position), ..*self }
    }

    /// The index of the next token.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Goes to a token.
    pub(crate) fn go_to(&mut self, position: usize) {
        self.position = position.min(self.end);
    }

    pub(crate) fn is_done(&self) -> bool {
        self.position >= self.end
    }

    /// The token at this distance.
    pub(crate) fn peek(&self, distance: usize) -> Option<&'v Token> {
        let index = self.position + distance;
        if index < self.end { self.tokens.get(index) } else { None }
    }

    /// The text of the token at this distance; empty behind the end.
    pub(crate) fn word(&self, distance: usize) -> &'v str {
        let Some(token) = self.peek(distance) else { return "" };
        std::str::from_utf8(&self.source[token.start..token.end]).unwrap_or("\u{fffd}")
    }

    pub(crate) fn is(&self, distance: usize, text: &str) -> bool {
        self.word(distance) == text
    }

    /// The name at this distance.
    pub(crate) fn name(&self, distance: usize) -> Option<String> {
        let token = self.peek(distance)?;
        let is_name = token.kind == TokenKind::Identifier;
        is_name.then(|| String::from_utf8_lossy(&spelling(self.source, token)).into_owned())
    }

    pub(crate) fn skip(&mut self, count: usize) {
        self.position = (self.position + count).min(self.end);
    }

    /// Takes the text if it is next.
    pub(crate) fn take(&mut self, text: &str) -> bool {
        let is_next = self.is(0, text);
        if is_next {
            self.skip(1);
        }
        is_next
    }

    /// The index of the bracket that closes the one at the present place; the end if there is none.
    pub(crate) fn closing(&self) -> usize {
        let mut depth = 0usize;
        for index in self.position..self.end {
            match self.tokens[index].byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return index;
                    }
                }
                _ => {}
            }
        }
        self.end
    }
}

/// The ranges between separators that stand outside of brackets.
pub(crate) fn split(variant: &Variant<'_>, from: usize, to: usize, by: u8) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, from);
    for index in from..to.min(variant.tokens.len()) {
        match variant.tokens[index].byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            byte if byte == by && depth == 0 => {
                parts.push((start, index));
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push((start, to));
    parts
}

/// The text of tokens on one line: what was space or a comment between them is a blank.
pub(crate) fn text(variant: &Variant<'_>, from: usize, to: usize) -> String {
    let mut out = String::new();
    let mut before: Option<&Token> = None;
    for token in &variant.tokens[from..to.min(variant.tokens.len())] {
        if matches!(token.kind, TokenKind::Marker | TokenKind::Directive) {
            continue;
        }
        if before.is_some_and(|before| before.end < token.start) {
            out.push(' ');
        }
        out.push_str(&String::from_utf8_lossy(&spelling(variant.source, token)));
        before = Some(token);
    }
    out.retain(|letter| !letter.is_control());
    out
}
