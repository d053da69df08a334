//! Parentheses, arguments, and the brackets whose content C evaluates.

use std::ops::Range;

use cll_diagnostic::Diagnostic;

use super::{ARGUMENT, Ast, Parser, TokenKind};
use crate::codes;
use crate::syntax::{Purity, purity};

impl Parser<'_> {
    /// `( … )`; the opening parenthesis is the current token.
    pub(super) fn parenthesised(&mut self) -> Ast {
        let open = self.span();
        self.position += 1;
        self.parentheses += 1;
        let inner = self.expression(0);
        self.parentheses -= 1;
        let end = self.close(&open);
        Ast { span: open.start..end, ..inner }
    }

    /// The arguments of a call and their end; the opening parenthesis is the current token.
    pub(super) fn arguments(&mut self) -> (Vec<Ast>, usize) {
        let open = self.span();
        self.position += 1;
        self.parentheses += 1;
        let mut arguments = Vec::new();
        if self.kind() != TokenKind::Symbol(")") {
            arguments.push(self.expression(ARGUMENT));
            while self.kind() == TokenKind::Symbol(",") {
                self.position += 1;
                arguments.push(self.expression(ARGUMENT));
            }
        }
        self.parentheses -= 1;
        let end = self.close(&open);
        (arguments, end)
    }

    /// Skips the `)` for `open`, or reports that it is missing. Returns where it ends.
    fn close(&mut self, open: &Range<usize>) -> usize {
        let mut mismatched = false;
        while self.kind() == TokenKind::Symbol("]") {
            if !mismatched {
                self.report.push(
                    Diagnostic::error(codes::BRACKET, self.span(), "`]` does not close `(`")
                        .also(open.clone(), "opened here")
                        .help("write `)`"),
                );
            }
            mismatched = true;
            self.position += 1;
        }
        let span = self.span();
        if self.kind() == TokenKind::Symbol(")") {
            self.position += 1;
            return span.end;
        }
        if !self.stopped && !mismatched {
            self.report.push(
                Diagnostic::error(codes::BRACKET, open.clone(), "`(` is not closed")
                    .label("opened here")
                    .also(span.clone(), "`)` is missing here")
                    .help("write a `)` for each `(`"),
            );
        }
        self.missed = Some(self.position);
        span.start
    }

    /// The tokens between brackets, the opening one being the current token; skips the closing one.
    /// `None` if that is missing, which is reported.
    pub(super) fn bracketed(&mut self) -> Option<Range<usize>> {
        let start = self.position;
        let mut open: Vec<usize> = Vec::new();
        loop {
            match self.kind() {
                TokenKind::Symbol("(" | "[") => open.push(self.position),
                TokenKind::Symbol(symbol @ (")" | "]")) => {
                    let opener = open.pop().unwrap_or(start);
                    let matches =
                        (self.tokens[opener].kind == TokenKind::Symbol("(")) == (symbol == ")");
                    if !matches {
                        self.not_closed(opener);
                        // It closes a bracket around this one, if there is any.
                        if symbol == "]" || self.parentheses == 0 {
                            self.position += 1;
                        }
                        return None;
                    }
                    if open.is_empty() {
                        self.position += 1;
                        return Some(start + 1..self.position - 1);
                    }
                }
                TokenKind::End => {
                    self.not_closed(open.pop().unwrap_or(start));
                    return None;
                }
                _ => {}
            }
            self.position += 1;
        }
    }

    /// Whether all brackets match, from the current token to the end; if not, that is reported.
    pub(super) fn is_balanced(&mut self) -> bool {
        let start = self.position;
        while self.kind() != TokenKind::End {
            match self.kind() {
                TokenKind::Symbol("(" | "[") => {
                    if self.bracketed().is_none() {
                        return false;
                    }
                }
                TokenKind::Symbol(symbol @ (")" | "]")) => {
                    self.report.push(
                        Diagnostic::error(
                            codes::BRACKET,
                            self.span(),
                            format!("`{symbol}` closes nothing"),
                        )
                        .help("remove it, or add the opening bracket"),
                    );
                    return false;
                }
                _ => self.position += 1,
            }
        }
        self.position = start;
        true
    }

    fn not_closed(&mut self, opener: usize) {
        let open = self.tokens[opener].span.clone();
        let symbol = &self.text[open.clone()];
        let closing = if symbol == "(" { ")" } else { "]" };
        self.report.push(
            Diagnostic::error(codes::BRACKET, open, format!("`{symbol}` is not closed"))
                .label("opened here")
                .also(self.span(), format!("`{closing}` is missing here"))
                .help(format!("write a `{closing}` for each `{symbol}`")),
        );
        self.missed = Some(self.position);
    }

    /// Whether C can evaluate the tokens where a region begins; if not, that is reported.
    pub(super) fn is_pure(&mut self, tokens: Range<usize>, place: &str) -> bool {
        let empty = self.tokens[tokens.start].span.start;
        let slice = &self.tokens[tokens];
        let experiment = (!self.experiment.is_empty()).then_some(self.experiment);
        let diagnostic = match purity(self.text, slice, experiment) {
            // A bad token was reported before.
            None => {
                return !slice
                    .iter()
                    .any(|t| matches!(t.kind, TokenKind::Bad | TokenKind::BadOperand));
            }
            Some(Purity::Empty) => {
                Diagnostic::error(codes::VARIABLE, empty..empty, format!("{place} is empty"))
            }
            Some(Purity::Operator("^", span)) => Diagnostic::error(
                codes::VARIABLE,
                span,
                format!("{place} is evaluated by C, where `^` is not a power"),
            )
            .help("write a product, or save the value in a variable of the program"),
            Some(Purity::Operator(symbol, span)) => {
                Diagnostic::error(codes::VARIABLE, span, format!("{place} contains `{symbol}`"))
                    .help("it is evaluated where the region begins and must not change anything")
            }
            Some(Purity::Call(span)) => {
                Diagnostic::error(codes::VARIABLE, span, format!("{place} calls a function")).help(
                    "save its value in a variable of the program: measuring must not run \
                     additional code",
                )
            }
            Some(Purity::Constant(span)) => {
                let name = &self.text[span.clone()];
                Diagnostic::error(
                    codes::INSIDE,
                    span.clone(),
                    format!("the constant {name} is in {place}"),
                )
                .help("a constant is a factor of a whole term")
            }
        };
        self.report.push(diagnostic);
        false
    }
}
