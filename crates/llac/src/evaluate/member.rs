//! `value.name` and `value[index]`.

use std::sync::Arc;

use cll_diagnostic::suggestion;

use super::arithmetic::elements;
use super::{Evaluator, Wrong, error};
use crate::model::Model;
use crate::samples::{Frame, Level};
use crate::syntax::ast::Span;
use crate::value::Value;

impl Evaluator<'_> {
    /// Finds the value that a name behind a dot stands for.
    pub(super) fn member(&mut self, base: &Value, name: &str, span: &Span) -> Result<Value, Wrong> {
        if let Value::Model(model) = base
            && name != "formula"
            && model.experiment(name).is_none()
        {
            model.reservation().into_iter().for_each(|text| self.notice(text));
        }
        let value = match base {
            Value::Samples(samples) => match name {
                "formula" if samples.level(name).is_none() => Some(Value::text(&samples.formula)),
                _ => Frame { samples, level: Level::Rows }
                    .column(name)
                    .map(|cells| Value::from_cells(&cells)),
            },
            Value::Table(table) => table.column(name).map(Value::from_cells),
            Value::Model(model) => of_model(model, name),
            Value::Prediction(prediction) => prediction.table().column(name).map(Value::from_cells),
            Value::Comparison(comparison) => comparison.table().column(name).map(Value::from_cells),
            Value::Space(names) => names.get(name).cloned(),
            Value::Thing(thing) => thing.member(name),
            _ => None,
        };
        value.ok_or_else(|| {
            let known = base.members();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let wrong = error(
                "L131",
                span,
                format!(
                    "{} {} no `{name}`",
                    base.a_kind(),
                    if matches!(base, Value::Samples(_)) { "have" } else { "has" }
                ),
            );
            if known.is_empty() {
                wrong.into()
            } else {
                wrong.help(suggestion(name, &known)).into()
            }
        })
    }

    /// An element of a list, from 0, or a constant of a model.
    pub(super) fn element(
        &mut self,
        base: &Value,
        position: &Value,
        span: &Span,
    ) -> Result<Value, Wrong> {
        if let Value::Column(column) = position
            && column.unit.is_none()
        {
            return self.slice(base, &column.values, span);
        }
        let Value::Number(position) = position else {
            let message = format!("an index is a whole number, not {}", position.a_kind());
            return Err(error("L132", span, message).into());
        };
        let is_whole =
            position.value >= 0.0 && position.value.fract() == 0.0 && position.unit.is_none();
        if !is_whole {
            let message = format!("an index is a whole number from 0, not {}", position.value);
            return Err(error("L132", span, message).into());
        }
        let index = position.value as usize;
        let beyond = |length: usize| -> Wrong {
            error("L133", span, format!("there is no element {index}: it has {length}, from 0"))
                .into()
        };
        match base {
            Value::Model(model) => {
                let constant = model.constant(index).map_err(|why| error("L133", span, why))?;
                Ok(match &constant[..] {
                    [only] => Value::Number(only.clone()),
                    several => Value::List(several.iter().cloned().map(Value::Number).collect()),
                })
            }
            Value::Samples(samples) => {
                let model = self.own_model(samples, span)?;
                self.element(&Value::Model(model), &Value::Number(position.clone()), span)
            }
            Value::Table(table) => {
                if index >= table.rows() {
                    return Err(beyond(table.rows()));
                }
                let keep: Vec<bool> = (0..table.rows()).map(|row| row == index).collect();
                Ok(Value::Table(Arc::new(table.kept(&keep))))
            }
            other => match elements(other) {
                Some(all) => all.get(index).cloned().ok_or_else(|| beyond(all.len())),
                None => {
                    let message = format!("{} has no elements", other.a_kind());
                    Err(error("L132", span, message).into())
                }
            },
        }
    }
}

impl Evaluator<'_> {
    /// Rows of a table or elements of a column, as a value of the same kind.
    pub(super) fn slice(
        &mut self,
        base: &Value,
        indices: &[f64],
        span: &Span,
    ) -> Result<Value, Wrong> {
        let length = match base {
            Value::Table(table) => table.rows(),
            other => elements(other).map_or(0, |all| all.len()),
        };
        let mut rows = Vec::with_capacity(indices.len());
        for &index in indices {
            if index < 0.0 || index.fract() != 0.0 {
                let message = format!("an index is a whole number from 0, not {index}");
                return Err(error("L132", span, message).into());
            }
            if index as usize >= length {
                let message = format!("there is no element {index}: it has {length}, from 0");
                return Err(error("L133", span, message).into());
            }
            rows.push(index as usize);
        }
        self.step(rows.len() as u64 / 100, span)?;
        match base {
            Value::Table(table) => Ok(Value::Table(Arc::new(table.select_rows(&rows)))),
            other => match (super::cells(other, length), elements(other)) {
                (Some(cells), _) => Ok(Value::from_cells(&cells.select_rows(&rows))),
                (None, Some(all)) => {
                    Ok(super::list(rows.iter().map(|row| all[*row].clone()).collect()))
                }
                (None, None) => {
                    let message = format!("{} has no elements", other.a_kind());
                    Err(error("L132", span, message).into())
                }
            },
        }
    }
}

/// An experiment of a model, or a part of its only one.
fn of_model(model: &Model, name: &str) -> Option<Value> {
    if let Some(model) = model.experiment(name) {
        return Some(Value::Model(Arc::new(model)));
    }
    let only = model.only().ok()?;
    match name {
        "formula" => Some(Value::text(&model.file.experiments[only].formula)),
        "constants" => model.constants(only).map(|table| Value::Table(Arc::new(table))),
        "points" => model.points(only).map(|table| Value::Table(Arc::new(table))),
        "error" => Some(Value::number(model.fit(only).ok()?.quality.median_error)),
        _ => None,
    }
}
