//! Expressions as a whole: verbs, `if`, `where`, `set`.

use cll_diagnostic::Diagnostic;

use super::operators::{COMPARISON, FIRST};
use super::{Parser, Read};
use crate::syntax::ast::{Argument, Expr, ExprKind};
use crate::syntax::codes;
use crate::syntax::token::TokenKind;
use crate::syntax::vocabulary::Keyword;

/// Where an expression stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpressionPlace {
    /// Whether a verb may begin it.
    verbs: bool,
    /// Whether `where` and `set` belong to it.
    subsets: bool,
    /// Whether `=` after it has a meaning.
    pub(super) equals: bool,
}

impl ExpressionPlace {
    /// A statement.
    pub(super) const STATEMENT: ExpressionPlace =
        ExpressionPlace { verbs: true, subsets: true, equals: true };
    /// In brackets, and what is given a name.
    pub(super) const BRACKETS: ExpressionPlace =
        ExpressionPlace { verbs: true, subsets: true, equals: false };
    /// Among others, between commas.
    pub(super) const ITEM: ExpressionPlace =
        ExpressionPlace { verbs: false, subsets: true, equals: false };
    /// After `where`, and a value of `set`.
    const CONDITION: ExpressionPlace =
        ExpressionPlace { verbs: false, subsets: false, equals: false };
}

impl Parser<'_> {
    /// Reads a whole expression.
    pub(super) fn expression(&mut self, place: ExpressionPlace) -> Read<Expr> {
        let before = std::mem::replace(&mut self.is_item, place.equals);
        let outcome = self.full_expression(place);
        self.is_item = before;
        outcome
    }

    fn full_expression(&mut self, place: ExpressionPlace) -> Read<Expr> {
        match self.peek().kind {
            TokenKind::Verb(verb) if place.verbs => return self.verb(verb),
            TokenKind::Keyword(Keyword::If) => return self.nested(|parser| parser.branches(place)),
            _ => {}
        }
        let begin = self.position;
        let mut left = self.operators(FIRST)?;
        if place.verbs && self.position == begin + 1 {
            self.refuse_unknown_verb(&left)?;
        }
        if !place.subsets {
            return Ok(left);
        }
        loop {
            let height = self.height;
            let start = left.span.start;
            let kind = match self.peek().kind {
                TokenKind::Keyword(Keyword::Where) => {
                    self.next();
                    let condition = self.expression(ExpressionPlace::CONDITION)?;
                    ExprKind::Where(left.into(), condition.into())
                }
                TokenKind::Keyword(Keyword::Set) => {
                    self.next();
                    let columns = self.columns()?;
                    ExprKind::Set(left.into(), columns)
                }
                _ => return Ok(left),
            };
            self.built(height.max(self.height))?;
            left = Expr { span: self.from(start), kind };
        }
    }

    /// `if … then … else …`.
    fn branches(&mut self, place: ExpressionPlace) -> Read<Expr> {
        let start = self.next().span.start;
        let condition =
            self.expression(ExpressionPlace { equals: false, verbs: false, ..place })?;
        let deepest = self.height;
        self.word(Keyword::Then, start)?;
        let then = self.expression(ExpressionPlace { equals: false, ..place })?;
        let deepest = deepest.max(self.height);
        self.word(Keyword::Else, start)?;
        let otherwise = self.expression(place)?;
        self.built(deepest.max(self.height))?;
        let kind = ExprKind::If {
            condition: condition.into(),
            then: then.into(),
            otherwise: otherwise.into(),
        };
        Ok(Expr { span: self.from(start), kind })
    }

    /// Goes over `then` or `else` of the `if` that is there.
    fn word(&mut self, keyword: Keyword, start: usize) -> Read<()> {
        if self.peek().kind == TokenKind::Keyword(keyword) {
            self.next();
            return Ok(());
        }
        let token = self.peek();
        let ends = token.kind.is_end()
            || matches!(token.kind, TokenKind::Symbol(")" | "]" | ",") | TokenKind::Keyword(_));
        if !ends {
            return self.fail_unexpected(Some(keyword.word()));
        }
        self.fail_here(
            Diagnostic::error(
                codes::IF,
                token.span.clone(),
                format!("`if` without `{}`", keyword.word()),
            )
            .also(start..start + Keyword::If.word().len(), "begins here")
            .help("an `if` is a value in both cases: if P == 1 then x else y"),
        )
    }

    /// The items of `set`.
    fn columns(&mut self) -> Read<Vec<Argument>> {
        let mut columns = Vec::new();
        let mut deepest = 0;
        loop {
            let token = self.peek();
            if !self.has_name() {
                return self.fail_here(
                    Diagnostic::error(
                        codes::ITEM,
                        token.span.clone(),
                        "`set` needs a name and `=`",
                    )
                    .help("columns are set so: f set bytes = 8*N, time = time/N")
                    .help("if the comma is not part of `set`, put the `set` in brackets"),
                );
            }
            let name = self.name();
            self.next();
            let value = self.expression(ExpressionPlace::CONDITION)?;
            deepest = deepest.max(self.height);
            columns.push(Argument { name: Some(name), value });
            if !self.take(",") {
                break;
            }
        }
        self.height = deepest;
        Ok(columns)
    }

    /// `=` where values are compared: reported, and read as `==`.
    pub(super) fn single_equals(&mut self, strength: u8) -> bool {
        let token = self.peek();
        if !token.kind.is("=") || self.is_item || strength > COMPARISON {
            return false;
        }
        self.report.push(
            Diagnostic::error(
                codes::EQUALS,
                token.span.clone(),
                "`=` gives a value a name, and does not compare",
            )
            .help("values are compared by `==`"),
        );
        true
    }
}
