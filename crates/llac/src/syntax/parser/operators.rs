//! Operators by their strengths.

use cll_diagnostic::Diagnostic;

use super::{Parser, Read};
use crate::syntax::ast::{Binary, Expr, ExprKind, RangeStep, Unary};
use crate::syntax::codes;
use crate::syntax::strength;
use crate::syntax::token::TokenKind;
use crate::syntax::vocabulary::Keyword;

/// The weakest.
pub(super) const FIRST: u8 = strength::OR;
/// Comparisons.
pub(super) const COMPARISON: u8 = strength::COMPARISON;

impl Parser<'_> {
    /// Reads what is joined by operators at least so strong.
    pub(super) fn operators(&mut self, least: u8) -> Read<Expr> {
        let mut left = self.prefixed(least)?;
        loop {
            let token = self.peek();
            let height = self.height;
            if token.kind.is(":") {
                if least > strength::RANGE {
                    return Ok(left);
                }
                left = self.range(left)?;
                continue;
            }
            let is_single = self.single_equals(least);
            let Some(operator) = operator(&token.kind).or(is_single.then_some(Binary::Equal))
            else {
                return Ok(left);
            };
            let strength = strength::binary(operator);
            if strength < least {
                return Ok(left);
            }
            self.next();
            let start = left.span.start;
            let right = match operator {
                // From right to left.
                Binary::Power => self.nested(|parser| parser.operators(strength::MINUS))?,
                _ => self.operators(strength + 1)?,
            };
            self.built(height.max(self.height))?;
            let kind = ExprKind::Binary(operator, left.into(), right.into());
            left = Expr { span: self.from(start), kind };
            if strength == COMPARISON {
                self.refuse_chain()?;
            }
        }
    }

    /// Reads `-x` and `not x`, if an operator may stand here; else a value.
    fn prefixed(&mut self, least: u8) -> Read<Expr> {
        let token = self.peek();
        let (unary, own) = match token.kind {
            TokenKind::Symbol("-") => (Unary::Minus, strength::MINUS),
            TokenKind::Keyword(Keyword::Not) => (Unary::Not, strength::NOT),
            _ => return self.postfixed(),
        };
        if own < least {
            return self.fail(
                Diagnostic::error(
                    codes::UNEXPECTED,
                    token.span.clone(),
                    format!("`{}` cannot stand here", self.text_of(&token.span)),
                )
                .help("put it in brackets, with what it belongs to"),
            );
        }
        self.next();
        let operand = self.nested(|parser| parser.operators(own))?;
        self.built(self.height)?;
        let kind = ExprKind::Unary(unary, operand.into());
        Ok(Expr { span: self.from(token.span.start), kind })
    }

    /// Reads a range whose first value is there.
    fn range(&mut self, first: Expr) -> Read<Expr> {
        let start = first.span.start;
        let mut deepest = self.height;
        self.next();
        let last = self.operators(strength::RANGE + 1)?;
        deepest = deepest.max(self.height);
        let mut step = None;
        if self.take(":") {
            let kind = if self.take("*") {
                RangeStep::Multiply
            } else {
                self.take("+");
                RangeStep::Add
            };
            step = Some((kind, Box::new(self.operators(strength::RANGE + 1)?)));
            deepest = deepest.max(self.height);
        }
        self.built(deepest)?;
        let token = self.peek();
        if token.kind.is(":") {
            return self.fail(
                Diagnostic::error(
                    codes::UNEXPECTED,
                    token.span.clone(),
                    "a range has at most three parts",
                )
                .help("ranges are written 1:9, 100:500:+50, 64:4096:*2"),
            );
        }
        let kind = ExprKind::Range { first: first.into(), last: last.into(), step };
        Ok(Expr { span: self.from(start), kind })
    }

    /// `a < b < c`.
    fn refuse_chain(&mut self) -> Read<()> {
        let token = self.peek();
        if operator(&token.kind).is_none_or(|next| strength::binary(next) != COMPARISON) {
            return Ok(());
        }
        self.fail(
            Diagnostic::error(
                codes::CHAIN,
                token.span.clone(),
                "a comparison follows a comparison",
            )
            .help("join two comparisons by `and`: 1 < N and N < 9")
            .help("a range of values is checked by `in`: N in 1:9"),
        )
    }
}

/// The operator between values that this token is.
fn operator(kind: &TokenKind) -> Option<Binary> {
    Some(match kind {
        TokenKind::Keyword(Keyword::Or) => Binary::Or,
        TokenKind::Keyword(Keyword::And) => Binary::And,
        TokenKind::Keyword(Keyword::In) => Binary::In,
        TokenKind::Keyword(Keyword::Mod) => Binary::Remainder,
        TokenKind::Symbol("==") => Binary::Equal,
        TokenKind::Symbol("!=") => Binary::NotEqual,
        TokenKind::Symbol("<") => Binary::Less,
        TokenKind::Symbol("<=") => Binary::LessEqual,
        TokenKind::Symbol(">") => Binary::Greater,
        TokenKind::Symbol(">=") => Binary::GreaterEqual,
        TokenKind::Symbol("+") => Binary::Add,
        TokenKind::Symbol("-") => Binary::Subtract,
        TokenKind::Symbol("*") => Binary::Multiply,
        TokenKind::Symbol("/") => Binary::Divide,
        TokenKind::Symbol("^") => Binary::Power,
        _ => return None,
    })
}
