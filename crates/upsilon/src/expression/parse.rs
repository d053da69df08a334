//! Expressions, by the precedence of their operators.

use cll_csource::TokenKind;

use super::operators::{number, operator};
use super::types::{is_real, is_type};
use super::{Expr, Tokens};
use crate::names::Names;
use crate::value::Unary;

/// The depth of nesting beyond which nothing is read.
const DEPTH: usize = 100;

/// Reads an expression with its commas; what cannot be read is unknown.
pub(crate) fn expression(tokens: Tokens<'_>, names: &mut Names) -> Expr {
    let mut parser = Parser { tokens, names, depth: 0 };
    let read = parser.commas();
    if parser.tokens.is_done() { read } else { Expr::Opaque(vec![read]) }
}

pub(super) struct Parser<'v, 'n> {
    pub(super) tokens: Tokens<'v>,
    pub(super) names: &'n mut Names,
    pub(super) depth: usize,
}

impl Parser<'_, '_> {
    pub(super) fn commas(&mut self) -> Expr {
        let mut parts = vec![self.assignment()];
        while self.tokens.take(",") {
            parts.push(self.assignment());
        }
        match parts.len() {
            1 => parts.swap_remove(0),
            _ => Expr::Several(parts),
        }
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Expr {
        if self.depth >= DEPTH {
            let end = self.tokens.closing();
            self.tokens.go_to(end);
            return Expr::UNKNOWN;
        }
        self.depth += 1;
        let read = self.assigned();
        self.depth -= 1;
        read
    }

    fn assigned(&mut self) -> Expr {
        let target = self.binary(0);
        let word = self.tokens.word(0);
        let operator = match word {
            "=" => None,
            "?" => {
                self.tokens.skip(1);
                let yes = self.commas_in_choice();
                let no = if self.tokens.take(":") { self.assignment() } else { Expr::UNKNOWN };
                return Expr::Choice(Box::new(target), Box::new(yes), Box::new(no));
            }
            _ => match word.strip_suffix('=').and_then(operator) {
                Some((operator, _)) if !is_comparison(word) => Some(operator),
                _ => return target,
            },
        };
        self.tokens.skip(1);
        let value = Box::new(self.assignment());
        match target {
            Expr::Name(name) => Expr::Assign(name, operator, value),
            other => Expr::Opaque(vec![other, *value]),
        }
    }

    fn commas_in_choice(&mut self) -> Expr {
        if self.tokens.is(0, ":") { Expr::UNKNOWN } else { self.commas() }
    }

    fn binary(&mut self, least: u8) -> Expr {
        let mut left = self.unary();
        loop {
            let word = self.tokens.word(0);
            let strength = match word {
                "||" => 1,
                "&&" => 2,
                _ => operator(word).map_or(0, |(_, strength)| strength),
            };
            if strength == 0 || strength <= least {
                return left;
            }
            self.tokens.skip(1);
            let right = Box::new(self.binary(strength));
            left = match (word, operator(word)) {
                ("||", _) => Expr::Or(Box::new(left), right),
                (_, Some((operator, _))) => Expr::Binary(operator, Box::new(left), right),
                _ => Expr::And(Box::new(left), right),
            };
        }
    }

    fn unary(&mut self) -> Expr {
        if self.depth >= DEPTH {
            let end = self.tokens.closing();
            self.tokens.go_to(end);
            return Expr::UNKNOWN;
        }
        self.depth += 1;
        let read = self.prefixed();
        self.depth -= 1;
        read
    }

    fn prefixed(&mut self) -> Expr {
        let word = self.tokens.word(0);
        let sign = match word {
            "-" => Some(Unary::Minus),
            "!" => Some(Unary::Not),
            "~" => Some(Unary::Complement),
            _ => None,
        };
        if let Some(sign) = sign {
            self.tokens.skip(1);
            return Expr::Unary(sign, Box::new(self.unary()));
        }
        match word {
            "+" => {
                self.tokens.skip(1);
                self.unary()
            }
            "*" => {
                self.tokens.skip(1);
                Expr::Opaque(vec![self.unary()])
            }
            "&" => {
                self.tokens.skip(1);
                match self.unary() {
                    Expr::Name(name) => Expr::Address(name),
                    other => Expr::Opaque(vec![other]),
                }
            }
            "++" | "--" => {
                let by = if word == "++" { 1 } else { -1 };
                self.tokens.skip(1);
                match self.unary() {
                    Expr::Name(name) => Expr::Step(name, by, true),
                    other => Expr::Opaque(vec![other]),
                }
            }
            "sizeof" => self.size(),
            "(" => match self.cast() {
                Some(is_real) => Expr::Convert(is_real, Box::new(self.unary())),
                None => self.postfix(),
            },
            _ => self.postfix(),
        }
    }

    /// `sizeof(T)`, `sizeof x`: a name, which a formula may have, too.
    fn size(&mut self) -> Expr {
        self.tokens.skip(1);
        if !self.tokens.is(0, "(") {
            self.unary();
            return Expr::UNKNOWN;
        }
        let close = self.tokens.closing();
        self.tokens.skip(1);
        let mut text = String::from("sizeof(");
        let mut is_after_word = false;
        while self.tokens.position() < close {
            let is_word = self.tokens.name(0).is_some();
            if is_word && is_after_word {
                text.push(' ');
            }
            text.push_str(self.tokens.word(0));
            is_after_word = is_word;
            self.tokens.skip(1);
        }
        text.push(')');
        self.tokens.skip(1);
        Expr::Name(self.names.id(&text))
    }

    /// Takes a cast; true to a floating-point type.
    fn cast(&mut self) -> Option<bool> {
        let close = self.tokens.closing();
        let inside = close.checked_sub(self.tokens.position() + 1)?;
        let (mut names, mut stars) = (Vec::new(), 0);
        for distance in 1..=inside {
            match (self.tokens.name(distance), self.tokens.word(distance)) {
                (Some(name), _) if stars == 0 => names.push(name),
                (None, "*") => stars += 1,
                _ => return None,
            }
        }
        let first = names.first()?;
        let next = self.tokens.peek(inside + 2)?;
        let is_operand =
            matches!(next.kind, TokenKind::Identifier | TokenKind::Number | TokenKind::String);
        let is_cast = names.iter().any(|name| is_type(name))
            || names.len() > 1
            || stars > 0
            || is_operand && !first.is_empty();
        if !is_cast || self.tokens.is(inside + 2, "{") {
            return None;
        }
        self.tokens.skip(inside + 2);
        Some(stars == 0 && names.iter().any(|name| is_real(name)))
    }

    fn postfix(&mut self) -> Expr {
        let mut read = self.primary();
        loop {
            match self.tokens.word(0) {
                "[" => {
                    let index = self.bracketed();
                    read = Expr::Opaque(vec![read, index]);
                }
                joint @ ("." | "->") => {
                    let member = self.tokens.name(1).unwrap_or_default();
                    self.tokens.skip(2);
                    read = match read {
                        Expr::Name(name) => {
                            let path = format!("{}{joint}{member}", self.names.text(name));
                            Expr::Name(self.names.id(&path))
                        }
                        other => Expr::Opaque(vec![other]),
                    };
                }
                "(" => {
                    let arguments = match self.bracketed() {
                        Expr::Several(parts) => parts,
                        Expr::Opaque(parts) if parts.is_empty() => Vec::new(),
                        expr => vec![expr],
                    };
                    read = match read {
                        Expr::Name(name) => Expr::Call(name, arguments),
                        other => Expr::Opaque([vec![other], arguments].concat()),
                    };
                }
                word @ ("++" | "--") => {
                    let by = if word == "++" { 1 } else { -1 };
                    self.tokens.skip(1);
                    read = match read {
                        Expr::Name(name) => Expr::Step(name, by, false),
                        other => Expr::Opaque(vec![other]),
                    };
                }
                _ => return read,
            }
        }
    }

    /// Parses the text between brackets; nothing is `Opaque` without parts.
    fn bracketed(&mut self) -> Expr {
        let close = self.tokens.closing();
        self.tokens.skip(1);
        if self.tokens.position() >= close {
            self.tokens.go_to(close + 1);
            return Expr::Opaque(Vec::new());
        }
        let mut inner =
            Parser { tokens: self.tokens.until(close), names: self.names, depth: self.depth };
        let read = if inner.depth >= DEPTH { Expr::UNKNOWN } else { inner.commas() };
        let is_read = inner.tokens.is_done();
        self.tokens.go_to(close + 1);
        if is_read { read } else { Expr::Opaque(vec![read]) }
    }

    fn primary(&mut self) -> Expr {
        let Some(token) = self.tokens.peek(0) else { return Expr::UNKNOWN };
        match token.kind {
            TokenKind::Identifier => {
                let name = self.tokens.name(0).unwrap_or_default();
                self.tokens.skip(1);
                Expr::Name(self.names.id(&name))
            }
            TokenKind::Number => {
                let number = number(self.tokens.word(0));
                self.tokens.skip(1);
                Expr::Value(number)
            }
            TokenKind::Punctuator if token.is(b'(') => {
                if self.tokens.is(1, "{") {
                    let close = self.tokens.closing();
                    self.tokens.go_to(close + 1);
                    Expr::UNKNOWN
                } else {
                    self.bracketed()
                }
            }
            TokenKind::Punctuator if token.is(b'{') => {
                let close = self.tokens.closing();
                self.tokens.go_to(close + 1);
                Expr::UNKNOWN
            }
            TokenKind::Punctuator => {
                // No operand: an operator that is not known here, or damaged text.
                Expr::UNKNOWN
            }
            _ => {
                self.tokens.skip(1);
                Expr::UNKNOWN
            }
        }
    }
}

fn is_comparison(word: &str) -> bool {
    matches!(word, "<=" | ">=" | "==" | "!=")
}
