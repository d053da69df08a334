/// What a result is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Quantity {
    /// A time; `factor` converts a number of the file to seconds.
    Time {
        /// The unit of the file, such as `ms`.
        unit: &'static str,
        /// Seconds in one unit.
        factor: f64,
    },
    /// Something else with a unit, such as `cycles`: the numbers are not converted.
    Other(String),
    /// Neither header nor user gives a unit: seconds are assumed.
    #[default]
    Unknown,
}

/// Units of time: seconds in one, the name for output, and the names that users write, in lower case.
const TIMES: [(f64, &str, &[&str]); 7] = [
    (1e-12, "ps", &["ps", "psec", "picosecond", "picoseconds"]),
    (1e-9, "ns", &["ns", "nsec", "nsecs", "nanosecond", "nanoseconds"]),
    // Both characters that look like a mu.
    (1e-6, "µs", &["us", "µs", "μs", "usec", "usecs", "microsecond", "microseconds"]),
    (1e-3, "ms", &["ms", "msec", "msecs", "millisecond", "milliseconds"]),
    (1.0, "s", &["s", "sec", "secs", "second", "seconds"]),
    (60.0, "min", &["min", "mins", "minute", "minutes"]),
    (3600.0, "h", &["h", "hr", "hrs", "hour", "hours"]),
];

impl Quantity {
    /// The unit that a user has written: of time, or any other.
    pub fn named(unit: &str) -> Quantity {
        Quantity::time(unit).unwrap_or_else(|| Quantity::Other(unit.trim().to_owned()))
    }

    /// The unit of time of this name, in upper or lower case.
    pub(crate) fn time(unit: &str) -> Option<Quantity> {
        let unit = unit.trim().to_lowercase();
        let known = TIMES.iter().find(|(_, _, names)| names.contains(&unit.as_str()));
        known.map(|&(factor, unit, _)| Quantity::Time { unit, factor })
    }

    /// The factor for numbers of the file.
    pub(crate) fn factor(&self) -> f64 {
        match self {
            Quantity::Time { factor, .. } => *factor,
            Quantity::Other(_) | Quantity::Unknown => 1.0,
        }
    }

    /// Whether it is a time, given or assumed.
    pub fn is_time(&self) -> bool {
        !matches!(self, Quantity::Other(_))
    }
}
