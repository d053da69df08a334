//! The syntax of values: `LO:HI`, `LO:HI:*F`, `LO:HI:+S`, and lists separated by commas.

use std::str::FromStr;

/// The largest number of values of a range.
const MAX_VALUES: usize = 100_000;

/// Values, in the given order; each once.
#[derive(Clone, Debug, PartialEq)]
pub struct Range(Vec<f64>);

/// Numbers of processors, in the given order; each once. They are written like other values; as in `procs` of a
/// source, `LO:HI:F` also means `LO:HI:*F`.
#[derive(Clone, Debug, PartialEq)]
pub struct Processors(Vec<u32>);

/// A variable and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The name, used as `{NAME}` in the program's arguments.
    pub name: String,
    /// Its values.
    pub range: Range,
}

impl Range {
    /// The values.
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// Parses values; `bare` says what a step without a sign means.
    fn read(text: &str, bare: BareStep) -> Result<Range, String> {
        let mut values: Vec<f64> = Vec::new();
        for part in text.split(',') {
            for value in part_values(part.trim(), bare)? {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        Ok(Range(values))
    }
}

/// The meaning of a step without `*` or `+`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum BareStep {
    /// A factor, as in the papers for numbers of processors.
    Factor,
    /// An error: for sizes users may mean either.
    Refused,
}

impl Processors {
    /// The numbers.
    pub fn counts(&self) -> &[u32] {
        &self.0
    }
}

impl FromStr for Processors {
    type Err = String;

    fn from_str(text: &str) -> Result<Processors, String> {
        let count = |value: f64| match value {
            v if v >= 1.0 && v <= f64::from(u32::MAX) && v.fract() == 0.0 => Ok(v as u32),
            v => Err(format!("{v} is not a number of processors: it must be whole and at least 1")),
        };
        let range = Range::read(text, BareStep::Factor)?;
        range.0.into_iter().map(count).collect::<Result<_, _>>().map(Processors)
    }
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Range, String> {
        Range::read(text, BareStep::Refused)
    }
}

impl FromStr for Variation {
    type Err = String;

    fn from_str(text: &str) -> Result<Variation, String> {
        let (name, range) = split(text)?;
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.chars().all(letter) || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(format!("`{name}` is not a name: use letters, digits and _"));
        }
        Ok(Variation { name: name.to_owned(), range: range.parse()? })
    }
}

/// Splits `NAME=TEXT`, without the space around the parts.
///
/// # Errors
/// If it does not have that form.
pub fn split(text: &str) -> Result<(&str, &str), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim(), value.trim())),
        _ => Err(format!("`{text}` has not the form NAME=VALUE")),
    }
}

/// A finite number, also `1e6`.
///
/// # Errors
/// If it is not a number.
pub fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("`{text}` is not a number")),
    }
}

/// A value as a program's argument: whole numbers without a decimal point.
pub fn argument(value: f64) -> String {
    // `Display` of a double never uses an exponent.
    format!("{value}")
}

fn part_values(part: &str, bare: BareStep) -> Result<Vec<f64>, String> {
    let fields: Vec<&str> = part.split(':').map(str::trim).collect();
    let (low, high, step) = match fields[..] {
        [single] => return Ok(vec![number(single)?]),
        [low, high] => (number(low)?, number(high)?, "+1"),
        [low, high, step] => (number(low)?, number(high)?, step),
        _ => {
            return Err(format!(
                "`{part}` is not a range such as LO:HI, LO:HI:*FACTOR or LO:HI:+STEP"
            ));
        }
    };
    if low > high {
        return Err(format!("`{part}` is empty: {low} is above {high}"));
    }
    if let Some(step) = step.strip_prefix('+') {
        return arithmetic(part, low, high, number(step.trim())?);
    }
    match step.strip_prefix('*') {
        Some(factor) => geometric(part, low, high, number(factor.trim())?),
        None if bare == BareStep::Factor => geometric(part, low, high, number(step)?),
        None => {
            number(step)?;
            Err(format!("`{part}`: write *{step} to multiply by {step}, +{step} to add it"))
        }
    }
}

