//! The dictionary of terms: how costs of programs grow.
//!
//! A [`Growth`] is x^i log2(x)^j with i one of thirteen exponents from 0 to 3 and j at most 2. Sums of few such
//! terms describe what most programs take (Calotoiu et al., *Using automated performance modeling to find
//! scalability bugs*, 2013, section 3). [`growths`] lists all of them from slow to fast.

use std::cmp::Ordering;

/// x^i log2(x)^j, i a fraction; not both exponents are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Growth {
    numerator: u8,
    denominator: u8,
    logs: u8,
}

/// Numerators and denominators of the exponents.
const EXPONENTS: [(u8, u8); 13] = [
    (0, 1),
    (1, 4),
    (1, 3),
    (1, 2),
    (2, 3),
    (3, 4),
    (1, 1),
    (4, 3),
    (3, 2),
    (5, 3),
    (2, 1),
    (5, 2),
    (3, 1),
];
/// The largest exponent of the logarithm.
const LOGS: u8 = 2;

/// All growths, from the slowest, log2(x), to the fastest, x^3*log2(x)^2: 38.
pub fn growths() -> impl Iterator<Item = Growth> + Clone {
    let all = EXPONENTS.into_iter().flat_map(|(numerator, denominator)| {
        (0..=LOGS).map(move |logs| Growth { numerator, denominator, logs })
    });
    all.filter(|g| g.numerator > 0 || g.logs > 0)
}

/// Growths that few programs have, in the order of growth: a third logarithm up to x^2, and x^3*log2(x)^3 to
/// x^6*log2(x), for data that grow so fast: 13.
pub fn rare_growths() -> impl Iterator<Item = Growth> + Clone {
    const RARE: [(u8, u8, u8); 13] = [
        (0, 1, 3),
        (1, 1, 3),
        (2, 1, 3),
        (3, 1, 3),
        (7, 2, 0),
        (7, 2, 1),
        (4, 1, 0),
        (4, 1, 1),
        (9, 2, 0),
        (5, 1, 0),
        (5, 1, 1),
        (6, 1, 0),
        (6, 1, 1),
    ];
    RARE.into_iter().map(|(numerator, denominator, logs)| Growth { numerator, denominator, logs })
}

impl Growth {
    /// The exponent of x.
    pub fn exponent(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }

    /// The exponent of log2(x).
    pub fn logs(self) -> u32 {
        u32::from(self.logs)
    }

    /// Whether it is `other` times log2(x).
    pub(crate) fn is_next(self, other: Growth) -> bool {
        let exponent = (self.numerator, self.denominator);
        exponent == (other.numerator, other.denominator) && self.logs == other.logs + 1
    }

    /// x^i log2(x)^j; NaN for x below 0, since no size is negative.
    pub fn value(self, x: f64) -> f64 {
        if x < 0.0 {
            return f64::NAN;
        }
        let power = if self.denominator == 1 {
            x.powi(i32::from(self.numerator))
        } else {
            x.powf(self.exponent())
        };
        match self.logs {
            0 => power,
            logs => power * x.log2().powi(i32::from(logs)),
        }
    }

    /// log2(x)^j / x^i as text above and below the line: `log2(N)` and `N`, nothing and `N^(3/2)`.
    pub fn quotient_text(self, variable: &str) -> (String, String) {
        let above = Growth { numerator: 0, denominator: 1, ..self }.text(variable);
        (above, Growth { logs: 0, ..self }.text(variable))
    }

    /// As a factor of a formula: `N*log2(N)`, `N^(3/2)`, `(N/P)^2*log2(N/P)^2`.
    ///
    /// `quantity` is a variable or any expression over variables.
    pub fn text(self, quantity: &str) -> String {
        let plain = quantity.chars().all(|c| c.is_alphanumeric() || "_.->[]".contains(c));
        let base = if plain { quantity.to_owned() } else { format!("({quantity})") };
        let power = match (self.numerator, self.denominator) {
            (0, _) => String::new(),
            (1, 1) => base,
            (numerator, 1) => format!("{base}^{numerator}"),
            (numerator, denominator) => format!("{base}^({numerator}/{denominator})"),
        };
        let logarithm = match self.logs {
            0 => String::new(),
            1 => format!("log2({quantity})"),
            logs => format!("log2({quantity})^{logs}"),
        };
        let star = if power.is_empty() || logarithm.is_empty() { "" } else { "*" };
        format!("{power}{star}{logarithm}")
    }
}

/// In the order of growth for large x.
impl Ord for Growth {
    fn cmp(&self, other: &Growth) -> Ordering {
        let cross = |a: &Growth, b: &Growth| u16::from(a.numerator) * u16::from(b.denominator);
        cross(self, other).cmp(&cross(other, self)).then(self.logs.cmp(&other.logs))
    }
}

impl PartialOrd for Growth {
    fn partial_cmp(&self, other: &Growth) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growths_are_ordered_and_their_texts_mean_their_values() {
        let all: Vec<Growth> = growths().collect();
        assert_eq!(all.len(), 38);
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
        for growth in &all {
            let formula = cll_formula::parse("f", &format!("f[0]*{}", growth.text("N")));
            let formula = formula.formula.expect("a formula");
            for x in [1.0, 2.0, 7.0, 4096.0] {
                let value = formula.evaluate(&[x], &[1.0]);
                let own = growth.value(x);
                assert!((value - own).abs() <= 1e-12 * own.abs(), "{formula:?} {x}");
            }
        }
        let rare: Vec<Growth> = rare_growths().collect();
        assert!(rare.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(rare.iter().all(|growth| !all.contains(growth)));
        assert_eq!(rare.last().map(|growth| growth.text("N")).as_deref(), Some("N^6*log2(N)"));
        let last = all[all.len() - 1];
        assert_eq!(last.text("N/P"), "(N/P)^3*log2(N/P)^2");
        assert!(last.value(-1.0).is_nan());
    }
}
