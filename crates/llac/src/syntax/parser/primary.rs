//! Values, and calls, members and indices after them.

use cll_diagnostic::Diagnostic;

use super::clauses::Words;
use super::expression::ExpressionPlace;
use super::{Parser, Read};
use crate::syntax::ast::{Expr, ExprKind, Name, Span};
use crate::syntax::codes;
use crate::syntax::token::TokenKind;
use crate::syntax::units;
use crate::syntax::vocabulary::Keyword;

impl Parser<'_> {
    /// Reads a value and what is applied to it.
    pub(super) fn postfixed(&mut self) -> Read<Expr> {
        let mut left = self.primary()?;
        loop {
            let open = self.peek().span.clone();
            let height = self.height;
            let start = left.span.start;
            let kind = match self.peek().kind {
                TokenKind::Symbol("(" | "[" | ".") if self.is_plain_number(&left) => {
                    return self.fail_number(&left);
                }
                TokenKind::Symbol("(") => {
                    self.next();
                    let arguments = self.nested(|parser| {
                        parser.height = 0;
                        if parser.peek().kind.is(")") {
                            Ok(Vec::new())
                        } else {
                            parser.items(Words::No)
                        }
                    })?;
                    self.close(")", open)?;
                    ExprKind::Call { function: left.into(), arguments }
                }
                TokenKind::Symbol("[") => {
                    self.next();
                    let index = self.nested(|parser| parser.expression(ExpressionPlace::ITEM))?;
                    self.close("]", open)?;
                    ExprKind::Index(left.into(), index.into())
                }
                TokenKind::Symbol(".") => {
                    self.next();
                    ExprKind::Member(left.into(), self.member()?)
                }
                _ => return Ok(left),
            };
            self.built(height.max(self.height))?;
            left = Expr { span: self.from(start), kind };
        }
    }

    fn primary(&mut self) -> Read<Expr> {
        let token = self.peek();
        let span = token.span.clone();
        let kind = match &token.kind {
            TokenKind::Number { value, percent } => return self.number(*value, *percent, span),
            TokenKind::Text(text) => ExprKind::Text(text.clone()),
            TokenKind::Keyword(Keyword::True) => ExprKind::Bool(true),
            TokenKind::Keyword(Keyword::False) => ExprKind::Bool(false),
            TokenKind::Name { .. } => ExprKind::Name(self.name_text(&span)),
            TokenKind::Symbol("(") => {
                self.next();
                let inner = self.nested(|parser| parser.expression(ExpressionPlace::BRACKETS))?;
                self.close(")", span.clone())?;
                return Ok(Expr { span: self.from(span.start), kind: inner.kind });
            }
            TokenKind::Symbol("[") => {
                self.next();
                return self.list(span);
            }
            _ => return self.fail_value(),
        };
        self.next();
        self.height = 1;
        Ok(Expr { span, kind })
    }

    fn name_text(&self, span: &Span) -> String {
        self.text_of(span).trim_matches('`').to_owned()
    }

    fn list(&mut self, open: Span) -> Read<Expr> {
        let mut values = Vec::new();
        let mut deepest = 0;
        while !self.peek().kind.is("]") || !values.is_empty() {
            values.push(self.nested(|parser| parser.expression(ExpressionPlace::ITEM))?);
            deepest = deepest.max(self.height);
            if !self.take(",") {
                break;
            }
        }
        self.close("]", open.clone())?;
        self.built(deepest)?;
        Ok(Expr { span: self.from(open.start), kind: ExprKind::List(values) })
    }

    /// A name after a dot. Words of the language are names there.
    fn member(&mut self) -> Read<Name> {
        let token = self.peek();
        if matches!(token.kind, TokenKind::Name { .. }) || token.kind.is_word() {
            return Ok(self.name());
        }
        self.fail_here(
            Diagnostic::error(codes::VALUE, token.span.clone(), "a name must follow the dot")
                .help("columns and parts are written f.time, m.f[2]"),
        )
    }

    /// A number that is next, with its unit.
    fn number(&mut self, value: f64, percent: bool, span: Span) -> Read<Expr> {
        self.next();
        self.height = 1;
        let value = if percent { value / 100.0 } else { value };
        let after = self.peek();
        let is_name = matches!(after.kind, TokenKind::Name { quoted: false });
        if percent && (is_name || matches!(after.kind, TokenKind::Number { .. })) {
            return self.fail(
                Diagnostic::error(
                    codes::UNEXPECTED,
                    after.span.clone(),
                    "nothing can follow a percentage",
                )
                .help("a remainder is written `mod`: 10 mod 3"),
            );
        }
        if !is_name {
            return Ok(Expr { span, kind: ExprKind::Number { value, unit: None } });
        }
        let word = self.text_of(&after.span);
        let Some(unit) = units::unit(word) else {
            return self.fail(
                Diagnostic::error(
                    codes::UNIT,
                    after.span.clone(),
                    format!("unknown unit `{word}`"),
                )
                .help(units::advice(word, self.text_of(&span))),
            );
        };
        let name = Name { text: unit.to_owned(), span: after.span.clone() };
        self.next();
        let span = self.from(span.start);
        Ok(Expr { span, kind: ExprKind::Number { value, unit: Some(name) } })
    }

    /// Whether it is a number without brackets around it.
    fn is_plain_number(&self, left: &Expr) -> bool {
        matches!(left.kind, ExprKind::Number { .. }) && !self.text_of(&left.span).starts_with('(')
    }

    /// A call, a member or an index of a number.
    fn fail_number<T>(&mut self, number: &Expr) -> Read<T> {
        let token = self.peek();
        let text = self.text_of(&number.span);
        let help = match token.kind {
            TokenKind::Symbol("(") => format!("a product is written {text}*(…)"),
            TokenKind::Symbol("[") => "a list is written [1, 2, 4]".to_owned(),
            _ => "a decimal number has digits before and after the dot: 0.5".to_owned(),
        };
        let what = self.text_of(&token.span);
        let message = format!("`{what}` cannot follow a number");
        self.fail(Diagnostic::error(codes::UNEXPECTED, token.span.clone(), message).help(help))
    }

    /// Something else where a value is required.
    fn fail_value<T>(&mut self) -> Read<T> {
        let token = self.peek();
        let span = token.span.clone();
        let text = self.text_of(&span);
        let diagnostic = match &token.kind {
            TokenKind::Verb(verb) => {
                let message = format!("the verb `{}` inside an expression", verb.word());
                Diagnostic::error(codes::INSIDE, span, message)
                    .help(format!("put what it does in brackets: ({text} …)"))
                    .help(format!("a name of this text stands in backquotes: `{text}`"))
            }
            TokenKind::Keyword(Keyword::Then | Keyword::Else) => {
                Diagnostic::error(codes::IF, span, format!("`{text}` where a value is required"))
                    .help("it is written so: if P == 1 then x else y")
            }
            kind if kind.is_word() => {
                Diagnostic::error(codes::VALUE, span, format!("a value is missing before `{text}`"))
                    .help(format!("a name of this text stands in backquotes: `{text}`"))
            }
            TokenKind::Symbol("+") => {
                Diagnostic::error(codes::VALUE, span, "a value is missing before `+`")
                    .help("a positive number has no sign")
            }
            TokenKind::Symbol(".")
                if self.tokens.get(self.position + 1).is_some_and(|next| {
                    next.span.start == span.end && matches!(next.kind, TokenKind::Number { .. })
                }) =>
            {
                Diagnostic::error(codes::VALUE, span, "a digit is missing before the dot")
                    .help("a decimal number has digits before and after the dot: 0.5")
            }
            TokenKind::Symbol(_) => {
                Diagnostic::error(codes::VALUE, span, format!("a value is missing before `{text}`"))
            }
            _ => Diagnostic::error(codes::VALUE, span, "a value is missing at the end"),
        };
        self.fail_here(diagnostic)
    }
}
