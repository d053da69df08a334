//! `where` and `set`: subsets, and new columns.

use std::sync::Arc;

use super::builtin::numbers;
use super::names::names_in;
use super::{Columns, Evaluator, Scope, Wrong, error};
use crate::samples::{Frame, Level, Samples};
use crate::syntax::ast::{Argument, Expr, Span};
use crate::value::{Cells, Column, Table, Value};

impl Evaluator<'_> {
    pub(super) fn subset(
        &mut self,
        base: &Expr,
        condition: &Expr,
        scope: &Scope<'_>,
        span: &Span,
    ) -> Result<Value, Wrong> {
        match self.value(base, scope)? {
            Value::Samples(samples) => {
                let (level, keep) = self.marked(&samples, condition, scope)?;
                let kept = match level {
                    Level::Groups => samples.kept_groups(&keep),
                    Level::Rows => samples.kept_rows(&keep),
                };
                if kept.groups.is_empty() {
                    let ranges = ranges(&samples);
                    let message = format!("no sample of {} is left", samples.name);
                    let wrong = error("L150", &condition.span, message);
                    return Err(wrong.help(format!("it has {ranges}")).into());
                }
                Ok(Value::samples(kept))
            }
            Value::Table(table) => {
                let keep = self.rows_where(&*table, condition, scope)?;
                Ok(Value::Table(Arc::new(table.kept(&keep))))
            }
            Value::Prediction(prediction) => {
                let table = prediction.table();
                let keep = self.rows_where(&table, condition, scope)?;
                Ok(Value::Table(Arc::new(table.kept(&keep))))
            }
            Value::Comparison(comparison) => {
                let table = comparison.table();
                let keep = self.rows_where(&table, condition, scope)?;
                Ok(Value::Table(Arc::new(table.kept(&keep))))
            }
            other => {
                let message = format!("`where` takes samples or a table, not {}", other.a_kind());
                Err(error("L151", span, message).into())
            }
        }
    }

    /// For each group or sample whether a condition holds.
    pub(crate) fn marked(
        &mut self,
        samples: &Samples,
        condition: &Expr,
        scope: &Scope<'_>,
    ) -> Result<(Level, Vec<bool>), Wrong> {
        let names = names_in(condition);
        let level = samples.level_of(names.iter().copied());
        let frame = Frame { samples, level };
        let keep = self.rows_where(&frame, condition, scope)?;
        Ok((level, keep))
    }

    fn rows_where(
        &mut self,
        frame: &dyn Columns,
        condition: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Vec<bool>, Wrong> {
        self.step(frame.rows() as u64 / 1000, &condition.span)?;
        let inside = Scope { frame: Some(frame), ..*scope };
        match self.value(condition, &inside)? {
            Value::Truths(truths) if truths.len() == frame.rows() => Ok(truths.to_vec()),
            Value::Bool(truth) => Ok(vec![truth; frame.rows()]),
            Value::Truths(_) => {
                let message = "the condition has another number of values than there are rows";
                Err(error("L112", &condition.span, message).into())
            }
            other => {
                let message = format!("a condition is true or false, not {}", other.a_kind());
                Err(error("L121", &condition.span, message).help("such as `N > 4096`").into())
            }
        }
    }

    pub(super) fn set(
        &mut self,
        base: &Expr,
        items: &[Argument],
        scope: &Scope<'_>,
        span: &Span,
    ) -> Result<Value, Wrong> {
        let value = self.value(base, scope)?;
        match value {
            Value::Samples(samples) => {
                let mut samples = Samples::clone(&samples);
                for item in items {
                    samples = self.set_one(samples, item, scope)?;
                }
                Ok(Value::samples(samples))
            }
            Value::Table(table) => {
                let mut table = Table::clone(&table);
                for item in items {
                    let name = named(item)?;
                    let inside = Scope { frame: Some(&table), ..*scope };
                    let value = self.value(&item.value, &inside)?;
                    let cells = cells(&value, table.rows()).ok_or_else(|| {
                        let message = format!("a column cannot be made of {}", value.a_kind());
                        error("L152", &item.value.span, message)
                    })?;
                    table = table.with(name, cells);
                }
                Ok(Value::Table(Arc::new(table)))
            }
            other => {
                let message = format!("`set` takes samples or a table, not {}", other.a_kind());
                Err(error("L151", span, message).into())
            }
        }
    }

    /// A column of samples: a variable, if it is made of variables alone; else one value for each sample.
    fn set_one(
        &mut self,
        samples: Samples,
        item: &Argument,
        scope: &Scope<'_>,
    ) -> Result<Samples, Wrong> {
        let name = named(item)?;
        let names = names_in(&item.value);
        let of_rows = name == samples.result || samples.observable(&name).is_some();
        let level = if of_rows { Level::Rows } else { samples.level_of(names.iter().copied()) };
        let is_attribute = samples.level(&name) == Some(Level::Rows) && !of_rows;
        if is_attribute {
            let message = format!("`{name}` says where samples come from and cannot be changed");
            return Err(error("L153", &item.value.span, message)
                .help("choose another name")
                .into());
        }
        if level == Level::Rows && samples.variable(&name).is_some() {
            let message = format!("the variable `{name}` can only be made of variables");
            let help = "what differs from sample to sample needs a name of its own";
            return Err(error("L153", &item.value.span, message).help(help).into());
        }
        let frame = Frame { samples: &samples, level };
        let rows = frame.len();
        self.step(rows as u64 / 1000, &item.value.span)?;
        let inside = Scope { frame: Some(&frame), ..*scope };
        let value = self.value(&item.value, &inside)?;
        let Some(Cells::Numbers(Column { values, unit })) = cells(&value, rows) else {
            let message =
                format!("a column of samples is made of numbers, not of {}", value.a_kind());
            return Err(error("L152", &item.value.span, message).into());
        };
        let text = scope.text.get(item.value.span.clone()).unwrap_or_default();
        let mut changed = match level {
            Level::Groups if !unit.is_none() => {
                // What has a unit is observed.
                let mut all = Vec::with_capacity(samples.rows());
                for (group, value) in samples.groups.iter().zip(values.iter()) {
                    all.resize(all.len() + group.len(), *value);
                }
                samples.with_rows(&name, &all, &unit)
            }
            Level::Groups => samples.with_variable(&name, &values),
            Level::Rows => samples.with_rows(&name, &values, &unit),
        };
        changed.changes.push(format!("{name} = {text}"));
        Ok(changed)
    }
}

