//! The tokens of a text.

use super::ast::Span;
use super::vocabulary::Keyword;
use super::words::{ClauseWord, Verb};

/// A token and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// The kind of a token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// The number as it is written; whether `%` follows.
    Number {
        value: f64,
        percent: bool,
    },
    /// The meaning of a text in quotes.
    Text(String),
    /// A name; in backquotes or not.
    Name {
        quoted: bool,
    },
    Verb(Verb),
    Clause(ClauseWord),
    Keyword(Keyword),
    Symbol(&'static str),
    /// A command of the program: its words.
    Command(Vec<String>),
    /// The end of a statement: of its line, or `;`.
    LineEnd,
    /// Something invalid, already reported.
    Bad,
    End,
}

impl TokenKind {
    /// Whether it is this symbol.
    pub(super) fn is(&self, symbol: &str) -> bool {
        matches!(self, TokenKind::Symbol(own) if *own == symbol)
    }

    /// Whether a statement ends before it.
    pub(super) fn is_end(&self) -> bool {
        matches!(self, TokenKind::LineEnd | TokenKind::End)
    }

    /// Whether it is a word that cannot be a name without backquotes.
    pub(super) fn is_word(&self) -> bool {
        matches!(self, TokenKind::Verb(_) | TokenKind::Clause(_) | TokenKind::Keyword(_))
    }

    /// Whether a value can begin with it, so that after another value an operator is missing.
    pub(super) fn begins_operand(&self) -> bool {
        matches!(
            self,
            TokenKind::Number { .. }
                | TokenKind::Text(_)
                | TokenKind::Name { .. }
                | TokenKind::Keyword(Keyword::True | Keyword::False)
        )
    }
}

/// The tokens of a text, the last of them [`TokenKind::End`].
#[derive(Debug)]
pub(super) struct Tokens {
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Span>,
    /// Whether the text ends with a `\` or an operator, so that its last line goes on.
    pub(super) goes_on: bool,
}
