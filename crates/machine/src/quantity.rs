//! Numbers with units, as people write them: `1.2 us`, `0.31 [0.30, 0.33] ns/B`.

use std::fmt::Write as _;

use crate::uncertain::Uncertain;

/// The kind of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuantityKind {
    /// Seconds.
    Time,
    /// Seconds per byte.
    TimePerByte,
    /// Bytes.
    Size,
    /// Operations per second.
    Rate,
    /// Operations.
    Operations,
    /// Operations per byte.
    OperationsPerByte,
    /// Bytes per second.
    Bandwidth,
    /// A number of times.
    Factor,
}

/// A unit: `value in the kind's own unit = number * 10^ten * factor`, the factor a power of two.
pub(crate) struct QuantityUnit {
    pub name: &'static str,
    pub kind: QuantityKind,
    ten: i32,
    factor: f64,
}

const fn unit(name: &'static str, kind: QuantityKind, ten: i32, factor: f64) -> QuantityUnit {
    QuantityUnit { name, kind, ten, factor }
}

/// A 32-bit word, the literature's unit of communication.
const WORD: f64 = 0.25;

/// All units. When a quantity is written, the first suitable one is used.
pub(crate) const UNITS: &[QuantityUnit] = &[
    unit("s", QuantityKind::Time, 0, 1.0),
    unit("ms", QuantityKind::Time, -3, 1.0),
    unit("us", QuantityKind::Time, -6, 1.0),
    unit("ns", QuantityKind::Time, -9, 1.0),
    unit("ps", QuantityKind::Time, -12, 1.0),
    unit("µs", QuantityKind::Time, -6, 1.0),
    unit("μs", QuantityKind::Time, -6, 1.0),
    unit("s/B", QuantityKind::TimePerByte, 0, 1.0),
    unit("ms/B", QuantityKind::TimePerByte, -3, 1.0),
    unit("us/B", QuantityKind::TimePerByte, -6, 1.0),
    unit("ns/B", QuantityKind::TimePerByte, -9, 1.0),
    unit("ps/B", QuantityKind::TimePerByte, -12, 1.0),
    unit("µs/B", QuantityKind::TimePerByte, -6, 1.0),
    unit("μs/B", QuantityKind::TimePerByte, -6, 1.0),
    unit("us/word", QuantityKind::TimePerByte, -6, WORD),
    unit("µs/word", QuantityKind::TimePerByte, -6, WORD),
    unit("μs/word", QuantityKind::TimePerByte, -6, WORD),
    unit("ns/word", QuantityKind::TimePerByte, -9, WORD),
    unit("B", QuantityKind::Size, 0, 1.0),
    unit("KiB", QuantityKind::Size, 0, 1024.0),
    unit("MiB", QuantityKind::Size, 0, 1_048_576.0),
    unit("GiB", QuantityKind::Size, 0, 1_073_741_824.0),
    unit("kB", QuantityKind::Size, 3, 1.0),
    unit("MB", QuantityKind::Size, 6, 1.0),
    unit("GB", QuantityKind::Size, 9, 1.0),
    unit("Top/s", QuantityKind::Rate, 12, 1.0),
    unit("Gop/s", QuantityKind::Rate, 9, 1.0),
    unit("Mop/s", QuantityKind::Rate, 6, 1.0),
    unit("kop/s", QuantityKind::Rate, 3, 1.0),
    unit("op/s", QuantityKind::Rate, 0, 1.0),
    unit("Gflop/s", QuantityKind::Rate, 9, 1.0),
    unit("Mflop/s", QuantityKind::Rate, 6, 1.0),
    unit("flop/s", QuantityKind::Rate, 0, 1.0),
    unit("op", QuantityKind::Operations, 0, 1.0),
    unit("flop", QuantityKind::Operations, 0, 1.0),
    unit("op/B", QuantityKind::OperationsPerByte, 0, 1.0),
    unit("op/word", QuantityKind::OperationsPerByte, 0, WORD),
    unit("flop/word", QuantityKind::OperationsPerByte, 0, WORD),
    unit("TB/s", QuantityKind::Bandwidth, 12, 1.0),
    unit("GB/s", QuantityKind::Bandwidth, 9, 1.0),
    unit("MB/s", QuantityKind::Bandwidth, 6, 1.0),
    unit("kB/s", QuantityKind::Bandwidth, 3, 1.0),
    unit("B/s", QuantityKind::Bandwidth, 0, 1.0),
    unit("x", QuantityKind::Factor, 0, 1.0),
];

