//! Functions of columns.

use std::sync::Arc;

use cll_statistics::{quantile, sorted};

use super::Statistic;
use crate::evaluate::arithmetic::elements;
use crate::evaluate::{Evaluator, Wrong, error};
use crate::syntax::ast::Span;
use crate::value::{Quantity, Unit, Value};

/// The value below which this share of a column's values lies; `None` if it has no numbers.
pub(super) fn quantile_of(
    column: &Value,
    share: &Quantity,
    span: &Span,
) -> Result<Option<Value>, Wrong> {
    if !(0.0..=1.0).contains(&share.value) {
        let message = format!("a share is from 0 to 1, not {}", share.value);
        return Err(error("L139", span, message).into());
    }
    let Some((values, unit)) = numbers(column) else { return Ok(None) };
    if values.is_empty() {
        return Err(empty(span));
    }
    let value = quantile(&sorted(values), share.value);
    Ok(Some(Value::Number(Quantity::with_unit(value, unit))))
}

impl Evaluator<'_> {
    /// The first or the last rows of a value; `None` if it has none.
    pub(super) fn end_of(
        &mut self,
        last: bool,
        of: &Value,
        count: &Quantity,
        span: &Span,
    ) -> Result<Option<Value>, Wrong> {
        if count.value < 0.0 || count.value.fract() != 0.0 || !count.unit.is_none() {
            let message = format!("a number of rows is whole, not {}", count.value);
            return Err(error("L132", span, message).into());
        }
        let source = match of {
            Value::Prediction(prediction) => Value::Table(Arc::new(prediction.table())),
            Value::Comparison(comparison) => Value::Table(Arc::new(comparison.table())),
            other => other.clone(),
        };
        let length = match &source {
            Value::Table(table) => Some(table.rows()),
            other => elements(other).map(|elements| elements.len()),
        };
        let Some(length) = length else { return Ok(None) };
        let count = (count.value as usize).min(length);
        let first = if last { length - count } else { 0 };
        let rows: Vec<f64> = (first..first + count).map(|row| row as f64).collect();
        self.slice(&source, &rows, span).map(Some)
    }

    /// The correlation of two columns.
    pub(super) fn correlation_of(
        &mut self,
        x: &[f64],
        y: &[f64],
        span: &Span,
    ) -> Result<Value, Wrong> {
        if x.len() != y.len() {
            let message = format!("the columns have {} and {} values", x.len(), y.len());
            return Err(error("L112", span, message).into());
        }
        self.step(x.len() as u64 / 100, span)?;
        let value = correlation(x, y)
            .ok_or_else(|| error("L139", span, "a correlation needs two columns that vary"))?;
        Ok(Value::number(value))
    }
}

/// Exact numbers, and their unit.
pub(crate) fn numbers(value: &Value) -> Option<(Vec<f64>, Unit)> {
    match value {
        Value::Column(column) => Some((column.values.to_vec(), column.unit.clone())),
        Value::Number(number) => Some((vec![number.value], number.unit.clone())),
        Value::List(values) => {
            let mut unit = None;
            let each = values.iter().map(|value| match value {
                Value::Number(number) => {
                    let unit = unit.get_or_insert_with(|| number.unit.clone());
                    (*unit == number.unit).then_some(number.value)
                }
                _ => None,
            });
            let each: Option<Vec<f64>> = each.collect();
            Some((each?, unit.unwrap_or_default()))
        }
        _ => None,
    }
}

/// A statistic of numbers; `None` if there is none.
pub(crate) fn aggregate(statistic: Statistic, values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    let mean = || values.iter().sum::<f64>() / count;
    (!values.is_empty()).then(|| match statistic {
        Statistic::Sum => values.iter().sum(),
        Statistic::Mean => mean(),
        Statistic::Median => median(values),
        Statistic::Deviation => {
            let mean = mean();
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            (squares / (count - 1.0).max(1.0)).sqrt()
        }
        Statistic::Least => values.iter().copied().fold(f64::INFINITY, f64::min),
        Statistic::Greatest => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    })
}

/// The correlation of two columns, without rows in which a number is missing; `None`: one of them does not vary.
fn correlation(x: &[f64], y: &[f64]) -> Option<f64> {
    let pairs: Vec<(f64, f64)> = x
        .iter()
        .copied()
        .zip(y.iter().copied())
        .filter(|(x, y)| x.is_finite() && y.is_finite())
        .collect();
    let count = pairs.len() as f64;
    let (a, b) = pairs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / count, b + y / count));
    let (xx, yy, xy) = pairs.iter().fold((0.0, 0.0, 0.0), |(xx, yy, xy), (x, y)| {
        (xx + (x - a).powi(2), yy + (y - b).powi(2), xy + (x - a) * (y - b))
    });
    (xx > 0.0 && yy > 0.0).then(|| (xy / (xx.sqrt() * yy.sqrt())).clamp(-1.0, 1.0))
}

/// The median, by selection.
fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    let (middle, is_odd) = (values.len() / 2, values.len() % 2 == 1);
    let (below, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    if is_odd {
        upper
    } else {
        let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        0.5 * (lower + upper)
    }
}

pub(super) fn empty(span: &Span) -> Wrong {
    error("L139", span, "there are no values").into()
}
