//! Calls: functions of the user, models, experiments, functions of the language.

use std::sync::Arc;

use super::arithmetic::elements;
use super::expression::together;
use super::{BUILTINS, Evaluator, Given, Scope, Wrong, error};
use crate::experiment::Experiment;
use crate::function::Function;
use crate::model::Model;
use crate::syntax::ast::{Argument, Expr, ExprKind, Span};
use crate::value::Value;

impl Evaluator<'_> {
    pub(super) fn call(
        &mut self,
        function: &Expr,
        arguments: &[Argument],
        scope: &Scope<'_>,
        span: &Span,
    ) -> Result<Value, Wrong> {
        let mut given: Given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            given.push((argument.name.clone(), self.value(&argument.value, scope)?));
        }
        if let ExprKind::Name(name) = &function.kind {
            let is_value = scope.locals.iter().any(|(known, _)| known == name)
                || self.names.contains_key(name);
            if let Some(builtin) = BUILTINS.iter().find(|builtin| builtin.name == name && !is_value)
            {
                return self.builtin(builtin, given, span);
            }
        }
        let callee = match &function.kind {
            // A column of this name is not called.
            ExprKind::Name(name) => {
                self.named(name, &Scope { frame: None, ..*scope }, &function.span)?
            }
            _ => self.value(function, scope)?,
        };
        self.apply(&callee, given, span)
    }

    /// Calls a value with values. A column as an argument calls it for each of its values.
    pub(crate) fn apply(
        &mut self,
        callee: &Value,
        given: Given,
        span: &Span,
    ) -> Result<Value, Wrong> {
        let lengths = given.iter().filter_map(|(_, value)| match value {
            Value::Column(column) => Some(column.values.len()),
            Value::List(values) => Some(values.len()),
            _ => None,
        });
        // The values of a group are given to a function of the user together.
        let takes_columns = self.is_group && matches!(callee, Value::Function(_));
        let Some(length) = lengths.clone().max().filter(|_| !takes_columns) else {
            return self.apply_once(callee, given, span);
        };
        if lengths.clone().min() != Some(length) {
            return Err(error("L112", span, "the arguments have different lengths").into());
        }
        let columns: Vec<Option<Vec<Value>>> =
            given.iter().map(|(_, value)| elements(value)).collect();
        let mut all = Vec::with_capacity(length);
        for k in 0..length {
            let row = given.iter().zip(&columns).map(|((name, value), column)| {
                let value =
                    column.as_ref().map_or_else(|| value.clone(), |column| column[k].clone());
                (name.clone(), value)
            });
            all.push(self.apply_once(callee, row.collect(), span)?);
        }
        Ok(together(all))
    }

    fn apply_once(&mut self, callee: &Value, given: Given, span: &Span) -> Result<Value, Wrong> {
        self.step(1, span)?;
        match callee {
            Value::Function(function) => self.apply_function(function, given, span),
            Value::Model(model) => self.apply_model(model, given, span),
            Value::Samples(samples) => {
                let model = self.own_model(samples, span)?;
                self.apply_model(&model, given, span)
            }
            Value::Thing(thing) => {
                let point = self.named_numbers(&given, &[], span)?;
                match thing.call(&point, self.confidence) {
                    Some(Ok(quantity)) => Ok(Value::Number(quantity)),
                    Some(Err(why)) => Err(error("L134", span, why).into()),
                    None => Err(not_called(callee, span)),
                }
            }
            other => Err(not_called(other, span)),
        }
    }

    fn apply_function(
        &mut self,
        function: &Function,
        given: Given,
        span: &Span,
    ) -> Result<Value, Wrong> {
        let call = || {
            let parameters = function.parameters.join(", ");
            format!("{}({parameters})", function.name)
        };
        let mut locals: Vec<(String, Value)> = Vec::with_capacity(function.parameters.len());
        let mut position = 0;
        for (name, value) in given {
            let parameter = match &name {
                Some(name) => function.parameters.iter().find(|parameter| **parameter == name.text),
                None => {
                    position += 1;
                    function.parameters.get(position - 1)
                }
            };
            let Some(parameter) = parameter else {
                let place = name.as_ref().map_or(span, |name| &name.span);
                let message = match &name {
                    Some(name) => format!("`{}` has no parameter `{}`", function.name, name.text),
                    None => {
                        format!("`{}` takes {}", function.name, counted(function.parameters.len()))
                    }
                };
                return Err(error("L135", place, message).help(format!("it is {}", call())).into());
            };
            if locals.iter().any(|(known, _)| known == parameter) {
                return Err(error("L135", span, format!("`{parameter}` is given twice")).into());
            }
            locals.push((parameter.clone(), value));
        }
        let missing = |one: &&String| !locals.iter().any(|(known, _)| known == *one);
        if let Some(missing) = function.parameters.iter().find(missing) {
            let message = format!("`{}` needs `{missing}`", function.name);
            return Err(error("L135", span, message).help(format!("it is {}", call())).into());
        }
        if self.depth >= self.limits.depth {
            let message = format!("more than {} calls are inside one another", self.limits.depth);
            let help = "a recursion needs a case in which it ends, such as `if P == 1 then …`";
            return Err(error("L142", span, message).help(help).into());
        }
        self.depth += 1;
        let scope = Scope { text: &function.text, locals: &locals, frame: None };
        let value = self.value(&function.body, &scope);
        self.depth -= 1;
        value.map_err(|wrong| within(*wrong, function, &locals, span))
    }

    fn apply_model(&mut self, model: &Model, given: Given, span: &Span) -> Result<Value, Wrong> {
        let number = model.only().map_err(|why| error("L136", span, why))?;
        let variables =
            model.fit(number).map_err(|why| error("L136", span, why))?.variables.clone();
        let point = self.named_numbers(&given, &variables, span)?;
        let called = model.call(number, &point, self.confidence);
        let mut called = called.map_err(|why| error("L136", span, why))?;
        // In a function a model is a block of one launch and some processor: see `Model::call`.
        let has_processors = model.file.experiments[number].imbalance.is_some();
        if self.depth > 0 && (model.deviation_of_launches() > 0.0 || has_processors) {
            called.quantity.band = None;
        }
        called.notices.into_iter().for_each(|notice| self.notice(notice));
        Ok(Value::Number(called.quantity))
    }

    /// The model of samples by the formula of their source, fitted when it is first needed.
    pub(crate) fn own_model(
        &mut self,
        samples: &Arc<Experiment>,
        span: &Span,
    ) -> Result<Arc<Model>, Wrong> {
        samples.model().map_err(|why| {
            let message = format!("{} has no model: {why}", samples.name);
            let help = format!(
                "`fit {} as f[0] + f[1]*N` gives it a formula, `search {}` finds one",
                samples.name, samples.name
            );
            error("L137", span, message).help(help).into()
        })
    }

    /// Exact numbers by name; those without a name are the variables in order.
    fn named_numbers(
        &mut self,
        given: &Given,
        variables: &[String],
        span: &Span,
    ) -> Result<Vec<(String, f64)>, Wrong> {
        let mut at: Vec<(String, f64)> = Vec::with_capacity(given.len());
        let mut position = 0;
        for (name, value) in given {
            let Value::Number(number) = value else {
                let message = format!("an argument is a number, not {}", value.a_kind());
                return Err(error("L138", span, message).into());
            };
            let known = match name {
                Some(name) => name.text.clone(),
                None => {
                    position += 1;
                    let Some(variable) = variables.get(position - 1) else {
                        let message = if variables.is_empty() {
                            "it takes arguments by name".to_owned()
                        } else {
                            format!("it takes {}", counted(variables.len()))
                        };
                        let help = format!("its variables: {}", variables.join(", "));
                        return Err(error("L138", span, message).help(help).into());
                    };
                    variable.clone()
                }
            };
            if at.iter().any(|(text, _)| *text == known) {
                return Err(error("L138", span, format!("`{known}` is given twice")).into());
            }
            at.push((known, number.value));
        }
        Ok(at)
    }
}

fn not_called(value: &Value, span: &Span) -> Wrong {
    let message = format!("{} is not called", value.a_kind());
    error("L134", span, message).help("functions, models and experiments are").into()
}

fn counted(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    }
}

/// An error in a function, at the place of its call.
fn within(
    wrong: cll_diagnostic::Diagnostic,
    function: &Function,
    locals: &[(String, Value)],
    span: &Span,
) -> Wrong {
    // Only the innermost function is told: a recursion has many.
    if wrong.help.iter().any(|help| help.starts_with("in ")) {
        let mut moved = wrong;
        moved.primary.span = span.clone();
        return moved.into();
    }
    let values = locals.iter().map(|(name, value)| match value {
        Value::Number(number) => format!("{name} = {}", number.value),
        other => format!("{name} = {}", other.a_kind()),
    });
    let values: Vec<String> = values.collect();
    let part = function.text.get(wrong.primary.span.clone()).unwrap_or_default();
    let help = format!("in {}({}): `{part}`", function.name, values.join(", "));
    let mut moved = wrong.help(help);
    moved.primary.span = span.clone();
    moved.secondary.clear();
    moved.into()
}
