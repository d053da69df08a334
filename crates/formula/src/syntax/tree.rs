//! The tree of a text, with positions and with what the canonical form does not allow.

use std::ops::Range;

use crate::{Expression, Function};

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ast {
    pub(crate) node: SyntaxNode,
    /// The position, including the parentheses.
    pub(crate) span: Range<usize>,
    /// Whether it contains a constant of the experiment.
    pub(crate) constant: bool,
    /// Whether it contains a variable.
    pub(crate) variable: bool,
    /// Whether it contains an unreadable part.
    pub(crate) broken: bool,
    /// Depth of the tree below it.
    pub(crate) depth: usize,
}

/// As [`Expression`], with constants and unreadable parts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SyntaxNode {
    Broken,
    Number(f64),
    Variable(usize),
    Constant(u32),
    Negated(Box<Ast>),
    Sum(Vec<(bool, Ast)>),
    Product(Vec<(bool, Ast)>),
    Remainder(Box<Ast>, Box<Ast>),
    Power(Box<Ast>, Box<Ast>),
    Call(Function, Vec<Ast>),
}

impl Ast {
    /// The node, with the properties of its parts.
    pub(crate) fn new(node: SyntaxNode, span: Range<usize>) -> Ast {
        let mut ast = Ast {
            node: SyntaxNode::Broken,
            span,
            constant: false,
            variable: false,
            broken: false,
            depth: 1,
        };
        match &node {
            SyntaxNode::Broken => ast.broken = true,
            SyntaxNode::Number(_) => {}
            SyntaxNode::Variable(_) => ast.variable = true,
            SyntaxNode::Constant(_) => ast.constant = true,
            SyntaxNode::Negated(a) => ast.inherit(a),
            SyntaxNode::Sum(parts) | SyntaxNode::Product(parts) => {
                parts.iter().for_each(|(_, part)| ast.inherit(part))
            }
            SyntaxNode::Remainder(a, b) | SyntaxNode::Power(a, b) => {
                ast.inherit(a);
                ast.inherit(b);
            }
            SyntaxNode::Call(_, arguments) => arguments.iter().for_each(|part| ast.inherit(part)),
        }
        ast.node = node;
        ast
    }

    /// An unreadable part, already reported.
    pub(crate) fn broken(span: Range<usize>) -> Ast {
        Ast::new(SyntaxNode::Broken, span)
    }

    /// `self + next` or `self - next`, appended to a chain.
    pub(crate) fn plus(self, negative: bool, next: Ast) -> Ast {
        self.chain(negative, next, SyntaxNode::Sum, |node| matches!(node, SyntaxNode::Sum(_)))
    }

    /// `self * next` or `self / next`, appended to a chain.
    pub(crate) fn times(self, divides: bool, next: Ast) -> Ast {
        self.chain(divides, next, SyntaxNode::Product, |node| {
            matches!(node, SyntaxNode::Product(_))
        })
    }

    fn chain(
        mut self,
        inverse: bool,
        next: Ast,
        make: fn(Vec<(bool, Ast)>) -> SyntaxNode,
        same: fn(&SyntaxNode) -> bool,
    ) -> Ast {
        let span = self.span.start..next.span.end;
        if same(&self.node) {
            self.inherit(&next);
            self.span = span;
            if let SyntaxNode::Sum(parts) | SyntaxNode::Product(parts) = &mut self.node {
                parts.push((inverse, next));
            }
            return self;
        }
        Ast::new(make(vec![(false, self), (inverse, next)]), span)
    }

    fn inherit(&mut self, part: &Ast) {
        self.constant |= part.constant;
        self.variable |= part.variable;
        self.broken |= part.broken;
        self.depth = self.depth.max(part.depth + 1);
    }

    /// The expression, if it contains neither a constant nor an unreadable part.
    pub(crate) fn expression(&self) -> Option<Expression> {
        if self.constant || self.broken {
            return None;
        }
        let boxed = |ast: &Ast| ast.expression().map(Box::new);
        let chain = |parts: &[(bool, Ast)]| {
            parts
                .iter()
                .map(|(inverse, part)| Some((*inverse, part.expression()?)))
                .collect::<Option<Vec<_>>>()
        };
        Some(match &self.node {
            SyntaxNode::Broken | SyntaxNode::Constant(_) => return None,
            SyntaxNode::Number(value) => Expression::Number(*value),
            SyntaxNode::Variable(index) => Expression::Variable(*index),
            SyntaxNode::Negated(a) => Expression::Negated(boxed(a)?),
            SyntaxNode::Sum(parts) => Expression::Sum(chain(parts)?),
            SyntaxNode::Product(parts) => Expression::Product(chain(parts)?),
            SyntaxNode::Remainder(a, b) => Expression::Remainder(boxed(a)?, boxed(b)?),
            SyntaxNode::Power(a, b) => Expression::Power(boxed(a)?, boxed(b)?),
            SyntaxNode::Call(function, arguments) => {
                let arguments: Option<Vec<_>> = arguments.iter().map(Ast::expression).collect();
                Expression::Call(*function, arguments?)
            }
        })
    }
}
