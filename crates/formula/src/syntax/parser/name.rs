//! Operands that begin with a word: constants, variables, calls, `sizeof`.

use std::ops::Range;

use cll_diagnostic::Diagnostic;

use super::{Ast, Parser, SyntaxNode, TokenKind};
use crate::syntax::{close, names, normalised};
use crate::{Function, Variable, VariableKind, codes};

impl Parser<'_> {
    /// An operand whose first word is the current token.
    pub(super) fn name(&mut self) -> Ast {
        let span = self.span();
        let word = self.word();
        let next = self.kind_after(1);
        if word == "sizeof" {
            return self.size();
        }
        if next == TokenKind::Symbol("(") && (!names::is_keyword(word) || names::is_type_word(word))
        {
            return self.call();
        }
        if word == self.experiment && next == TokenKind::Symbol("[") {
            return self.constant();
        }
        if names::is_keyword(word) || names::is_not_finite(word) {
            let diagnostic = if names::is_keyword(word) {
                Diagnostic::error(
                    codes::KEYWORD,
                    span.clone(),
                    format!("`{word}` is a keyword of C, not a variable"),
                )
                .help("write the name of a variable, or a member: `a->n`")
            } else {
                Diagnostic::error(
                    codes::NOT_FINITE,
                    span.clone(),
                    format!("`{word}` is not a finite number"),
                )
                .help("a formula gives a finite time for every size")
            };
            self.report.push(diagnostic);
            self.position += 1;
            return Ast::broken(span);
        }
        let first = self.position;
        let Some(kind) = self.path() else {
            return Ast::broken(span.start..self.tokens[self.position - 1].span.end);
        };
        let tokens = first..self.position;
        let full_span = span.start..self.tokens[self.position - 1].span.end;
        self.warn_of_likeness(word, kind, tokens.clone(), &full_span);
        let name = normalised(self.text, &self.tokens[tokens]);
        self.variable(name, kind, full_span)
    }

    /// A variable, added to the list of variables.
    pub(super) fn variable(&mut self, name: String, kind: VariableKind, span: Range<usize>) -> Ast {
        let next = self.variables.len();
        let index = *self.known.entry(name.clone()).or_insert(next);
        if index == next {
            self.variables.push(Variable { c: name.clone(), name, kind });
        }
        Ast::new(SyntaxNode::Variable(index), span)
    }

    /// Skips a name with its members and indices; `None` if it is invalid, which is reported.
    pub(super) fn path(&mut self) -> Option<VariableKind> {
        let mut kind = VariableKind::Identifier;
        self.position += 1;
        loop {
            match self.kind() {
                TokenKind::Symbol(symbol @ ("." | "->")) => {
                    self.position += 1;
                    if self.kind() != TokenKind::Word {
                        let span = self.span();
                        self.report.push(
                            Diagnostic::error(
                                codes::OPERAND,
                                span.start..span.start,
                                format!("the name of a member is missing after `{symbol}`"),
                            )
                            .help("write the member's name, or remove the operator"),
                        );
                        self.missed = Some(self.position);
                        return None;
                    }
                    self.position += 1;
                    kind = VariableKind::Member;
                }
                TokenKind::Symbol("[") => {
                    let inner = self.bracketed()?;
                    if !self.is_pure(inner, "the index") {
                        return None;
                    }
                    kind = VariableKind::Element;
                }
                _ => return Some(kind),
            }
        }
    }

    /// `sizeof(TYPE)`, `sizeof(EXPRESSION)`, `sizeof NAME`.
    pub(super) fn size(&mut self) -> Ast {
        let start = self.span().start;
        self.position += 1;
        let first = self.position;
        let inner = if self.kind() == TokenKind::Symbol("(") {
            self.bracketed()
        } else {
            while matches!(self.kind(), TokenKind::Symbol("*" | "&")) {
                self.position += 1;
            }
            if self.kind() == TokenKind::Word && names::is_type_word(self.word()) {
                let span = self.span();
                self.report.push(
                    Diagnostic::error(
                        codes::OPERAND,
                        span.clone(),
                        "the type after `sizeof` has no parentheses",
                    )
                    .help(format!("write `sizeof({})`", self.word())),
                );
                while self.kind() == TokenKind::Word && names::is_type_word(self.word()) {
                    self.position += 1;
                }
                return Ast::broken(start..span.end);
            }
            if self.kind() != TokenKind::Word || names::is_keyword(self.word()) {
                self.no_operand();
                return Ast::broken(start..self.tokens[self.position - 1].span.end);
            }
            self.path().map(|_| first..self.position)
        };
        let span = start..self.tokens[self.position - 1].span.end;
        match inner {
            Some(inner) if self.is_pure(inner.clone(), "the operand of sizeof") => {
                let name = format!("sizeof({})", normalised(self.text, &self.tokens[inner]));
                self.variable(name, VariableKind::Size, span)
            }
            _ => Ast::broken(span),
        }
    }

    /// `NAME[k]` with the experiment's name.
    fn constant(&mut self) -> Ast {
        let start = self.span().start;
        self.position += 1;
        let Some(inner) = self.bracketed() else { return Ast::broken(start..self.span().start) };
        let span = start..self.tokens[self.position - 1].span.end;
        let index = match &self.tokens[inner.clone()] {
            [token] => match token.kind {
                TokenKind::Number(number)
                    if number.integer && number.value <= f64::from(u32::MAX) =>
                {
                    Some(number.value as u32)
                }
                _ => None,
            },
            _ => None,
        };
        let Some(index) = index else {
            if !self.tokens[inner.clone()]
                .iter()
                .any(|t| matches!(t.kind, TokenKind::Bad | TokenKind::BadOperand))
            {
                self.bad_index(inner, span.clone());
            }
            return Ast::broken(span);
        };
        if let TokenKind::Symbol(symbol @ ("[" | "." | "->")) = self.kind() {
            self.report.push(
                Diagnostic::error(
                    codes::INDEX,
                    self.span(),
                    format!(
                        "the constant {}[{index}] is one number: `{symbol}` cannot follow",
                        self.experiment
                    ),
                )
                .help("if you mean an array of the program, give the experiment another name"),
            );
            self.path_of_constant();
            return Ast::broken(start..self.tokens[self.position - 1].span.end);
        }
        Ast::new(SyntaxNode::Constant(index), span)
    }

    /// Skips what follows a constant, as for a variable.
    fn path_of_constant(&mut self) {
        self.position -= 1;
        self.path();
    }

    fn bad_index(&mut self, inner: Range<usize>, span: Range<usize>) {
        let name = self.experiment;
        let text = normalised(self.text, &self.tokens[inner]);
        let what = if text.is_empty() {
            "has no index".to_owned()
        } else if text.starts_with('-') {
            format!("has the negative index {text}")
        } else if text.starts_with(|c: char| c.is_ascii_digit()) {
            format!("has the index {text}, which is not an integer from 0 to {}", u32::MAX)
        } else {
            format!("has the index {text}, which is not a number")
        };
        self.report.push(
            Diagnostic::error(codes::INDEX, span, format!("a constant of {name} {what}"))
                .help(format!(
                    "{name}[…] is always a constant of the experiment: {name}[0], {name}[1], …"
                ))
                .help("if you mean an array of the program, give the experiment another name"),
        );
    }

    fn call(&mut self) -> Ast {
        let start = self.span();
        let name = self.word();
        self.position += 1;
        let (arguments, end) = self.arguments();
        let span = start.start..end;
        if name == "pow" {
            return match <[Ast; 2]>::try_from(arguments) {
                Ok([base, exponent]) => {
                    Ast::new(SyntaxNode::Power(Box::new(base), Box::new(exponent)), span)
                }
                Err(arguments) => self.wrong_arity(name, 2, arguments.len(), span),
            };
        }
        let Some(function) = names::function(name) else {
            let diagnostic = if name == self.experiment {
                Diagnostic::error(
                    codes::FUNCTION,
                    start,
                    format!("`{name}` is the experiment, not a function"),
                )
                .help(format!("its constants are {name}[0], {name}[1], …"))
            } else {
                Diagnostic::error(codes::FUNCTION, start, format!("unknown function `{name}`"))
                    .help(names::advice(name))
            };
            self.report.push(diagnostic);
            return Ast::broken(span);
        };
        if arguments.len() != function.arity() {
            return self.wrong_arity(name, function.arity(), arguments.len(), span);
        }
        Ast::new(SyntaxNode::Call(function, arguments), span)
    }

    fn wrong_arity(&mut self, name: &str, wanted: usize, given: usize, span: Range<usize>) -> Ast {
        let plural = if wanted == 1 { "" } else { "s" };
        let mut diagnostic = Diagnostic::error(
            codes::ARITY,
            span.clone(),
            format!("`{name}` takes {wanted} argument{plural}, not {given}"),
        );
        diagnostic = match (names::function(name), given) {
            (Some(Function::Min | Function::Max), 3..) => {
                diagnostic.help(format!("nest them: `{name}(a, {name}(b, c))`"))
            }
            (Some(Function::Log), 2) => {
                diagnostic.help("the logarithm of x to base b is `log(x)/log(b)`")
            }
            (None, _) => diagnostic.help("`pow(a, b)` is a to the power of b, also written `a^b`"),
            _ if wanted == 1 => diagnostic.help(format!("write `{name}(x)`")),
            _ => diagnostic.help(format!("write `{name}(a, b)`")),
        };
        if !self.stopped {
            self.report.push(diagnostic);
        }
        Ast::broken(span)
    }

    /// Warns about variables that look like a constant.
    fn warn_of_likeness(
        &mut self,
        word: &str,
        kind: VariableKind,
        tokens: Range<usize>,
        span: &Range<usize>,
    ) {
        let experiment = self.experiment;
        if word == experiment && kind == VariableKind::Identifier {
            self.report.push(
                Diagnostic::warning(
                    codes::NO_INDEX,
                    span.clone(),
                    format!(
                        "`{word}` without an index is a variable of the program, not a constant"
                    ),
                )
                .help(format!("the constants are {word}[0], {word}[1], …")),
            );
        }
        let indexed = matches!(&self.tokens[tokens.clone()], [_, _, index, _] if matches!(index.kind, TokenKind::Number(_)));
        if kind == VariableKind::Element && indexed && close(word, experiment) {
            let element = normalised(self.text, &self.tokens[tokens]);
            self.report.push(
                Diagnostic::note(
                    codes::CLOSE_NAME,
                    span.clone(),
                    format!("`{element}` is an element of the program's `{word}`, not a constant of `{experiment}`"),
                )
                .help(format!("the constants are {experiment}[0], {experiment}[1], …")),
            );
        }
    }
}
