//! Lists of expressions to record: `uses(a, b->n, x*y)`.

use std::collections::HashSet;

use cll_diagnostic::Diagnostic;

use super::{Parser, TokenKind};
use crate::syntax::lexer::{Token, lex};
use crate::syntax::{MAX_VARIABLES, Report, names, normalised};
use crate::{Variable, VariableKind, codes};

/// The variables of a list, each once.
pub(crate) fn variables(text: &str, report: &mut Report) -> Vec<Variable> {
    let tokens = lex(text, report);
    if tokens.len() == 1 {
        report.push(
            Diagnostic::error(codes::EMPTY, 0..text.len(), "the list of variables is empty")
                .help("name a variable, or remove the clause"),
        );
        return Vec::new();
    }
    let mut variables: Vec<Variable> = Vec::new();
    let mut known = HashSet::new();
    for item in items(&tokens) {
        if let Some(variable) = variable(text, item, report)
            && known.insert(variable.name.clone())
        {
            variables.push(variable);
        }
        if report.is_full() {
            break;
        }
    }
    if variables.len() > MAX_VARIABLES {
        let message =
            format!("the list has {} variables, more than {MAX_VARIABLES}", variables.len());
        report.error(codes::TOO_MANY, 0..text.len(), message);
    }
    variables
}

/// The tokens between commas outside brackets, each with its next token.
fn items(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    let mut depth = 0_usize;
    tokens.split_inclusive(move |token| {
        match token.kind {
            TokenKind::Symbol("(" | "[") => depth += 1,
            TokenKind::Symbol(")" | "]") => depth = depth.saturating_sub(1),
            _ => {}
        }
        token.kind == TokenKind::End || (token.kind == TokenKind::Symbol(",") && depth == 0)
    })
}

fn variable(text: &str, item: &[Token], report: &mut Report) -> Option<Variable> {
    let (last, body) = item.split_last()?;
    if body.is_empty() {
        let position = last.span.start;
        report.push(
            Diagnostic::error(codes::OPERAND, position..position, "a variable is missing here")
                .help("remove the comma"),
        );
        return None;
    }
    let mut tokens = body.to_vec();
    let end = body[body.len() - 1].span.end;
    tokens.push(Token { kind: TokenKind::End, span: end..end });
    let mut parser = Parser::new(text, "", &tokens, report);
    if !parser.is_pure(0..tokens.len() - 1, "the list of variables") || !parser.is_balanced() {
        return None;
    }
    if parser.kind() == TokenKind::Word {
        if names::is_keyword(parser.word()) && parser.word() != "sizeof" {
            parser.name();
            return None;
        }
        let size = parser.word() == "sizeof";
        let kind = if size {
            parser.size();
            VariableKind::Size
        } else {
            parser.path()?
        };
        if parser.kind() == TokenKind::End {
            let name = match parser.variables.pop() {
                Some(variable) => variable.name,
                None => normalised(text, body),
            };
            return Some(Variable { c: name.clone(), name, kind });
        }
    }
    let name = normalised(text, body);
    Some(Variable { c: name.clone(), name, kind: VariableKind::Expression })
}
