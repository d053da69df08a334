//! Shares in percent.

use crate::digits::{exponent, fixed, four_digits, nonzero, not_finite, number};

/// The digits of a share in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PercentDigits {
    /// So many decimals: `3.4 %`.
    Decimals(usize),
    /// So many decimals behind a sign: `+3.4 %`.
    Signed(usize),
    /// A decimal behind a sign, and no `-0.0 %`.
    Change,
    /// A whole number that is not smaller than the share.
    Up,
    /// A decimal below 10 %, unless the number is whole: `5 %`, `3.4 %`.
    Few,
    /// Two, of small shares four at most: `34 %`, `3.4 %`, `0.0123 %`.
    Two,
    /// As [`PercentDigits::Two`], and 0 for an error that is 0 but for rounding.
    TwoOrZero,
    /// Two, of small shares one: `34 %`, `3.4 %`, `0.02 %`, `< 0.001 %`.
    Read,
    /// At least one that is not zero, down to `0.001 %`.
    Nonzero,
    /// As [`PercentDigits::Nonzero`], and not smaller than the share.
    Above,
}

/// A share, a part of 1: `0.034` as `3.4 %`.
pub fn percent(share: f64, digits: PercentDigits) -> String {
    match digits {
        // The decimal is rounded away from zero.
        PercentDigits::Change => {
            let rounded = (share * 1000.0).round() / 10.0;
            hundredths(if rounded == 0.0 { 0.0 } else { rounded }, PercentDigits::Signed(1))
        }
        PercentDigits::TwoOrZero if share < 1e-5 => "0 %".to_owned(),
        _ => hundredths(100.0 * share, digits),
    }
}

/// The share that a part is of the whole.
pub fn percent_of(part: f64, whole: f64, digits: PercentDigits) -> String {
    hundredths(100.0 * part / whole, digits)
}

/// Two shares: `3.4 to 12 %`.
pub fn percent_range(low: f64, high: f64) -> String {
    format!("{} to {}", nonzero(100.0 * low), percent(high, PercentDigits::Nonzero))
}

/// A share that is given in percent.
pub fn hundredths(value: f64, digits: PercentDigits) -> String {
    let text = match digits {
        PercentDigits::Decimals(decimals) => format!("{value:.decimals$}"),
        PercentDigits::Signed(decimals) => format!("{value:+.decimals$}"),
        PercentDigits::Change => format!("{value:+.1}"),
        PercentDigits::Up => format!("{:.0}", value.ceil()),
        PercentDigits::Few => {
            let is_coarse = value.abs() >= 10.0 || value.fract() == 0.0;
            format!("{value:.*}", usize::from(!is_coarse))
        }
        PercentDigits::Two | PercentDigits::TwoOrZero => match value.abs() {
            size if size >= 10.0 => format!("{value:.0}"),
            size if size >= 0.1 => format!("{value:.1}"),
            _ => number(value),
        },
        PercentDigits::Read => read(value),
        PercentDigits::Nonzero => nonzero(value),
        PercentDigits::Above => {
            let value = value.max(1e-3);
            let least = if value < 1.0 { 0.0 } else { 1.0 };
            let step = 10f64.powf(value.log10().floor() - least);
            nonzero((value / step - 1e-9).ceil() * step)
        }
    };
    text + " %"
}

fn read(value: f64) -> String {
    match value.abs() {
        size if !size.is_finite() => not_finite(value).to_owned(),
        size if size < 1e-7 => "0".to_owned(),
        size if size < 0.001 => "< 0.001".to_owned(),
        size if size < 0.0995 => fixed(value, -exponent(value, 1)),
        size if size < 9.95 => fixed(value, 1),
        size if size < 99_999.5 => fixed(value, 0),
        _ => four_digits(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_the_digits_that_are_chosen() {
        use PercentDigits::{Change, Decimals, Few, Signed, Two, TwoOrZero, Up};
        for (share, digits, text) in [
            (0.034, Decimals(1), "3.4 %"),
            (0.034, Decimals(0), "3 %"),
            (-0.034, Signed(1), "-3.4 %"),
            (0.034, Change, "+3.4 %"),
            (-0.0001, Change, "+0.0 %"),
            (0.0312, Up, "4 %"),
            (0.05, Few, "5 %"),
            (0.0525, Few, "5.2 %"),
            (0.123, Few, "12 %"),
            (0.34, Two, "34 %"),
            (0.034, Two, "3.4 %"),
            (0.000123456, Two, "0.01235 %"),
            (1e-9, TwoOrZero, "0 %"),
            (0.5, TwoOrZero, "50 %"),
        ] {
            assert_eq!(percent(share, digits), text, "{share} {digits:?}");
        }
        assert_eq!(percent_of(1.0, 8.0, Decimals(1)), "12.5 %");
        assert_eq!(hundredths(0.5, Decimals(3)), "0.500 %");
    }

    #[test]
    fn shares_that_are_read() {
        for (share, text) in [
            (0.0, "0 %"),
            (0.034, "3.4 %"),
            (0.34, "34 %"),
            (0.0996, "10 %"),
            (0.0002, "0.02 %"),
            (1e-8, "< 0.001 %"),
            (1e-12, "0 %"),
            (-0.05, "-5.0 %"),
            (12.3, "1230 %"),
            (1e9, "100000000000 %"),
            (f64::NAN, "NaN %"),
        ] {
            assert_eq!(percent(share, PercentDigits::Read), text, "{share}");
        }
    }

    #[test]
    fn small_shares_are_not_zero() {
        for (share, nearest, above) in [
            (0.0, "0.001 %", "0.001 %"),
            (1e-6, "0.001 %", "0.001 %"),
            (0.00123, "0.1 %", "0.2 %"),
            (0.0123, "1.2 %", "1.3 %"),
            (0.123, "12 %", "13 %"),
        ] {
            assert_eq!(percent(share, PercentDigits::Nonzero), nearest);
            assert_eq!(percent(share, PercentDigits::Above), above);
        }
        assert_eq!(percent_range(0.0123, 0.12), "1.2 to 12 %");
    }
}
