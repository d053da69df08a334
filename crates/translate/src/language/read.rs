//! Reads one pragma: whether it is ours, and its content.

use std::collections::HashMap;
use std::ops::Range;

use cll_csource::directive::words;
use cll_csource::{Token, TokenKind, spelling};
use cll_diagnostic::Diagnostic;
use cll_formula::{Complexity, Parsed};

use super::clauses::{Clauses, closing, readable};
use super::head::{LoopHead, range, text};
use super::spelling::{nearest, within_one_edit};
use super::{Begin, Directive, Value, procs};
use crate::translation::Model;

const RESERVED: [&str; 5] = ["end", "for", "sync", "report", "parallel"];
const MODELS: [(&str, Model); 4] =
    [("PUB", Model::Pub), ("BSP", Model::Bsp), ("MPI", Model::Mpi), ("OpenMP", Model::OpenMp)];

/// The kind of a pragma by its first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// `#pragma cll …`.
    Ours,
    /// `#pragma parallel PUB …` of 2001.
    Syntax2001,
    /// A first word that is nearly `cll`.
    Misspelt,
    /// Another tool's.
    Other,
}

/// Classifies a pragma by the first word of `source[rest]`, the text after `#pragma`.
pub(crate) fn classify(source: &[u8], rest: Range<usize>) -> Line {
    let mut tokens = words(source, rest);
    let Some(first) = tokens.next().filter(|token| token.kind == TokenKind::Identifier) else {
        return Line::Other;
    };
    let word = spelling(source, &first);
    if &*word == b"cll" {
        return Line::Ours;
    }
    if &*word == b"parallel" {
        let model = tokens.next().map(|token| spelling(source, &token).into_owned());
        return match model {
            Some(model) if MODELS.iter().any(|(name, _)| name.as_bytes() == model) => {
                Line::Syntax2001
            }
            _ => Line::Other,
        };
    }
    if within_one_edit(&word.to_ascii_lowercase(), b"cll") { Line::Misspelt } else { Line::Other }
}

/// Reads the line whose text after `cll` (in the syntax of 2001, after `pragma`) is `source[rest]`;
/// `pragma`: the whole of it.
pub(crate) fn read(
    source: &[u8],
    pragma: Range<usize>,
    rest: Range<usize>,
    formulas: &mut Formulas,
    diagnostics: &mut Vec<Diagnostic>,
) -> Directive {
    let tokens: Vec<Token> = words(source, rest.clone()).collect();
    let mut reader = Reader { source, pragma, rest, tokens: &tokens, formulas, diagnostics };
    reader.line()
}

struct Reader<'s, 'd> {
    source: &'s [u8],
    pragma: Range<usize>,
    rest: Range<usize>,
    tokens: &'s [Token],
    formulas: &'d mut Formulas,
    diagnostics: &'d mut Vec<Diagnostic>,
}

/// The formulas read so far, by experiment and text. One experiment may have many places, and the
/// search for dependent terms takes most of the time.
pub(crate) type Formulas = HashMap<(String, String), Parsed<Complexity>>;

impl Reader<'_, '_> {
    fn word(&self, index: usize) -> Option<String> {
        let token = self.tokens.get(index).filter(|token| token.kind == TokenKind::Identifier)?;
        Some(String::from_utf8_lossy(&spelling(self.source, token)).into_owned())
    }

    fn span(&self, index: usize) -> Range<usize> {
        self.tokens.get(index).map_or(self.rest.end..self.rest.end, |token| token.start..token.end)
    }

    fn shown(&self, index: usize) -> String {
        self.tokens.get(index).map_or_else(
            || "the line's end".into(),
            |token| format!("`{}`", String::from_utf8_lossy(&spelling(self.source, token))),
        )
    }

    fn wrong(&mut self, diagnostic: Diagnostic) -> Directive {
        self.diagnostics.push(diagnostic);
        Directive::Wrong
    }

    fn line(&mut self) -> Directive {
        let Some(first) = self.word(0) else {
            let (span, shown) = (self.span(0), self.shown(0));
            return self.wrong(
                Diagnostic::error("T003", span, format!("{shown} where a name was expected"))
                    .help("`#pragma cll NAME FORMULA` opens an experiment"),
            );
        };
        match first.as_str() {
            "parallel" => self.parallel(),
            "for" => self.repeat(),
            "end" => self.end(),
            "report" => self.report(),
            _ => self.begin(),
        }
    }

