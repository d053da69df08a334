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

    /// The quantity of a metric, by its name: `time_ms` is in milliseconds, `time` may be in anything.
    pub(crate) fn of_metric(metric: &str) -> Quantity {
        let words = metric.to_lowercase();
        let unit = words.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
        match unit.and_then(Quantity::time) {
            Some(quantity) => quantity,
            None if words.contains("time") => Quantity::Unknown,
            None => Quantity::Other(metric.to_owned()),
        }
    }

    /// A number of the file in seconds; what is no time is not converted.
    pub(crate) fn converted(&self, value: f64) -> f64 {
        match self {
            // By a whole number, which is exact: 2.5 µs are 2.5e-6 s.
            Quantity::Time { factor, .. } if *factor < 1.0 => value / (1.0 / factor).round(),
            Quantity::Time { factor, .. } => value * factor,
            Quantity::Other(_) | Quantity::Unknown => value,
        }
    }

    /// Whether it is a time, given or assumed.
    pub fn is_time(&self) -> bool {
        !matches!(self, Quantity::Other(_))
    }
}
