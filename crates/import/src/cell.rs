//! Cells of tables as numbers, in the ways in which spreadsheets and programs write them.

use cll_units::{multiplier, time_unit};

use crate::decimal::Decimal;

/// The content of a cell where a number is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    /// A finite number.
    Number(f64),
    /// A time with its unit, such as `5 ms` or `0m1.2s`, in seconds.
    Time(f64),
    /// A time with colons, such as `00:09:12`, in seconds. It may be a duration or a time of day.
    Clock(f64),
    /// A number with a percent sign.
    Percent(f64),
    /// NaN, infinite, or too large.
    NotFinite(f64),
    /// Empty, or a word for a missing value.
    Missing,
    /// Something else.
    Text,
}

/// Words for a missing value, in lower case.
const MISSING: [&str; 15] = [
    "", "na", "n/a", "<na>", "nat", "null", "nil", "none", "missing", "-", "--", "—", ".", "?",
    "#nv",
];

/// Characters that stand between groups of three digits, besides comma and point.
const BETWEEN_GROUPS: [char; 7] = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\'', '\u{2019}', '_'];

impl Cell {
    /// Reads a cell without the space around it.
    pub(crate) fn read(text: &str, decimal: Decimal) -> Cell {
        if decimal == Decimal::Point
            && let Ok(value) = text.parse::<f64>()
        {
            return finite(value, Cell::Number);
        }
        if is_missing(text) {
            return Cell::Missing;
        }
        if let Some(value) = numeral(text, decimal) {
            return finite(value, Cell::Number);
        }
        if let Some(seconds) = clock(text) {
            return finite(seconds, Cell::Clock);
        }
        if let Some(cell) = with_unit(text, decimal) {
            return cell;
        }
        match parts(text) {
            Some(seconds) => finite(seconds, Cell::Time),
            None => Cell::Text,
        }
    }

    /// The number, if it is a finite one.
    pub(crate) fn number(self) -> Option<f64> {
        match self {
            Cell::Number(value) | Cell::Time(value) | Cell::Clock(value) | Cell::Percent(value) => {
                Some(value)
            }
            Cell::NotFinite(_) | Cell::Missing | Cell::Text => None,
        }
    }
}

fn finite(value: f64, kind: impl Fn(f64) -> Cell) -> Cell {
    if value.is_finite() { kind(value) } else { Cell::NotFinite(value) }
}

/// Whether a cell says that there is no value, as an error of a spreadsheet (`#DIV/0!`) does.
pub(crate) fn is_missing(text: &str) -> bool {
    let is_error = text.starts_with('#')
        && text.len() < 12
        && (text.ends_with(['!', '?']) || text.eq_ignore_ascii_case("#n/a"));
    is_error || text.len() <= 7 && MISSING.contains(&text.to_lowercase().as_str())
}

