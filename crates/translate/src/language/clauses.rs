//! The clauses of an experiment: `every(K)`, `uses(EXPR, …)`, `counters(NAME, …)`.

use std::ops::Range;

use cll_csource::{Token, TokenKind, spelling};
use cll_diagnostic::Diagnostic;
use cll_formula::VariableKind;

use super::Value;
use super::head::{range, split, text};

/// The clauses of an experiment.
#[derive(Debug)]
pub(super) struct Clauses {
    pub every: Option<u32>,
    pub values: Vec<Value>,
    pub counters: Vec<String>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Clauses {
    pub(super) fn new() -> Clauses {
        Clauses { every: None, values: Vec::new(), counters: Vec::new(), diagnostics: Vec::new() }
    }

    /// Reads the clauses at the begin of `tokens`; returns the number of tokens read.
    pub(super) fn read(&mut self, source: &[u8], tokens: &[Token]) -> usize {
        let mut index = 0;
        while let [name, open, ..] = &tokens[index..] {
            let word = spelling(source, name);
            if name.kind != TokenKind::Identifier
                || !open.is(b'(')
                || !matches!(&*word, b"every" | b"uses" | b"counters")
            {
                break;
            }
            let Some(close) = closing(&tokens[index + 1..]) else {
                self.diagnostics.push(
                    Diagnostic::error(
                        "T003",
                        name.start..open.end,
                        format!("clause `{}` has no `)`", String::from_utf8_lossy(&word)),
                    )
                    .label("opened here"),
                );
                return tokens.len();
            };
            let inside = &tokens[index + 2..index + 1 + close];
            let clause = &tokens[index..index + close + 2];
            match &*word {
                b"every" => self.every(source, clause, inside),
                b"uses" => self.uses(source, inside, open.end),
                _ => self.counters(source, clause, inside),
            }
            index += close + 2;
        }
        index
    }

    fn every(&mut self, source: &[u8], clause: &[Token], inside: &[Token]) {
        let written = text(source, inside);
        match written.parse::<u32>() {
            Ok(count) if count > 0 && self.every.is_none() => self.every = Some(count),
            Ok(count) if count > 0 => self.diagnostics.push(Diagnostic::error(
                "T003",
                range(clause),
                "a second `every` clause",
            )),
            _ => self.diagnostics.push(
                Diagnostic::error(
                    "T003",
                    range(clause),
                    format!("`every({written})` needs a whole number of at least 1"),
                )
                .help("`every(100)` measures every 100th passage"),
            ),
        }
    }

    /// `uses(EXPR, NAME = EXPR, …)`.
    fn uses(&mut self, source: &[u8], inside: &[Token], offset: usize) {
        let items = split(inside, b',');
        if !items.iter().any(|item| named(item).is_some()) {
            let start = inside.first().map_or(offset, |token| token.start);
            let end = inside.last().map_or(offset, |token| token.end);
            self.expressions(source, start..end);
            return;
        }
        let mut before = offset;
        for item in items {
            match named(item) {
                Some((name, expression)) => self.named(source, name, expression),
                None => {
                    let start = item.first().map_or(before, |token| token.start);
                    let end = item.last().map_or(before, |token| token.end);
                    self.expressions(source, start..end);
                }
            }
            before = item.last().map_or(before, |token| token.end);
        }
    }

    /// Values that are named by their text.
    fn expressions(&mut self, source: &[u8], place: Range<usize>) {
        let parsed = cll_formula::parse_variables(&readable(&source[place.clone()]));
        self.diagnostics.extend(
            parsed.diagnostics.into_iter().map(|diagnostic| diagnostic.shifted(place.start)),
        );
        for variable in parsed.variables {
            if !self.values.iter().any(|known| known.name == variable.name) {
                self.values.push(Value { name: variable.name, c: variable.c, is_named: false });
            }
        }
    }

    /// A value with a given name.
    fn named(&mut self, source: &[u8], name: &Token, expression: &[Token]) {
        let written = String::from_utf8_lossy(&spelling(source, name)).into_owned();
        let end = expression.last().map_or(name.end, |token| token.end);
        let start = expression.first().map_or(end, |token| token.start);
        let wrong = |text: String| Diagnostic::error("T003", name.start..end, text);
        let is_variable = {
            let read = cll_formula::parse_variables(&written);
            read.diagnostics.is_empty()
                && matches!(&read.variables[..], [variable] if variable.kind == VariableKind::Identifier)
        };
        let problem = if expression.is_empty() {
            Some(wrong(format!("`{written} =` in `uses` has no expression")))
        } else if !is_variable {
            Some(wrong(format!("`{written}` in `uses` cannot be the name of a value")))
        } else if self.values.iter().any(|known| known.name == written) {
            Some(wrong(format!("`{written}` occurs twice in `uses`")))
        } else {
            None
        };
        if let Some(problem) = problem {
            let help = "`uses(N = sim->atoms->n)` saves this value under the name N";
            self.diagnostics.push(problem.help(help));
            return;
        }
        let parsed = cll_formula::parse_variables(&readable(&source[start..end]));
        self.diagnostics
            .extend(parsed.diagnostics.into_iter().map(|diagnostic| diagnostic.shifted(start)));
        if let Some(variable) = parsed.variables.into_iter().next() {
            self.values.push(Value { name: written, c: variable.c, is_named: true });
        }
    }

    /// Which names exist is known only where the program runs.
    fn counters(&mut self, source: &[u8], clause: &[Token], inside: &[Token]) {
        for item in split(inside, b',') {
            match counter(source, item) {
                Some(name) if !self.counters.contains(&name) => self.counters.push(name),
                Some(_) => {}
                None => {
                    self.diagnostics.push(
                        Diagnostic::error(
                            "T003",
                            range(clause),
                            format!(
                                "`{}` in `counters` is not the name of a counter",
                                text(source, item)
                            ),
                        )
                        .help("`counters(page-faults, PAPI_TOT_INS)`; `cll counters` lists them"),
                    );
                    return;
                }
            }
        }
    }
}

/// The name and the expression of `NAME = EXPR`.
fn named(item: &[Token]) -> Option<(&Token, &[Token])> {
    match item {
        [name, equals, rest @ ..] if name.kind == TokenKind::Identifier && equals.is(b'=') => {
            Some((name, rest))
        }
        _ => None,
    }
}

/// A counter's name: a string, or letters, digits and the other characters that PAPI and the kernel
/// use, without spaces.
fn counter(source: &[u8], item: &[Token]) -> Option<String> {
    let (first, last) = (item.first()?, item.last()?);
    let written = readable(&source[first.start..last.end]);
    let quoted = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let name = quoted.unwrap_or(&written);
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let sound = |c: char| c.is_ascii_alphanumeric() || "_-:.=/@+~".contains(c);
    (starts && name.chars().all(sound)).then(|| name.to_owned())
}

/// Index of the `)` for the `(` at the begin of `tokens`.
pub(super) fn closing(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

/// `text` with a question mark for each byte that is not UTF-8, so that offsets stay valid.
pub(super) fn readable(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|_| '?'));
    }
    out
}
