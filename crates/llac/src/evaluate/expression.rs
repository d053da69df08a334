//! The parts of expressions.

use std::sync::Arc;

use super::{Evaluator, Scope, Wrong, error, list};
use crate::syntax::ast::{Binary, Expr, ExprKind, RangeStep, Span};
use crate::value::{Column, Quantity, Unit, Value};

impl Evaluator<'_> {
    /// The value of an expression.
    ///
    /// # Errors
    /// The diagnostic has its place in the scope's text.
    pub fn value(&mut self, expr: &Expr, scope: &Scope<'_>) -> Result<Value, Wrong> {
        self.step(1, &expr.span)?;
        match &expr.kind {
            ExprKind::Number { value, unit } => {
                let Some(unit) = unit else { return Ok(Value::number(*value)) };
                let Some((known, factor)) = Unit::written(&unit.text) else {
                    let message = format!("`{}` is not a unit", unit.text);
                    return Err(error("L120", &unit.span, message).into());
                };
                Ok(Value::Number(Quantity::with_unit(value * factor, known)))
            }
            ExprKind::Text(text) => Ok(Value::text(text)),
            ExprKind::Bool(truth) => Ok(Value::Bool(*truth)),
            ExprKind::Name(name) => self.named(name, scope, &expr.span),
            ExprKind::Unary(operator, operand) => {
                let value = self.value(operand, scope)?;
                self.unary(*operator, value, &expr.span)
            }
            ExprKind::Binary(operator, left, right) => {
                self.operation(*operator, left, right, scope, &expr.span)
            }
            ExprKind::If { condition, then, otherwise } => {
                self.choice(condition, then, otherwise, scope)
            }
            ExprKind::Call { function, arguments } => {
                self.call(function, arguments, scope, &expr.span)
            }
            ExprKind::Member(base, name) => {
                let value = self.value(base, scope)?;
                self.member(&value, &name.text, &name.span)
            }
            ExprKind::Index(base, index) => {
                let value = self.value(base, scope)?;
                let position = self.value(index, scope)?;
                self.element(&value, &position, &expr.span)
            }
            ExprKind::Range { first, last, step } => {
                self.range(first, last, step, scope, &expr.span)
            }
            ExprKind::List(items) => {
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    let value = self.value(item, scope)?;
                    if nesting(&value) >= DEEPEST_LIST {
                        let message = format!("lists are nested more than {DEEPEST_LIST} times");
                        return Err(error("L143", &item.span, message).into());
                    }
                    values.push(value);
                }
                Ok(together(values))
            }
            ExprKind::Where(base, condition) => self.subset(base, condition, scope, &expr.span),
            ExprKind::Set(base, items) => self.set(base, items, scope, &expr.span),
            ExprKind::Verb { verb, arguments, clauses } => {
                self.verb(*verb, arguments, clauses, scope, &expr.span)
            }
        }
    }

    fn operation(
        &mut self,
        operator: Binary,
        left: &Expr,
        right: &Expr,
        scope: &Scope<'_>,
        span: &Span,
    ) -> Result<Value, Wrong> {
        let a = self.value(left, scope)?;
        // `P == 1 or phi(N/2, P/2) > 0` needs its right side only if the left one does not decide.
        match (operator, &a) {
            (Binary::And, Value::Bool(false)) | (Binary::Or, Value::Bool(true)) => return Ok(a),
            _ => {}
        }
        let b = self.value(right, scope)?;
        match operator {
            Binary::In => self.is_in(&a, &b, span),
            _ => self.binary(operator, (a, &left.span), (b, &right.span), span),
        }
    }

    fn choice(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Value, Wrong> {
        match self.value(condition, scope)? {
            Value::Bool(true) => self.value(then, scope),
            Value::Bool(false) => self.value(otherwise, scope),
            Value::Truths(truths) => {
                let both = (self.value(then, scope)?, self.value(otherwise, scope)?);
                let (a, b) =
                    (super::arithmetic::elements(&both.0), super::arithmetic::elements(&both.1));
                self.step(truths.len() as u64 / 100, &condition.span)?;
                let element_at = |all: &Option<Vec<Value>>, whole: &Value, k: usize| match all {
                    Some(all) => all.get(k).cloned(),
                    None => Some(whole.clone()),
                };
                let mut all = Vec::with_capacity(truths.len());
                for (k, truth) in truths.iter().enumerate() {
                    let value = if *truth {
                        element_at(&a, &both.0, k)
                    } else {
                        element_at(&b, &both.1, k)
                    };
                    let Some(value) = value else {
                        let message = "the condition and the values have different lengths";
                        return Err(error("L112", &condition.span, message).into());
                    };
                    all.push(value);
                }
                Ok(together(all))
            }
            other => {
                let message = format!("a condition is true or false, not {}", other.a_kind());
                Err(error("L121", &condition.span, message).help("such as `P == 1`").into())
            }
        }
    }

    /// A number without uncertainty, in any unit.
    pub(super) fn exact_number(
        &mut self,
        expr: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Quantity, Wrong> {
        match self.value(expr, scope)? {
            Value::Number(number) => Ok(number),
            other => {
                let message = format!("this must be a number, and is {}", other.a_kind());
                Err(error("L122", &expr.span, message).into())
            }
        }
    }

    fn range(
        &mut self,
        first: &Expr,
        last: &Expr,
        step: &Option<(RangeStep, Box<Expr>)>,
        scope: &Scope<'_>,
        span: &Span,
    ) -> Result<Value, Wrong> {
        let low = self.exact_number(first, scope)?;
        let high = self.exact_number(last, scope)?;
        let by = step.as_ref().map(|(_, by)| self.exact_number(by, scope)).transpose()?;
        if !low.fits(&high) {
            let message =
                format!("the ends are in different units: `{}` and `{}`", low.unit, high.unit);
            return Err(error("L123", span, message).into());
        }
        let (kind, by) = match (step, by) {
            (Some((kind, _)), Some(by)) => (*kind, by.value),
            _ => (RangeStep::Add, 1.0),
        };
        let (from, to) = (low.value, high.value);
        let wrong = |message: &str| -> Wrong { error("L123", span, message).into() };
        if !from.is_finite() || !to.is_finite() || !by.is_finite() {
            return Err(wrong("a range has finite ends and a finite step"));
        }
        let goes_on = match kind {
            RangeStep::Add => (by > 0.0 && from <= to) || (by < 0.0 && from >= to) || from == to,
            RangeStep::Multiply if from <= 0.0 || by <= 0.0 => {
                return Err(wrong("a range by factors has values above 0"));
            }
            RangeStep::Multiply => {
                (by > 1.0 && from <= to) || (by < 1.0 && from >= to) || from == to
            }
        };
        if !goes_on {
            return Err(wrong("this range never reaches its end"));
        }
        let count = match kind {
            _ if from == to => 1.0,
            RangeStep::Add => ((to - from) / by + 1e-9).floor() + 1.0,
            RangeStep::Multiply => ((to / from).ln() / by.ln() + 1e-9).floor() + 1.0,
        };
        if count > self.limits.numbers as f64 {
            let message =
                format!("this range has {count} values, more than {}", self.limits.numbers);
            return Err(wrong(&message));
        }
        self.step(count as u64 / 1000, span)?;
        let value_at = |k: usize| match kind {
            RangeStep::Add => from + by * k as f64,
            RangeStep::Multiply => {
                let value = from * by.powi(k as i32);
                // Whole numbers stay whole.
                if (value - value.round()).abs() < 1e-9 * value.abs() {
                    value.round()
                } else {
                    value
                }
            }
        };
        let values: Arc<[f64]> = (0..count as usize).map(value_at).collect();
        let unit = if low.unit.is_none() { high.unit } else { low.unit };
        Ok(Value::Column(Column { values, unit }))
    }
}

/// How deep lists may be nested: a list of itself would grow without end.
const DEEPEST_LIST: usize = 3;

/// How deep a list is nested; 0: it is no list.
fn nesting(value: &Value) -> usize {
    match value {
        Value::List(values) => 1 + values.iter().map(nesting).max().unwrap_or(0),
        _ => 0,
    }
}

/// A list, or a column if all are exact numbers of one unit or truth values.
pub(crate) fn together(values: Vec<Value>) -> Value {
    let unit = match values.first() {
        Some(Value::Number(number)) => number.unit.clone(),
        Some(Value::Bool(_)) => {
            let truths: Option<Arc<[bool]>> = values
                .iter()
                .map(|value| if let Value::Bool(truth) = value { Some(*truth) } else { None })
                .collect();
            return truths.map_or_else(|| list(values), Value::Truths);
        }
        _ => return list(values),
    };
    let exact = values.iter().map(|value| match value {
        Value::Number(number) if number.is_exact() && number.unit == unit => Some(number.value),
        _ => None,
    });
    match exact.collect::<Option<Arc<[f64]>>>() {
        Some(values) => Value::Column(Column { values, unit }),
        None => list(values),
    }
}