/// A column of so many rows; a single value is repeated.
pub(crate) fn cells(value: &Value, rows: usize) -> Option<Cells> {
    let fits = |cells: Cells| (cells.len() == rows).then_some(cells);
    match value {
        Value::Words(words) => fits(Cells::Words(words.clone())),
        Value::Truths(truths) => fits(Cells::Truths(Arc::clone(truths))),
        Value::Bool(truth) => Some(Cells::Truths(vec![*truth; rows].into())),
        Value::Text(text) => {
            Some(Cells::Words(crate::value::Words::from_rows(std::iter::repeat_n(&**text, rows))))
        }
        Value::Number(number) => Some(Cells::Numbers(Column {
            values: vec![number.value; rows].into(),
            unit: number.unit.clone(),
        })),
        other => {
            let (values, unit) = numbers(other)?;
            fits(Cells::Numbers(Column { values: values.into(), unit }))
        }
    }
}

fn named(item: &Argument) -> Result<String, Wrong> {
    match &item.name {
        Some(name) => Ok(name.text.clone()),
        None => {
            let message = "`set` gives names to columns";
            Err(error("L152", &item.value.span, message).help("such as `set bytes = 8*N*N`").into())
        }
    }
}

/// The ranges of variables, for messages.
pub(crate) fn ranges(samples: &Samples) -> String {
    if samples.variables.is_empty() {
        return "no variables".to_owned();
    }
    let variable = |(k, name): (usize, &String)| {
        let values = samples.groups.iter().map(|group| group.values[k]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        if low == high { format!("{name} = {low}") } else { format!("{name} = {low} to {high}") }
    };
    let all: Vec<String> = samples.variables.iter().enumerate().map(variable).collect();
    all.join(", ")
}
