//! The syntax of the language: statements as values, with their places.
//!
//! [`parse`] reads a text, [`statement_text`] writes a statement, so that it is read as the same. The grammar is in
//! `docs/llac.md`.

pub mod ast;
mod classes;
pub mod codes;
mod command;
mod complete;
mod context;
mod lexer;
mod parser;
mod print;
mod quoted;
mod report;
mod strength;
mod token;
mod units;
mod vocabulary;
mod words;

use cll_diagnostic::Diagnostic;

pub use classes::{Class, classes};
pub use complete::{Completeness, is_complete};
pub use context::{Context, context};
pub use print::{expression_text, statement_text};
pub use units::UNITS;
pub use vocabulary::{COMMAND, Keyword, is_reserved, name_text};
pub use words::{ClauseWord, Verb};

use ast::Statement;

/// The result of parsing a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The statements that are right, in their order.
    pub statements: Vec<Statement>,
    /// The diagnostics of the other statements.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the statements of a text. A statement with an error is left out. Time and memory are linear in the text.
pub fn parse(text: &str) -> Parsed {
    let mut report = report::Report::default();
    let lexed = lexer::lex(text, &mut report);
    let statements = parser::statements(text, &lexed.tokens, &mut report);
    Parsed { statements, diagnostics: report.finish() }
}
