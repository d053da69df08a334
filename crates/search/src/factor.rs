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
    /// x^i b^x: searches that try all subsets, or calls that call themselves several times.
    Exponential {
        /// 1000 b.
        thousandths: u32,
        /// i.
        power: u8,
    },
    /// x!: searches that try all orders.
    Factorial,
}

/// Bases of exponentials that algorithms have, in thousandths: the golden ratio of Fibonacci's numbers, subsets, choices
/// of three, quadrants.
const BASES: [u32; 4] = [1618, 2000, 3000, 4000];
/// Largest power of x beside an exponential: x^2*2^x is the time of Held and Karp's search of a shortest round trip.
const POWERS: u8 = 2;

/// The growths by which work is divided: x^(1/2), x^(2/3), x, with and without a logarithm.
const DIVISORS: [(f64, u32); 6] =
    [(0.5, 0), (2.0 / 3.0, 0), (1.0, 0), (1.0, 1), (1.5, 0), (2.0, 0)];

impl Factor {
    /// The factors of a variable along which nothing falls.
    pub fn growing() -> Vec<Factor> {
        let third = cll_fit::rare_growths().filter(|growth| growth.exponent() < 3.0);
        Factor::growths(third)
    }

    /// The usual growths and these, from slow to fast.
    fn growths(others: impl Iterator<Item = cll_fit::Growth>) -> Vec<Factor> {
        let mut growths: Vec<cll_fit::Growth> = cll_fit::growths().chain(others).collect();
        growths.sort_unstable();
        growths.into_iter().map(Factor::Growth).collect()
    }

    /// The factors of a variable along which values grow faster than x^3: also powers up to x^6, exponentials of usual bases
    /// and of `base`, and x!.
    pub fn steep(base: Option<f64>) -> Vec<Factor> {
        let own =
            base.map(|base| (1000.0 * base).round()).filter(|base| (1001.0..1e6).contains(base));
        let mut bases: Vec<u32> = BASES.into_iter().chain(own.map(|base| base as u32)).collect();
        bases.sort_unstable();
        bases.dedup();
        let exponential = |thousandths: u32| {
            (0..=POWERS).map(move |power| Factor::Exponential { thousandths, power })
        };
        let mut factors = Factor::growths(cll_fit::rare_growths());
        factors.extend(bases.into_iter().flat_map(exponential));
        factors.push(Factor::Factorial);
        factors
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
            Factor::Exponential { .. } | Factor::Factorial => false,
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
            Factor::Exponential { thousandths, power } => {
                x.powi(i32::from(power)) * (f64::from(thousandths) / 1000.0).powf(x)
            }
            Factor::Factorial => cll_formula::factorial(x),
        }
    }

    /// As a factor of a formula, and what it is divided by: `N*log2(N)`; 1 by `P^(1/2)`; `log2(P)` by `P`;
    /// `(P - 1)` by `P`. Either may be empty.
    pub fn text(self, variable: &str) -> (String, String) {
        match self {
            Factor::Growth(growth) => (growth.text(variable), String::new()),
            Factor::Falling(growth) => growth.quotient_text(variable),
            Factor::AllButOne => (format!("({variable} - 1)"), variable.to_owned()),
            Factor::Exponential { thousandths, power } => {
                let exponential = format!("{}^{variable}", f64::from(thousandths) / 1000.0);
                let text = match power {
                    0 => exponential,
                    1 => format!("{variable}*{exponential}"),
                    _ => format!("{variable}^{power}*{exponential}"),
                };
                (text, String::new())
            }
            Factor::Factorial => (format!("factorial({variable})"), String::new()),
        }
    }

    /// A product of factors of different variables as text: `N*log2(N)/P`, `1/P^(1/2)`.
    pub fn product_text<'a>(factors: impl Iterator<Item = (Factor, &'a str)>) -> String {
        let (above, below): (Vec<String>, Vec<String>) =
            factors.map(|(factor, variable)| factor.text(variable)).unzip();
        let mut text =
            above.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("*");
        if text.is_empty() {
            text.push('1');
        }
        for divisor in below.iter().filter(|text| !text.is_empty()) {
            text.push('/');
            text.push_str(divisor);
        }
        text
    }

    /// How common it is in formulas of algorithms: 1; `rare` with a fractional exponent, a squared logarithm or growth
    /// beyond x^3; its square with both, or with more. Times of loops and sorts have whole exponents and at most one
    /// logarithm; where data cannot tell, these are meant.
    pub(crate) fn common(self, rare: f64) -> f64 {
        match self {
            Factor::Growth(growth) | Factor::Falling(growth) => {
                let (exponent, logs) = (growth.exponent(), growth.logs());
                let usual = exponent.fract() == 0.0 && logs < 2;
                let beyond = exponent > 3.0 || logs > 2;
                if beyond && !usual {
                    rare * rare
                } else if beyond || !usual {
                    rare
                } else {
                    1.0
                }
            }
            Factor::AllButOne => 1.0,
            Factor::Exponential { thousandths, power } => {
                let own = if BASES.contains(&thousandths) { rare } else { rare * rare };
                own * rare.powi(i32::from(power))
            }
            Factor::Factorial => rare,
        }
    }

    /// How it grows for large x: exponent and exponent of the logarithm, for an order from slow to fast.
    pub(crate) fn order(self) -> (f64, i32) {
        match self {
            Factor::Growth(growth) => (growth.exponent(), growth.logs() as i32),
            Factor::Falling(growth) => (-growth.exponent(), growth.logs() as i32),
            Factor::AllButOne => (0.0, 0),
            Factor::Exponential { thousandths, power } => {
                (f64::from(thousandths), i32::from(power))
            }
            Factor::Factorial => (f64::INFINITY, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_mean_their_values() {
        for factor in Factor::scaling().into_iter().chain(Factor::steep(Some(1.3804))) {
            let text = format!("f[0]*{}", Factor::product_text(std::iter::once((factor, "P"))));
            let formula = cll_formula::parse("f", &text).formula.expect(&text);
            for x in [2.0, 7.0, 150.0] {
                let (value, own) = (formula.evaluate(&[x], &[1.0]), factor.value(x));
                assert!((value - own).abs() <= 1e-12 * own.abs(), "{text} at {x}: {value} {own}");
            }
        }
        assert_eq!(Factor::growing().len(), 41);
        assert_eq!(Factor::scaling().len(), 48);
        let few: Vec<String> = Factor::few()
            .into_iter()
            .map(|factor| Factor::product_text(std::iter::once((factor, "P"))))
            .collect();
        let steep: Vec<String> = Factor::steep(Some(1.3804))
            .into_iter()
            .skip(48)
            .map(|factor| Factor::product_text(std::iter::once((factor, "n"))))
            .collect();
        let expected = ["n^5*log2(n)", "n^6", "n^6*log2(n)", "1.38^n", "n*1.38^n", "n^2*1.38^n"];
        assert_eq!(steep[..6], expected);
        assert_eq!(steep.last().map(String::as_str), Some("factorial(n)"));
        assert_eq!(few, ["log2(P)", "P", "P^2", "1/P^(1/2)", "1/P", "(P - 1)/P"]);
    }
}
