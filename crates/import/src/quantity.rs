/// The kind of a result.
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

impl Quantity {
    /// The unit that a user has written: of time, or any other.
    pub fn named(unit: &str) -> Quantity {
        Quantity::time(unit).unwrap_or_else(|| Quantity::Other(unit.trim().to_owned()))
    }

    /// The unit of time of this name, in upper or lower case.
    pub(crate) fn time(unit: &str) -> Option<Quantity> {
        cll_units::time_unit(unit).map(|(factor, unit)| Quantity::Time { unit, factor })
    }

    /// The unit of time at the end of a name: `min` is the least value there, and no minutes.
    pub(crate) fn time_in_name(word: &str) -> Option<Quantity> {
        Quantity::time(word).filter(|_| !word.trim().eq_ignore_ascii_case("min"))
    }

    /// The quantity of a metric, by its name: `time_ms` is in milliseconds, `time` may be in anything.
    pub(crate) fn of_metric(metric: &str) -> Quantity {
        let words = metric.to_lowercase();
        let unit = words.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
        match unit.and_then(Quantity::time_in_name) {
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

    /// A number of the file for a time that stands there in seconds: the inverse of [`Quantity::converted`].
    pub(crate) fn unconverted(&self, seconds: f64) -> f64 {
        match self {
            Quantity::Time { factor, .. } if *factor < 1.0 => seconds * (1.0 / factor).round(),
            Quantity::Time { factor, .. } => seconds / factor,
            Quantity::Other(_) | Quantity::Unknown => seconds,
        }
    }

    /// Whether it is a time, given or assumed.
    pub fn is_time(&self) -> bool {
        !matches!(self, Quantity::Other(_))
    }
}