/// `low`, `low*factor`, …; rounded to whole numbers if `low` is one, since sizes are whole.
fn geometric(part: &str, low: f64, high: f64, factor: f64) -> Result<Vec<f64>, String> {
    if factor <= 1.0 || low <= 0.0 {
        return Err(format!(
            "`{part}` never ends: it must begin above 0 and the factor must be above 1"
        ));
    }
    let whole = low.fract() == 0.0;
    let mut values: Vec<f64> = Vec::new();
    for k in 0.. {
        let exact = low * factor.powi(k);
        let value = if whole { exact.round() } else { exact };
        // Rounding errors may make the last value slightly larger than the upper bound.
        if value > high * (1.0 + 1e-12) {
            break;
        }
        if values.last() != Some(&value) {
            values.push(value);
        }
        few_enough(part, values.len())?;
    }
    Ok(values)
}

fn arithmetic(part: &str, low: f64, high: f64, step: f64) -> Result<Vec<f64>, String> {
    if step <= 0.0 {
        return Err(format!("`{part}` never ends: the step must be above 0"));
    }
    let count = ((high - low) / step * (1.0 + 1e-12)).floor();
    few_enough(part, if count < MAX_VALUES as f64 { count as usize + 1 } else { MAX_VALUES + 1 })?;
    Ok((0..=count as usize).map(|k| low + k as f64 * step).collect())
}

fn few_enough(part: &str, count: usize) -> Result<(), String> {
    match count <= MAX_VALUES {
        true => Ok(()),
        false => Err(format!("`{part}` has more than {MAX_VALUES} values")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<f64> {
        text.parse::<Range>().unwrap().0
    }

    #[test]
    fn ranges() {
        assert_eq!(values("256:4096:*2"), [256.0, 512.0, 1024.0, 2048.0, 4096.0]);
        assert_eq!(values("100:200:*1.4"), [100.0, 140.0, 196.0]);
        assert_eq!(values("1:4:*1.2"), [1.0, 2.0, 3.0, 4.0], "whole numbers, each once");
        assert_eq!(values("0.5:2:*2"), [0.5, 1.0, 2.0]);
        assert_eq!(values("10:30:+10"), [10.0, 20.0, 30.0]);
        assert_eq!(values("0:1:+0.1").len(), 11);
        assert_eq!(values("1,2, 8:32:*2,2"), [1.0, 2.0, 8.0, 16.0, 32.0]);
        assert_eq!(values("1e6"), [1e6]);
        assert_eq!(values("1:2"), [1.0, 2.0]);
        assert_eq!(values("3 : 5, 9"), [3.0, 4.0, 5.0, 9.0]);
        assert_eq!(values("0.5:2"), [0.5, 1.5]);
    }

    /// The syntax of `procs` in a source is accepted here, with equal numbers.
    #[test]
    fn numbers_of_processors_are_written_as_in_a_source() {
        let counts = |text: &str| text.parse::<Processors>().unwrap().0;
        assert_eq!(counts("1:32:2"), [1, 2, 4, 8, 16, 32]);
        assert_eq!(counts("1:32:*2"), [1, 2, 4, 8, 16, 32]);
        assert_eq!(counts(" 2 : 8 : +3 "), [2, 5, 8]);
        assert_eq!(counts("1:3, 8, 3"), [1, 2, 3, 8]);
        assert_eq!(counts("1:2"), [1, 2]);
    }

    #[test]
    fn what_is_no_range() {
        for (text, part) in [
            ("", "not a number"),
            ("1:", "not a number"),
            ("2:1", "empty"),
            ("1:32:", "not a number"),
            ("1:32:x", "not a number"),
            ("1:32:2", "write *2"),
            ("1:8:*1", "never ends"),
            ("0:8:*2", "never ends"),
            ("1:8:+0", "never ends"),
            ("8:1:*2", "empty"),
            ("0:1e9:+1", "more than"),
            ("1:2:3:4", "is not a range"),
            ("N", "not a number"),
        ] {
            let error = text.parse::<Range>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!("a b=1".parse::<Variation>().is_err());
        for text in ["0.5", "0", "0:3", "1:4:1", "1:8:0.5", "1:9:+0.5", "1e10", "two"] {
            assert!(text.parse::<Processors>().is_err(), "{text}");
        }
    }

    #[test]
    fn arguments_have_no_exponent() {
        assert_eq!(argument(1e21), "1000000000000000000000");
        assert_eq!(argument(0.25), "0.25");
    }
}
