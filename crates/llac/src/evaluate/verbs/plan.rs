//! `plan m at N = 2^21 with budget = 10 min`: what to measure next.

use super::Phrase;
use super::export::refused;
use crate::evaluate::arguments::{Clauses, only};
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::syntax::ClauseWord;
use crate::value::Value;

impl Evaluator<'_> {
    /// The points to measure next, by the code of `cll plan`.
    pub(super) fn plan(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        let clauses =
            Clauses::new(phrase.verb, phrase.clauses, &[ClauseWord::At, ClauseWord::With])?;
        let expr = only(phrase.verb, phrase.arguments, "a model", phrase.span)?;
        let model = match self.value(expr, scope)? {
            Value::Model(model) => model,
            Value::Samples(samples) => self.own_model(&samples, &expr.span)?,
            other => {
                let message = format!("`plan` takes a model, not {}", other.a_kind());
                return Err(error("L182", &expr.span, message).into());
            }
        };
        let items = clauses.get(ClauseWord::At).map_or(&[][..], |clause| &clause.items);
        let variations = self.variations(items, scope)?;
        let all = self.combinations(&variations, phrase.span)?;
        let points = if items.is_empty() { Vec::new() } else { all };
        let mut options = clauses.options()?;
        let mut given = Vec::new();
        for name in PLAN_OPTIONS {
            if let Some((_, value)) = options.take(name) {
                let text = value.map(|value| self.as_written(value, scope));
                given.push(((*name).to_owned(), text.unwrap_or_default()));
            }
        }
        options.end(PLAN_OPTIONS)?;
        self.host
            .plan(&model.chosen(), &points, &given)
            .map_err(|refusal| refused(refusal, phrase.span))
    }
}

/// The options of `cll plan`, with `_` for `-`.
pub(crate) const PLAN_OPTIONS: &[&str] = &["budget", "vary", "runs"];