    /// Reports what is left from token `index` on.
    fn nothing_more(&mut self, index: usize, behind: &str) -> bool {
        if index >= self.tokens.len() {
            return true;
        }
        let rest = &self.tokens[index..];
        let diagnostic = Diagnostic::error(
            "T003",
            range(rest),
            format!("`{}` after {behind}", text(self.source, rest)),
        );
        self.diagnostics.push(diagnostic);
        false
    }

    fn parallel(&mut self) -> Directive {
        let Some(written) = self.word(1) else {
            let (span, shown) = (self.span(1), self.shown(1));
            return self.wrong(
                Diagnostic::error("T003", span, format!("{shown} where a model was expected"))
                    .help("the models are OpenMP, PUB, BSP and MPI"),
            );
        };
        let Some(&(name, model)) = MODELS.iter().find(|(name, _)| *name == written) else {
            let mut diagnostic =
                Diagnostic::error("T003", self.span(1), format!("unknown model `{written}`"))
                    .help("the models are OpenMP, PUB, BSP and MPI");
            let meant = MODELS.iter().find(|(name, _)| name.eq_ignore_ascii_case(&written));
            if let Some((name, _)) = meant {
                diagnostic = diagnostic.label(format!("write `{name}`"));
            }
            return self.wrong(diagnostic);
        };
        let is_procs = |reader: &Self, at: usize| {
            reader.word(at).as_deref() == Some("procs")
                && reader.tokens.get(at + 1).is_some_and(|token| token.is(b'='))
        };
        let mut index = 2;
        let mut handle = None;
        if index < self.tokens.len() && !is_procs(self, index) {
            let end = (index..self.tokens.len())
                .find(|&index| is_procs(self, index))
                .unwrap_or(self.tokens.len());
            let rest = &self.tokens[index..end];
            let written = text(self.source, rest);
            if matches!(model, Model::OpenMp | Model::Bsp) {
                return self.wrong(
                    Diagnostic::error(
                        "T003",
                        range(rest),
                        format!("`{written}` after `parallel {name}`"),
                    )
                    .help(format!(
                        "{name} has no handle; only this may follow: `procs = LO:HI:FACTOR`"
                    )),
                );
            }
            handle = Some(written);
            index = end;
        }
        let mut list = None;
        if is_procs(self, index) {
            let values = &self.tokens[index + 2..];
            match procs::read(&text(self.source, values)) {
                Ok(values) => list = Some(values),
                Err(message) => {
                    let span = range(&self.tokens[index..]);
                    return self.wrong(Diagnostic::error("T003", span, message).help(
                        "`procs = 1:32:2` is 1, 2, 4, 8, 16, 32; `procs = 1,2,3,6` is a list",
                    ));
                }
            }
        }
        Directive::Parallel { model, handle, procs: list }
    }

    fn repeat(&mut self) -> Directive {
        let ordered = self.word(1).as_deref() == Some("ordered");
        let index = 1 + usize::from(ordered);
        if !self.tokens.get(index).is_some_and(|token| token.is(b'(')) {
            let (span, shown) = (self.span(index), self.shown(index));
            self.wrong(
                Diagnostic::error(
                    "T013",
                    span,
                    format!("{shown} where `(INIT; COND; STEP)` was expected"),
                )
                .help("write it as C does: `#pragma cll for (N = 1024; N < 262144; N *= 2)`"),
            );
            return Directive::For(None);
        }
        let Some(close) = closing(&self.tokens[index..]) else {
            let span = self.span(index);
            self.wrong(Diagnostic::error("T013", span, "`cll for` has no `)`"));
            return Directive::For(None);
        };
        let head = LoopHead::read(self.source, &self.tokens[index..=index + close], ordered);
        let closed = self.nothing_more(index + close + 1, "the head of `cll for`");
        match head {
            Ok(head) => Directive::For(closed.then_some(head)),
            Err(diagnostic) => {
                self.wrong(*diagnostic);
                Directive::For(None)
            }
        }
    }

    fn end(&mut self) -> Directive {
        match self.word(1) {
            Some(word) if word == "for" => {
                self.nothing_more(2, "`end for`");
                Directive::EndFor
            }
            Some(name) => {
                self.nothing_more(2, &format!("`end {name}`"));
                Directive::End { name }
            }
            None => {
                let (span, shown) = (self.span(1), self.shown(1));
                self.wrong(
                    Diagnostic::error("T003", span, format!("{shown} where a name was expected"))
                        .help("`#pragma cll end NAME` names the experiment that it closes"),
                )
            }
        }
    }

