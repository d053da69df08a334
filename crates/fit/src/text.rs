//! Numbers and lists in sentences.

use cll_units::text::{self, DurationForm, PercentDigits, duration};

use crate::Unit;

pub(crate) use cll_units::digits::number;

/// A value in its unit, seconds with a prefix that fits: `3.55 ms`, `-790 ns`, `12 misses`.
pub(crate) fn quantity(value: f64, unit: &Unit) -> String {
    match unit {
        Unit::Other(name) => format!("{} {name}", number(value)).trim_end().to_owned(),
        Unit::Seconds => duration(value, DurationForm::Prefixed),
    }
}

/// `0.034` as `3.4 %`.
pub(crate) fn percent(share: f64) -> String {
    text::percent(share, PercentDigits::Two)
}

/// The same for an error that is 0 but for rounding in an exact fit: `0 %`.
pub(crate) fn percent_or_zero(share: f64) -> String {
    text::percent(share, PercentDigits::TwoOrZero)
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [text] => text.clone(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

/// `N = 64, P = 2`.
pub(crate) fn place(names: &[String], values: &[f64]) -> String {
    let pairs: Vec<String> = names
        .iter()
        .zip(values)
        .map(|(name, value)| format!("{name} = {}", number(*value)))
        .collect();
    pairs.join(", ")
}

/// `the nearest measured combinations are N = 4096, P = 4 and N = 512, P = 32`
pub(crate) fn nearest(names: &[String], combinations: &[Vec<f64>]) -> String {
    let all: Vec<String> = combinations.iter().map(|values| place(names, values)).collect();
    match all.len() {
        1 => format!("the nearest measured combination is {}", all[0]),
        _ => format!("the nearest measured combinations are {}", all.join(" and ")),
    }
}

/// `1 point`, `5 points`.
pub(crate) fn count(number: usize, text: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { text } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_sentences() {
        for (value, text) in [
            (0.0, "0"),
            (4.0, "4"),
            (1048576.0, "1048576"),
            (0.5, "0.5"),
            (2.345678, "2.346"),
            (1234.56, "1235"),
            (1.0e-9, "1e-9"),
            (-2.5e-7, "-2.5e-7"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(percent(0.034), "3.4 %");
        assert_eq!(percent(0.34), "34 %");
        assert_eq!(list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }

    #[test]
    fn values_have_their_unit() {
        for (value, expected) in [
            (0.01397, "13.97 ms"),
            (-7.906e-7, "-790.6 ns"),
            (2.0, "2 s"),
            (0.0, "0 s"),
            (3e-15, "0.003 ps"),
            (1e-6, "1 µs"),
        ] {
            assert_eq!(quantity(value, &Unit::Seconds), expected);
        }
        assert_eq!(quantity(12.5, &Unit::Other("misses".to_owned())), "12.5 misses");
        assert_eq!(quantity(12.5, &Unit::Other(String::new())), "12.5");
    }
}
