//! Functions of the language.

mod columns;

use std::sync::Arc;

use cll_statistics::sorted;

use super::arithmetic::{elements, finite};
use super::expression::together;
use super::{Evaluator, Given, Wrong, error};
use crate::syntax::ast::Span;
use crate::value::{Column, Quantity, Unit, Value};

pub(crate) use columns::{aggregate, numbers};
use columns::{empty, quantile_of};

/// A function of the language.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// The name of the function.
    pub name: &'static str,
    /// The parameters of the function, as they are shown.
    pub parameters: &'static str,
    /// A description of the result.
    pub summary: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A function with its derivative, of a number without a unit.
    Smooth(fn(f64) -> f64, fn(f64) -> f64),
    /// A function that keeps the unit, with its derivative.
    Same(fn(f64) -> f64, fn(f64) -> f64),
    /// The square root, whose unit is one, too.
    Root,
    /// One number of many.
    Statistic(Statistic),
    /// The least or greatest of its arguments, or of a column.
    Extreme(bool),
    /// A quantile of a column.
    Quantile,
    /// The first or last rows or values.
    End(bool),
    /// The correlation of two columns.
    Correlation,
    /// Number of values.
    Count,
    /// Ascending values.
    Sort,
    /// Different values, ascending.
    Unique,
    /// A part of an uncertain number.
    Part(RangeBound),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Statistic {
    Sum,
    Mean,
    Median,
    Deviation,
    Least,
    Greatest,
}

#[derive(Clone, Copy, Debug)]
enum RangeBound {
    Value,
    Low,
    High,
    Error,
}

const fn builtin(
    name: &'static str,
    parameters: &'static str,
    summary: &'static str,
    kind: Kind,
) -> Builtin {
    Builtin { name, parameters, summary, kind }
}

fn zero(_: f64) -> f64 {
    0.0
}

/// All functions of the language.
pub const BUILTINS: &[Builtin] = &[
    builtin("log", "x", "natural logarithm, as in formulas", Kind::Smooth(f64::ln, |x| 1.0 / x)),
    builtin(
        "log2",
        "x",
        "logarithm to base 2",
        Kind::Smooth(f64::log2, |x| 1.0 / (x * std::f64::consts::LN_2)),
    ),
    builtin(
        "log10",
        "x",
        "logarithm to base 10",
        Kind::Smooth(f64::log10, |x| 1.0 / (x * std::f64::consts::LN_10)),
    ),
    builtin("exp", "x", "exponential function", Kind::Smooth(f64::exp, f64::exp)),
    builtin("sin", "x", "sine", Kind::Smooth(f64::sin, f64::cos)),
    builtin("cos", "x", "cosine", Kind::Smooth(f64::cos, |x| -x.sin())),
    builtin("tan", "x", "tangent", Kind::Smooth(f64::tan, |x| 1.0 + x.tan().powi(2))),
    builtin("sqrt", "x", "square root", Kind::Root),
    builtin("abs", "x", "absolute value", Kind::Same(f64::abs, f64::signum)),
    builtin("floor", "x", "largest whole number not above x", Kind::Same(f64::floor, zero)),
    builtin("ceil", "x", "least whole number not below x", Kind::Same(f64::ceil, zero)),
    builtin("round", "x", "nearest whole number", Kind::Same(f64::round, zero)),
    builtin("min", "x, … or a column", "the least", Kind::Extreme(false)),
    builtin("max", "x, … or a column", "the greatest", Kind::Extreme(true)),
    builtin("sum", "column", "sum", Kind::Statistic(Statistic::Sum)),
    builtin("mean", "column", "mean", Kind::Statistic(Statistic::Mean)),
    builtin("median", "column", "median", Kind::Statistic(Statistic::Median)),
    builtin("deviation", "column", "standard deviation", Kind::Statistic(Statistic::Deviation)),
    builtin("quantile", "column, share", "quantile (R's type 7)", Kind::Quantile),
    builtin("correlation", "column, column", "correlation (Pearson's)", Kind::Correlation),
    builtin("head", "table or column, count", "first rows or values", Kind::End(false)),
    builtin("tail", "table or column, count", "last rows or values", Kind::End(true)),
    builtin("count", "column", "number of values", Kind::Count),
    builtin("sort", "column", "the values, ascending", Kind::Sort),
    builtin("unique", "column", "the different values, ascending", Kind::Unique),
    builtin("value", "x", "the value without its uncertainty", Kind::Part(RangeBound::Value)),
    builtin("low", "x", "the lower end of its interval", Kind::Part(RangeBound::Low)),
    builtin("high", "x", "the upper end of its interval", Kind::Part(RangeBound::High)),
    builtin("error", "x", "its standard deviation", Kind::Part(RangeBound::Error)),
];

