//! Error messages of the parser, and how it continues.

use std::ops::Range;

use cll_diagnostic::Diagnostic;

use super::{Ast, PRODUCT, Parser, REFUSED, SyntaxNode, TokenKind};
use crate::codes;
use crate::syntax::{names, number, operators};

impl Parser<'_> {
    /// An operand is missing here.
    pub(super) fn no_operand(&mut self) -> Ast {
        let span = self.span();
        let refused = match self.kind() {
            TokenKind::Symbol(symbol) => symbol != "," && operators::refused(symbol).is_some(),
            _ => false,
        };
        if self.missed != Some(self.position) && !refused {
            let message = match self.kind() {
                TokenKind::End => "an operand is missing at the end".to_owned(),
                _ => format!("an operand is missing before `{}`", self.word()),
            };
            self.report.push(
                Diagnostic::error(codes::OPERAND, span.clone(), message)
                    .label("here")
                    .help("write a number, a variable, a constant or a function"),
            );
        }
        self.missed = Some(self.position);
        Ast::broken(span.start..span.start)
    }

    /// Two operands without an operator between them.
    pub(super) fn without_operator(&mut self, left: Ast) -> Ast {
        if self.missed != Some(self.position)
            && self.kind() != TokenKind::BadOperand
            && !left.broken
        {
            let before = &self.text[self.tokens[self.position - 1].span.clone()];
            let help = if names::function(before).is_some() || before == "pow" {
                format!("write the argument of a function in parentheses: `{before}(…)`")
            } else if matches!(left.node, SyntaxNode::Variable(_))
                && self.kind() == TokenKind::Symbol("(")
            {
                "for a product write `*` between them; to use the value of a function of the \
                 program, save it in a variable"
                    .to_owned()
            } else {
                "for a product write `*` between them".to_owned()
            };
            self.report.push(
                Diagnostic::error(
                    codes::ADJACENT,
                    self.span(),
                    format!("an operator is missing before `{}`", self.word()),
                )
                .label("here")
                .help(help),
            );
        }
        self.broken_with(left.span.start, PRODUCT + 1)
    }

    /// An operator that formulas do not have.
    pub(super) fn refused(&mut self, left: Ast, symbol: &'static str) -> Ast {
        let span = self.span();
        if let Some((message, help)) = operators::refused(symbol) {
            self.report.push(Diagnostic::error(codes::OPERATOR, span.clone(), message).help(help));
        }
        self.position += 1;
        let begins = self.begins_operand() || matches!(self.kind(), TokenKind::Symbol("+" | "-"));
        if matches!(symbol, "++" | "--" | "!" | "~") || !begins {
            self.missed = Some(self.position);
            return Ast::broken(left.span.start..span.end);
        }
        let mut ast = self.broken_with(left.span.start, REFUSED + 1);
        if symbol == "?" && self.kind() == TokenKind::Symbol(":") {
            self.position += 1;
            ast = self.broken_with(left.span.start, REFUSED + 1);
        }
        ast
    }

    /// `[`, `.` or `->` after something that is not a variable.
    pub(super) fn suffix_of_value(&mut self, left: Ast) -> Ast {
        let symbol = self.word();
        if !left.broken {
            self.report.push(
                Diagnostic::error(
                    codes::OPERAND,
                    self.span(),
                    format!("`{symbol}` follows something that is not a variable"),
                )
                .help("save the value in a variable of the program"),
            );
        }
        let end = if symbol == "[" {
            self.bracketed();
            self.tokens[self.position - 1].span.end
        } else {
            self.position += 1;
            let end = self.tokens[self.position - 1].span.end;
            if self.kind() == TokenKind::Word {
                self.position += 1;
            }
            end
        };
        Ast::broken(left.span.start..end)
    }

    /// Nested too deeply: the rest is not read.
    pub(super) fn too_deep(&mut self) -> Ast {
        let span = self.span();
        self.position = self.tokens.len() - 1;
        self.missed = Some(self.position);
        self.stopped = true;
        self.too_deep_at(span)
    }

    /// Nested too deeply; the message points to `span`.
    pub(super) fn too_deep_at(&mut self, span: Range<usize>) -> Ast {
        self.report.push(
            Diagnostic::error(
                codes::DEPTH,
                span.clone(),
                "operators, functions or parentheses are nested too deeply",
            )
            .help("save the value of a part in a variable of the program"),
        );
        Ast::broken(span)
    }

    /// Unmatched closing brackets, and what follows them.
    pub(super) fn past_strays(&mut self, tree: Ast) -> Ast {
        let mut tree = tree;
        while let TokenKind::Symbol(symbol @ (")" | "]")) = self.kind() {
            let span = self.span();
            // A missing operand before it was already reported.
            if self.missed != Some(self.position) {
                self.report.push(
                    Diagnostic::error(
                        codes::BRACKET,
                        span.clone(),
                        format!("`{symbol}` closes nothing"),
                    )
                    .help("remove it, or add the opening bracket"),
                );
            }
            self.position += 1;
            self.missed = Some(self.position);
            tree = Ast::broken(tree.span.start..span.end);
            while let Some((infix, _)) = self.infix() {
                tree = self.joined(tree, infix);
                self.missed = None;
            }
        }
        tree
    }

    /// Reads on to find further errors; the result has no value.
    pub(super) fn broken_with(&mut self, start: usize, least: u8) -> Ast {
        let right = self.expression(least);
        Ast::broken(start..right.span.end)
    }

    /// `1/2` is 0 in C, but 0.5 here.
    pub(super) fn note_quotient(&mut self, left: &Ast, right: &Ast) {
        let literal = |ast: &Ast| {
            number::read(&self.text[ast.span.clone()])
                .ok()
                .filter(|number| number.integer)
                .map(|number| number.value)
        };
        let (Some(a), Some(b)) = (literal(left), literal(right)) else { return };
        if b != 0.0 && a % b != 0.0 {
            self.report.push(
                Diagnostic::note(
                    codes::QUOTIENT,
                    left.span.start..right.span.end,
                    format!(
                        "the quotient {a}/{b} is {} here; C would truncate it to {}",
                        a / b,
                        (a / b).trunc()
                    ),
                )
                .help("all arithmetic of formulas is in double precision"),
            );
        }
    }
}
