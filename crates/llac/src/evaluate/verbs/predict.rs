//! `predict m at N = 2^21, P = 32`.

use std::sync::Arc;

use cll_analysis::{Location, predict_all};

use super::Phrase;
use super::fit::failed;
use crate::evaluate::arguments::{Clauses, only};
use crate::evaluate::{Evaluator, Scope, Wrong, error, list};
use crate::model::Prediction;
use crate::syntax::ClauseWord;
use crate::syntax::ast::{Name, Span};
use crate::value::{Cells, Column, Table, Value};

impl Evaluator<'_> {
    /// The predictions of a model at all combinations of values; of a function its values there.
    pub(super) fn predict(
        &mut self,
        phrase: &Phrase<'_>,
        scope: &Scope<'_>,
    ) -> Result<Value, Wrong> {
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &[ClauseWord::At])?;
        let expr = only(phrase.verb, phrase.arguments, "a model or a function", phrase.span)?;
        let value = self.value(expr, scope)?;
        let items = clauses.get(ClauseWord::At).map_or(&[][..], |clause| &clause.items);
        let variations = self.variations(items, scope)?;
        let all = self.combinations(&variations, phrase.span)?;
        let model = match &value {
            Value::Model(model) => Arc::clone(model),
            Value::Samples(samples) => self.own_model(samples, &expr.span)?,
            Value::Function(_) | Value::Thing(_) => {
                return self.evaluated(&value, &variations, &all, phrase.span);
            }
            other => {
                let message = format!("`predict` takes a model, not {}", other.a_kind());
                return Err(error("L176", &expr.span, message).into());
            }
        };
        if items.is_empty() {
            let wrong = error("L176", phrase.span, "at which values?");
            let variables = model.experiments().flat_map(|experiment| experiment.variables.clone());
            let named: Vec<String> = variables.map(|name| format!("{name} = 1000")).collect();
            return Err(wrong.help(format!("such as `predict m at {}`", named.join(", "))).into());
        }
        let asked: Vec<Location> = all.into_iter().map(Location::new).collect();
        let chosen = model.chosen();
        let predicted =
            predict_all(&chosen, &asked).map_err(|failure| failed(&failure, phrase.span))?;
        let failures: Vec<&String> =
            predicted.iter().filter_map(|prediction| prediction.failure.as_ref()).collect();
        if failures.len() == predicted.len() {
            let why = failures.first().map_or("the model has no fit", |why| why.as_str());
            return Err(error("L176", phrase.span, why).into());
        }
        let model = Arc::new(crate::model::Model::new(chosen, model.samples.clone()));
        model.reservation().into_iter().for_each(|text| self.notice(text));
        Ok(Value::Prediction(Arc::new(Prediction { model, predicted })))
    }

    /// A function at all combinations, as a table.
    fn evaluated(
        &mut self,
        function: &Value,
        variations: &[(String, Vec<f64>)],
        all: &[Vec<(String, f64)>],
        span: &Span,
    ) -> Result<Value, Wrong> {
        let mut values = Vec::with_capacity(all.len());
        for point in all {
            values.push(self.apply_at(function, point, span)?);
        }
        let mut table = Table::new();
        for (k, (name, _)) in variations.iter().enumerate() {
            let column: Vec<f64> = all.iter().map(|point| point[k].1).collect();
            table = table.numbers(name.clone(), Column::plain(column));
        }
        let as_list = list(values.clone());
        let Some(numbers) = crate::display::as_table(&as_list) else {
            return match &values[..] {
                [only] => Ok(only.clone()),
                _ => Ok(as_list),
            };
        };
        let beyond = values.iter().map(|value| match value {
            Value::Number(number) => !number.beyond,
            _ => true,
        });
        let inside: Arc<[bool]> = beyond.collect();
        for (name, cells) in numbers.columns() {
            table = table.with(name.clone(), cells.clone());
        }
        table = table.with("inside", Cells::Truths(inside));
        let is_good = |value: &Value| !matches!(value, Value::Number(number) if number.doubtful);
        if !values.iter().all(is_good) {
            table = table.with("measurable", Cells::Truths(values.iter().map(is_good).collect()));
        }
        Ok(Value::Table(Arc::new(table)))
    }

    /// A function, model or experiment at values by name.
    pub(crate) fn apply_at(
        &mut self,
        function: &Value,
        arguments: &[(String, f64)],
        span: &Span,
    ) -> Result<Value, Wrong> {
        let given = arguments.iter().map(|(name, value)| {
            let name = Name { text: name.clone(), span: span.clone() };
            (Some(name), Value::number(*value))
        });
        self.apply(function, given.collect(), span)
    }
}
