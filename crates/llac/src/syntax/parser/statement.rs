//! Statements.

use cll_diagnostic::Diagnostic;

use super::expression::ExpressionPlace;
use super::{Failed, Parser, Read};
use crate::syntax::ast::{Expr, ExprKind, Name, Statement, StatementKind};
use crate::syntax::codes;
use crate::syntax::token::TokenKind;
use crate::syntax::words::Verb;

impl Parser<'_> {
    /// Reads one, and goes to its end.
    pub(super) fn statement(&mut self) -> Read<Statement> {
        let start = self.peek().span.start;
        let kind = self.statement_kind()?;
        let span = self.from(start);
        if self.peek().kind.is_end() {
            Ok(Statement { span, kind })
        } else {
            self.fail_unexpected(None)
        }
    }

    fn statement_kind(&mut self) -> Read<StatementKind> {
        let first = self.peek();
        if let TokenKind::Command(arguments) = &first.kind {
            self.next();
            return Ok(StatementKind::Command { arguments: arguments.clone() });
        }
        let is_word = first.kind.is_word();
        if self.peek_at(1).is("=") && (is_word || matches!(first.kind, TokenKind::Name { .. })) {
            if is_word {
                return self.fail_reserved();
            }
            let name = self.name();
            self.next();
            let value = self.expression(ExpressionPlace::BRACKETS)?;
            return Ok(StatementKind::Assign { name, value });
        }
        if let Some(end) = self.ending() {
            let span = first.span.start..self.tokens[end - 1].span.end;
            self.position = end;
            let (arguments, clauses) = (Vec::new(), Vec::new());
            let kind = ExprKind::Verb { verb: Verb::Quit, arguments, clauses };
            return Ok(StatementKind::Value(Expr { span, kind }));
        }
        self.refuse_arrow()?;
        if matches!(first.kind, TokenKind::Name { .. })
            && self.peek_at(1).is("(")
            && let Some(end) = self.definition()
        {
            return self.define(end);
        }
        let value = self.expression(ExpressionPlace::STATEMENT)?;
        if self.peek().kind.is("=") {
            self.fail_target(&value)
        } else {
            Ok(StatementKind::Value(value))
        }
    }

    /// Where a statement ends that ends the session as in other languages: `exit`, `exit()`, `quit()`.
    fn ending(&self) -> Option<usize> {
        let first = self.peek();
        let is_exit = matches!(first.kind, TokenKind::Name { quoted: false })
            && self.text_of(&first.span) == "exit";
        let is_quit = first.kind == TokenKind::Verb(Verb::Quit);
        let after = |k: usize| self.peek_at(k);
        match (is_exit, is_exit || is_quit) {
            (true, _) if after(1).is_end() => Some(self.position + 1),
            (_, true) if after(1).is("(") && after(2).is(")") && after(3).is_end() => {
                Some(self.position + 3)
            }
            _ => None,
        }
    }

    /// `x <- 3`, as in R.
    fn refuse_arrow(&mut self) -> Read<()> {
        let is_name = matches!(self.peek().kind, TokenKind::Name { .. });
        let is_arrow = self.peek_at(1).is("<") && self.peek_at(2).is("-");
        if !is_name || !is_arrow {
            return Ok(());
        }
        let (less, minus) =
            (&self.tokens[self.position + 1].span, &self.tokens[self.position + 2].span);
        let is_spaced = less.end != minus.start
            || self.tokens.get(self.position + 3).is_none_or(|value| value.span.start == minus.end);
        if is_spaced {
            return Ok(());
        }
        let span = less.start..minus.end;
        self.fail(
            Diagnostic::error(codes::TARGET, span, "`<-` gives no name")
                .help("write `=` to give a value a name, or `< -` to compare"),
        )
    }

    /// If a list of names in brackets follows the name, and then `=`: where that is.
    fn definition(&self) -> Option<usize> {
        let mut position = self.position + 2;
        loop {
            match self.tokens.get(position)?.kind {
                TokenKind::Name { .. }
                | TokenKind::Symbol(",")
                | TokenKind::Verb(_)
                | TokenKind::Clause(_)
                | TokenKind::Number { .. }
                | TokenKind::Keyword(_) => position += 1,
                TokenKind::Symbol(")") => break,
                _ => return None,
            }
        }
        self.tokens.get(position + 1).filter(|token| token.kind.is("=")).map(|_| position + 1)
    }

    /// Reads the definition of a function whose `=` is there.
    fn define(&mut self, equals: usize) -> Read<StatementKind> {
        let name = self.name();
        self.next();
        let parameters = self.parameters(equals)?;
        self.position = equals + 1;
        let body = self.expression(ExpressionPlace::BRACKETS)?;
        Ok(StatementKind::Define { name, parameters, body })
    }

    fn parameters(&mut self, equals: usize) -> Read<Vec<Name>> {
        let mut parameters: Vec<Name> = Vec::new();
        let close = equals - 1;
        while self.position < close {
            let token = self.peek();
            if token.kind.is_word() {
                return self.fail_reserved();
            }
            if !matches!(token.kind, TokenKind::Name { .. }) {
                return self.fail(
                    Diagnostic::error(
                        codes::PARAMETERS,
                        token.span.clone(),
                        "a parameter of a function is a name",
                    )
                    .help(
                        "for one value of a parameter write `if`: f(N) = if N == 1 then … else …",
                    ),
                );
            }
            let name = self.name();
            if let Some(first) = parameters.iter().find(|other| other.text == name.text) {
                let message = format!("the function has two parameters `{}`", name.text);
                let first = first.span.clone();
                return self.fail(
                    Diagnostic::error(codes::PARAMETERS, name.span, message)
                        .also(first, "first here")
                        .help("each parameter has a name of its own"),
                );
            }
            parameters.push(name);
            if self.position < close && (!self.take(",") || self.position == close) {
                let span = self.peek().span.clone();
                return self.fail(
                    Diagnostic::error(
                        codes::PARAMETERS,
                        span,
                        "parameters are separated by commas",
                    )
                    .help("a function is defined so: f(N, P) = N/P"),
                );
            }
        }
        Ok(parameters)
    }

    /// Reports that the target of an assignment is not a name.
    fn fail_target<T>(&mut self, target: &Expr) -> Read<T> {
        let help = match &target.kind {
            ExprKind::Member(base, member) => match &base.kind {
                ExprKind::Name(name) => format!(
                    "a column is changed so: {name} = {name} set {} = …; values are compared by `==`",
                    member.text
                ),
                _ => "only names and functions are given values".to_owned(),
            },
            ExprKind::Call { .. } => {
                "a function is defined with names as parameters: f(N, P) = …".to_owned()
            }
            _ => "a value is given to a name: x = …; values are compared by `==`".to_owned(),
        };
        let text = self.text_of(&target.span);
        let shown: String = text.chars().take(40).collect();
        let shown = if shown.len() < text.len() { format!("{shown}…") } else { shown };
        let message = format!("`{}` cannot be given a value", cll_diagnostic::escape(&shown));
        self.report.push(Diagnostic::error(codes::TARGET, target.span.clone(), message).help(help));
        Err(Failed)
    }
}