/// The fault of a text that should be a quantity; the range is of bytes in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wrong {
    /// A number is missing.
    Number(std::ops::Range<usize>),
    /// Negative, NaN or infinite.
    Value(std::ops::Range<usize>, &'static str),
    /// There is no unit.
    NoUnit(std::ops::Range<usize>),
    /// It is not known.
    Unit(std::ops::Range<usize>),
    /// It is one of another kind.
    Other(std::ops::Range<usize>, QuantityKind),
    /// The interval is not `[LOW, HIGH]`, or does not contain the value.
    Interval(std::ops::Range<usize>, &'static str),
}

impl QuantityKind {
    /// In words, with an example.
    pub fn described(self) -> &'static str {
        match self {
            QuantityKind::Time => "a time such as \"1.2 us\"",
            QuantityKind::TimePerByte => "a time per byte such as \"0.31 ns/B\"",
            QuantityKind::Size => "a number of bytes such as \"64 KiB\"",
            QuantityKind::Rate => "operations per second such as \"900 Mop/s\"",
            QuantityKind::Operations => "operations such as \"1132 op\"",
            QuantityKind::OperationsPerByte => "operations per word such as \"3.1 op/word\"",
            QuantityKind::Bandwidth => "bytes per second such as \"12 GB/s\"",
            QuantityKind::Factor => "a factor such as \"1.5 x\"",
        }
    }

    /// The names of its units.
    pub fn units(self) -> String {
        let names: Vec<&str> =
            UNITS.iter().filter(|unit| unit.kind == self).map(|unit| unit.name).collect();
        // Units with a letter that is not on keyboards are the same as others.
        let names: Vec<&str> = names.into_iter().filter(|name| name.is_ascii()).collect();
        names.join(", ")
    }
}

/// Reads a quantity of one of these kinds: `NUMBER UNIT` or `NUMBER [LOW, HIGH] UNIT`.
pub(crate) fn parse(
    text: &str,
    kinds: &[QuantityKind],
) -> Result<(QuantityKind, Uncertain), Wrong> {
    let mut offset = spaces(text, 0);
    let (value, value_at) = number(text, &mut offset)?;
    offset = spaces(text, offset);
    let mut bounds = None;
    let bracket = offset;
    if text[offset..].starts_with('[') {
        offset = spaces(text, offset + 1);
        let (low, _) = number(text, &mut offset)?;
        offset = spaces(text, offset);
        if !text[offset..].starts_with(',') {
            return Err(Wrong::Interval(bracket..offset, "an interval is [LOW, HIGH]"));
        }
        offset = spaces(text, offset + 1);
        let (high, _) = number(text, &mut offset)?;
        offset = spaces(text, offset);
        if !text[offset..].starts_with(']') {
            return Err(Wrong::Interval(bracket..offset, "an interval is [LOW, HIGH]"));
        }
        offset += 1;
        bounds = Some((low, high, bracket..offset));
        offset = spaces(text, offset);
    }
    let name = text[offset..].trim_end();
    let place = offset..offset + name.len();
    if name.is_empty() {
        return Err(Wrong::NoUnit(value_at));
    }
    let named: Vec<&QuantityUnit> = UNITS.iter().filter(|unit| unit.name == name).collect();
    let Some(unit) = named.iter().find(|unit| kinds.contains(&unit.kind)) else {
        return Err(match named.first() {
            Some(other) => Wrong::Other(place, other.kind),
            None => Wrong::Unit(place),
        });
    };
    let in_unit = |text: &str, place: &std::ops::Range<usize>| {
        let value = unit.value(text);
        if value.is_finite() {
            Ok(value)
        } else {
            Err(Wrong::Value(place.clone(), "it is too large for a number"))
        }
    };
    let value = in_unit(value, &value_at)?;
    let mut uncertain = Uncertain::exact(value);
    if let Some((low, high, place)) = bounds {
        (uncertain.low, uncertain.high) = (in_unit(low, &place)?, in_unit(high, &place)?);
        if !(uncertain.low <= uncertain.value && uncertain.value <= uncertain.high) {
            return Err(Wrong::Interval(place, "the interval does not hold the value"));
        }
    }
    Ok((unit.kind, uncertain))
}

