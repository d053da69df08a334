//! The values of names for the evaluation of an expression.

use std::rc::Rc;

use cll_diagnostic::Diagnostic;

use super::codes;
use super::expression::{Condition, Expression};

/// Names with values; a later one hides an earlier one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scope {
    values: Vec<(String, f64)>,
    /// The values of the description. They are valid wherever they are used, even if a variable in them was changed.
    define: Rc<[(String, Expression)]>,
}

/// Why there is no value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NoValue {
    /// The expression uses the number of the processor, which is not known here.
    Pid,
    Reported(Box<Diagnostic>),
}

impl From<NoValue> for Box<Diagnostic> {
    fn from(none: NoValue) -> Box<Diagnostic> {
        match none {
            NoValue::Reported(reported) => reported,
            NoValue::Pid => Box::new(Diagnostic::error(
                codes::NAME,
                0..0,
                "pid is known in `do` and in `to` alone".to_owned(),
            )),
        }
    }
}

pub(super) fn reported(code: &'static str, expression: &Expression, message: String) -> NoValue {
    NoValue::Reported(Box::new(Diagnostic::error(code, expression.span.clone(), message)))
}

impl Scope {
    pub(super) fn new(values: &[(String, f64)], define: &[(String, Expression)]) -> Scope {
        Scope { values: values.to_vec(), define: define.into() }
    }

    pub(super) fn with(&self, name: &str, value: f64) -> Scope {
        let mut scope = self.clone();
        scope.set(name, value);
        scope
    }

    pub(super) fn set(&mut self, name: &str, value: f64) {
        match self.values.iter_mut().find(|(known, _)| known == name) {
            Some((_, place)) => *place = value,
            None => self.values.push((name.to_owned(), value)),
        }
    }

    pub(super) fn values(&self) -> &[(String, f64)] {
        &self.values
    }

    /// A finite value.
    pub(super) fn value(&self, expression: &Expression) -> Result<f64, NoValue> {
        self.value_within(expression, self.define.len())
    }

    fn value_within(&self, expression: &Expression, defined: usize) -> Result<f64, NoValue> {
        let variables = expression.quantity.variables();
        let mut values = Vec::with_capacity(variables.len());
        for variable in variables {
            values.push(self.name(&variable.name, expression, defined)?);
        }
        match expression.quantity.value(&values) {
            value if value.is_finite() => Ok(value),
            value => Err(reported(
                codes::VALUE,
                expression,
                format!("`{}` is {value} {}", expression.quantity.text(), self.here()),
            )),
        }
    }

    /// A definition may use those before it.
    fn name(&self, name: &str, place: &Expression, defined: usize) -> Result<f64, NoValue> {
        if let Some((_, value)) = self.values.iter().find(|(known, _)| known == name) {
            return Ok(*value);
        }
        if let Some(index) = self.define[..defined].iter().position(|(known, _)| known == name) {
            return self.value_within(&self.define[index].1, index);
        }
        if name == "pid" {
            return Err(NoValue::Pid);
        }
        let known: Vec<&str> = (self.values.iter().map(|(known, _)| known.as_str()))
            .chain(self.define[..defined].iter().map(|(known, _)| known.as_str()))
            .collect();
        let diagnostic = Diagnostic::error(
            codes::NAME,
            place.span.clone(),
            format!("{name} has no value; known here: {}", known.join(", ")),
        );
        let help = format!("give it where values are given, {name}=…, or under [define]");
        Err(NoValue::Reported(Box::new(diagnostic.help(help))))
    }

    /// A name's value, for blocks whose variables are not given otherwise.
    pub(super) fn named(&self, name: &str) -> Result<Option<f64>, NoValue> {
        if let Some((_, value)) = self.values.iter().find(|(known, _)| known == name) {
            return Ok(Some(*value));
        }
        match self.define.iter().position(|(known, _)| known == name) {
            Some(index) => self.value_within(&self.define[index].1, index).map(Some),
            None if name == "pid" => Err(NoValue::Pid),
            None => Ok(None),
        }
    }

    /// A whole number from `least` up.
    pub(super) fn integer(&self, expression: &Expression, least: u32) -> Result<u32, NoValue> {
        let value = self.value(expression)?;
        // Logarithms of powers of two may have a rounding error.
        let rounded = value.round();
        if (value - rounded).abs() > 1e-9 * value.abs().max(1.0)
            || rounded < f64::from(least)
            || rounded > f64::from(u32::MAX)
        {
            let text = expression.quantity.text();
            return Err(reported(
                codes::VALUE,
                expression,
                format!("`{text}` is {value} {}: not a whole number from {least} up", self.here()),
            ));
        }
        Ok(rounded as u32)
    }

    pub(super) fn holds(&self, condition: &Condition) -> Result<bool, NoValue> {
        for (left, relation, right) in &condition.0 {
            if !relation.holds(self.value(left)?, self.value(right)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `where P = 3, N = 8`.
    pub(super) fn here(&self) -> String {
        let words: Vec<String> =
            self.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        format!("where {}", words.join(", "))
    }
}