impl Evaluator<'_> {
    pub(super) fn builtin(
        &mut self,
        function: &Builtin,
        given: Given,
        span: &Span,
    ) -> Result<Value, Wrong> {
        if let Some((Some(name), _)) = given.iter().find(|(name, _)| name.is_some()) {
            let message = format!("`{}` takes its arguments without names", function.name);
            return Err(error("L135", &name.span, message).into());
        }
        let values: Vec<Value> = given.into_iter().map(|(_, value)| value).collect();
        let wrong = || -> Wrong {
            let message = format!("`{}` takes: {}", function.name, function.parameters);
            error("L135", span, message).into()
        };
        match (function.kind, &values[..]) {
            (Kind::Extreme(greatest), [value]) => {
                let statistic = if greatest { Statistic::Greatest } else { Statistic::Least };
                self.statistic(statistic, value, span)
            }
            (Kind::Extreme(greatest), [first, rest @ ..]) => {
                let mut best = first.clone();
                for other in rest {
                    best = self.extreme(greatest, &best, other, span)?;
                }
                Ok(best)
            }
            (Kind::Quantile, [column, Value::Number(share)]) => {
                quantile_of(column, share, span)?.ok_or_else(wrong)
            }
            (Kind::End(last), [source, Value::Number(count)]) => {
                self.end_of(last, source, count, span)?.ok_or_else(wrong)
            }
            (Kind::Correlation, [a, b]) => {
                let ((x, _), (y, _)) =
                    (numbers(a).ok_or_else(wrong)?, numbers(b).ok_or_else(wrong)?);
                self.correlation_of(&x, &y, span)
            }
            (Kind::Statistic(statistic), [column]) => self.statistic(statistic, column, span),
            (Kind::Count, [Value::Samples(samples)]) => Ok(Value::number(samples.rows() as f64)),
            (Kind::Count, [Value::Table(table)]) => Ok(Value::number(table.rows() as f64)),
            (Kind::Count, [column]) => {
                let count = match column {
                    Value::Truths(truths) => truths.iter().filter(|truth| **truth).count(),
                    other => elements(other).ok_or_else(wrong)?.len(),
                };
                Ok(Value::number(count as f64))
            }
            (Kind::Sort, [column]) => {
                let (values, unit) = numbers(column).ok_or_else(wrong)?;
                Ok(Value::Column(Column { values: sorted(values).into(), unit }))
            }
            (Kind::Unique, [Value::Words(words)]) => {
                let mut known = words.known.to_vec();
                known.sort_unstable();
                Ok(Value::List(known.iter().map(Value::text).collect()))
            }
            (Kind::Unique, [column]) => {
                let (values, unit) = numbers(column).ok_or_else(wrong)?;
                let mut values = sorted(values);
                values.dedup();
                Ok(Value::Column(Column { values: values.into(), unit }))
            }
            (kind, [value]) => self.mapped(function.name, kind, value, span),
            _ => Err(wrong()),
        }
    }

    /// A function of one number, for each element of a column or list.
    fn mapped(
        &mut self,
        name: &str,
        kind: Kind,
        value: &Value,
        span: &Span,
    ) -> Result<Value, Wrong> {
        match value {
            Value::Number(number) => self.of_number(name, kind, number, span).map(Value::Number),
            Value::Column(column) => {
                self.step(column.values.len() as u64 / 200, span)?;
                let probe = Quantity::with_unit(1.0, column.unit.clone());
                let unit = self.of_number(name, kind, &probe, span)?.unit;
                let of: fn(f64) -> f64 = match kind {
                    Kind::Smooth(function, _) | Kind::Same(function, _) => function,
                    Kind::Root => f64::sqrt,
                    Kind::Part(RangeBound::Error) => zero,
                    _ => |x| x,
                };
                let values = column.values.iter().map(|value| of(*value)).collect();
                Ok(Value::Column(Column { values, unit }))
            }
            Value::List(values) => {
                let each = values.iter().map(|value| self.mapped(name, kind, value, span));
                Ok(together(each.collect::<Result<_, _>>()?))
            }
            other => {
                let message = format!("`{name}` takes a number, not {}", other.a_kind());
                Err(error("L135", span, message).into())
            }
        }
    }

    fn of_number(
        &mut self,
        name: &str,
        kind: Kind,
        number: &Quantity,
        span: &Span,
    ) -> Result<Quantity, Wrong> {
        let x = number.value;
        let same = |value: f64| Quantity::with_unit(value, number.unit.clone());
        Ok(match kind {
            Kind::Smooth(function, slope) => {
                if !number.unit.is_none() {
                    let message =
                        format!("`{name}` takes a number without a unit, not `{}`", number.unit);
                    let help = "divide by the unit first, such as `log(time / 1 s)`";
                    return Err(error("L115", span, message).help(help).into());
                }
                finite(function(x), &[x], span)?;
                number.mapped(function(x), slope(x), Unit::NONE)
            }
            Kind::Same(function, slope) => {
                number.mapped(function(x), slope(x), number.unit.clone())
            }
            Kind::Root => {
                finite(x.sqrt(), &[x], span)?;
                // An exact zero has an exact root.
                let slope = if x == 0.0 { 0.0 } else { 0.5 / x.sqrt() };
                number.mapped(x.sqrt(), slope, number.unit.power(0.5))
            }
            Kind::Part(RangeBound::Value) => same(x),
            Kind::Part(RangeBound::Low) => {
                same(number.interval(self.normal()).map_or(x, |pair| pair.0))
            }
            Kind::Part(RangeBound::High) => {
                same(number.interval(self.normal()).map_or(x, |pair| pair.1))
            }
            Kind::Part(RangeBound::Error) => same(number.deviation()),
            _ => return Err(error("L135", span, format!("`{name}` takes a column")).into()),
        })
    }

    fn extreme(
        &mut self,
        greatest: bool,
        a: &Value,
        b: &Value,
        span: &Span,
    ) -> Result<Value, Wrong> {
        match (a, b) {
            (Value::Number(x), Value::Number(y)) => {
                if !x.fits(y) {
                    let unit_text = |unit: &Unit| {
                        if unit.is_none() {
                            "a number without a unit".to_owned()
                        } else {
                            format!("`{unit}`")
                        }
                    };
                    let message = format!(
                        "{} and {} cannot be compared",
                        unit_text(&x.unit),
                        unit_text(&y.unit)
                    );
                    return Err(error("L115", span, message).into());
                }
                let first = if greatest { x.value >= y.value } else { x.value <= y.value };
                Ok(Value::Number(if first { x.clone() } else { y.clone() }))
            }
            _ => match (elements(a), elements(b)) {
                (None, None) => {
                    let message = format!("`min` and `max` take numbers, not {}", a.a_kind());
                    Err(error("L135", span, message).into())
                }
                (x, y) => {
                    let length = x.as_ref().or(y.as_ref()).map_or(0, Vec::len);
                    if y.as_ref().is_some_and(|y| y.len() != length) {
                        let message = "the arguments have different lengths";
                        return Err(error("L112", span, message).into());
                    }
                    let element_at = |all: &Option<Vec<Value>>, whole: &Value, k: usize| {
                        all.as_ref().map_or_else(|| whole.clone(), |all| all[k].clone())
                    };
                    let each = (0..length).map(|k| {
                        self.extreme(greatest, &element_at(&x, a, k), &element_at(&y, b, k), span)
                    });
                    Ok(together(each.collect::<Result<_, _>>()?))
                }
            },
        }
    }

    fn statistic(
        &mut self,
        statistic: Statistic,
        argument: &Value,
        span: &Span,
    ) -> Result<Value, Wrong> {
        if let Value::List(values) = argument {
            return self.of_uncertain(statistic, values, span);
        }
        let Some((values, unit)) = numbers(argument) else {
            let message = format!("this takes a column of numbers, not {}", argument.a_kind());
            return Err(error("L135", span, message).into());
        };
        self.step(values.len() as u64 / 100, span)?;
        let value = aggregate(statistic, &values).ok_or_else(|| empty(span))?;
        Ok(Value::Number(Quantity::with_unit(value, unit)))
    }

    /// The statistic of numbers with their uncertainty.
    fn of_uncertain(
        &mut self,
        statistic: Statistic,
        values: &Arc<[Value]>,
        span: &Span,
    ) -> Result<Value, Wrong> {
        let Some(first) = values.first() else { return Err(empty(span)) };
        let mut sum = first.clone();
        for other in &values[1..] {
            sum = match statistic {
                Statistic::Least => self.extreme(false, &sum, other, span)?,
                Statistic::Greatest => self.extreme(true, &sum, other, span)?,
                _ => self.binary(
                    crate::syntax::ast::Binary::Add,
                    (sum, span),
                    (other.clone(), span),
                    span,
                )?,
            };
        }
        let Value::Number(number) = sum else {
            let message = format!("this takes numbers, not {}", first.a_kind());
            return Err(error("L135", span, message).into());
        };
        match statistic {
            Statistic::Mean => {
                let count = Quantity::exact(values.len() as f64);
                Ok(Value::Number(number.per(&count)))
            }
            Statistic::Median | Statistic::Deviation => {
                let exact: Vec<f64> = values
                    .iter()
                    .filter_map(|value| {
                        if let Value::Number(quantity) = value {
                            Some(quantity.value)
                        } else {
                            None
                        }
                    })
                    .collect();
                let value = aggregate(statistic, &exact).ok_or_else(|| empty(span))?;
                Ok(Value::Number(Quantity::with_unit(value, number.unit)))
            }
            _ => Ok(Value::Number(number)),
        }
    }
}
