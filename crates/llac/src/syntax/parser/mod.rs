//! Tokens as statements.
//!
//! Operators are read by their binding strengths (Pratt, 1973). Each function leaves in [`Parser::height`] how deep
//! the tree is that it returns: trees are bounded in depth, so that all that walks them may recurse.

mod clauses;
mod expression;
mod operators;
mod primary;
mod statement;
mod unexpected;

use cll_diagnostic::Diagnostic;

use super::ast::{Name, Span, Statement};
use super::codes;
use super::report::Report;
use super::token::{Token, TokenKind};

/// Brackets and branches inside each other.
const MAX_NESTING: usize = 200;

/// Depth of an expression's tree.
const MAX_HEIGHT: usize = 1000;

/// An error was reported; the rest of the statement is skipped.
pub(super) struct Failed;

/// A value that is read, or an error that is reported.
type Read<T> = Result<T, Failed>;

/// Reads all statements.
pub(super) fn statements(text: &str, tokens: &[Token], report: &mut Report) -> Vec<Statement> {
    let mut parser =
        Parser { text, tokens, position: 0, nesting: 0, height: 0, is_item: false, report };
    let mut statements = Vec::new();
    while parser.peek().kind != TokenKind::End && !parser.report.is_full() {
        if parser.peek().kind == TokenKind::LineEnd {
            parser.position += 1;
            continue;
        }
        parser.nesting = 0;
        match parser.statement() {
            Ok(statement) => statements.push(statement),
            Err(Failed) => parser.skip_statement(),
        }
    }
    statements
}

struct Parser<'a> {
    text: &'a str,
    /// The last is [`TokenKind::End`].
    tokens: &'a [Token],
    position: usize,
    nesting: usize,
    /// Depth of the tree that was read last.
    height: usize,
    /// Whether `=` after an expression is part of what surrounds it, and reported there.
    is_item: bool,
    report: &'a mut Report,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a Token {
        &self.tokens[self.position.min(self.tokens.len() - 1)]
    }

    fn peek_at(&self, ahead: usize) -> &'a TokenKind {
        &self.tokens[(self.position + ahead).min(self.tokens.len() - 1)].kind
    }

    fn next(&mut self) -> &'a Token {
        let token = self.peek();
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        token
    }

    /// Goes over the symbol, if it is next.
    fn take(&mut self, symbol: &str) -> bool {
        let is_next = self.peek().kind.is(symbol);
        self.position += usize::from(is_next);
        is_next
    }

    fn text_of(&self, span: &Span) -> &'a str {
        &self.text[span.clone()]
    }

    /// The name that is next, which was checked.
    fn name(&mut self) -> Name {
        let span = self.next().span.clone();
        Name { text: self.text_of(&span).trim_matches('`').to_owned(), span }
    }

    /// From a place to the end of what was read last.
    fn from(&self, start: usize) -> Span {
        let end = self.position.checked_sub(1).map_or(start, |last| self.tokens[last].span.end);
        start..end.max(start)
    }

    /// Reads something that is one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.nesting >= MAX_NESTING {
            let span = self.peek().span.clone();
            let message = format!("more than {MAX_NESTING} expressions inside each other");
            return self.fail(
                Diagnostic::error(codes::DEPTH, span, message)
                    .help("give names to parts of the expression"),
            );
        }
        self.nesting += 1;
        let outcome = read(self);
        self.nesting -= 1;
        outcome
    }

    /// Notes that a tree was built of parts, the deepest of which is so deep.
    fn built(&mut self, deepest: usize) -> Read<()> {
        self.height = deepest + 1;
        if self.height <= MAX_HEIGHT {
            return Ok(());
        }
        let span = self.peek().span.clone();
        let message = format!("more than {MAX_HEIGHT} operators one after the other");
        self.fail(
            Diagnostic::error(codes::DEPTH, span, message)
                .help("give names to parts of the expression"),
        )
    }

    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Read<T> {
        self.report.push(diagnostic);
        Err(Failed)
    }

    /// Reports what is wrong with the next token; nothing if that is done. At the end of the text more may follow.
    fn fail_here<T>(&mut self, diagnostic: Diagnostic) -> Read<T> {
        match self.peek().kind {
            TokenKind::Bad => {}
            TokenKind::End => self.report.short(diagnostic),
            _ => self.report.push(diagnostic),
        }
        Err(Failed)
    }

    fn skip_statement(&mut self) {
        while !self.peek().kind.is_end() {
            self.position += 1;
        }
    }
}
