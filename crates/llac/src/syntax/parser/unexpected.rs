//! Errors about what cannot follow, with what was probably meant.

use cll_diagnostic::{Diagnostic, escape};

use super::{Parser, Read};
use crate::syntax::ast::{Expr, ExprKind, Span};
use crate::syntax::codes;
use crate::syntax::lexer::meant;
use crate::syntax::token::TokenKind;
use crate::syntax::vocabulary::Keyword;
use crate::syntax::words::{ClauseWord, Verb};

impl Parser<'_> {
    /// Goes over a closing bracket.
    pub(super) fn close(&mut self, symbol: &'static str, open: Span) -> Read<()> {
        if self.take(symbol) {
            return Ok(());
        }
        let token = self.peek();
        let opening = if symbol == ")" { "(" } else { "[" };
        if token.kind.is_end() || matches!(token.kind, TokenKind::Symbol(")" | "]")) {
            let message = format!("`{opening}` is not closed");
            let mut diagnostic = Diagnostic::error(codes::BRACKET, open, message);
            if token.kind != TokenKind::End {
                diagnostic = diagnostic.also(token.span.clone(), format!("`{symbol}` is missing"));
            }
            return self.fail_here(diagnostic.help(format!("close it with `{symbol}`")));
        }
        self.fail_unexpected(Some(symbol))
    }

    /// Reports that the next token cannot follow, where something else or the end of the statement should.
    pub(super) fn fail_unexpected<T>(&mut self, instead: Option<&str>) -> Read<T> {
        let token = self.peek();
        let span = token.span.clone();
        let text = self.text_of(&span);
        let shown = escape(text);
        let cannot_follow = match instead {
            Some(instead) => format!("`{shown}` cannot follow; `{instead}` is missing"),
            None => format!("`{shown}` cannot follow"),
        };
        let unexpected =
            |message: String| Diagnostic::error(codes::UNEXPECTED, span.clone(), message);
        let diagnostic = match &token.kind {
            TokenKind::Clause(_) => {
                let message = format!("`{text}` belongs to a verb");
                Diagnostic::error(codes::CLAUSE, span, message)
                    .help(format!("begin with a verb, as in: predict m {text} …"))
                    .help("inside an expression put the verb and its clauses in brackets")
            }
            TokenKind::Verb(_) => {
                let message = format!("the verb `{text}` inside an expression");
                Diagnostic::error(codes::INSIDE, span, message)
                    .help(format!("put what it does in brackets: ({text} …)"))
                    .help(format!("a name of this text stands in backquotes: `{text}`"))
            }
            TokenKind::Symbol(")" | "]") => {
                Diagnostic::error(codes::BRACKET, span, format!("`{text}` closes nothing"))
                    .help("remove it, or open a bracket before")
            }
            TokenKind::Symbol(",") => unexpected("`,` cannot stand here".to_owned())
                .help("a list stands in brackets: [1, 2, 4]"),
            TokenKind::Keyword(Keyword::Then | Keyword::Else) => {
                Diagnostic::error(codes::IF, span, format!("`{text}` without `if`"))
                    .help("it is written so: if P == 1 then x else y")
            }
            TokenKind::Keyword(Keyword::Where | Keyword::Set) => {
                unexpected(format!("`{text}` cannot stand here"))
                    .help("put what it belongs to in brackets")
            }
            kind if kind.begins_operand() => {
                let words = ClauseWord::ALL.map(ClauseWord::word);
                let keywords = Keyword::ALL.map(Keyword::word);
                let near = meant(text, words.into_iter().chain(keywords));
                let is_name = matches!(kind, TokenKind::Name { quoted: false });
                let help = near.filter(|_| is_name && text.len() > 1).unwrap_or_else(|| {
                    "values are joined by operators, such as `*`; what a verb is applied to is \
                     separated by commas"
                        .to_owned()
                });
                unexpected(cannot_follow).help(help)
            }
            _ => unexpected(cannot_follow),
        };
        self.fail_here(diagnostic)
    }

    /// A word of the language where a name is required.
    pub(super) fn fail_reserved<T>(&mut self) -> Read<T> {
        let span = self.peek().span.clone();
        let word = self.text_of(&span);
        let message = format!("`{word}` is a word of the language");
        self.fail(
            Diagnostic::error(codes::RESERVED, span, message)
                .help(format!("choose another name, or put it in backquotes: `{word}`")),
        )
    }

    /// A name that begins an expression, and then another value.
    pub(super) fn refuse_unknown_verb(&mut self, first: &Expr) -> Read<()> {
        let ExprKind::Name(name) = &first.kind else { return Ok(()) };
        let is_bare = !self.text_of(&first.span).starts_with('`');
        if !is_bare || !self.peek().kind.begins_operand() {
            return Ok(());
        }
        let Some(help) = meant(name, Verb::ALL.map(Verb::word)) else { return Ok(()) };
        let span = first.span.clone();
        let message = format!("unknown verb `{}`", escape(name));
        self.fail(Diagnostic::error(codes::VERB, span, message).help(help))
    }
}
