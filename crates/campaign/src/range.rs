//! The syntax of values: `LO:HI`, `LO:HI:*F`, `LO:HI:+S`, and lists separated by commas; each number also as a power,
//! `2^10`, or with a multiplier, `4k`.

use std::str::FromStr;

use crate::Error;

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
    /// The values.
    pub range: Range,
}

impl Range {
    /// The values.
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// At most 17 values from `low` to `high`, whole if both are whole: all of them, or evenly spread over the
    /// logarithm (over the value, if one is not above 0).
    pub fn over(low: f64, high: f64) -> Range {
        let is_integral = low.fract() == 0.0 && high.fract() == 0.0;
        if is_integral && high - low < MAX_CHOICE as f64 {
            return Range((0..=(high - low) as usize).map(|k| low + k as f64).collect());
        }
        // Two values an octave, if that is not too many; the ends are among them.
        let octaves = if low > 0.0 { (high / low).log2() } else { f64::INFINITY };
        let steps = (2.0 * octaves).round().clamp(1.0, MAX_CHOICE as f64 - 1.0);
        let steps = if steps < 2.0 * octaves - 0.5 && octaves <= MAX_CHOICE as f64 - 1.0 {
            octaves.round()
        } else {
            steps
        };
        let mut values: Vec<f64> = Vec::new();
        for k in 0..=steps as usize {
            let share = k as f64 / steps;
            let exact =
                if low > 0.0 { low * (high / low).powf(share) } else { low + (high - low) * share };
            let value = if is_integral { exact.round() } else { exact };
            let value = if k == steps as usize { high } else { value };
            if values.last() != Some(&value) {
                values.push(value);
            }
        }
        Range(values)
    }

    /// Makes a range of these values, each once.
    pub fn from_values(values: impl IntoIterator<Item = f64>) -> Range {
        let mut all: Vec<f64> = Vec::new();
        for value in values {
            if !all.contains(&value) {
                all.push(value);
            }
        }
        Range(all)
    }

    /// Parses values; `bare` says what a step without a sign means.
    fn read(text: &str, bare: BareStep) -> Result<Range, Error> {
        let mut values: Vec<f64> = Vec::new();
        for part in text.split(',') {
            // Those of one part differ.
            let before = values.len();
            for value in part_values(part.trim(), bare)? {
                if !values[..before].contains(&value) {
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
    type Err = Error;

    fn from_str(text: &str) -> Result<Processors, Error> {
        let count = |value: f64| match value {
            v if v >= 1.0 && v <= f64::from(u32::MAX) && v.fract() == 0.0 => Ok(v as u32),
            v => Err(Error::NoProcessors(v)),
        };
        let range = Range::read(text, BareStep::Factor)?;
        range.0.into_iter().map(count).collect::<Result<_, _>>().map(Processors)
    }
}

impl FromStr for Range {
    type Err = Error;

    fn from_str(text: &str) -> Result<Range, Error> {
        Range::read(text, BareStep::Refused)
    }
}

impl FromStr for Variation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Variation, Error> {
        let (name, range) = split(text)?;
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.chars().all(letter) || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(Error::NoName(name.to_owned()));
        }
        Ok(Variation { name: name.to_owned(), range: range.parse()? })
    }
}

/// A variable with its values, or with the two ends of the span from which values may be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Varied {
    /// The name, used as `{NAME}` in the program's arguments.
    pub name: String,
    /// The ends of `LO:HI`; `None` if the values are listed.
    pub span: Option<(f64, f64)>,
    /// The values. A span may have too many to list.
    range: Result<Range, Error>,
}

/// Values that are chosen from a span, at most.
const MAX_CHOICE: usize = 17;

impl Varied {
    /// Every value.
    ///
    /// # Errors
    /// If there are too many.
    pub fn all(&self) -> Result<Variation, Error> {
        let range = self.range.clone()?;
        Ok(Variation { name: self.name.clone(), range })
    }

