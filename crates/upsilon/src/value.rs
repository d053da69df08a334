//! Numbers of the program, as far as they are known.

/// A number, or that it is not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    /// It depends on data, or on text that is not here.
    Unknown,
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Real(f64),
}

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    Unequal,
}

/// An operator of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Minus,
    Not,
    Complement,
}

impl Value {
    /// Whether it is neither 0 nor unknown; `None` if it is unknown.
    pub(crate) fn truth(self) -> Option<bool> {
        match self {
            Value::Unknown => None,
            Value::Int(number) => Some(number != 0),
            Value::Real(number) => Some(number != 0.0),
        }
    }

    /// As a variable of a floating-point type, or of an integer type, has it.
    pub(crate) fn converted(self, is_real: bool) -> Value {
        match (self, is_real) {
            (Value::Int(number), true) => Value::Real(number as f64),
            (Value::Real(number), false) if number.abs() < 9e18 => Value::Int(number as i64),
            (Value::Real(_), false) => Value::Unknown,
            (same, _) => same,
        }
    }

    fn real(self) -> Option<f64> {
        match self {
            Value::Unknown => None,
            Value::Int(number) => Some(number as f64),
            Value::Real(number) => Some(number),
        }
    }

    /// The value of `operator self`.
    pub(crate) fn unary(self, operator: Unary) -> Value {
        match (operator, self) {
            (_, Value::Unknown) | (Unary::Complement, Value::Real(_)) => Value::Unknown,
            (Unary::Minus, Value::Int(number)) => {
                number.checked_neg().map_or(Value::Unknown, Value::Int)
            }
            (Unary::Minus, Value::Real(number)) => Value::Real(-number),
            (Unary::Complement, Value::Int(number)) => Value::Int(!number),
            (Unary::Not, value) => {
                value.truth().map_or(Value::Unknown, |truth| Value::Int(i64::from(!truth)))
            }
        }
    }

    /// The value of `self operator other`.
    pub(crate) fn binary(self, operator: Binary, other: Value) -> Value {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => integers(operator, a, b),
            _ => match (self.real(), other.real()) {
                (Some(a), Some(b)) => reals(operator, a, b),
                // 0 of anything is 0.
                _ if operator == Binary::Multiply || operator == Binary::And => {
                    if self == Value::Int(0) || other == Value::Int(0) {
                        Value::Int(0)
                    } else {
                        Value::Unknown
                    }
                }
                _ => Value::Unknown,
            },
        }
    }
}

fn integers(operator: Binary, a: i64, b: i64) -> Value {
    let bits = u32::try_from(b).ok().filter(|bits| *bits < 63);
    let number = match operator {
        Binary::Add => a.checked_add(b),
        Binary::Subtract => a.checked_sub(b),
        Binary::Multiply => a.checked_mul(b),
        Binary::Divide => a.checked_div(b),
        Binary::Remainder => a.checked_rem(b),
        Binary::ShiftLeft => bits.and_then(|bits| a.checked_mul(1i64 << bits)),
        Binary::ShiftRight => bits.map(|bits| a >> bits),
        Binary::And => Some(a & b),
        Binary::Or => Some(a | b),
        Binary::Xor => Some(a ^ b),
        Binary::Less => Some(i64::from(a < b)),
        Binary::LessEqual => Some(i64::from(a <= b)),
        Binary::Greater => Some(i64::from(a > b)),
        Binary::GreaterEqual => Some(i64::from(a >= b)),
        Binary::Equal => Some(i64::from(a == b)),
        Binary::Unequal => Some(i64::from(a != b)),
    };
    number.map_or(Value::Unknown, Value::Int)
}

fn reals(operator: Binary, a: f64, b: f64) -> Value {
    let truth = |truth: bool| Value::Int(i64::from(truth));
    match operator {
        Binary::Add => Value::Real(a + b),
        Binary::Subtract => Value::Real(a - b),
        Binary::Multiply => Value::Real(a * b),
        Binary::Divide => Value::Real(a / b),
        Binary::Less => truth(a < b),
        Binary::LessEqual => truth(a <= b),
        Binary::Greater => truth(a > b),
        Binary::GreaterEqual => truth(a >= b),
        Binary::Equal => truth(a == b),
        Binary::Unequal => truth(a != b),
        _ => Value::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_those_of_c() {
        let result_of = |a, operator, b| Value::Int(a).binary(operator, Value::Int(b));
        assert_eq!(result_of(7, Binary::Divide, 2), Value::Int(3));
        assert_eq!(result_of(-7, Binary::Divide, 2), Value::Int(-3));
        assert_eq!(result_of(7, Binary::Divide, 0), Value::Unknown);
        assert_eq!(result_of(i64::MAX, Binary::Add, 1), Value::Unknown);
        assert_eq!(result_of(1, Binary::ShiftLeft, 70), Value::Unknown);
        assert_eq!(result_of(1, Binary::ShiftLeft, 10), Value::Int(1024));
    }

    #[test]
    fn what_is_unknown_stays_unknown() {
        let unknown = Value::Unknown;
        assert_eq!(unknown.binary(Binary::Add, Value::Int(1)), Value::Unknown);
        assert_eq!(unknown.binary(Binary::Multiply, Value::Int(0)), Value::Int(0));
        assert_eq!(unknown.unary(Unary::Not), Value::Unknown);
        assert_eq!(Value::Real(2.5).converted(false), Value::Int(2));
        assert_eq!(Value::Int(1).binary(Binary::Divide, Value::Real(2.0)), Value::Real(0.5));
    }
}
