/// The kind of a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ResultKind {
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

impl ResultKind {
    /// The unit that a user has written: of time, or any other.
    pub fn named(unit: &str) -> ResultKind {
        ResultKind::time(unit).unwrap_or_else(|| ResultKind::Other(unit.trim().to_owned()))
    }

    /// The unit of time of this name, in upper or lower case.
    pub(crate) fn time(unit: &str) -> Option<ResultKind> {
        cll_units::time_unit(unit).map(|(factor, unit)| ResultKind::Time { unit, factor })
    }

    /// The unit of time at the end of a name: `min` is the least value there, and no minutes.
    pub(crate) fn time_in_name(word: &str) -> Option<ResultKind> {
        ResultKind::time(word).filter(|_| !word.trim().eq_ignore_ascii_case("min"))
    }

    /// The quantity of a metric, by its name: `time_ms` is in milliseconds, `time` may be in anything.
    pub(crate) fn of_metric(metric: &str) -> ResultKind {
        let words = metric.to_lowercase();
        let unit = words.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
        match unit.and_then(ResultKind::time_in_name) {
            Some(quantity) => quantity,
            None if words.contains("time") => ResultKind::Unknown,
            None => ResultKind::Other(metric.to_owned()),
        }
    }

    /// A number of the file in seconds; what is no time is not converted.
    pub(crate) fn converted(&self, value: f64) -> f64 {
        match self {
            // By a whole number, which is exact: 2.5 µs are 2.5e-6 s.
            ResultKind::Time { factor, .. } if *factor < 1.0 => value / (1.0 / factor).round(),
            ResultKind::Time { factor, .. } => value * factor,
            ResultKind::Other(_) | ResultKind::Unknown => value,
        }
    }

    /// A number of the file for a time that stands there in seconds: the inverse of [`ResultKind::converted`].
    pub(crate) fn unconverted(&self, seconds: f64) -> f64 {
        match self {
            ResultKind::Time { factor, .. } if *factor < 1.0 => seconds * (1.0 / factor).round(),
            ResultKind::Time { factor, .. } => seconds / factor,
            ResultKind::Other(_) | ResultKind::Unknown => seconds,
        }
    }

    /// Whether it is a time, given or assumed.
    pub fn is_time(&self) -> bool {
        !matches!(self, ResultKind::Other(_))
    }
}