fn spaces(text: &str, from: usize) -> usize {
    text.len() - text[from..].trim_start_matches([' ', '\t']).len()
}

/// The text of a number from zero upwards.
fn number<'a>(
    text: &'a str,
    offset: &mut usize,
) -> Result<(&'a str, std::ops::Range<usize>), Wrong> {
    let rest = &text[*offset..];
    let is_word = |c: char| !c.is_whitespace() && !matches!(c, '[' | ']' | ',');
    let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
    let bytes = rest.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = digits(0);
    let mut some = end > 0;
    if bytes.get(end) == Some(&b'.') {
        let more = digits(end + 1);
        some |= more > 0;
        end += 1 + more;
    }
    if !some {
        let place =
            *offset..*offset + word.len().max(usize::from(!rest.is_empty()).min(rest.len()));
        let place =
            if rest.is_char_boundary(place.end - *offset) { place } else { *offset..text.len() };
        let lower = word.to_ascii_lowercase();
        return Err(match lower.trim_start_matches(['+', '-']) {
            text if text.starts_with("nan") => Wrong::Value(place, "it is not a number"),
            text if text.starts_with("inf") => Wrong::Value(place, "it is not finite"),
            other if lower.starts_with('-') && other.starts_with(|c: char| c.is_ascii_digit()) => {
                Wrong::Value(place, "it is negative")
            }
            _ => Wrong::Number(place),
        });
    }
    // An exponent, where digits follow: `1e-9 s`.
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits((end + 1 + sign).min(bytes.len()));
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    let place = *offset..*offset + end;
    *offset += end;
    Ok((&rest[..end], place))
}

impl QuantityUnit {
    /// The number in the kind's own unit. The decimal point is moved in the text, so that a number that was written
    /// with a unit is read back without a rounding error.
    fn value(&self, text: &str) -> f64 {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i32>().unwrap_or(i32::MAX / 2)),
            None => (text, 0),
        };
        let exponent = exponent.saturating_add(self.ten).clamp(-100_000, 100_000);
        format!("{digits}e{exponent}").parse::<f64>().unwrap_or(f64::NAN) * self.factor
    }
}

/// A quantity as [`parse`] reads it, in a unit that keeps the number short. All numbers are from
/// zero upwards and finite.
pub(crate) fn write(kind: QuantityKind, quantity: Uncertain) -> String {
    let unit = unit_for(kind, quantity.value);
    let number = |value: f64| {
        if unit.factor == 1.0 { decimal(value, -unit.ten) } else { decimal(value / unit.factor, 0) }
    };
    let mut text = number(quantity.value);
    if quantity.has_spread() {
        // Writing to a string cannot fail.
        let _ = write!(text, " [{}, {}]", number(quantity.low), number(quantity.high));
    }
    text + " " + unit.name
}

/// The units that are written, from the largest down.
fn written(kind: QuantityKind) -> &'static [&'static str] {
    match kind {
        QuantityKind::Time => &["s", "ms", "us", "ns", "ps"],
        QuantityKind::TimePerByte => &["s/B", "ms/B", "us/B", "ns/B", "ps/B"],
        QuantityKind::Size => &["GiB", "MiB", "KiB", "B"],
        QuantityKind::Rate => &["Top/s", "Gop/s", "Mop/s", "kop/s", "op/s"],
        QuantityKind::Operations => &["op"],
        QuantityKind::OperationsPerByte => &["op/word"],
        QuantityKind::Bandwidth => &["GB/s", "MB/s", "kB/s", "B/s"],
        QuantityKind::Factor => &["x"],
    }
}

/// The largest unit in which the number is at least 1; for sizes, in which it is whole.
fn unit_for(kind: QuantityKind, value: f64) -> &'static QuantityUnit {
    let named = |name: &&str| UNITS.iter().find(|unit| unit.name == *name);
    let fits = |unit: &&QuantityUnit| match kind {
        QuantityKind::Size => value > 0.0 && value % unit.factor == 0.0,
        _ => value == 0.0 || value >= 10f64.powi(unit.ten),
    };
    let mut units = written(kind).iter().filter_map(named);
    let last = units.clone().next_back();
    units.find(fits).or(last).unwrap_or(&UNITS[0])
}

