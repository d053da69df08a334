//! Expressions and conditions of a description, with their places.

use std::ops::Range;

use cll_diagnostic::Diagnostic;
use cll_formula::{Quantity, parse_quantity};
use toml::Spanned;

/// An expression and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expression {
    pub(super) quantity: Quantity,
    pub(super) span: Range<usize>,
}

/// `P > 1 and N >= P`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Condition(pub(super) Vec<(Expression, Relation, Expression)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Less,
    AtMost,
    Equal,
    Unequal,
    AtLeast,
    More,
}

const RELATIONS: [(&str, Relation); 6] = [
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("==", Relation::Equal),
    ("!=", Relation::Unequal),
    ("<", Relation::Less),
    (">", Relation::More),
];

impl Relation {
    pub(super) fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Relation::Less => a < b,
            Relation::AtMost => a <= b,
            Relation::Equal => a == b,
            Relation::Unequal => a != b,
            Relation::AtLeast => a >= b,
            Relation::More => a > b,
        }
    }
}

/// Reads an expression at byte `from` of the file.
fn read(text: &str, from: usize, reported: &mut Vec<Diagnostic>) -> Option<Expression> {
    let parsed = parse_quantity(text);
    reported.extend(
        parsed.diagnostics.into_iter().filter(Diagnostic::is_error).map(|d| d.shifted(from)),
    );
    Some(Expression { quantity: parsed.quantity?, span: from..from + text.len() })
}

/// Reads the expression in a TOML string, which begins after the quote.
pub(super) fn expression(
    text: &Spanned<String>,
    reported: &mut Vec<Diagnostic>,
) -> Option<Expression> {
    read(text.get_ref(), text.span().start + 1, reported)
}

/// Reads a condition.
pub(super) fn condition(
    text: &Spanned<String>,
    reported: &mut Vec<Diagnostic>,
) -> Option<Condition> {
    let source = text.get_ref();
    let mut parts = Vec::new();
    let mut offset = 0;
    for part in source.split(" and ") {
        let from = text.span().start + 1 + offset;
        offset += part.len() + " and ".len();
        let comparison = RELATIONS.iter().find_map(|(sign, relation)| {
            part.find(sign).map(|place| (place, sign.len(), *relation))
        });
        let Some((place, length, relation)) = comparison else {
            reported.push(
                Diagnostic::error(
                    super::codes::FILE,
                    from..from + part.len(),
                    format!("`{}` compares nothing", part.trim()),
                )
                .help("a condition compares two expressions: `P > 1`, `P == 1 and N > 8`"),
            );
            return None;
        };
        let left = read(&part[..place], from, reported);
        let right = read(&part[place + length..], from + place + length, reported);
        parts.push((left?, relation, right?));
    }
    Some(Condition(parts))
}
