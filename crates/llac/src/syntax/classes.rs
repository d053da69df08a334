//! The parts of a text by what they are, for colours.

use std::ops::Range;

use super::lexer;
use super::report::Report;
use super::token::TokenKind;
use super::units::unit;

/// The class of a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A verb.
    Verb,
    /// The word of a clause.
    Clause,
    /// Another word of the language.
    Keyword,
    /// A name.
    Name,
    /// A number.
    Number,
    /// The unit of a number.
    Unit,
    /// A text in quotes.
    Text,
    /// An operator or a separator.
    Operator,
    /// A bracket.
    Bracket,
    /// A command of the program.
    Command,
    /// A comment.
    Comment,
    /// Something that the language does not have.
    Wrong,
}

/// The parts of the text in their order; between them are spaces.
pub fn classes(text: &str) -> Vec<(Range<usize>, Class)> {
    let lexed = lexer::lex(text, &mut Report::default());
    let mut classes = Vec::new();
    let mut comments = lexed.comments.into_iter().peekable();
    let mut before: Option<TokenKind> = None;
    for token in lexed.tokens {
        while let Some(comment) = comments.next_if(|comment| comment.start < token.span.start) {
            classes.push((comment, Class::Comment));
        }
        let after_dot = before.as_ref().is_some_and(|kind| kind.is("."));
        let class = match &token.kind {
            kind if after_dot && kind.is_word() => Class::Name,
            TokenKind::Verb(_) => Class::Verb,
            TokenKind::Clause(_) => Class::Clause,
            TokenKind::Keyword(_) => Class::Keyword,
            TokenKind::Name { .. } => {
                let is_after_number = matches!(before, Some(TokenKind::Number { .. }));
                let is_unit = is_after_number && unit(&text[token.span.clone()]).is_some();
                if is_unit { Class::Unit } else { Class::Name }
            }
            TokenKind::Number { .. } => Class::Number,
            TokenKind::Text(_) => Class::Text,
            TokenKind::Symbol("(" | ")" | "[" | "]") => Class::Bracket,
            TokenKind::Symbol(_) => Class::Operator,
            TokenKind::LineEnd | TokenKind::End => {
                if text[token.span.clone()].starts_with(';') {
                    classes.push((token.span, Class::Operator));
                }
                before = None;
                continue;
            }
            TokenKind::Command(_) => Class::Command,
            TokenKind::Bad => Class::Wrong,
        };
        classes.push((token.span, class));
        before = Some(token.kind);
    }
    classes.extend(comments.map(|comment| (comment, Class::Comment)));
    classes
}
