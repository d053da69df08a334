//! Divides a term into its factors.

use std::ops::Range;

use crate::Expression;
use crate::evaluate::Postfix;
use crate::syntax::{Ast, SyntaxNode};

/// The factors of a term, sorted as the canonical form requires.
#[derive(Debug)]
pub(super) struct Factors<'a> {
    /// The product of all numbers and signs.
    pub(super) scale: f64,
    /// The positions of the numbers.
    pub(super) numbers: Vec<Range<usize>>,
    /// Constants that are factors; `true` for a divisor.
    pub(super) constants: Vec<(bool, u32, Range<usize>)>,
    /// Factors that contain constants at a deeper level.
    pub(super) mixed: Vec<(bool, &'a Ast)>,
    /// All the others.
    pub(super) rest: Vec<(bool, Expression)>,
}

impl<'a> Factors<'a> {
    /// The factors of `ast`, which has no unreadable parts.
    pub(super) fn new(ast: &'a Ast, negative: bool) -> Factors<'a> {
        let mut factors = Factors {
            scale: if negative { -1.0 } else { 1.0 },
            numbers: Vec::new(),
            constants: Vec::new(),
            mixed: Vec::new(),
            rest: Vec::new(),
        };
        factors.gather(ast, false);
        factors
    }

    fn gather(&mut self, ast: &'a Ast, divides: bool) {
        match &ast.node {
            SyntaxNode::Constant(index) => self.constants.push((divides, *index, ast.span.clone())),
            SyntaxNode::Negated(inner) => {
                self.scale = -self.scale;
                self.gather(inner, divides);
            }
            SyntaxNode::Product(parts)
                if divides && !ast.constant && parts.iter().all(|(inverse, _)| !inverse) =>
            {
                self.gather_divisor(ast, parts);
            }
            SyntaxNode::Product(parts) => {
                parts.iter().for_each(|(inverse, part)| self.gather(part, divides ^ inverse))
            }
            _ if ast.constant => self.mixed.push((divides, ast)),
            _ => {
                let Some(expression) = ast.expression() else { return };
                if ast.variable {
                    self.rest.push((divides, expression));
                } else {
                    self.numbers.push(ast.span.clone());
                    let value = number(&expression);
                    if divides { self.scale /= value } else { self.scale *= value }
                }
            }
        }
    }

    /// A divisor that is a product without quotients stays one divisor: `N/(P*log(P))`.
    fn gather_divisor(&mut self, ast: &'a Ast, parts: &'a [(bool, Ast)]) {
        let mut inner = Factors::new(&parts[0].1, false);
        parts[1..].iter().for_each(|(_, part)| inner.gather(part, false));
        self.scale /= inner.scale;
        if !inner.numbers.is_empty() {
            self.numbers.push(ast.span.clone());
        }
        if inner.rest.iter().any(|(divides, _)| *divides) {
            self.rest.extend(inner.rest.into_iter().map(|(divides, part)| (!divides, part)));
        } else if !inner.rest.is_empty() {
            self.rest.push((true, product(inner.rest)));
        }
    }

    /// Whether this is one constant times factors without constants.
    pub(super) fn is_canonical(&self) -> bool {
        self.mixed.is_empty() && matches!(self.constants[..], [(false, ..)])
    }
}

/// The product of factors; `1` if there are none.
pub(super) fn product(mut factors: Vec<(bool, Expression)>) -> Expression {
    match factors.first() {
        None => return Expression::Number(1.0),
        Some((false, _)) if factors.len() == 1 => return factors.remove(0).1,
        Some((false, _)) => {}
        Some((true, _)) => factors.insert(0, (false, Expression::Number(1.0))),
    }
    Expression::Product(factors)
}

/// The value of an expression without variables.
pub(super) fn number(expression: &Expression) -> f64 {
    let mut value = f64::NAN;
    Postfix::new([expression]).run(&[], |_, result| value = result);
    value
}
