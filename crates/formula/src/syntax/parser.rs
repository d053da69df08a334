//! A Pratt parser that continues after an error.
//!
//! Precedence, from low to high: operators that are rejected, `+ -`, `* / %`, signs and casts, `^`
//! (right associative).

mod brackets;
mod cast;
mod list;
mod name;
mod recover;

use std::collections::HashMap;
use std::ops::Range;

use cll_diagnostic::Diagnostic;

use super::lexer::{Token, TokenKind, lex};
use super::{Ast, Report, SyntaxNode, operators};
use crate::{Variable, codes};

pub(crate) use list::variables;

/// Maximum depth of a tree. Functions on trees may be recursive.
const DEEPEST: usize = 200;
/// Maximum nesting of parentheses, signs and right operands in the text. A printed tree of depth
/// [`DEEPEST`] needs less than three for each node.
const OPEN: usize = 3 * DEEPEST;

const REFUSED: u8 = 1;
const ARGUMENT: u8 = 1;
const SUM: u8 = 10;
const PRODUCT: u8 = 20;
const SIGN: u8 = 30;
const POWER: u8 = 40;

/// A parsed text.
pub(crate) struct Syntax {
    /// `None` for an empty text.
    pub(crate) tree: Option<Ast>,
    pub(crate) variables: Vec<Variable>,
    /// The name whose indexed values are the constants.
    pub(crate) experiment: String,
}

/// Parses a formula. Without an experiment's name, it is that of the first `NAME[INTEGER]`.
pub(crate) fn read(experiment: Option<&str>, text: &str, report: &mut Report) -> Syntax {
    let tokens = lex(text, report);
    let experiment = match experiment {
        Some(name) => name.to_owned(),
        None => first_constant(text, &tokens).unwrap_or_default().to_owned(),
    };
    let mut parser = Parser::new(text, &experiment, &tokens, report);
    let tree = parser.formula();
    let variables = parser.variables;
    Syntax { tree, variables, experiment }
}

/// The name of the first `NAME[INTEGER]` that is not a member.
fn first_constant<'a>(text: &'a str, tokens: &[Token]) -> Option<&'a str> {
    tokens.windows(4).enumerate().find_map(|(place, window)| {
        let [name, open, index, close] = window else { return None };
        let member = place > 0 && matches!(tokens[place - 1].kind, TokenKind::Symbol("." | "->"));
        let constant = name.kind == TokenKind::Word
            && open.kind == TokenKind::Symbol("[")
            && matches!(index.kind, TokenKind::Number(number) if number.integer)
            && close.kind == TokenKind::Symbol("]");
        (constant && !member).then(|| &text[name.span.clone()])
    })
}

struct Parser<'a> {
    text: &'a str,
    experiment: &'a str,
    tokens: &'a [Token],
    position: usize,
    depth: usize,
    remainders: usize,
    /// The token at which a missing operand was last reported: each is reported once.
    missed: Option<usize>,
    /// Number of open parentheses.
    parentheses: usize,
    /// Whether the rest is not read.
    stopped: bool,
    variables: Vec<Variable>,
    known: HashMap<String, usize>,
    report: &'a mut Report,
}

impl<'a> Parser<'a> {
    /// `tokens` ends with [`TokenKind::End`].
    fn new(
        text: &'a str,
        experiment: &'a str,
        tokens: &'a [Token],
        report: &'a mut Report,
    ) -> Self {
        Parser {
            text,
            experiment,
            tokens,
            position: 0,
            depth: 0,
            remainders: 0,
            missed: None,
            parentheses: 0,
            stopped: false,
            variables: Vec::new(),
            known: HashMap::new(),
            report,
        }
    }

    fn formula(&mut self) -> Option<Ast> {
        if self.kind() == TokenKind::End {
            return None;
        }
        let tree = self.expression(0);
        let tree = self.past_strays(tree);
        if tree.depth > DEEPEST && !self.stopped {
            return Some(self.too_deep_at(tree.span));
        }
        Some(tree)
    }

    /// An expression of operators with at least the precedence `least`.
    fn expression(&mut self, least: u8) -> Ast {
        if self.depth == OPEN {
            return self.too_deep();
        }
        self.depth += 1;
        let mut left = self.operand();
        while let Some((infix, binding)) = self.infix() {
            if binding < least {
                break;
            }
            left = self.joined(left, infix);
        }
        self.depth -= 1;
        left
    }

