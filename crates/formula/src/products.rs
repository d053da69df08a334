//! Products and quotients of variables that occur in a formula: `N/P`, the share of a processor.

use crate::print::text;
use crate::{Expression, Formula, Function, Variable};

/// No formula written by a person has more.
const MAX_POWERS: usize = 16;

impl Formula {
    /// The products and quotients of powers of at least two variables that occur in the formula,
    /// each once, as text: `N/P` for `f[0]*(N/P)*log(N/P) + f[1]*N*(P - 1)/P`.
    ///
    /// Numbers, other factors and common exponents are ignored: the result lists what sorts points
    /// in different orders. So `N/P`, `P/N` and `(N/P)^2` are one, named by the first. At most 16.
    pub fn products(&self) -> Vec<String> {
        let mut collection = ProductMatch { variables: self.variables(), powers: Vec::new() };
        self.terms().iter().for_each(|term| collection.search(&term.expression));
        collection.powers.iter().map(|powers| collection.text(powers)).collect()
    }
}

/// For each variable its exponent.
type Powers = Vec<f64>;

struct ProductMatch<'a> {
    variables: &'a [Variable],
    powers: Vec<Powers>,
}

impl ProductMatch<'_> {
    fn search(&mut self, expression: &Expression) {
        match expression {
            Expression::Number(_) | Expression::Variable(_) => {}
            Expression::Negated(inner) => self.search(inner),
            Expression::Sum(parts) => parts.iter().for_each(|(_, part)| self.search(part)),
            Expression::Product(parts) => {
                let mut powers = vec![0.0; self.variables.len()];
                multiply(&mut powers, expression, 1.0);
                self.add(powers);
                parts.iter().for_each(|(_, part)| self.search(part));
            }
            Expression::Remainder(a, b) | Expression::Power(a, b) => {
                self.search(a);
                self.search(b);
            }
            Expression::Call(_, arguments) => arguments.iter().for_each(|a| self.search(a)),
        }
    }

    /// Adds a product unless it is a power of one in the list.
    fn add(&mut self, mut powers: Powers) {
        let used = powers.iter().filter(|&&p| p != 0.0);
        if used.clone().count() < 2 || used.clone().any(|p| !p.is_finite()) {
            return;
        }
        let inverse = used.clone().all(|&p| p < 0.0);
        let least = used.fold(f64::INFINITY, |least, p| least.min(p.abs()));
        let least = if inverse { -least } else { least };
        powers.iter_mut().for_each(|p| *p /= least);
        let alike = |other: &Powers| {
            [1.0, -1.0].iter().any(|sign| {
                other.iter().zip(&powers).all(|(a, b)| (a - sign * b).abs() <= 1e-9 * a.abs())
            })
        };
        if self.powers.len() < MAX_POWERS && !self.powers.iter().any(alike) {
            self.powers.push(powers);
        }
    }

    /// As a product divided by another one: a quotient of two whole numbers is then rounded only
    /// once.
    fn text(&self, powers: &Powers) -> String {
        let side = |sign: f64| -> Option<Expression> {
            let factor = |(index, &power): (usize, &f64)| {
                let variable = Expression::Variable(index);
                let power = sign * power;
                match power {
                    p if p <= 0.0 => None,
                    1.0 => Some((false, variable)),
                    _ => Some((
                        false,
                        Expression::Power(Box::new(variable), Box::new(Expression::Number(power))),
                    )),
                }
            };
            let mut factors: Vec<_> = powers.iter().enumerate().filter_map(factor).collect();
            match factors.len() {
                0 => None,
                1 => factors.pop().map(|(_, factor)| factor),
                _ => Some(Expression::Product(factors)),
            }
        };
        let above = side(1.0).unwrap_or(Expression::Number(1.0));
        let quotient = match side(-1.0) {
            Some(below) => Expression::Product(vec![(false, above), (true, below)]),
            None => above,
        };
        text::expression(&quotient, self.variables)
    }
}

/// Multiplies the variables' powers by those of the expression's factors, to this exponent; factors
/// that are no power of a variable are ignored.
fn multiply(powers: &mut Powers, expression: &Expression, exponent: f64) {
    match expression {
        Expression::Variable(index) => powers[*index] += exponent,
        Expression::Negated(inner) => multiply(powers, inner, exponent),
        Expression::Product(parts) => {
            for (divides, part) in parts {
                multiply(powers, part, if *divides { -exponent } else { exponent });
            }
        }
        Expression::Power(base, power) => {
            if let Some(power) = number(power) {
                multiply(powers, base, exponent * power);
            }
        }
        Expression::Call(Function::Sqrt, arguments) => {
            multiply(powers, &arguments[0], exponent / 2.0);
        }
        Expression::Call(Function::Cbrt, arguments) => {
            multiply(powers, &arguments[0], exponent / 3.0);
        }
        _ => {}
    }
}

/// The value of an exponent such as `2`, `-1` or `3/4`.
pub(crate) fn number(expression: &Expression) -> Option<f64> {
    match expression {
        Expression::Number(value) => Some(*value),
        Expression::Negated(inner) => Some(-number(inner)?),
        Expression::Product(parts) => parts.iter().try_fold(1.0, |product, (divides, part)| {
            let value = number(part)?;
            Some(if *divides { product / value } else { product * value })
        }),
        _ => None,
    }
}