    /// The values among which a plan chooses: those that are listed, or up to 17 over the span.
    pub fn candidates(&self) -> Variation {
        let range = match (&self.range, self.span) {
            (_, Some((low, high))) => Range::over(low, high),
            (Ok(range), None) => range.clone(),
            (Err(_), None) => Range(Vec::new()),
        };
        Variation { name: self.name.clone(), range }
    }
}

impl FromStr for Varied {
    type Err = Error;

    fn from_str(text: &str) -> Result<Varied, Error> {
        let (name, values) = split(text)?;
        let ends: Vec<&str> = values.split(':').collect();
        let span = match ends[..] {
            [low, high] if !values.contains(',') => {
                Some((number(low.trim())?, number(high.trim())?)).filter(|(low, high)| low <= high)
            }
            _ => None,
        };
        let range = Range::read(values, BareStep::Refused);
        if let (Err(why), None) = (&range, span) {
            return Err(why.clone());
        }
        // The name is checked as in a variation.
        let Variation { name, .. } = format!("{name}=1").parse()?;
        Ok(Varied { name, span, range })
    }
}

/// Splits `NAME=TEXT`, without the space around the parts.
///
/// # Errors
/// If it does not have that form.
pub fn split(text: &str) -> Result<(&str, &str), Error> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim(), value.trim())),
        _ => Err(Error::NoAssignment(text.to_owned())),
    }
}

/// A finite number, also `1e6` or `4k`, or a power of one, `2^10`.
///
/// # Errors
/// If it is not a number; the text names the part that is none.
pub fn number(text: &str) -> Result<f64, Error> {
    let plain = |part: &str| cll_units::multiplied(part).filter(|number| number.is_finite());
    let Some((base, exponent)) = text.split_once('^') else {
        return plain(text).ok_or_else(|| Error::NoNumber(text.to_owned()));
    };
    let wrong = |part: &str, at: usize| match part.trim() {
        "" => Error::NoPart { text: text.to_owned(), at: at + 1 },
        part => Error::WrongPart { text: text.to_owned(), part: part.to_owned(), at: at + 1 },
    };
    let first = plain(base).ok_or_else(|| wrong(base, 0))?;
    let second = plain(exponent).ok_or_else(|| wrong(exponent, base.chars().count() + 1))?;
    let value = if second.fract() == 0.0 && second.abs() <= f64::from(u16::MAX) {
        // Products of whole numbers are exact.
        first.powi(second as i32)
    } else {
        first.powf(second)
    };
    if value.is_finite() { Ok(value) } else { Err(Error::NotFinite(text.to_owned())) }
}

/// A value as a program's argument: whole numbers without a decimal point.
pub fn argument(value: f64) -> String {
    // `Display` of a double never uses an exponent.
    format!("{value}")
}

fn part_values(part: &str, bare: BareStep) -> Result<Vec<f64>, Error> {
    let fields: Vec<&str> = part.split(':').map(str::trim).collect();
    let (low, high, step) = match fields[..] {
        [single] => return Ok(vec![number(single)?]),
        [low, high] => (number(low)?, number(high)?, "+1"),
        [low, high, step] => (number(low)?, number(high)?, step),
        _ => {
            return Err(Error::NoRange(part.to_owned()));
        }
    };
    if low > high {
        return Err(Error::Empty { range: part.to_owned(), low, high });
    }
    if let Some(step) = step.strip_prefix('+') {
        return arithmetic(part, low, high, number(step.trim())?);
    }
    match step.strip_prefix('*') {
        Some(factor) => geometric(part, low, high, number(factor.trim())?),
        None if bare == BareStep::Factor => geometric(part, low, high, number(step)?),
        None => {
            number(step)?;
            Err(Error::BareStep { range: part.to_owned(), step: step.to_owned() })
        }
    }
}

