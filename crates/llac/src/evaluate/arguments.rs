//! Clauses of verbs: values of variables, options, files.

use std::sync::Arc;

use cll_analysis::Words;
use cll_diagnostic::suggestion;

use super::builtin::numbers;
use super::{Evaluator, Scope, Wrong, error};
use crate::syntax::ast::{Argument, Clause, Expr, ExprKind, Span};
use crate::syntax::{ClauseWord, Verb};
use crate::value::Value;

/// The clauses of a verb.
#[derive(Clone, Copy)]
pub(crate) struct Clauses<'a> {
    verb: Verb,
    clauses: &'a [Clause],
}

/// The options of a verb, in `with`.
pub(crate) struct GivenOptions<'a> {
    verb: Verb,
    /// The place of `with`; empty if there is none.
    pub span: Span,
    items: Vec<(String, &'a Span, Option<&'a Expr>)>,
}

impl<'a> Clauses<'a> {
    /// Those of a verb, which takes only these words.
    ///
    /// # Errors
    /// If there is another one.
    pub fn new(verb: Verb, clauses: &'a [Clause], known: &[ClauseWord]) -> Result<Self, Wrong> {
        if let Some(other) = clauses.iter().find(|clause| !known.contains(&clause.word)) {
            let message = format!("`{}` has no `{}`", verb.word(), other.word.word());
            let words: Vec<String> =
                known.iter().map(|word| format!("`{}`", word.word())).collect();
            let wrong = error("L160", &other.span, message);
            return Err((if words.is_empty() {
                wrong
            } else {
                wrong.help(format!("it has {}", words.join(", ")))
            })
            .into());
        }
        Ok(Clauses { verb, clauses })
    }

    /// The clause with this word.
    pub fn get(&self, word: ClauseWord) -> Option<&'a Clause> {
        self.clauses.iter().find(|clause| clause.word == word)
    }

    /// The only item of a clause.
    ///
    /// # Errors
    /// If it has several.
    pub fn single_value(&self, word: ClauseWord) -> Result<Option<&'a Expr>, Wrong> {
        let Some(clause) = self.get(word) else { return Ok(None) };
        match &clause.items[..] {
            [Argument { name: None, value }] => Ok(Some(value)),
            _ => {
                let message = format!("`{}` takes one value", word.word());
                Err(error("L161", &clause.span, message).into())
            }
        }
    }

    /// The options.
    pub fn options(&self) -> Result<GivenOptions<'a>, Wrong> {
        let mut items: Vec<(String, &Span, Option<&Expr>)> = Vec::new();
        for item in self.get(ClauseWord::With).map_or(&[][..], |clause| &clause.items) {
            match (&item.name, &item.value.kind) {
                (Some(name), _) => items.push((name.text.clone(), &name.span, Some(&item.value))),
                (None, ExprKind::Name(name)) => items.push((name.clone(), &item.value.span, None)),
                _ => {
                    let wrong =
                        error("L162", &item.value.span, "an option is `NAME` or `NAME = VALUE`");
                    return Err(wrong.into());
                }
            }
        }
        let span = self.get(ClauseWord::With).map_or(0..0, |clause| clause.span.clone());
        for (index, (name, span, _)) in items.iter().enumerate() {
            if items[..index].iter().any(|(known, _, _)| known == name) {
                return Err(error("L162", span, format!("`{name}` is given twice")).into());
            }
        }
        Ok(GivenOptions { verb: self.verb, span, items })
    }
}

impl<'a> GivenOptions<'a> {
    /// Removes an option and gives its place and value; the value is `None` for a bare name.
    pub fn take(&mut self, name: &str) -> Option<(&'a Span, Option<&'a Expr>)> {
        let index = self.items.iter().position(|(known, _, _)| known == name)?;
        let (_, span, value) = self.items.remove(index);
        Some((span, value))
    }

    /// Whether a bare option is there; `NAME = false` is as if it were not.
    pub fn flag(&mut self, name: &str) -> Result<bool, Wrong> {
        match self.take(name) {
            None => Ok(false),
            Some((_, None)) => Ok(true),
            Some((_, Some(Expr { kind: ExprKind::Bool(truth), .. }))) => Ok(*truth),
            Some((span, Some(_))) => {
                Err(error("L162", span, format!("`{name}` takes no value")).into())
            }
        }
    }

    /// A word of a choice.
    pub fn word<T: Words>(&mut self, name: &str) -> Result<Option<T>, Wrong> {
        let Some((span, value)) = self.take(name) else { return Ok(None) };
        let words = T::all();
        let (given, place) = match value.map(|value| (&value.kind, &value.span)) {
            Some((ExprKind::Name(word) | ExprKind::Text(word), span)) => (word.as_str(), span),
            _ => {
                let message = format!("`{name}` is one of {}", words.join(", "));
                return Err(error("L163", span, message).into());
            }
        };
        match T::from_word(given) {
            Some(value) => Ok(Some(value)),
            None => {
                let message = format!("`{name}` has no `{given}`: {}", suggestion(given, &words));
                Err(error("L163", place, message).into())
            }
        }
    }

