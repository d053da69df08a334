//! How each term grows along a product of powers of variables, such as `N` or `N/P`.

use crate::print::text;
use crate::products::number;
use crate::{Expression, Formula, Function};

/// The dependence of a formula's terms on one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Along {
    /// The quantity as text: `N`, `N/P`.
    pub text: String,
    /// The exponent of each variable in it, in the order of [`Formula::variables`].
    pub powers: Vec<f64>,
    /// One for each term of the formula.
    pub terms: Vec<TermAlong>,
}

/// A term as `quantity^exponent * log(quantity)^logs * rest`, times a number.
#[derive(Clone, Debug, PartialEq)]
pub struct TermAlong {
    /// The exponent of the quantity; 0 if the term has no such factor.
    pub exponent: f64,
    /// The exponent of its logarithm, to any base.
    pub logs: f64,
    /// The other factors as text, without numbers; `None` if there are none.
    pub rest: Option<String>,
}

impl Along {
    /// The quantity for these values of the formula's variables.
    pub fn value(&self, values: &[f64]) -> f64 {
        let factor = |(&value, &power): (&f64, &f64)| match power {
            0.0 => 1.0,
            1.0 => value,
            -1.0 => 1.0 / value,
            _ => value.powf(power),
        };
        values.iter().zip(&self.powers).map(factor).product()
    }
}

impl Formula {
    /// Factors the terms by `quantity`: a variable of the formula, or a product of powers of
    /// variables such as `N/P`. Its numbers, and an exponent common to all variables, are ignored:
    /// `8*N*N` is `N`.
    ///
    /// `None` if the quantity contains anything else, or a variable that the formula does not have.
    pub fn along(&self, quantity: &str) -> Option<Along> {
        let named = self.variables().iter().position(|v| v.name == quantity.trim());
        let powers = match named {
            Some(index) => (0..self.variables().len()).map(|k| f64::from(k == index)).collect(),
            None => self.powers(quantity)?,
        };
        let factors = Factors { powers: powers.clone(), others: Vec::new() };
        let text = text::expression(&factors.expression()?, self.variables());
        let terms = self.terms().iter().map(|term| self.apart(&term.expression, &powers)).collect();
        Some(Along { text, powers, terms })
    }

    /// The exponents of this formula's variables in a quantity, normalised so that the smallest is
    /// 1 or -1.
    fn powers(&self, quantity: &str) -> Option<Vec<f64>> {
        let parsed = crate::parse("quantity", &format!("quantity[0]*({quantity})")).formula?;
        let [term] = parsed.terms() else { return None };
        let mut factors = Factors::new(parsed.variables().len());
        factors.multiply(&term.expression, 1.0);
        if !factors.others.is_empty() {
            return None;
        }
        let mut powers = vec![0.0; self.variables().len()];
        for (variable, power) in parsed.variables().iter().zip(factors.powers) {
            powers[self.variables().iter().position(|v| v.name == variable.name)?] = power;
        }
        let used = powers.iter().filter(|&&p| p != 0.0);
        let least = used.fold(f64::INFINITY, |least, p| least.min(p.abs()));
        if !least.is_finite() {
            return None;
        }
        powers.iter_mut().for_each(|p| *p /= least);
        Some(powers)
    }

    fn apart(&self, expression: &Expression, along: &[f64]) -> TermAlong {
        let mut factors = Factors::new(along.len());
        factors.multiply(expression, 1.0);
        let exponent = common(&factors.powers, along);
        factors.powers.iter_mut().zip(along).for_each(|(p, w)| *p -= exponent * w);
        let mut logs = 0.0;
        factors.others.retain(|(factor, power)| {
            let of_quantity = is_logarithm(factor, along);
            logs += if of_quantity { *power } else { 0.0 };
            !of_quantity
        });
        let rest = factors.expression().map(|rest| text::expression(&rest, self.variables()));
        TermAlong { exponent, logs, rest }
    }
}

/// The exponent with which a product of powers contains another one.
fn common(powers: &[f64], others: &[f64]) -> f64 {
    let ratios = || powers.iter().zip(others).filter(|(_, w)| **w != 0.0).map(|(p, w)| p / w);
    let (low, high) = ratios()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), r| (low.min(r), high.max(r)));
    if low > 0.0 {
        low
    } else if high < 0.0 {
        high
    } else {
        0.0
    }
}

/// Whether this is the logarithm of a power of the quantity.
fn is_logarithm(expression: &Expression, along: &[f64]) -> bool {
    let Expression::Call(Function::Log | Function::Log2 | Function::Log10, arguments) = expression
    else {
        return false;
    };
    let mut inner = Factors { powers: vec![0.0; along.len()], others: Vec::new() };
    // log(2*N) is no multiple of log(N).
    if holds_number(&arguments[0]) {
        return false;
    }
    inner.multiply(&arguments[0], 1.0);
    let exponent = common(&inner.powers, along);
    inner.others.is_empty()
        && exponent != 0.0
        && inner.powers.iter().zip(along).all(|(p, w)| (p - exponent * w).abs() <= 1e-12)
}

