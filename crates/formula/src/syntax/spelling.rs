//! C text that the program's compiler will evaluate: its spelling, and whether it has side effects.

use std::ops::Range;

use super::lexer::{Token, TokenKind, is_name};
use super::names;

/// The tokens as text, with only the white space that C needs.
pub(crate) fn normalised(text: &str, tokens: &[Token]) -> String {
    let mut out = String::new();
    let mut last: Option<&str> = None;
    for token in tokens {
        let piece = &text[token.span.clone()];
        if last.is_some_and(|last| glued(last, piece)) {
            out.push(' ');
        }
        out.push_str(piece);
        last = Some(piece);
    }
    out
}

/// Whether two tokens would be read as others without white space between.
fn glued(a: &str, b: &str) -> bool {
    let (Some(end), Some(start)) = (a.chars().next_back(), b.chars().next()) else { return false };
    let number = a.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && a.len() > usize::from(a.starts_with('.'));
    match (end, start) {
        (a, b) if is_name(a) && is_name(b) => true,
        (_, '.' | '+' | '-') if number => true,
        ('.', b) => b.is_ascii_digit() || b == '.',
        ('+', '+')
        | ('-', '-' | '>')
        | ('&', '&')
        | ('|', '|')
        | ('<', '<' | ':' | '%')
        | ('>', '>') => true,
        ('+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<' | '>' | '=' | '!', '=') => true,
        ('/', '/' | '*') | ('%', '>' | ':') | (':', '>') => true,
        _ => false,
    }
}

/// Why an expression must not be evaluated where a region begins.
pub(crate) enum Purity {
    /// The expression is empty.
    Empty,
    /// This operator has a side effect, or a different meaning than in a formula.
    Operator(&'static str, Range<usize>),
    /// A function is called here.
    Call(Range<usize>),
    /// A constant of the experiment.
    Constant(Range<usize>),
}

/// The first reason why C text must not be evaluated where a region begins; `None` if there is
/// none.
///
/// Measuring must not change the program: no assignment, no call.
pub(crate) fn purity(text: &str, tokens: &[Token], experiment: Option<&str>) -> Option<Purity> {
    if tokens.is_empty() {
        return Some(Purity::Empty);
    }
    let word = |index: usize| {
        tokens
            .get(index)
            .filter(|token| token.kind == TokenKind::Word)
            .map(|token| &text[token.span.clone()])
    };
    let symbol = |index: usize| match tokens.get(index).map(|token| token.kind) {
        Some(TokenKind::Symbol(symbol)) => symbol,
        _ => "",
    };
    let mut opened: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let span = token.span.clone();
        if let Some(name) = word(index) {
            if symbol(index + 1) == "(" && !names::is_type_word(name) && name != "sizeof" {
                return Some(Purity::Call(span));
            }
            if experiment == Some(name)
                && symbol(index + 1) == "["
                && matches!(tokens.get(index + 2).map(|t| t.kind), Some(TokenKind::Number(_)))
                && symbol(index + 3) == "]"
                && (index == 0 || !matches!(symbol(index - 1), "." | "->"))
            {
                return Some(Purity::Constant(span.start..tokens[index + 3].span.end));
            }
        }
        match symbol(index) {
            "(" | "[" => opened.push(index),
            ")" => {
                let start = opened.pop().unwrap_or(index);
                let cast = word(start + 1)
                    .is_some_and(|name| names::is_type_word(name) || names::is_type_name(name));
                let size = start > 0 && word(start - 1).is_some();
                if symbol(index + 1) == "(" && !cast && !size {
                    return Some(Purity::Call(tokens[start].span.start..span.end));
                }
            }
            "]" => {
                opened.pop();
                if symbol(index + 1) == "(" {
                    return Some(Purity::Call(span));
                }
            }
            operator @ ("++" | "--" | "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "<<=" | ">>="
            | "&=" | "|=" | "^=" | "," | ";" | "{" | "}" | "..." | "^") => {
                return Some(Purity::Operator(operator, span));
            }
            _ => {}
        }
    }
    None
}