    fn operand(&mut self) -> Ast {
        let span = self.span();
        match self.kind() {
            TokenKind::Number(number) => {
                self.position += 1;
                Ast::new(SyntaxNode::Number(number.value), span)
            }
            TokenKind::Word => self.name(),
            TokenKind::BadOperand => {
                self.position += 1;
                Ast::broken(span)
            }
            TokenKind::Bad => {
                while self.kind() == TokenKind::Bad {
                    self.position += 1;
                }
                if self.begins_operand() {
                    self.broken_with(span.start, SIGN)
                } else {
                    self.missed = Some(self.position);
                    Ast::broken(span)
                }
            }
            TokenKind::Symbol("(") => self.cast().unwrap_or_else(|| self.parenthesised()),
            TokenKind::Symbol(sign @ ("+" | "-")) => {
                self.position += 1;
                let inner = self.expression(SIGN);
                let full_span = span.start..inner.span.end;
                if sign == "-" {
                    Ast::new(SyntaxNode::Negated(Box::new(inner)), full_span)
                } else {
                    Ast { span: full_span, ..inner }
                }
            }
            TokenKind::Symbol(symbol) => match operators::refused_before(symbol) {
                Some((message, help)) => {
                    self.report
                        .push(Diagnostic::error(codes::OPERATOR, span.clone(), message).help(help));
                    self.position += 1;
                    self.missed = Some(self.position);
                    self.broken_with(span.start, SIGN)
                }
                None => self.no_operand(),
            },
            TokenKind::End => self.no_operand(),
        }
    }

    /// The current operator and its precedence; `None` at a closing bracket and at the end.
    fn infix(&self) -> Option<(Infix, u8)> {
        Some(match self.kind() {
            TokenKind::Number(_)
            | TokenKind::Word
            | TokenKind::BadOperand
            | TokenKind::Symbol("(") => (Infix::Missing, PRODUCT),
            TokenKind::Bad => (Infix::Bad, PRODUCT),
            TokenKind::Symbol("+") => (Infix::Plus, SUM),
            TokenKind::Symbol("-") => (Infix::Minus, SUM),
            TokenKind::Symbol("*") => (Infix::Times, PRODUCT),
            TokenKind::Symbol("/") => (Infix::Divided, PRODUCT),
            TokenKind::Symbol("%") => (Infix::Remainder, PRODUCT),
            TokenKind::Symbol("^") => (Infix::Power, POWER),
            TokenKind::Symbol("[" | "." | "->") => (Infix::Suffix, POWER),
            TokenKind::Symbol(",") => (Infix::Refused(","), 0),
            TokenKind::Symbol(symbol) if operators::refused(symbol).is_some() => {
                (Infix::Refused(symbol), REFUSED)
            }
            TokenKind::Symbol(_) | TokenKind::End => return None,
        })
    }

    fn joined(&mut self, left: Ast, infix: Infix) -> Ast {
        let operator = self.span();
        match infix {
            Infix::Missing => return self.without_operator(left),
            Infix::Suffix => return self.suffix_of_value(left),
            Infix::Bad => {
                self.position += 1;
                if !self.begins_operand() {
                    return Ast::broken(left.span.start..operator.end);
                }
                return self.broken_with(left.span.start, PRODUCT + 1);
            }
            Infix::Refused(symbol) => return self.refused(left, symbol),
            Infix::Plus
            | Infix::Minus
            | Infix::Times
            | Infix::Divided
            | Infix::Remainder
            | Infix::Power => {}
        }
        self.position += 1;
        if infix == Infix::Times
            && self.kind() == TokenKind::Symbol("*")
            && self.span().start == operator.end
        {
            self.report.push(
                Diagnostic::error(
                    codes::OPERATOR,
                    operator.start..operator.end + 1,
                    "neither formulas nor C have `**`",
                )
                .help("write `N^2` or `pow(N, 2)` for a power"),
            );
            self.position += 1;
            return self.broken_with(left.span.start, POWER);
        }
        let right = self.expression(match infix {
            Infix::Plus | Infix::Minus => SUM + 1,
            Infix::Power => POWER,
            _ => PRODUCT + 1,
        });
        let span = left.span.start..right.span.end;
        match infix {
            Infix::Plus | Infix::Minus => left.plus(infix == Infix::Minus, right),
            Infix::Divided => {
                self.note_quotient(&left, &right);
                left.times(true, right)
            }
            Infix::Remainder => {
                self.remainders += 1;
                if self.remainders > DEEPEST {
                    return self.too_deep();
                }
                Ast::new(SyntaxNode::Remainder(Box::new(left), Box::new(right)), span)
            }
            Infix::Power => Ast::new(SyntaxNode::Power(Box::new(left), Box::new(right)), span),
            _ => left.times(false, right),
        }
    }

    fn kind(&self) -> TokenKind {
        self.tokens[self.position].kind
    }

    fn kind_after(&self, count: usize) -> TokenKind {
        self.tokens.get(self.position + count).map_or(TokenKind::End, |token| token.kind)
    }

    fn span(&self) -> Range<usize> {
        self.tokens[self.position].span.clone()
    }

    fn word(&self) -> &'a str {
        &self.text[self.span()]
    }

    fn begins_operand(&self) -> bool {
        matches!(
            self.kind(),
            TokenKind::Number(_) | TokenKind::Word | TokenKind::BadOperand | TokenKind::Symbol("(")
        )
    }
}

/// The token that follows an operand.
#[derive(Clone, Copy, PartialEq)]
enum Infix {
    Plus,
    Minus,
    Times,
    Divided,
    Remainder,
    Power,
    Suffix,
    Refused(&'static str),
    Missing,
    Bad,
}