/// A number with separators of thousands and an exponent, which Fortran writes with a D.
pub(crate) fn numeral(text: &str, decimal: Decimal) -> Option<f64> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == decimal.sign()) {
        // What numbers are called that are none: inf, NaN.
        let is_word = digits.bytes().all(|byte| byte.is_ascii_alphabetic());
        return text.parse().ok().filter(|_| is_word);
    }
    let (mantissa, exponent) = match digits.find(['e', 'E', 'd', 'D']) {
        Some(index) => {
            let exponent = &digits[index + 1..];
            let is_fortran = digits[index..].starts_with(['d', 'D']);
            // `7d3` is a name rather than a number.
            let is_certain =
                exponent.starts_with(['+', '-']) || digits[..index].contains(decimal.sign());
            if is_fortran && !is_certain {
                return None;
            }
            (&digits[..index], format!("e{exponent}"))
        }
        None => (digits, String::new()),
    };
    let (integer, fraction) = mantissa.split_once(decimal.sign()).unwrap_or((mantissa, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let integer = without_groups(integer, decimal)?;
    format!("{sign}{integer}.{fraction}{exponent}").parse().ok()
}

/// Digits without what separates groups of three of them.
fn without_groups(integer: &str, decimal: Decimal) -> Option<String> {
    let is_between = |c: char| c == decimal.other().sign() || BETWEEN_GROUPS.contains(&c);
    let Some(between) = integer.chars().find(|c| is_between(*c)) else {
        return integer.bytes().all(|byte| byte.is_ascii_digit()).then(|| integer.to_owned());
    };
    let groups: Vec<&str> = integer.split(between).collect();
    let is_digits = |group: &&str| group.bytes().all(|byte| byte.is_ascii_digit());
    let is_first = (1..=3).contains(&groups[0].len()) && !groups[0].starts_with('0');
    let is_grouped = is_first && groups[1..].iter().all(|group| group.len() == 3);
    (is_grouped && groups.iter().all(is_digits)).then(|| groups.concat())
}

/// A number with a unit of time, a percent sign or a multiplier: `5 ms`, `99.7%`, `4k`.
fn with_unit(text: &str, decimal: Decimal) -> Option<Cell> {
    let number = text.trim_end_matches(|c: char| c.is_alphabetic() || c == '%');
    let unit = &text[number.len()..];
    if unit.is_empty() {
        return None;
    }
    let value = numeral(number.trim_end(), decimal)?;
    if unit == "%" {
        return Some(finite(value, Cell::Percent));
    }
    if let Some((seconds, _)) = time_unit(unit) {
        // By a whole number, which is exact.
        let time = if seconds < 1.0 { value / (1.0 / seconds).round() } else { value * seconds };
        return Some(finite(time, Cell::Time));
    }
    multiplier(unit).map(|factor| finite(value * factor, Cell::Number))
}

/// `[DAYS-]HH:MM:SS` or `MM:SS`, in seconds; also `1 days 00:00:01.5`.
fn clock(text: &str) -> Option<f64> {
    if !text.contains(':') {
        return None;
    }
    let (days, rest) = match text.split_once(" day") {
        Some((days, rest)) => (days, rest.trim_start_matches('s').trim_start_matches(',').trim()),
        None => text.split_once('-').unwrap_or(("0", text)),
    };
    let days: u32 = days.trim().parse().ok()?;
    let fields: Vec<&str> = rest.split(':').collect();
    let (hours, minutes, seconds) = match fields[..] {
        [minutes, seconds] => ("0", minutes, seconds),
        [hours, minutes, seconds] => (hours, minutes, seconds),
        _ => return None,
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let whole_seconds = seconds.split([',', '.']).next().unwrap_or_default();
    let is_sixties = |text: &str| text.len() == 2 && text < "60";
    let is_hours = fields.len() == 3 && is_digits(hours) && is_sixties(minutes);
    let is_minutes = fields.len() == 2 && is_digits(minutes) && days == 0;
    if !(is_hours || is_minutes)
        || !is_digits(minutes)
        || !is_digits(whole_seconds)
        || !is_sixties(whole_seconds)
    {
        return None;
    }
    let fraction = fraction(seconds)?;
    let count = |text: &str| text.parse::<f64>().ok();
    Some(((f64::from(days) * 24.0 + count(hours)?) * 60.0 + count(minutes)?) * 60.0 + fraction)
}

/// `1h02m03.5s`, `0m1.2s` as shells write it, in seconds.
fn parts(text: &str) -> Option<f64> {
    let mut rest = text;
    let mut last = f64::INFINITY;
    let mut sum = 0.0;
    while !rest.is_empty() {
        let number = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let (digits, behind) = rest.split_at(number);
        let end = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let seconds = match &behind[..end] {
            "d" => 86400.0,
            "h" => 3600.0,
            "m" | "min" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            _ => return None,
        };
        if seconds >= last {
            return None;
        }
        last = seconds;
        sum += fraction(digits.trim())? * seconds;
        rest = behind[end..].trim_start();
    }
    // `5m` alone may be anything.
    (last < 60.0).then_some(sum)
}

/// Digits with a fraction behind a comma or a point: nothing separates thousands there.
fn fraction(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b",.".contains(&byte));
    text.replace(',', ".").parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(text: &str) -> Cell {
        Cell::read(text, Decimal::Point)
    }

    #[test]
    fn numbers_are_those_that_programs_write() {
        for (text, expected) in [
            ("1.5", 1.5),
            ("-2e3", -2000.0),
            ("1,000", 1000.0),
            ("1,234,567.25", 1_234_567.25),
            ("1 000", 1000.0),
            ("12\u{a0}000", 12_000.0),
            ("12\u{202f}000.5", 12_000.5),
            ("1'000", 1000.0),
            ("1_000_000", 1e6),
            ("1.2D-3", 1.2e-3),
            ("1.0d0", 1.0),
            ("4k", 4000.0),
            ("64Ki", 65536.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("\u{2212}3", -3.0),
        ] {
            assert_eq!(point(text), Cell::Number(expected), "{text}");
        }
        for (text, expected) in
            [("0,5", 0.5), ("1.000,5", 1000.5), ("1.000", 1000.0), ("1'000,25", 1000.25)]
        {
            assert_eq!(Cell::read(text, Decimal::Comma), Cell::Number(expected), "{text}");
        }
        for text in
            ["1,00", "01,000", "1,0000", "7d3", "1.2.3", "12:30", "a1", "1 00", "1__000", "4m", "x"]
        {
            assert!(!matches!(point(text), Cell::Number(_)), "{text}: {:?}", point(text));
        }
        assert_eq!(Cell::read("0.5", Decimal::Comma), Cell::Text);
    }

    #[test]
    fn times_and_shares_carry_their_unit() {
        for (text, expected) in [
            ("5 ms", 5e-3),
            ("2.5us", 2.5e-6),
            ("0m1.2s", 1.2),
            ("0m1,250s", 1.25),
            ("1h02m03s", 3723.0),
            ("2 min", 120.0),
            ("1m30s", 90.0),
        ] {
            assert_eq!(point(text), Cell::Time(expected), "{text}");
        }
        for (text, expected) in [
            ("0:00:01.2", 1.2),
            ("00:09:12", 552.0),
            ("1-00:12:00", 87_120.0),
            ("1:30", 90.0),
            ("01:30.5", 90.5),
            ("100:00:00", 360_000.0),
            ("0 days 00:00:01.500000", 1.5),
        ] {
            assert_eq!(point(text), Cell::Clock(expected), "{text}");
        }
        assert_eq!(point("99.7%"), Cell::Percent(99.7));
        assert_eq!(Cell::read("99,7 %", Decimal::Comma), Cell::Percent(99.7));
        for text in ["1:2:3", "10:75:00", "1:5", "2026-03-01", "m", "s", "5m", "h1", "a:10:20"] {
            assert_eq!(point(text), Cell::Text, "{text}");
        }
    }

    #[test]
    fn missing_values_have_many_words() {
        for text in
            ["", "NA", "n/a", "NULL", "None", "-", "#N/A", "#DIV/0!", "#WERT!", "<NA>", "NaT"]
        {
            assert_eq!(point(text), Cell::Missing, "{text}");
        }
        assert!(matches!(point("nan"), Cell::NotFinite(_)));
        assert!(matches!(point("-inf"), Cell::NotFinite(_)));
        assert!(matches!(point("1e999"), Cell::NotFinite(_)));
    }
}
