//! `fit f`, `search f`, `suggest f`.

use std::sync::Arc;

use cll_analysis::{Choices, FitRequest, Location, SearchChoice, search_options, search_terms};
use cll_diagnostic::Diagnostic;

use super::Phrase;
use crate::evaluate::arguments::{Clauses, only};
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::model::{Model, formula_of, sentence};
use crate::samples::Samples;
use crate::syntax::ast::{Expr, ExprKind, Span};
use crate::syntax::{ClauseWord, Verb};
use crate::value::Value;

/// The samples that are fitted: themselves, those of a model, or the rows of a table with its column.
fn samples_of(
    value: Value,
    asked: Option<&str>,
    verb: Verb,
    span: &Span,
) -> Result<Arc<Samples>, Wrong> {
    Ok(match value {
        Value::Samples(samples) => Arc::clone(samples.samples()),
        // The data of a model, fitted in another way.
        Value::Model(model) if model.samples.is_some() => model.samples.clone().unwrap_or_default(),
        Value::Table(table) => {
            let samples = Samples::of_table(&table, asked);
            Arc::new(samples.map_err(|why| error("L167", span, why))?)
        }
        other => {
            let message = format!("`{}` takes samples, not {}", verb.word(), other.a_kind());
            return Err(error("L167", span, message).into());
        }
    })
}

/// The error of terms that cannot be read.
fn wrong_terms(why: Option<Diagnostic>, span: &Span) -> Wrong {
    let why = why.map_or_else(|| "it cannot be read".to_owned(), |diagnostic| diagnostic.message);
    error("L173", span, format!("`terms`: {why}")).into()
}

impl Evaluator<'_> {
    /// A model of samples: by the formula of the source or one that is given (`fit`), by a search (`search`), or by a
    /// formula with what would repair it (`suggest`).
    pub(super) fn fit(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        let known = match phrase.verb {
            Verb::Search => &[ClauseWord::With, ClauseWord::At][..],
            _ => &[ClauseWord::As, ClauseWord::With],
        };
        let clauses = Clauses::new(phrase.verb, phrase.clauses, known)?;
        let expr = only(phrase.verb, phrase.arguments, "samples", phrase.span)?;
        let options = self.fit_options(clauses.options()?, scope)?;
        let value = self.value(expr, scope)?;
        let samples = samples_of(value, options.column.as_deref(), phrase.verb, &expr.span)?;
        let name = if samples.name.is_empty() { "f".to_owned() } else { samples.name.clone() };
        let mut choices = Choices {
            options: options.fit,
            working_sets: options.working_sets,
            observable: options.observable,
            held_out: options.held_out,
            ..Choices::default()
        };
        let mut search = search_options(&choices.options);
        if let Some(terms) = &options.terms {
            let mut wrong = None;
            let dictionary = search_terms(terms, |_, diagnostics| {
                let first = || diagnostics.iter().find(|diagnostic| diagnostic.is_error()).cloned();
                wrong = wrong.take().or_else(first);
            });
            search.dictionary = dictionary.map_err(|_| wrong_terms(wrong, phrase.span))?;
        }
        search.max_terms = options.max_terms.unwrap_or(search.max_terms);
        let mut points = Vec::new();
        if let Some(clause) = clauses.get(ClauseWord::At) {
            let variations = self.variations(&clause.items, scope)?;
            let all = self.combinations(&variations, &clause.span)?;
            points = all.into_iter().map(Location::new).collect();
        }
        choices.auto = SearchChoice { options: search.clone(), at: points.clone() };
        let given = clauses.single_value(ClauseWord::As)?;
        let mut request = FitRequest { time: options.time, ..FitRequest::default() };
        match phrase.verb {
            Verb::Search => choices.search = Some(SearchChoice { options: search, at: points }),
            verb => {
                if verb == Verb::Suggest {
                    choices.suggest = Some(search);
                }
                if let Some(given) = given {
                    choices.formulas = vec![self.formula(given, &name, scope)?];
                } else if samples.formula.is_empty() {
                    let message = format!("{name} has no formula in its source");
                    let help = format!("`{} {} as f[0] + f[1]*N` gives one", verb.word(), name);
                    let wrong = error("L174", &expr.span, message).help(help);
                    return Err(wrong.help(format!("`search {name}` finds one")).into());
                }
            }
        }
        let needs_formula = samples.column.is_some() && choices.formulas.is_empty();
        if needs_formula && choices.search.is_none() {
            // What a table is fitted by is not in a source.
            let formula = formula_of(&samples.formula, &name);
            choices.formulas = vec![formula.map_err(|all| of_formula(all, expr, 0))?];
        }
        self.step(samples.rows() as u64 / 10, phrase.span)?;
        request.choices = choices;
        let model =
            Model::fitted(&samples, request).map_err(|failure| failed(&failure, phrase.span))?;
        let only = model.only().map_err(|why| error("L136", phrase.span, why))?;
        if model.file.experiments[only].fit.is_none() {
            let why = model.fit(only).err().map_or(String::new(), String::from);
            return Err(error("L136", phrase.span, why).into());
        }
        Ok(Value::Model(Arc::new(model)))
    }

    /// A formula: as it is written, or in quotes.
    fn formula(
        &mut self,
        expr: &Expr,
        name: &str,
        scope: &Scope<'_>,
    ) -> Result<cll_formula::Complexity, Wrong> {
        let text = match &expr.kind {
            ExprKind::Text(text) => text.clone(),
            // A name may stand for a text.
            ExprKind::Name(_) => match self.value(expr, scope) {
                Ok(Value::Text(text)) => text.to_string(),
                _ => self.as_written(expr, scope),
            },
            _ => self.as_written(expr, scope),
        };
        let inside = matches!(expr.kind, ExprKind::Text(_) | ExprKind::Name(_));
        let offset = if inside { 1 } else { 0 };
        formula_of(&text, name).map_err(|all| of_formula(all, expr, offset))
    }
}

/// An error of a formula, at its place in the statement.
fn of_formula(all: Vec<Diagnostic>, expr: &Expr, offset: usize) -> Wrong {
    let wrong = all.into_iter().find(Diagnostic::is_error);
    let Some(wrong) = wrong else {
        return error("L174", &expr.span, "this formula cannot be read").into();
    };
    let end = expr.span.end;
    let mut moved = wrong.shifted(expr.span.start + offset);
    let bounded = |span: &Span| span.start.min(end)..span.end.min(end);
    moved.primary.span = bounded(&moved.primary.span);
    moved.secondary.iter_mut().for_each(|label| label.span = bounded(&label.span));
    moved.into()
}

/// A failure at a place.
pub(super) fn failed(failure: &cll_analysis::Error, span: &Span) -> Wrong {
    let (message, help) = sentence(failure);
    help.into_iter().fold(error("L175", span, message), Diagnostic::help).into()
}