    /// Nothing may be left.
    ///
    /// # Errors
    /// The first option that is not known.
    pub fn end(self, known: &[&str]) -> Result<(), Wrong> {
        match self.items.first() {
            None => Ok(()),
            Some((name, span, _)) => {
                let message = format!("`{}` has no option `{name}`", self.verb.word());
                let wrong = error("L164", span, message);
                Err(if known.is_empty() {
                    wrong.into()
                } else {
                    wrong.help(format!("its options: {}", suggestion(name, known))).into()
                })
            }
        }
    }
}

impl Evaluator<'_> {
    /// The number of an option.
    pub(crate) fn option_number(
        &mut self,
        options: &mut GivenOptions<'_>,
        name: &str,
        scope: &Scope<'_>,
    ) -> Result<Option<f64>, Wrong> {
        match options.take(name) {
            None => Ok(None),
            Some((_, Some(value))) => Ok(Some(self.exact_number(value, scope)?.value)),
            Some((span, None)) => {
                Err(error("L162", span, format!("`{name}` needs a number")).into())
            }
        }
    }

    /// A text: of a text in quotes its content, of anything else how it is written.
    pub(crate) fn as_written(&self, expr: &Expr, scope: &Scope<'_>) -> String {
        match &expr.kind {
            ExprKind::Text(text) => text.clone(),
            _ => scope.text.get(expr.span.clone()).unwrap_or_default().to_owned(),
        }
    }

    /// The name of a column: as a name, or in quotes.
    pub(crate) fn name_or_text(&self, expr: &Expr, scope: &Scope<'_>) -> String {
        match &expr.kind {
            ExprKind::Name(name) => name.clone(),
            _ => self.as_written(expr, scope),
        }
    }

    /// Values of variables: `N = 64:256:*2, P = 1, 2, 4`.
    pub(crate) fn variations(
        &mut self,
        items: &[Argument],
        scope: &Scope<'_>,
    ) -> Result<Vec<(String, Vec<f64>)>, Wrong> {
        let mut all: Vec<(String, Vec<f64>)> = Vec::new();
        for item in items {
            let value = self.value(&item.value, scope)?;
            let values = match &value {
                Value::Text(_) => None,
                other => numbers(other),
            };
            let Some((values, _)) = values else {
                let message = format!("a variable has numbers, not {}", value.a_kind());
                return Err(error("L165", &item.value.span, message).into());
            };
            match (&item.name, all.last_mut()) {
                (Some(name), _) => {
                    if all.iter().any(|(known, _)| *known == name.text) {
                        let message = format!("`{}` is given twice", name.text);
                        return Err(error("L165", &name.span, message).into());
                    }
                    all.push((name.text.clone(), values));
                }
                (None, Some((_, known))) => known.extend(values),
                (None, None) => {
                    let wrong =
                        error("L165", &item.value.span, "of which variable is this a value?");
                    return Err(wrong.help("such as `at N = 2^21, P = 32`").into());
                }
            }
        }
        Ok(all)
    }

    /// All combinations of values, the last variable fastest.
    pub(crate) fn combinations(
        &mut self,
        variations: &[(String, Vec<f64>)],
        span: &Span,
    ) -> Result<Vec<Vec<(String, f64)>>, Wrong> {
        let count = variations.iter().fold(1.0, |count, (_, values)| count * values.len() as f64);
        const MOST: f64 = 1e6;
        if count > MOST {
            let message = format!("these are {count} combinations, more than {MOST}");
            return Err(error("L166", span, message).into());
        }
        self.step(count as u64, span)?;
        let mut all: Vec<Vec<(String, f64)>> = vec![Vec::new()];
        for (name, values) in variations {
            all = all
                .into_iter()
                .flat_map(|before| {
                    let with = move |value: &f64| {
                        let mut combination = before.clone();
                        combination.push((name.clone(), *value));
                        combination
                    };
                    values.iter().map(with).collect::<Vec<_>>()
                })
                .collect();
        }
        Ok(all)
    }

    /// The samples that an argument stands for.
    pub(crate) fn samples(
        &mut self,
        expr: &Expr,
        scope: &Scope<'_>,
    ) -> Result<std::sync::Arc<crate::samples::Samples>, Wrong> {
        match self.value(expr, scope)? {
            Value::Samples(samples) => Ok(Arc::clone(samples.samples())),
            other => {
                let message = format!("this must be samples, and is {}", other.a_kind());
                Err(error("L167", &expr.span, message).into())
            }
        }
    }
}

/// The only argument of a verb.
pub(crate) fn only<'a>(
    verb: Verb,
    arguments: &'a [Argument],
    what: &str,
    span: &Span,
) -> Result<&'a Expr, Wrong> {
    match arguments {
        [Argument { name: None, value }] => Ok(value),
        [Argument { name: Some(name), .. }] => Err(error(
            "L168",
            &name.span,
            format!("`{}` takes {what}, without a name", verb.word()),
        )
        .into()),
        _ => Err(error("L168", span, format!("`{}` takes {what}", verb.word())).into()),
    }
}
