//! Durations and budgets, as users write and read them.

use std::fmt;
use std::time::Duration;

use crate::Error;

use cll_units::text::{self, DurationForm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A limit of time: elapsed, or of all processors together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Budget {
    /// Seconds, of elapsed time or of core time.
    pub seconds: f64,
    /// Whether a second of a run counts once for each of its processors.
    pub is_core_time: bool,
}

impl Budget {
    /// Makes a budget of elapsed time.
    pub fn elapsed(seconds: f64) -> Budget {
        Budget { seconds, is_core_time: false }
    }

    /// Returns the part of the budget that a run of this many seconds takes.
    pub fn cost(self, seconds: f64, processors: Option<u32>) -> f64 {
        if self.is_core_time {
            seconds * f64::from(processors.unwrap_or(1).max(1))
        } else {
            seconds
        }
    }
}

impl fmt::Display for Budget {
    /// `7 min`, `7 min of core time`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::duration(self.seconds, DurationForm::About))?;
        f.write_str(if self.is_core_time { " of core time" } else { "" })
    }
}

/// Parses a budget: a duration, or core time such as `10core-min`, `2core-h`, `90core-s`.
///
/// # Errors
/// If it is neither.
pub fn budget(text: &str) -> Result<Budget, Error> {
    let core = text.split_once("core-");
    let time = match core {
        Some((number, unit)) if !unit.is_empty() => format!("{}{unit}", number.trim_end()),
        Some(_) => return Err(Error::NoCoreUnit),
        None if text.ends_with("core") => {
            return Err(Error::BareCore);
        }
        None => text.to_owned(),
    };
    let time = duration(&time).map_err(|error| match error {
        Error::NoTime => Error::NoBudget,
        error => error,
    })?;
    Ok(Budget { seconds: time.as_secs_f64(), is_core_time: core.is_some() })
}

/// Parses `90`, `90s`, `1.5m`, `2h`: a time above zero.
///
/// # Errors
/// If it is not such a time.
pub fn duration(text: &str) -> Result<Duration, Error> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = &text[..text.len() - unit.len()];
    let factor = match unit.trim() {
        "" => 1.0,
        "m" => 60.0,
        "d" | "days" => 86400.0,
        unit => match cll_units::time_unit(unit) {
            Some((seconds, _)) => seconds,
            None => {
                return Err(Error::NoTimeUnit(unit.to_owned()));
            }
        },
    };
    let seconds = number.parse::<f64>().map_err(|_| Error::NoTime)?;
    match Duration::try_from_secs_f64(seconds * factor) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(Error::NotAboveZero),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_with_their_units() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1us"), Ok(Duration::from_micros(1)));
        assert_eq!(duration("2 hours"), Ok(Duration::from_secs(7200)));
        assert!(duration("2 weeks").unwrap_err().to_string().contains("not a unit of time"));
        assert!(duration("0s").is_err() && duration("x").is_err() && duration("").is_err());
    }

    #[test]
    fn budgets_are_elapsed_time_or_core_time() {
        let core = |seconds| Ok(Budget { seconds, is_core_time: true });
        assert_eq!(budget("10core-min"), core(600.0));
        assert_eq!(budget("2core-h"), core(7200.0));
        assert_eq!(budget("90core-s"), core(90.0));
        assert_eq!(budget("1.5 core-m"), core(90.0));
        assert_eq!(budget("90"), Ok(Budget::elapsed(90.0)));
        for wrong in ["core-min", "10core-", "10core", "10core-weeks", "0core-s", "x"] {
            assert!(budget(wrong).is_err(), "{wrong}");
        }
        assert!(duration("10core-min").is_err(), "no time of one run");
        let core = budget("10core-min").unwrap();
        assert_eq!((core.cost(3.0, Some(4)), core.cost(3.0, None)), (12.0, 3.0));
        assert_eq!(Budget::elapsed(600.0).cost(3.0, Some(4)), 3.0);
        assert_eq!(core.to_string(), "10 min of core time");
    }
}
