//! Variables and constants of the file that have one value from begin to end.

use std::collections::HashSet;

use cll_csource::file::{Function, Variant};
use cll_csource::lex::{lex, lex_within};
use cll_csource::{Token, TokenKind};

use super::SourceProgram;
use crate::expression::{Expr, Tokens, expression};
use crate::value::Value;

/// Finds them: `#define N 100`, constants of an `enum`, variables that no function changes.
pub(super) fn find(variant: &Variant<'_>, functions: &[Function], program: &mut SourceProgram) {
    let changed: HashSet<usize> = program
        .bodies
        .iter()
        .flat_map(|body| &body.nodes)
        .flat_map(|node| &node.writes)
        .copied()
        .collect();
    macros(variant, program);
    let tokens = &variant.tokens;
    let mut index = 0;
    let mut bodies = functions.iter().peekable();
    let mut depth = 0usize;
    let mut enumerated: Option<(usize, i64)> = None;
    while index < tokens.len() {
        if let Some(body) = bodies.next_if(|body| body.open <= index) {
            index = body.close.max(index) + 1;
            depth = 0;
            continue;
        }
        let token = &tokens[index];
        match token.byte {
            b'{' => {
                depth += 1;
                if is_enum(variant, index) {
                    enumerated = Some((depth, 0));
                }
            }
            b'}' => {
                if enumerated.is_some_and(|(inside, _)| inside == depth) {
                    enumerated = None;
                }
                depth = depth.saturating_sub(1);
            }
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let next = tokens.get(index + 1).map_or(0, |token| token.byte);
        let in_enum = enumerated.filter(|(inside, _)| *inside == depth);
        if token.kind == TokenKind::Identifier && matches!(next, b'=' | b',' | b';' | b'}' | b'[') {
            let value = match next {
                b'=' => initial(variant, index + 2, program),
                _ => Value::Unknown,
            };
            let id =
                Tokens::new(variant, index, index + 1).name(0).map(|name| program.names.id(&name));
            if let (Some((inside, number)), Some(id)) = (in_enum, id) {
                let value = match (next, value) {
                    (b'=', value) => value,
                    _ => Value::Int(number),
                };
                program.globals.insert(id, value);
                let following = match value {
                    Value::Int(number) => number.wrapping_add(1),
                    _ => number,
                };
                enumerated = Some((inside, following));
            } else if let Some(id) = id.filter(|_| depth == 0) {
                let known = if changed.contains(&id) { Value::Unknown } else { value };
                program.globals.insert(id, known);
            }
        }
        index += 1;
    }
}

fn is_enum(variant: &Variant<'_>, open: usize) -> bool {
    let before = |distance: usize| {
        let start = open.checked_sub(distance)?;
        Tokens::new(variant, start, open).name(0)
    };
    [1, 2].into_iter().any(|distance| before(distance).as_deref() == Some("enum"))
}

/// The value behind `=`, up to the comma, semicolon or bracket.
fn initial(variant: &Variant<'_>, from: usize, program: &mut SourceProgram) -> Value {
    let tokens = &variant.tokens[from.min(variant.tokens.len())..];
    let length = tokens.iter().take(64).position(|token| matches!(token.byte, b',' | b';' | b'}'));
    let Some(length) = length else { return Value::Unknown };
    let read = expression(Tokens::new(variant, from, from + length), &mut program.names);
    constant(&read, program, 0)
}

/// The value of an expression of numbers and of what is known of the file.
fn constant(read: &Expr, program: &SourceProgram, depth: usize) -> Value {
    if depth > 100 {
        return Value::Unknown;
    }
    let value_of = |part: &Expr| constant(part, program, depth + 1);
    match read {
        Expr::Value(value) => *value,
        Expr::Name(name) => program.globals.get(name).copied().unwrap_or(Value::Unknown),
        Expr::Unary(operator, a) => value_of(a).unary(*operator),
        Expr::Binary(operator, a, b) => value_of(a).binary(*operator, value_of(b)),
        Expr::Convert(is_real, a) => value_of(a).converted(*is_real),
        _ => Value::Unknown,
    }
}

/// Macros without parameters whose text is an expression of numbers.
fn macros(variant: &Variant<'_>, program: &mut SourceProgram) {
    let source = variant.source;
    for directive in lex(source).filter(|token| token.kind == TokenKind::Directive) {
        let left_out = |gap: &std::ops::Range<usize>| gap.contains(&directive.start);
        if variant.left_out.iter().any(left_out) {
            continue;
        }
        let inside: Vec<Token> = lex_within(source, directive.start + 1..directive.end)
            .filter(|token| {
                !matches!(
                    token.kind,
                    TokenKind::Space
                        | TokenKind::BlockComment
                        | TokenKind::LineComment
                        | TokenKind::Newline
                )
            })
            .collect();
        let text =
            |token: &Token| String::from_utf8_lossy(&source[token.start..token.end]).into_owned();
        let [word, name, rest @ ..] = &inside[..] else { continue };
        let is_plain = rest.first().is_some_and(|first| !first.is(b'(') || first.start > name.end);
        if text(word) != "define" || name.kind != TokenKind::Identifier {
            continue;
        }
        if !is_plain {
            let id = program.names.id(&text(name));
            if !rest.is_empty() {
                program.macros.insert(id, changed_parameters(source, rest));
            }
            continue;
        }
        let only =
            Variant { source, tokens: std::borrow::Cow::Borrowed(rest), left_out: Vec::new() };
        let read = expression(Tokens::new(&only, 0, rest.len()), &mut program.names);
        let value = constant(&read, program, 0);
        let id = program.names.id(&text(name));
        program.globals.insert(id, value);
    }
}

/// For each parameter of a macro, whether its text may change it; `rest` begins with `(`.
fn changed_parameters(source: &[u8], rest: &[Token]) -> Vec<bool> {
    let text =
        |token: &Token| String::from_utf8_lossy(&source[token.start..token.end]).into_owned();
    let close = rest.iter().position(|token| token.is(b')')).unwrap_or(rest.len());
    let names = rest[..close].iter().filter(|token| token.kind == TokenKind::Identifier).map(text);
    let body: Vec<String> = rest[close..].iter().skip(1).map(text).collect();
    let is_changed = |name: String| {
        let places = (0..body.len()).filter(|index| body[*index] == name);
        places.into_iter().any(|index| {
            // `(x) += 1` is as `x += 1`.
            let after = body[index + 1..].iter().find(|word| *word != ")");
            let before = body[..index].iter().rev().find(|word| *word != "(");
            let assigns = |word: &String| {
                word == "++"
                    || word == "--"
                    || word.ends_with('=') && !matches!(word.as_str(), "==" | "!=" | "<=" | ">=")
            };
            after.is_some_and(assigns)
                || before.is_some_and(|word| matches!(word.as_str(), "++" | "--" | "&"))
        })
    };
    names.map(is_changed).collect()
}
