//! Suggests what to write instead of a term that is not canonical.

use super::factors::{Factors, product};
use crate::print::text;
use crate::syntax::{Ast, Syntax, SyntaxNode};
use crate::{Expression, Function};

/// The help for a constant that divides.
pub(super) fn multiply(syntax: &Syntax, constant: u32, factors: &Factors<'_>) -> String {
    let term = term(syntax, constant, factors.rest.clone());
    format!("the inverse of an unknown constant is an unknown constant: write `{term}`")
}

/// The help for several constants in one term.
pub(super) fn one_of_several(
    syntax: &Syntax,
    first: u32,
    factors: &Factors<'_>,
    fresh: u32,
) -> String {
    match &factors.mixed[..] {
        [] => {
            let term = term(syntax, first, factors.rest.clone());
            format!("products and quotients of constants are one unknown number: write `{term}`")
        }
        [(_, inner)] if is_nonlinear(inner) => outside(syntax, inner, factors, fresh),
        _ => "each term is one constant times an expression without constants".to_owned(),
    }
}

/// Whether a constant is at a place where linear least squares cannot determine it.
fn is_nonlinear(ast: &Ast) -> bool {
    match &ast.node {
        SyntaxNode::Power(_, exponent) => exponent.constant,
        SyntaxNode::Call(function, _) => *function == Function::Exp,
        _ => false,
    }
}

/// The help for a product with a sum that contains constants: the sum of the products.
pub(super) fn expanded(syntax: &Syntax, summand: &Ast, sum: &Ast) -> String {
    let rule = "each term is one constant times an expression";
    let SyntaxNode::Sum(parts) = &sum.node else { return rule.to_owned() };
    if parts.len() > 8 || summand.span.len() > 200 {
        return rule.to_owned();
    }
    let written: Option<Vec<String>> = parts
        .iter()
        .map(|(negative, part)| {
            let term = replaced(summand, sum, part);
            let factors = Factors::new(&term, *negative);
            let constant = factors.is_canonical().then(|| factors.constants[0].1)?;
            Some(self::term(syntax, constant, factors.rest))
        })
        .collect();
    match written {
        Some(terms) => format!("write the sum of the products: `{}`", terms.join(" + ")),
        None => format!("{rule}: write the sum of the products"),
    }
}

/// The help for a constant inside a function or power: the constant in front, if that is
/// equivalent.
pub(super) fn outside(syntax: &Syntax, inner: &Ast, factors: &Factors<'_>, fresh: u32) -> String {
    match &inner.node {
        SyntaxNode::Call(
            function @ (Function::Log | Function::Log2 | Function::Log10),
            arguments,
        ) => {
            let Some((constant, rest)) = separated(&arguments[0]) else { return rule() };
            if !factors.rest.is_empty() {
                return rule();
            }
            let name = &syntax.experiment;
            let second =
                term(syntax, fresh, vec![(false, Expression::Call(*function, vec![rest]))]);
            format!("the logarithm of a product is a sum: write `{name}[{constant}] + {second}`")
        }
        SyntaxNode::Call(
            function @ (Function::Sqrt | Function::Cbrt | Function::Abs),
            arguments,
        ) => {
            let Some((constant, rest)) = separated(&arguments[0]) else { return rule() };
            in_front(syntax, factors, constant, Expression::Call(*function, vec![rest]))
        }
        SyntaxNode::Power(base, exponent) if !exponent.constant => {
            let (Some((constant, rest)), Some(exponent)) = (separated(base), exponent.expression())
            else {
                return rule();
            };
            in_front(
                syntax,
                factors,
                constant,
                Expression::Power(Box::new(rest), Box::new(exponent)),
            )
        }
        SyntaxNode::Remainder(a, b) if !b.constant => {
            let (Some((constant, rest)), Some(divisor)) = (separated(a), b.expression()) else {
                return rule();
            };
            let remainder = Expression::Remainder(Box::new(rest), Box::new(divisor));
            let written = in_front(syntax, factors, constant, remainder);
            format!("`%` takes the whole product on its left: {written}")
        }
        SyntaxNode::Power(..) => {
            "an exponent cannot be found by a linear fit: write the one that you expect, \
                            and compare the fits of several"
                .to_owned()
        }
        SyntaxNode::Call(Function::Exp, _) => {
            "a rate inside of `exp` cannot be found by a linear fit: write the one \
                                         that you expect, and compare the fits of several"
                .to_owned()
        }
        _ => rule(),
    }
}

fn rule() -> String {
    "a constant is a factor of the whole term: write it in front".to_owned()
}

fn in_front(syntax: &Syntax, factors: &Factors<'_>, constant: u32, pulled: Expression) -> String {
    let mut all = vec![(false, pulled)];
    all.extend(factors.rest.iter().cloned());
    format!("write the constant in front: `{}`", term(syntax, constant, all))
}

/// A product as its one constant and the remaining factors.
fn separated(ast: &Ast) -> Option<(u32, Expression)> {
    let factors = Factors::new(ast, false);
    (factors.is_canonical() && !factors.rest.is_empty())
        .then(|| (factors.constants[0].1, product(factors.rest)))
}

fn term(syntax: &Syntax, constant: u32, factors: Vec<(bool, Expression)>) -> String {
    text::term(&format!("{}[{constant}]", syntax.experiment), &product(factors), &syntax.variables)
}

/// `ast` with `sum` replaced by `part`, below products and signs.
fn replaced(ast: &Ast, sum: &Ast, part: &Ast) -> Ast {
    if ast.span == sum.span && ast.node == sum.node {
        return part.clone();
    }
    let node = match &ast.node {
        SyntaxNode::Product(parts) => SyntaxNode::Product(
            parts.iter().map(|(divides, inner)| (*divides, replaced(inner, sum, part))).collect(),
        ),
        SyntaxNode::Negated(inner) => SyntaxNode::Negated(Box::new(replaced(inner, sum, part))),
        other => other.clone(),
    };
    Ast::new(node, ast.span.clone())
}
