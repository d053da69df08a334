//! Options that cannot be used.

use std::fmt;

/// The largest number of intervals that can be asked for.
pub(super) const MAX_INTERVALS: usize = 64;

/// A contradiction in the given options, or a value out of its limits.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionError {
    /// Boundaries along two variables.
    BreakVariables(String, String),
    /// A number of intervals that is not possible.
    MaxIntervals(usize),
    /// An error threshold that is not above 0.
    ErrorThreshold(f64),
    /// A confidence that is not between 0 and 1.
    Confidence(f64),
    /// Constants that may be negative, and may not.
    Sign,
    /// A rule for outliers that is not known.
    OutlierRule,
    /// A limit for outliers that is not a number above 0.
    OutlierLimit(String),
}

impl fmt::Display for OptionError {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::BreakVariables(first, other) => write!(
                text,
                "boundaries are given for {first} and for {other}, but they lie along one variable"
            ),
            OptionError::MaxIntervals(count) => {
                write!(
                    text,
                    "at most {count} intervals: the number must be from 1 to {MAX_INTERVALS}"
                )
            }
            OptionError::ErrorThreshold(share) => {
                write!(text, "an error threshold of {share}: it must be above 0")
            }
            OptionError::Confidence(share) => {
                write!(text, "a confidence of {share}: it must be between 0 and 1")
            }
            OptionError::OutlierRule => {
                text.write_str("it must be one of keep, spikes, points, points=LIMIT")
            }
            OptionError::OutlierLimit(limit) => write!(text, "`{limit}` is not a number above 0"),
            OptionError::Sign => text
                .write_str("constants cannot be both signed and not negative: choose one of them"),
        }
    }
}

impl std::error::Error for OptionError {}