/// `low`, `low*factor`, …; rounded to whole numbers if `low` is one, since sizes are whole.
fn geometric(part: &str, low: f64, high: f64, factor: f64) -> Result<Vec<f64>, Error> {
    if factor <= 1.0 || low <= 0.0 {
        return Err(Error::EndlessFactor(part.to_owned()));
    }
    let is_integral = low.fract() == 0.0;
    let mut values: Vec<f64> = Vec::new();
    for k in 0.. {
        let exact = low * factor.powi(k);
        let value = if is_integral { exact.round() } else { exact };
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

fn arithmetic(part: &str, low: f64, high: f64, step: f64) -> Result<Vec<f64>, Error> {
    if step <= 0.0 {
        return Err(Error::EndlessStep(part.to_owned()));
    }
    let count = ((high - low) / step * (1.0 + 1e-12)).floor();
    few_enough(part, if count < MAX_VALUES as f64 { count as usize + 1 } else { MAX_VALUES + 1 })?;
    Ok((0..=count as usize).map(|k| low + k as f64 * step).collect())
}

fn few_enough(part: &str, count: usize) -> Result<(), Error> {
    if count <= MAX_VALUES {
        Ok(())
    } else {
        Err(Error::TooMany { range: part.to_owned(), most: MAX_VALUES })
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
        assert_eq!(values("1k:4k:*2,2M"), [1e3, 2e3, 4e3, 2e6]);
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
            let error = text.parse::<Range>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!("a b=1".parse::<Variation>().is_err());
        for text in ["0.5", "0", "0:3", "1:4:1", "1:8:0.5", "1:9:+0.5", "1e10", "two"] {
            assert!(text.parse::<Processors>().is_err(), "{text}");
        }
    }

    #[test]
    fn powers() {
        for (text, value) in [
            ("2^10", 1024.0),
            ("2^21", 2_097_152.0),
            ("2 ^ 4", 16.0),
            ("1.5^2", 2.25),
            ("10^6", 1e6),
            ("2^0.5", 2f64.sqrt()),
            ("2^-3", 0.125),
            ("1e3^2", 1e6),
        ] {
            assert_eq!(number(text), Ok(value), "{text}");
        }
        for (text, part) in [
            ("2^", "missing at character 3"),
            ("^4", "missing at character 1"),
            ("2^x", "`x` is not a number, at character 3"),
            ("x^2", "`x` is not a number, at character 1"),
            ("2^3^2", "`3^2` is not a number"),
            ("2^5000", "not a finite number"),
            ("-2^0.5", "not a finite number"),
        ] {
            let error = number(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert_eq!(values("2^8:2^10:*2"), [256.0, 512.0, 1024.0]);
        assert_eq!(values("2^3,3^2,10"), [8.0, 9.0, 10.0]);
        assert_eq!("1:2^5:2".parse::<Processors>().unwrap().0, [1, 2, 4, 8, 16, 32]);
    }

    #[test]
    fn a_span_may_have_more_values_than_can_be_listed() {
        let varied = |text: &str| text.parse::<Varied>().unwrap();
        let sizes = varied("N=2^10:2^20");
        assert!(sizes.all().unwrap_err().to_string().contains("more than"));
        let chosen = sizes.candidates().range.0;
        assert_eq!(chosen, (10..=20).map(|k| 2f64.powi(k)).collect::<Vec<_>>());
        let chosen = varied("N=2^8:2^16").candidates().range.0;
        assert_eq!((chosen.len(), chosen[0], chosen[2], chosen[16]), (17, 256.0, 512.0, 65536.0));
        assert_eq!(
            varied("P=1:8").candidates().range.0,
            (1..=8).map(f64::from).collect::<Vec<_>>()
        );
        assert_eq!(varied("N=1:4").all().unwrap().range.0, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(varied("N=8:64:*2").candidates().range.0, [8.0, 16.0, 32.0, 64.0]);
        assert_eq!(varied("N=8:64:*2").span, None);
        let wide = varied("N=1:1e12").candidates().range.0;
        assert_eq!((wide.len(), wide[0], wide[16]), (17, 1.0, 1e12));
        let real = varied("h=-1:1.5").candidates().range.0;
        assert_eq!((real[0], real[real.len() - 1], real.len()), (-1.0, 1.5, 17));
        for wrong in ["N", "N=", "N=2^x:9", "N=9:1", "N=1:2:3", "1N=1:4", "N=0:1e9:+1"] {
            assert!(wrong.parse::<Varied>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn arguments_have_no_exponent() {
        assert_eq!(argument(1e21), "1000000000000000000000");
        assert_eq!(argument(0.25), "0.25");
    }
}
