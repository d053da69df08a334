//! Factors of terms: functions of one variable.

use cll_fit::Growth;

/// A function of one variable, as a factor of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factor {
    /// x^i log2(x)^j: work that grows with the variable.
    Growth(Growth),
    /// log2(x)^j / x^i, i above 0: work that is divided among processors.
    Falling(Growth),
    /// (x - 1)/x: the share that all processors but one have, as in an all-to-all exchange.
    AllButOne,
}

/// The growths by which work is divided: x^(1/2), x^(2/3), x, with and without a logarithm.
const DIVISORS: [(f64, u32); 6] =
    [(0.5, 0), (2.0 / 3.0, 0), (1.0, 0), (1.0, 1), (1.5, 0), (2.0, 0)];

impl Factor {
    /// The factors of a variable along which nothing falls.
    pub fn growing() -> Vec<Factor> {
        cll_fit::growths().map(Factor::Growth).collect()
    }

    /// The factors of a number of processors, or of a variable along which times fall: those that grow, 1/x and its
    /// relatives, and (x - 1)/x.
    pub fn scaling() -> Vec<Factor> {
        let falling = cll_fit::growths().filter(|growth| {
            DIVISORS
                .iter()
                .any(|&(exponent, logs)| growth.exponent() == exponent && growth.logs() == logs)
        });
        let falling = falling.map(Factor::Falling);
        Factor::growing().into_iter().chain(falling).chain([Factor::AllButOne]).collect()
    }

    /// The factors of a number of processors that has few values: a logarithm, whole powers, 1/x and its square root,
    /// (x - 1)/x. Few values hold any power, and the others are not those of algorithms.
    pub fn few() -> Vec<Factor> {
        const GROWING: [(f64, u32); 3] = [(0.0, 1), (1.0, 0), (2.0, 0)];
        const FALLING: [(f64, u32); 2] = [(0.5, 0), (1.0, 0)];
        let is_simple = |factor: &Factor| match factor {
            Factor::Growth(growth) => GROWING.contains(&(growth.exponent(), growth.logs())),
            Factor::Falling(growth) => FALLING.contains(&(growth.exponent(), growth.logs())),
            Factor::AllButOne => true,
        };
        Factor::scaling().into_iter().filter(is_simple).collect()
    }

    /// The value at x; NaN or infinite where it has none.
    pub fn value(self, x: f64) -> f64 {
        match self {
            Factor::Growth(growth) => growth.value(x),
            Factor::Falling(growth) => match growth.logs() {
                0 => 1.0 / growth.value(x),
                logs => x.log2().powi(2 * logs as i32) / growth.value(x),
            },
            Factor::AllButOne => (x - 1.0) / x,
        }
    }

    /// As a factor of a formula, and what it is divided by: `N*log2(N)`; 1 by `P^(1/2)`; `log2(P)` by `P`;
    /// `(P - 1)` by `P`. Either may be empty.
    pub fn text(self, variable: &str) -> (String, String) {
        match self {
            Factor::Growth(growth) => (growth.text(variable), String::new()),
            Factor::Falling(growth) => growth.quotient_text(variable),
            Factor::AllButOne => (format!("({variable} - 1)"), variable.to_owned()),
        }
    }

    /// A product of factors of different variables as text: `N*log2(N)/P`, `1/P^(1/2)`.
    pub fn product_text<'a>(factors: impl Iterator<Item = (Factor, &'a str)>) -> String {
        let (above, below): (Vec<String>, Vec<String>) =
            factors.map(|(factor, variable)| factor.text(variable)).unzip();
        let mut text =
            above.into_iter().filter(|one| !one.is_empty()).collect::<Vec<_>>().join("*");
        if text.is_empty() {
            text.push('1');
        }
        for one in below.iter().filter(|one| !one.is_empty()) {
            text.push('/');
            text.push_str(one);
        }
        text
    }

    /// How common it is in formulas of algorithms: 1, or `rare` with a fractional exponent or a squared logarithm. Times
    /// of loops and sorts have whole exponents and at most one logarithm; where data cannot tell, these are meant.
    pub(crate) fn common(self, rare: f64) -> f64 {
        let (exponent, logs) = self.order();
        if exponent.fract() != 0.0 || logs > 1 { rare } else { 1.0 }
    }

    /// How it grows for large x: exponent and exponent of the logarithm, for an order from slow to fast.
    pub(crate) fn order(self) -> (f64, i32) {
        match self {
            Factor::Growth(growth) => (growth.exponent(), growth.logs() as i32),
            Factor::Falling(growth) => (-growth.exponent(), growth.logs() as i32),
            Factor::AllButOne => (0.0, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_mean_their_values() {
        for factor in Factor::scaling() {
            let text = format!("f[0]*{}", Factor::product_text(std::iter::once((factor, "P"))));
            let formula = cll_formula::parse("f", &text).formula.expect(&text);
            for x in [2.0, 7.0, 4096.0] {
                let (value, own) = (formula.evaluate(&[x], &[1.0]), factor.value(x));
                assert!((value - own).abs() <= 1e-12 * own.abs(), "{text} at {x}: {value} {own}");
            }
        }
        assert_eq!(Factor::growing().len(), 38);
        assert_eq!(Factor::scaling().len(), 45);
        let few: Vec<String> = Factor::few()
            .into_iter()
            .map(|one| Factor::product_text(std::iter::once((one, "P"))))
            .collect();
        assert_eq!(few, ["log2(P)", "P", "P^2", "1/P^(1/2)", "1/P", "(P - 1)/P"]);
    }
}
