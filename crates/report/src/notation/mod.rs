//! Numbers with a unit and a prefix that fits, and with as many digits as their uncertainty
//! allows. No locale: the decimal sign is a point, thousands are not grouped.

pub(crate) mod scale;

use cll_fit::Unit;
use cll_units::digits::{exponent, fixed, four_digits, not_finite, place, shift, trim};
use cll_units::text::{PercentDigits, percent};

use crate::text::escape;
use scale::{Scale, UnitKind, unit_kind};

/// The letters that numbers and units are written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `3.42 ± 0.08 µs`
    Unicode,
    /// `3.42 +- 0.08 us`
    Ascii,
}

/// Digits at most, even for a smaller uncertainty.
const MAX_DIGITS: i32 = 6;

impl Notation {
    /// A value with its unit, to 3 significant digits: `3.42 ms`, `512 B`, `1.24e6 misses`.
    pub fn quantity(self, value: f64, unit: &Unit) -> String {
        self.rounded(value, 3, unit)
    }

    /// A value with its unit, to a given number of significant digits (1 to 15).
    pub fn rounded(self, value: f64, digits: usize, unit: &Unit) -> String {
        let digits = digits.clamp(1, 15);
        if !value.is_finite() {
            return format!("{}{}", not_finite(value), Scale::plain(unit, self).suffix);
        }
        if value == 0.0 {
            return format!("0{}", Scale::plain(unit, self).suffix);
        }
        let scale = Scale::for_size(value, digits, unit, self);
        let scaled = scale.apply(value);
        let text = fixed(scaled, digits as i32 - 1 - exponent(scaled, digits));
        // Counts and bytes that are whole numbers need no `.00`; seconds are measured.
        let counted =
            scaled.fract() == 0.0 && !scale.power && !matches!(unit_kind(unit), UnitKind::Seconds);
        let text = if counted { trim(&text) } else { &text };
        format!("{text}{}", scale.suffix)
    }

    /// `3.42 ± 0.08 ms`: as many digits as the uncertainty allows. An uncertainty that is not a
    /// number leaves the value alone.
    pub fn plus_minus(self, value: f64, half: f64, unit: &Unit) -> String {
        let (value, half) = self.plus_minus_parts(value, half, unit);
        if half.is_empty() { value } else { format!("{value} {half}") }
    }

    /// [`Notation::plus_minus`] in two parts for two columns: `3.42` and `± 0.08 ms`. Without a
    /// known uncertainty the value has its unit and the second part is empty.
    pub fn plus_minus_parts(self, value: f64, half: f64, unit: &Unit) -> (String, String) {
        let sign = self.plus_minus_sign();
        if !value.is_finite() || !half.is_finite() {
            return (self.quantity(value, unit), String::new());
        }
        let half = half.abs();
        let finest = exponent(value, MAX_DIGITS as usize) - MAX_DIGITS + 1;
        if half == 0.0 || (value != 0.0 && place(half) < finest) {
            // Too small for the digits of the value: the uncertainty keeps its own unit.
            let value = self.rounded(value, MAX_DIGITS as usize, unit);
            return (value, format!("{sign} {}", self.rounded(half, 1, unit)));
        }
        let digit = place(half);
        let size = value.abs().max(half);
        let kept = (exponent(size, 15) - digit + 1).max(1) as usize;
        let scale = Scale::for_size(size, kept, unit, self);
        let decimals = decimals_at(digit, &scale);
        let (value, half) =
            (fixed(scale.apply(value), decimals), fixed(scale.apply(half), decimals));
        if scale.power {
            return (format!("({value}"), format!("{sign} {half}){}", scale.suffix));
        }
        (value, format!("{sign} {half}{}", scale.suffix))
    }