fn holds_number(expression: &Expression) -> bool {
    match expression {
        Expression::Number(value) => *value != 1.0,
        Expression::Product(parts) => parts.iter().any(|(_, part)| holds_number(part)),
        _ => false,
    }
}

/// A product: powers of variables, and powers of anything else.
struct Factors {
    powers: Vec<f64>,
    others: Vec<(Expression, f64)>,
}

impl Factors {
    fn new(variables: usize) -> Factors {
        Factors { powers: vec![0.0; variables], others: Vec::new() }
    }

    fn multiply(&mut self, expression: &Expression, exponent: f64) {
        match expression {
            Expression::Number(_) => {}
            Expression::Variable(index) => self.powers[*index] += exponent,
            Expression::Product(parts) => {
                for (divides, part) in parts {
                    self.multiply(part, if *divides { -exponent } else { exponent });
                }
            }
            Expression::Power(base, power) if number(power).is_some() => {
                self.multiply(base, exponent * number(power).unwrap_or(1.0));
            }
            Expression::Call(Function::Sqrt, arguments) => {
                self.multiply(&arguments[0], exponent / 2.0);
            }
            Expression::Call(Function::Cbrt, arguments) => {
                self.multiply(&arguments[0], exponent / 3.0);
            }
            other => self.others.push((other.clone(), exponent)),
        }
    }

    /// `None` if nothing is left.
    fn expression(&self) -> Option<Expression> {
        let side = |sign: f64| -> Vec<(bool, Expression)> {
            let variables = self.powers.iter().enumerate();
            let variables = variables.map(|(k, &p)| (Expression::Variable(k), p));
            let all = variables.chain(self.others.iter().cloned());
            all.filter(|(_, power)| sign * power > 1e-12)
                .map(|(base, power)| {
                    let power = sign * power;
                    let is_one = (power - 1.0).abs() < 1e-12;
                    let raised = |base| {
                        Expression::Power(Box::new(base), Box::new(Expression::Number(power)))
                    };
                    (false, if is_one { base } else { raised(base) })
                })
                .collect()
        };
        let product = |mut factors: Vec<(bool, Expression)>| match factors.len() {
            0 => None,
            1 => factors.pop().map(|(_, factor)| factor),
            _ => Some(Expression::Product(factors)),
        };
        let (above, below) = (product(side(1.0)), product(side(-1.0)));
        match (above, below) {
            (above, None) => above,
            (above, Some(below)) => Some(Expression::Product(vec![
                (false, above.unwrap_or(Expression::Number(1.0))),
                (true, below),
            ])),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    fn apart(formula: &str, quantity: &str) -> Vec<(f64, f64, String)> {
        let formula = parse("f", formula).formula.expect(formula);
        let along = formula.along(quantity).expect(quantity);
        along.terms.into_iter().map(|t| (t.exponent, t.logs, t.rest.unwrap_or_default())).collect()
    }

    #[test]
    fn terms_of_one_variable() {
        let text = "f[0] + f[1]*N + f[2]*N^2*log2(N) + f[3]*sqrt(N) + f[4]*log(2*N)";
        let parts = apart(text, "N");
        assert_eq!(parts[0], (0.0, 0.0, String::new()));
        assert_eq!(parts[1], (1.0, 0.0, String::new()));
        assert_eq!(parts[2], (2.0, 1.0, String::new()));
        assert_eq!(parts[3], (0.5, 0.0, String::new()));
        assert_eq!((parts[4].0, parts[4].1), (0.0, 0.0));
        assert_eq!(parts[4].2, "log(2*N)");
    }

    #[test]
    fn terms_of_several_variables() {
        let text = "f[0]*log(P) + f[1]*(N/P)*log(N/P) + f[2]*N*(P - 1)/P + f[3]*N*N/P";
        let parts = apart(text, "N/P");
        assert_eq!(parts[0], (0.0, 0.0, "log(P)".into()));
        assert_eq!(parts[1], (1.0, 1.0, String::new()));
        assert_eq!((parts[2].0, parts[2].2.as_str()), (1.0, "P - 1"));
        assert_eq!((parts[3].0, parts[3].2.as_str()), (1.0, "N"));
        let parts = apart(text, "P");
        assert_eq!(parts[0], (0.0, 1.0, String::new()));
        assert_eq!((parts[3].0, parts[3].2.as_str()), (-1.0, "N^2"));
        let along = parse("f", text).formula.unwrap().along("N/P").unwrap();
        let order: Vec<f64> = vec![4.0, 64.0];
        assert_eq!((along.text.as_str(), along.value(&order)), ("N/P", 16.0));
    }

    #[test]
    fn quantities() {
        let formula = parse("f", "f[0]*N + f[1]*P").formula.unwrap();
        assert_eq!(formula.along("8*N*N").unwrap().text, "N");
        assert_eq!(formula.along("N+P"), None);
        assert_eq!(formula.along("M"), None);
        assert_eq!(formula.along("4"), None);
    }
}
