//! Prints a formula as text that parses to the same formula.

use std::fmt::Write;

use super::Constants;
use crate::{Expression, Term, Variable};

/// Precedence of what is printed, from low to high.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    /// A factor that is not the first.
    Sign,
    Power,
    Atom,
}

/// The whole formula.
pub(crate) fn formula(terms: &[Term], variables: &[Variable], constants: Constants<'_>) -> String {
    let mut out = String::new();
    for (place, term) in terms.iter().enumerate() {
        let (sign, factor) = match constants.value(place) {
            None => (false, term.constant_name().to_owned()),
            Some((value, digits)) => {
                let magnitude = value.abs();
                (
                    value.is_sign_negative(),
                    digits.map_or_else(|| number(magnitude), |digits| rounded(magnitude, digits)),
                )
            }
        };
        out.push_str(match (place, sign) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        });
        out.push_str(&self::term(&factor, &term.expression, variables));
    }
    out
}

/// `CONSTANT*EXPRESSION`.
pub(crate) fn term(constant: &str, expression: &Expression, variables: &[Variable]) -> String {
    let mut out = constant.to_owned();
    let factors = match expression {
        Expression::Number(1.0) => return out,
        Expression::Product(factors) => &factors[..],
        other => {
            out.push('*');
            write(&mut out, other, variables, Binding::Sign);
            return out;
        }
    };
    let inverse = matches!(factors, [(_, Expression::Number(1.0)), (true, _), ..]);
    for (divides, factor) in &factors[usize::from(inverse)..] {
        out.push(if *divides { '/' } else { '*' });
        write(&mut out, factor, variables, Binding::Sign);
    }
    out
}

/// An expression alone.
pub(crate) fn expression(expression: &Expression, variables: &[Variable]) -> String {
    let mut out = String::new();
    write(&mut out, expression, variables, Binding::Sum);
    out
}

/// The shortest decimal number with this value.
pub(crate) fn number(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude == 0.0 || (1e-5..1e16).contains(&magnitude) || !value.is_finite() {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// A factor: a whole number whole, others to six digits.
pub(crate) fn factor(value: f64) -> String {
    // Beyond this not all whole numbers are numbers of the machine.
    const LARGEST: f64 = 9007199254740992.0;
    // Computed ones may be off in their last digits.
    let is_whole = (value - value.round()).abs() <= 1e-12 * value.abs() && value.round() != 0.0;
    if is_whole && value.abs() <= LARGEST { number(value.round()) } else { rounded(value, 6) }
}

/// The number to `digits` significant digits.
pub(crate) fn rounded(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits.clamp(1, 17) - 1);
    text.parse().map_or(text, number)
}

fn write(out: &mut String, expression: &Expression, variables: &[Variable], least: Binding) {
    let open = binding(expression) < least;
    if open {
        out.push('(');
    }
    match expression {
        Expression::Number(value) => out.push_str(&number(*value)),
        Expression::Variable(index) => out.push_str(&variables[*index].name),
        Expression::Negated(inner) => {
            // `--` would be another operator.
            let signs = matches!(**inner, Expression::Negated(_));
            out.push_str(if signs { "- " } else { "-" });
            write(out, inner, variables, Binding::Sign);
        }
        Expression::Sum(parts) => {
            for (place, (negative, part)) in parts.iter().enumerate() {
                if place > 0 {
                    out.push_str(if *negative { " - " } else { " + " });
                }
                write(out, part, variables, Binding::Product);
            }
        }
        Expression::Product(parts) => {
            for (place, (divides, part)) in parts.iter().enumerate() {
                if place > 0 {
                    out.push(if *divides { '/' } else { '*' });
                }
                let least = if place == 0 && !matches!(part, Expression::Product(_)) {
                    Binding::Product
                } else {
                    Binding::Sign
                };
                write(out, part, variables, least);
            }
        }
        Expression::Remainder(a, b) => {
            write(out, a, variables, Binding::Product);
            out.push('%');
            write(out, b, variables, Binding::Sign);
        }
        Expression::Power(a, b) => {
            write(out, a, variables, Binding::Atom);
            out.push('^');
            write(out, b, variables, Binding::Sign);
        }
        Expression::Call(function, arguments) => {
            let _ = write!(out, "{}(", function.name());
            for (place, argument) in arguments.iter().enumerate() {
                if place > 0 {
                    out.push_str(", ");
                }
                write(out, argument, variables, Binding::Sum);
            }
            out.push(')');
        }
    }
    if open {
        out.push(')');
    }
}

fn binding(expression: &Expression) -> Binding {
    match expression {
        Expression::Number(_) | Expression::Variable(_) | Expression::Call(..) => Binding::Atom,
        Expression::Negated(_) => Binding::Sign,
        Expression::Sum(_) => Binding::Sum,
        Expression::Product(_) | Expression::Remainder(..) => Binding::Product,
        Expression::Power(..) => Binding::Power,
    }
}