/// The shortest decimal that is this number, times ten to a power, without an exponent where
/// that is not long.
fn decimal(value: f64, shift: i32) -> String {
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent = exponent.parse::<i32>().unwrap_or(0) + shift;
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{integer}{fraction}");
    let point = 1 + exponent;
    if value == 0.0 {
        "0".to_owned()
    } else if !(-5..=15).contains(&point) {
        format!("{mantissa}e{exponent}")
    } else if point <= 0 {
        format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize))
    } else if digits.len() <= point as usize {
        let zeros = point as usize - digits.len();
        digits + &"0".repeat(zeros)
    } else {
        format!("{}.{}", &digits[..point as usize], &digits[point as usize..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, kind: QuantityKind) -> f64 {
        parse(text, &[kind]).unwrap().1.value
    }

    #[test]
    fn quantities_are_read_in_all_their_units() {
        assert_eq!(value("1.2 us", QuantityKind::Time), 1.2e-6);
        assert_eq!(value(" 35µs ", QuantityKind::Time), 35e-6);
        assert_eq!(value(".5 ns/B", QuantityKind::TimePerByte), 0.5e-9);
        assert_eq!(value("2 us/word", QuantityKind::TimePerByte), 0.5e-6);
        assert_eq!(value("1e3 op/word", QuantityKind::OperationsPerByte), 250.0);
        assert_eq!(value("64 KiB", QuantityKind::Size), 65536.0);
        assert_eq!(value("10.1 Mflop/s", QuantityKind::Rate), 10.1e6);
        let (_, all) = parse("1.2 [1.1, 1.3] us", &[QuantityKind::Time]).unwrap();
        assert_eq!(all, Uncertain { value: 1.2e-6, low: 1.1e-6, high: 1.3e-6 });
    }

    #[test]
    fn what_is_no_quantity_is_reported() {
        let wrong = |text: &str| parse(text, &[QuantityKind::Time]).unwrap_err();
        assert_eq!(wrong("x ns"), Wrong::Number(0..1));
        assert_eq!(wrong(""), Wrong::Number(0..0));
        assert_eq!(wrong("µ"), Wrong::Number(0..2));
        assert_eq!(wrong("-3 ns"), Wrong::Value(0..2, "it is negative"));
        assert_eq!(wrong("NaN ns"), Wrong::Value(0..3, "it is not a number"));
        assert_eq!(wrong("inf"), Wrong::Value(0..3, "it is not finite"));
        assert_eq!(wrong("1e999 s"), Wrong::Value(0..5, "it is too large for a number"));
        assert_eq!(wrong("12"), Wrong::NoUnit(0..2));
        assert_eq!(wrong("12 parsec"), Wrong::Unit(3..9));
        assert_eq!(wrong("12 ns/B"), Wrong::Other(3..7, QuantityKind::TimePerByte));
        assert!(matches!(wrong("1 [2, 3] s"), Wrong::Interval(..)));
        assert!(matches!(wrong("1 [1 3] s"), Wrong::Interval(..)));
    }

    #[test]
    fn numbers_are_written_as_people_would() {
        let text = |kind, value| write(kind, Uncertain::exact(value));
        assert_eq!(text(QuantityKind::Time, 1.25e-6), "1.25 us");
        assert_eq!(text(QuantityKind::Time, 0.0), "0 s");
        assert_eq!(text(QuantityKind::Time, 90.0), "90 s");
        assert_eq!(text(QuantityKind::TimePerByte, 0.31e-9), "310 ps/B");
        assert_eq!(text(QuantityKind::Size, 65536.0), "64 KiB");
        assert_eq!(text(QuantityKind::Size, 1000.0), "1000 B");
        assert_eq!(text(QuantityKind::Rate, 2.5e9), "2.5 Gop/s");
        assert_eq!(text(QuantityKind::Time, 1e-15), "0.001 ps");
        let spread = Uncertain { value: 2e-9, low: 0.0, high: 2.5e-9 };
        assert_eq!(write(QuantityKind::Time, spread), "2 [0, 2.5] ns");
    }
}