    fn report(&mut self) -> Directive {
        let mut names = Vec::new();
        for index in 1..self.tokens.len() {
            match self.word(index) {
                Some(name) => names.push((name, self.span(index))),
                None if self.tokens[index].is(b',') => {}
                None => {
                    let (span, shown) = (self.span(index), self.shown(index));
                    return self.wrong(Diagnostic::error(
                        "T003",
                        span,
                        format!("{shown} where an experiment's name was expected"),
                    ));
                }
            }
        }
        if names.is_empty() {
            let span = self.pragma.clone();
            return self.wrong(
                Diagnostic::error("T003", span, "`report` without an experiment")
                    .help("`#pragma cll report all`, or the names of experiments"),
            );
        }
        if matches!(&names[..], [(name, _)] if name == "all") {
            names.clear();
        }
        Directive::Report { names }
    }

    fn begin(&mut self) -> Directive {
        let mut clauses = Clauses::new();
        let mut index = 0;
        let mut sync = false;
        if self.word(0).as_deref() == Some("sync") {
            sync = true;
            index = 1;
        }
        index += clauses.read(self.source, &self.tokens[index..]);
        let Some(name) = self.word(index) else {
            let (span, shown) = (self.span(index), self.shown(index));
            self.diagnostics.append(&mut clauses.diagnostics);
            return self.wrong(
                Diagnostic::error("T003", span, format!("{shown} where a name was expected"))
                    .help("`#pragma cll NAME FORMULA` opens an experiment"),
            );
        };
        let name_span = self.span(index);
        if let Some(wrong) = self.misspelt(&name, index) {
            return self.wrong(wrong);
        }
        if RESERVED.contains(&name.as_str()) {
            return self.wrong(Diagnostic::error(
                "T003",
                name_span,
                format!("`{name}` is a reserved word and cannot name an experiment"),
            ));
        }
        index += 1;
        index += clauses.read(self.source, &self.tokens[index..]);
        let automatic = self.word(index).as_deref() == Some("auto")
            && !self
                .tokens
                .get(index + 1)
                .is_some_and(|next| next.kind == TokenKind::Punctuator && !next.is(b','));
        let mut formula = None;
        if automatic {
            index += 1;
            index += clauses.read(self.source, &self.tokens[index..]);
            self.nothing_more(index, "`auto`");
        } else {
            formula = self.formula(&name, index);
        }
        self.diagnostics.append(&mut clauses.diagnostics);
        let mut values: Vec<Value> = formula
            .iter()
            .flat_map(|formula| formula.variables())
            .map(|variable| Value {
                name: variable.name.clone(),
                c: variable.c.clone(),
                is_named: false,
            })
            .collect();
        for value in clauses.values {
            match values.iter_mut().find(|known| known.name == value.name) {
                None => values.push(value),
                // The formula's name for it.
                Some(known) if value.is_named => *known = value,
                Some(_) => {}
            }
        }
        Directive::Begin(Box::new(Begin {
            name,
            name_span,
            sync,
            every: clauses.every.unwrap_or(1),
            formula,
            is_searched: automatic,
            values,
            candidates: Vec::new(),
            extent: None,
            counters: clauses.counters,
        }))
    }

    /// The formula that begins with token `index`.
    fn formula(&mut self, name: &str, index: usize) -> Option<Complexity> {
        let start = self.span(index).start;
        if index >= self.tokens.len() {
            let span = self.span(index - 1);
            self.diagnostics.push(
                Diagnostic::error("T003", span, format!("experiment `{name}` has no formula"))
                    .help(format!("for instance `#pragma cll {name} {name}[0] + {name}[1]*N`")),
            );
            return None;
        }
        let text = readable(&self.source[start..self.rest.end]);
        let parsed = self
            .formulas
            .entry((name.to_string(), text))
            .or_insert_with_key(|(name, text)| Complexity::parse(name, text));
        self.diagnostics
            .extend(parsed.diagnostics.iter().map(|diagnostic| diagnostic.clone().shifted(start)));
        parsed.formula.clone()
    }

    /// `#pragma cll ned f`: nearly a word of the language, and nothing on the line indicates an
    /// experiment with that name.
    fn misspelt(&self, name: &str, index: usize) -> Option<Diagnostic> {
        let meant = nearest(name.as_bytes(), &RESERVED)?;
        let has_constant = self.tokens[index + 1..]
            .windows(2)
            .any(|pair| &*spelling(self.source, &pair[0]) == name.as_bytes() && pair[1].is(b'['));
        if has_constant {
            return None;
        }
        Some(
            Diagnostic::error("T002", self.span(index), format!("unknown word `{name}`"))
                .label(format!("did you mean `{meant}`?"))
                .help(format!(
                    "an experiment named `{name}` would have a formula with the constant \
                     `{name}[0]`"
                )),
        )
    }
}
