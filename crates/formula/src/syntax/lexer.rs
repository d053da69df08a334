//! The tokens of a formula: those of C, so that what formulas do not have can be named in an error.

use std::ops::Range;

use cll_diagnostic::Diagnostic;

use super::Report;
use super::number::{self, Number};
use crate::codes;

/// A token and its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Range<usize>,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TokenKind {
    Number(Number),
    Word,
    Symbol(&'static str),
    /// An invalid number or literal, already reported.
    BadOperand,
    /// An invalid character, already reported.
    Bad,
    End,
}

/// C's punctuation, longest first.
const SYMBOLS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "+", "-", "*", "/", "%", "^", "(", ")", "[", "]",
    ".", ",", "<", ">", "=", "!", "&", "|", "~", "?", ":", ";", "{", "}",
];

/// The tokens of `text`, the last of them [`TokenKind::End`].
pub(crate) fn lex(text: &str, report: &mut Report) -> Vec<Token> {
    let mut lexer = Lexer { text, offset: 0, report };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        tokens.push(token);
        if lexer.report.is_full() {
            break;
        }
    }
    tokens.push(Token { kind: TokenKind::End, span: text.len()..text.len() });
    tokens
}

struct Lexer<'a> {
    text: &'a str,
    offset: usize,
    report: &'a mut Report,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<Token> {
        self.skip_space();
        let start = self.offset;
        let rest = &self.text[start..];
        let first = rest.chars().next()?;
        let kind = if first.is_ascii_digit()
            || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            self.offset += number::extent(rest);
            self.number(start)
        } else if is_name(first) && !first.is_ascii_digit() {
            self.offset += rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
            TokenKind::Word
        } else if first == '"' || first == '\'' {
            self.quoted(first)
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.offset += symbol.len();
            TokenKind::Symbol(symbol)
        } else {
            self.offset += first.len_utf8();
            self.unknown(first, start..self.offset)
        };
        Some(Token { kind, span: start..self.offset })
    }

    /// Skips white space, comments, and `\` at the end of a line.
    fn skip_space(&mut self) {
        loop {
            let rest = &self.text[self.offset..];
            let plain = rest.len() - rest.trim_start().len();
            if plain > 0 {
                self.offset += plain;
            } else if let Some(comment) = rest.strip_prefix("/*") {
                match comment.find("*/") {
                    Some(end) => self.offset += end + 4,
                    None => {
                        self.report.push(
                            Diagnostic::error(
                                codes::BRACKET,
                                self.offset..self.offset + 2,
                                "the comment `/*` has no end",
                            )
                            .help("close it with `*/`"),
                        );
                        self.offset = self.text.len();
                    }
                }
            } else if rest.starts_with("//") {
                self.offset += line_comment(rest);
            } else if let Some(after) = rest.strip_prefix('\\') {
                let blank = after.len() - after.trim_start_matches([' ', '\t', '\r']).len();
                if !after[blank..].starts_with('\n') && !after[blank..].is_empty() {
                    return;
                }
                self.offset += 1 + blank;
            } else {
                return;
            }
        }
    }

    fn number(&mut self, start: usize) -> TokenKind {
        let text = &self.text[start..self.offset];
        match number::read(text) {
            Ok(number) => {
                if number.octal {
                    self.report.push(
                        Diagnostic::warning(
                            codes::OCTAL,
                            start..self.offset,
                            format!(
                                "`{text}` begins with 0 and is octal, as in C: {}",
                                number.value
                            ),
                        )
                        .help("leave out the leading zeros to write a decimal number"),
                    );
                }
                TokenKind::Number(number)
            }
            Err(wrong) => {
                let mut diagnostic =
                    Diagnostic::error(wrong.code, start..self.offset, wrong.message);
                diagnostic.help.extend(wrong.help);
                self.report.push(diagnostic);
                TokenKind::BadOperand
            }
        }
    }

    fn quoted(&mut self, quote: char) -> TokenKind {
        let start = self.offset;
        let body = &self.text[start + 1..];
        let mut escaped = false;
        let end = body.find(|c: char| {
            let ends = !escaped && (c == quote || c == '\n');
            escaped = !escaped && c == '\\';
            ends
        });
        self.offset = match end {
            Some(end) if body[end..].starts_with(quote) => start + end + 2,
            Some(end) => start + 1 + end,
            None => self.text.len(),
        };
        let what = if quote == '"' { "string" } else { "character" };
        self.report.push(
            Diagnostic::error(
                codes::CHARACTER,
                start..self.offset,
                format!("a {what} literal is not a number"),
            )
            .help("a formula consists of numbers, variables, operators and functions"),
        );
        TokenKind::BadOperand
    }

    fn unknown(&mut self, character: char, span: Range<usize>) -> TokenKind {
        let shown = if character.is_control() {
            character.escape_default().to_string()
        } else {
            character.to_string()
        };
        let help = match character {
            '\u{d7}' | '\u{b7}' | '\u{22c5}' | '\u{2217}' => "write `*` for a product",
            '\u{f7}' | '\u{2215}' => "write `/` for a quotient",
            '\u{2212}' | '\u{2013}' | '\u{2014}' => "write the ASCII `-`",
            '\u{b2}' => "write `^2`",
            '\u{b3}' => "write `^3`",
            '\u{221a}' => "write `sqrt(…)`",
            '\\' => "`\\` is allowed only at the end of a line, where it continues the pragma",
            '#' => "the formula ends with its line; `\\` at the end of the line continues it",
            _ => "a formula consists of numbers, variables, operators and functions",
        };
        self.report.push(
            Diagnostic::error(codes::CHARACTER, span, format!("unknown character `{shown}`"))
                .help(help),
        );
        if character == '#' {
            self.offset = self.text.len();
        }
        TokenKind::Bad
    }
}

/// Whether C allows this in a name; beyond ASCII, the letters.
pub(crate) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || (!c.is_ascii() && c.is_alphabetic())
}

/// Length of a `//` comment; `\` at the end of a line continues it, as in C.
fn line_comment(rest: &str) -> usize {
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    length
}