    pub(crate) fn plus_minus_sign(self) -> &'static str {
        if self == Notation::Unicode { "±" } else { "+-" }
    }

    /// Digits of a value that its uncertainty allows, at least 2; 3 if it is not known.
    pub(crate) fn digits(value: f64, half: f64) -> usize {
        if value == 0.0 || !value.is_finite() || half.is_nan() || half <= 0.0 {
            return 3;
        }
        (exponent(value, 3) - place(half) + 1).clamp(2, MAX_DIGITS) as usize
    }

    /// A range: `3.34 to 3.50 ms`; ends of different magnitude keep their own prefixes.
    pub fn range(self, low: f64, high: f64, unit: &Unit) -> String {
        if !low.is_finite() || !high.is_finite() {
            return format!("{} to {}", self.quantity(low, unit), self.quantity(high, unit));
        }
        let size = low.abs().max(high.abs());
        if size == 0.0 {
            return format!("0 to 0{}", Scale::plain(unit, self).suffix);
        }
        let least = exponent(size, 3) - MAX_DIGITS + 1;
        let width = if high == low { size / 10.0 } else { 0.5 * (high - low) };
        let digit = place(width).max(least).min(exponent(size, 3) - 2);
        let kept = (exponent(size, 15) - digit + 1).max(1) as usize;
        let scale = Scale::for_size(size, kept, unit, self);
        if low != 0.0 && high != 0.0 {
            let (small, large) = (low.abs().min(high.abs()), size);
            if small < 1e-3 * large {
                return format!("{} to {}", self.quantity(low, unit), self.quantity(high, unit));
            }
        }
        let end = |value: f64| {
            let own = digit.min(exponent(value, 3) - 2);
            let decimals = decimals_at(if value == 0.0 { digit } else { own }, &scale);
            fixed(scale.apply(value), decimals)
        };
        if scale.power {
            return format!("({} to {}){}", end(low), end(high), scale.suffix);
        }
        format!("{} to {}{}", end(low), end(high), scale.suffix)
    }

    /// A value to the digits that its range allows, with its unit: `20.8 ms` for 20.4 to 21.2 ms.
    pub fn within(self, value: f64, low: f64, high: f64, unit: &Unit) -> String {
        let half = 0.5 * (high - low).abs();
        if !value.is_finite() || !half.is_finite() || half == 0.0 || value == 0.0 {
            return self.rounded(value, 4, unit);
        }
        self.rounded(value, Notation::digits(value, half).max(3), unit)
    }

    /// A share as percent: `3.4 %`, `34 %`, `0.02 %`, `0 %`.
    pub fn percent(self, share: f64) -> String {
        percent(share, PercentDigits::Read)
    }

    /// How many times: `1.23×`, `12×`.
    pub fn ratio(self, ratio: f64) -> String {
        let sign = if self == Notation::Unicode { "×" } else { "x" };
        let text = match ratio.abs() {
            size if !size.is_finite() => not_finite(ratio).to_owned(),
            size if size >= 99_999.5 || (size != 0.0 && size < 0.01) => self.number(ratio),
            size if size < 9.995 => trim(&fixed(ratio, 2)).to_owned(),
            size if size < 99.95 => trim(&fixed(ratio, 1)).to_owned(),
            _ => fixed(ratio, 0),
        };
        format!("{text}{sign}")
    }

    /// A number without unit, such as a variable's value: whole ones below 1e15 exactly, others to
    /// 4 significant digits: `3000`, `1448`, `0.125`, `1.5e-7`.
    pub fn number(self, value: f64) -> String {
        four_digits(value)
    }

    /// A value as it was given, if it has a few digits; else as [`Notation::number`]: `1000.5`, `3000`, `0.3333`.
    pub fn given(self, value: f64) -> String {
        /// Digits that people type; more are from a calculation.
        const DIGITS: usize = 9;
        let text = format!("{value}");
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let is_readable = (1e-4..1e6).contains(&value.abs()) && digits <= DIGITS;
        if is_readable { text } else { self.number(value) }
    }

    /// A size in bytes: whole multiples exactly (`32 KiB`), others to 3 digits.
    pub fn bytes(self, bytes: u64) -> String {
        self.rounded(bytes as f64, if bytes < 1024 { 4 } else { 3 }, &Unit::Other("B".into()))
    }

    /// `1 point`, `25 points`.
    pub fn count(self, count: usize, text: &str, many: &str) -> String {
        format!("{count} {}", if count == 1 { text } else { many })
    }

    /// `N = 4096, P = 2`
    pub fn values(self, variables: &[(String, f64)]) -> String {
        let value = |(name, value): &(String, f64)| {
            format!("{} = {}", self.text(name), self.number(*value))
        };
        variables.iter().map(value).collect::<Vec<String>>().join(", ")
    }

    /// Foreign text in these letters, control characters escaped.
    pub fn text(self, text: &str) -> String {
        match self {
            Notation::Unicode => escape(text),
            Notation::Ascii => escape(&text.replace(['µ', 'μ'], "u"))
                .chars()
                .map(|c| if c.is_ascii() { c.to_string() } else { c.escape_unicode().to_string() })
                .collect(),
        }
    }
}

/// Places after the point in this scale for a digit at this exponent of ten.
fn decimals_at(digit: i32, scale: &Scale) -> i32 {
    let value = shift(1.0, digit.clamp(-300, 300));
    -exponent(scale.apply(value), 12) + if digit < -300 { -300 - digit } else { 0 }
}

#[cfg(test)]
mod tests;
