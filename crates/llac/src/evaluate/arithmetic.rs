//! Operators on numbers, columns and lists.

use std::sync::Arc;

use super::{Evaluator, Wrong, error, list};
use crate::syntax::ast::{Binary, Span, Unary};
use crate::value::{Column, Quantity, Unit, Value, Words};

/// The longest text, in bytes.
const LONGEST_TEXT: usize = 1 << 20;

impl Evaluator<'_> {
    /// An operator before its operand.
    pub(super) fn unary(
        &mut self,
        operator: Unary,
        value: Value,
        span: &Span,
    ) -> Result<Value, Wrong> {
        match (operator, value) {
            (Unary::Minus, Value::Number(number)) => Ok(Value::Number(number.negative())),
            (Unary::Minus, Value::Column(column)) => Ok(Value::Column(Column {
                values: column.values.iter().map(|value| -value).collect(),
                unit: column.unit,
            })),
            (Unary::Not, Value::Bool(truth)) => Ok(Value::Bool(!truth)),
            (Unary::Not, Value::Truths(truths)) => {
                Ok(Value::Truths(truths.iter().map(|truth| !truth).collect()))
            }
            (operator, Value::List(values)) => {
                let each = values.iter().map(|value| self.unary(operator, value.clone(), span));
                Ok(list(each.collect::<Result<_, _>>()?))
            }
            (Unary::Minus, other) => {
                Err(error("L110", span, format!("`-` needs a number, not {}", other.a_kind()))
                    .into())
            }
            (Unary::Not, other) => {
                let message = format!("`not` needs a truth value, not {}", other.a_kind());
                Err(error("L110", span, message).into())
            }
        }
    }

    /// An operator between its operands; their places are for messages.
    pub(super) fn binary(
        &mut self,
        operator: Binary,
        left: (Value, &Span),
        right: (Value, &Span),
        span: &Span,
    ) -> Result<Value, Wrong> {
        let wrong = |left: &Value, right: &Value| -> Wrong {
            let message = format!(
                "`{}` does not go between {} and {}",
                sign(operator),
                left.a_kind(),
                right.a_kind()
            );
            error("L111", span, message).into()
        };
        match (left.0, right.0) {
            (Value::Number(a), Value::Number(b)) => self.numbers(operator, &a, &b, span),
            (Value::Column(a), Value::Number(b)) if b.is_exact() => {
                let b = Column { values: Arc::from([b.value]), unit: b.unit };
                self.columns(operator, &a, &b, span)
            }
            (Value::Number(a), Value::Column(b)) if a.is_exact() => {
                let a = Column { values: Arc::from([a.value]), unit: a.unit };
                self.columns(operator, &a, &b, span)
            }
            (Value::Column(a), Value::Column(b)) => {
                self.equal_lengths(a.values.len(), b.values.len(), span)?;
                self.columns(operator, &a, &b, span)
            }
            (Value::Bool(a), Value::Bool(b)) => match truths(operator, a, b) {
                Some(truth) => Ok(Value::Bool(truth)),
                None => Err(wrong(&Value::Bool(a), &Value::Bool(b))),
            },
            (Value::Truths(a), Value::Truths(b)) => {
                self.equal_lengths(a.len(), b.len(), span)?;
                let both = a.iter().zip(b.iter()).map(|(a, b)| truths(operator, *a, *b));
                let both: Option<Arc<[bool]>> = both.collect();
                both.map(Value::Truths).ok_or_else(|| wrong(&Value::Truths(a), &Value::Truths(b)))
            }
            (Value::Truths(a), Value::Bool(b)) | (Value::Bool(b), Value::Truths(a)) => {
                let both: Option<Arc<[bool]>> = a.iter().map(|a| truths(operator, *a, b)).collect();
                both.map(Value::Truths).ok_or_else(|| wrong(&Value::Truths(a), &Value::Bool(b)))
            }
            (Value::Text(a), Value::Text(b)) => match (operator, ordered(operator, a.cmp(&b))) {
                (Binary::Add, _) if a.len() + b.len() > LONGEST_TEXT => {
                    let message = format!("this text is longer than {LONGEST_TEXT} bytes");
                    Err(error("L143", span, message).into())
                }
                (Binary::Add, _) => Ok(Value::text(format!("{a}{b}"))),
                (_, Some(truth)) => Ok(Value::Bool(truth)),
                _ => Err(wrong(&Value::Text(a), &Value::Text(b))),
            },
            (Value::Words(a), Value::Text(b)) => match words(operator, &a, &b) {
                Some(truths) => Ok(Value::Truths(truths)),
                None => Err(wrong(&Value::Words(a), &Value::Text(b))),
            },
            (Value::Words(a), Value::Words(b)) => {
                self.equal_lengths(a.codes.len(), b.codes.len(), span)?;
                let each = (0..a.codes.len()).map(|k| ordered(operator, a.word(k).cmp(b.word(k))));
                let each: Option<Arc<[bool]>> = each.collect();
                each.map(Value::Truths).ok_or_else(|| wrong(&Value::Words(a), &Value::Words(b)))
            }
            (left @ Value::List(_), right) | (left, right @ Value::List(_)) => {
                self.lists(operator, &left, &right, span)
            }
            (left @ Value::Column(_), right @ Value::Number(_))
            | (left @ Value::Number(_), right @ Value::Column(_)) => {
                self.lists(operator, &left, &right, span)
            }
            (left, right) => Err(wrong(&left, &right)),
        }
    }

    /// Element by element, one of them perhaps a single value.
    fn lists(
        &mut self,
        operator: Binary,
        left: &Value,
        right: &Value,
        span: &Span,
    ) -> Result<Value, Wrong> {
        let (a, b) = (elements(left), elements(right));
        let length = match (&a, &b) {
            (Some(a), Some(b)) => {
                self.equal_lengths(a.len(), b.len(), span)?;
                a.len()
            }
            (Some(a), None) => a.len(),
            (None, Some(b)) => b.len(),
            (None, None) => 1,
        };
        self.step(length as u64, span)?;
        let mut all = Vec::with_capacity(length);
        for k in 0..length {
            let element_of = |items: &Option<Vec<Value>>, whole: &Value| {
                items.as_ref().map_or_else(|| whole.clone(), |all| all[k].clone())
            };
            all.push(self.binary(
                operator,
                (element_of(&a, left), span),
                (element_of(&b, right), span),
                span,
            )?);
        }
        Ok(list(all))
    }

    fn equal_lengths(&self, left: usize, right: usize, span: &Span) -> Result<(), Wrong> {
        if left == right {
            return Ok(());
        }
        let message = format!("one side has {left} values, the other {right}");
        Err(error("L112", span, message).into())
    }

    /// Two numbers.
    fn numbers(
        &mut self,
        operator: Binary,
        a: &Quantity,
        b: &Quantity,
        span: &Span,
    ) -> Result<Value, Wrong> {
        if let Binary::Add | Binary::Subtract = operator
            && !a.fits(b)
        {
            return Err(units(operator, &a.unit, &b.unit, span));
        }
        let number = match operator {
            Binary::Add => a.plus(b),
            Binary::Subtract => a.plus(&b.negative()),
            Binary::Multiply => a.times(b),
            Binary::Divide if b.value == 0.0 => {
                return Err(error("L113", span, "this divides by zero").into());
            }
            Binary::Divide => a.per(b),
            Binary::Remainder if b.value == 0.0 => {
                return Err(error("L113", span, "this divides by zero").into());
            }
            Binary::Remainder => {
                let value = a.value.rem_euclid(b.value);
                a.mapped(value, 1.0, a.unit.clone())
            }
            Binary::Power => power(a, b).ok_or_else(|| -> Wrong {
                error("L114", span, "an exponent is a number without unit and uncertainty").into()
            })?,
            _ => {
                if !a.fits(b) {
                    return Err(units(operator, &a.unit, &b.unit, span));
                }
                let order = a.value.partial_cmp(&b.value);
                let truth = match (operator, order) {
                    (Binary::NotEqual, None) => Some(true),
                    (_, None) => Some(false),
                    (_, Some(order)) => ordered(operator, order),
                };
                return truth.map(Value::Bool).ok_or_else(|| {
                    let message = format!("`{}` does not go between numbers", sign(operator));
                    error("L111", span, message).into()
                });
            }
        };
        let result = number.value;
        finite(result, &[a.value, b.value], span)?;
        Ok(Value::Number(number))
    }

    /// Columns of equal length, or one of a single value.
    fn columns(
        &mut self,
        operator: Binary,
        a: &Column,
        b: &Column,
        span: &Span,
    ) -> Result<Value, Wrong> {
        let length = a.values.len().max(b.values.len());
        self.step(length as u64 / 1000, span)?;
        let bare = |column: &Column| {
            column.unit.is_none() && column.values.len() == 1 && column.values[0] == 0.0
        };
        let fits = a.unit == b.unit || bare(a) || bare(b);
        let same =
            |unit: &Unit, other: &Unit| if unit.is_none() { other.clone() } else { unit.clone() };
        let (x, y) = (&a.values, &b.values);
        let unit = match operator {
            Binary::Multiply => a.unit.times(&b.unit),
            Binary::Divide => a.unit.per(&b.unit),
            Binary::Remainder => a.unit.clone(),
            Binary::Power => match (b.unit.is_none(), &b.values[..]) {
                (true, [exponent]) => a.unit.power(*exponent),
                (true, _) if a.unit.is_none() => Unit::NONE,
                _ => {
                    let message = "an exponent is a number without unit";
                    return Err(error("L114", span, message).into());
                }
            },
            _ if !fits => return Err(units(operator, &a.unit, &b.unit, span)),
            _ => same(&a.unit, &b.unit),
        };
        let values = match operator {
            Binary::Add => zip(x, y, |a, b| a + b),
            Binary::Subtract => zip(x, y, |a, b| a - b),
            Binary::Multiply => zip(x, y, |a, b| a * b),
            Binary::Divide => zip(x, y, |a, b| a / b),
            Binary::Remainder => zip(x, y, f64::rem_euclid),
            Binary::Power => zip(x, y, f64::powf),
            Binary::Equal => return Ok(Value::Truths(zip(x, y, |a, b| a == b))),
            Binary::NotEqual => return Ok(Value::Truths(zip(x, y, |a, b| a != b))),
            Binary::Less => return Ok(Value::Truths(zip(x, y, |a, b| a < b))),
            Binary::LessEqual => return Ok(Value::Truths(zip(x, y, |a, b| a <= b))),
            Binary::Greater => return Ok(Value::Truths(zip(x, y, |a, b| a > b))),
            Binary::GreaterEqual => return Ok(Value::Truths(zip(x, y, |a, b| a >= b))),
            Binary::And | Binary::Or | Binary::In => {
                let message = format!("`{}` does not go between numbers", sign(operator));
                return Err(error("L111", span, message).into());
            }
        };
        Ok(Value::Column(Column { values, unit }))
    }

    /// `value in set`: whether it is one of the set's values.
    pub(super) fn is_in(
        &mut self,
        value: &Value,
        set: &Value,
        span: &Span,
    ) -> Result<Value, Wrong> {
        let wrong = || -> Wrong {
            let message = format!("`in` does not look for {} in {}", value.a_kind(), set.a_kind());
            error("L111", span, message)
                .help("such as `P in [1, 2, 4]` or `N in 64:4096:*2`")
                .into()
        };
        let numbers = |set: &Value| match set {
            Value::Column(column) => Some(column.values.to_vec()),
            Value::List(all) => all
                .iter()
                .map(|value| match value {
                    Value::Number(number) => Some(number.value),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        let texts = |set: &Value| match set {
            Value::List(all) => all
                .iter()
                .map(|value| match value {
                    Value::Text(text) => Some(text.to_string()),
                    _ => None,
                })
                .collect(),
            Value::Words(words) => {
                Some((0..words.codes.len()).map(|k| words.word(k).to_owned()).collect())
            }
            _ => None::<Vec<String>>,
        };
        match value {
            Value::Number(number) => {
                Ok(Value::Bool(numbers(set).ok_or_else(wrong)?.contains(&number.value)))
            }
            Value::Column(column) => {
                let mut set = numbers(set).ok_or_else(wrong)?;
                set.sort_unstable_by(f64::total_cmp);
                self.step(column.values.len() as u64 / 100, span)?;
                let has =
                    |value: &f64| set.binary_search_by(|member| member.total_cmp(value)).is_ok();
                Ok(Value::Truths(column.values.iter().map(has).collect()))
            }
            Value::Text(text) => {
                let set = texts(set).ok_or_else(wrong)?;
                Ok(Value::Bool(set.iter().any(|member| **member == **text)))
            }
            Value::Words(words) => {
                let set = texts(set).ok_or_else(wrong)?;
                let known: Vec<bool> = words.known.iter().map(|text| set.contains(text)).collect();
                Ok(Value::Truths(words.codes.iter().map(|code| known[*code as usize]).collect()))
            }
            _ => Err(wrong()),
        }
    }
}

/// The values of a list or column; `None`: it is a single value.
pub(crate) fn elements(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::List(values) => Some(values.to_vec()),
        Value::Column(column) => {
            let element =
                |value: &f64| Value::Number(Quantity::with_unit(*value, column.unit.clone()));
            Some(column.values.iter().map(element).collect())
        }
        Value::Words(words) => {
            Some((0..words.codes.len()).map(|k| Value::text(words.word(k))).collect())
        }
        Value::Truths(truths) => Some(truths.iter().map(|truth| Value::Bool(*truth)).collect()),
        _ => None,
    }
}

fn zip<T>(a: &[f64], b: &[f64], combine: impl Fn(f64, f64) -> T) -> Arc<[T]> {
    match (a, b) {
        (a, [b]) => a.iter().map(|a| combine(*a, *b)).collect(),
        ([a], b) => b.iter().map(|b| combine(*a, *b)).collect(),
        (a, b) => a.iter().zip(b).map(|(a, b)| combine(*a, *b)).collect(),
    }
}

fn power(a: &Quantity, b: &Quantity) -> Option<Quantity> {
    if !b.unit.is_none() || !b.is_exact() && !a.unit.is_none() {
        return None;
    }
    let value = a.value.powf(b.value);
    let slope = if b.value == 0.0 { 0.0 } else { b.value * a.value.powf(b.value - 1.0) };
    if b.is_exact() {
        Some(a.mapped(value, slope, a.unit.power(b.value)))
    } else {
        Some(a.joined(b, value, (slope, value * a.value.ln()), Unit::NONE))
    }
}

fn truths(operator: Binary, a: bool, b: bool) -> Option<bool> {
    match operator {
        Binary::And => Some(a && b),
        Binary::Or => Some(a || b),
        Binary::Equal => Some(a == b),
        Binary::NotEqual => Some(a != b),
        _ => None,
    }
}

fn ordered(operator: Binary, order: std::cmp::Ordering) -> Option<bool> {
    match operator {
        Binary::Equal => Some(order.is_eq()),
        Binary::NotEqual => Some(order.is_ne()),
        Binary::Less => Some(order.is_lt()),
        Binary::LessEqual => Some(order.is_le()),
        Binary::Greater => Some(order.is_gt()),
        Binary::GreaterEqual => Some(order.is_ge()),
        _ => None,
    }
}

fn words(operator: Binary, words: &Words, text: &str) -> Option<Arc<[bool]>> {
    let known = words.known.iter().map(|word| ordered(operator, word.as_str().cmp(text)));
    let known: Option<Vec<bool>> = known.collect();
    Some(
        words
            .codes
            .iter()
            .map(|code| known.as_ref().is_some_and(|all| all[*code as usize]))
            .collect(),
    )
    .filter(|_: &Arc<[bool]>| known.is_some())
}

/// The operator as it is written.
pub(crate) fn sign(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Power => "^",
        Binary::Remainder => "mod",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::And => "and",
        Binary::Or => "or",
        Binary::In => "in",
    }
}

fn units(operator: Binary, left: &Unit, right: &Unit, span: &Span) -> Wrong {
    let named = |unit: &Unit| {
        if unit.is_none() { "a number without a unit".to_owned() } else { format!("`{unit}`") }
    };
    let what = match operator {
        Binary::Add | Binary::Subtract => "added",
        _ => "compared",
    };
    let message = format!("{} and {} cannot be {what}", named(left), named(right));
    let mut wrong = error("L115", span, message);
    if left.is_none() != right.is_none() {
        let unit = if left.is_none() { right } else { left };
        if Unit::names().any(|name| name == unit.to_string()) {
            wrong = wrong.help(format!("a number may have a unit, such as `2e-6 {unit}`"));
        }
    }
    wrong.into()
}

/// Numbers of which there is no result, or one that is too large, are an error: nothing can be done with it.
pub(super) fn finite(result: f64, operands: &[f64], span: &Span) -> Result<(), Wrong> {
    if result.is_finite() || !operands.iter().all(|value| value.is_finite()) {
        return Ok(());
    }
    let message = if result.is_nan() {
        "this has no value"
    } else {
        "this is infinite, or too large for a number"
    };
    Err(error("L113", span, message).into())
}
