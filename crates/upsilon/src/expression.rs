//! Expressions and declarations of C, as far as they decide how often statements are executed.

mod declaration;
mod operators;
mod parse;
mod tokens;
mod types;

use crate::value::{Binary, Unary, Value};

pub(crate) use declaration::simple;
pub(crate) use parse::expression;
pub(crate) use tokens::{Tokens, split, text};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    /// A number, or something unknown.
    Value(Value),
    /// A variable or a member by its path.
    Name(usize),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a && b`
    And(Box<Expr>, Box<Expr>),
    /// `a || b`
    Or(Box<Expr>, Box<Expr>),
    /// `a ? b : c`
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `name = e`, `name += e`.
    Assign(usize, Option<Binary>, Box<Expr>),
    /// `name++`, `--name`: by what, and whether the value is the new one.
    Step(usize, i64, bool),
    /// A declared variable with its first value; converted to a real number or an integer.
    Declare(usize, bool, Option<Box<Expr>>),
    /// `name(arguments)`.
    Call(usize, Vec<Expr>),
    /// `&name`
    Address(usize),
    /// A cast; true to a floating-point type.
    Convert(bool, Box<Expr>),
    /// `a, b`: the value of the last.
    Several(Vec<Expr>),
    /// The parts are evaluated; the value is not known.
    Opaque(Vec<Expr>),
}

impl Expr {
    /// Something of which nothing is known.
    pub(crate) const UNKNOWN: Expr = Expr::Value(Value::Unknown);

    /// Whether it is a number that is written in the source.
    pub(crate) fn is_constant(&self) -> bool {
        matches!(self, Expr::Value(value) if *value != Value::Unknown)
    }

    /// Calls `visit` for it and all its parts.
    pub(crate) fn visit(&self, visit: &mut impl FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Value(_) | Expr::Name(_) | Expr::Step(..) | Expr::Address(_) => {}
            Expr::Unary(_, a) | Expr::Assign(_, _, a) | Expr::Convert(_, a) => a.visit(visit),
            Expr::Binary(_, a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
                a.visit(visit);
                b.visit(visit);
            }
            Expr::Choice(a, b, c) => [a, b, c].into_iter().for_each(|part| part.visit(visit)),
            Expr::Declare(_, _, value) => value.iter().for_each(|part| part.visit(visit)),
            Expr::Call(_, parts) | Expr::Several(parts) | Expr::Opaque(parts) => {
                parts.iter().for_each(|part| part.visit(visit));
            }
        }
    }
}
