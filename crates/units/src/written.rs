//! Units of time and multipliers as people write them.

/// Seconds in a unit of time, the unit's short name, and the names that users write, in lower case.
const TIMES: [(f64, &str, &[&str]); 7] = [
    (1e-12, "ps", &["ps", "psec", "picosecond", "picoseconds"]),
    (1e-9, "ns", &["ns", "nsec", "nsecs", "nanosecond", "nanoseconds"]),
    // Both characters that look like a mu.
    (1e-6, "µs", &["us", "µs", "μs", "usec", "usecs", "microsecond", "microseconds"]),
    (1e-3, "ms", &["ms", "msec", "msecs", "millisecond", "milliseconds", "millisekunden"]),
    (
        1.0,
        "s",
        &["s", "sec", "secs", "second", "seconds", "sek", "sekunden", "secondes", "segundos"],
    ),
    (60.0, "min", &["min", "mins", "minute", "minutes", "minuten"]),
    (3600.0, "h", &["h", "hr", "hrs", "hour", "hours", "stunden"]),
];

/// Factors of numbers: by the thousand, and by 1024 with an `i`.
const MULTIPLIERS: [(&str, f64); 9] = [
    ("k", 1e3),
    ("K", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
    ("Ki", 1024.0),
    ("Mi", 1_048_576.0),
    ("Gi", 1_073_741_824.0),
    ("Ti", 1_099_511_627_776.0),
];

/// The seconds in the unit of time of this name, in upper or lower case, and its short name.
pub fn time_unit(name: &str) -> Option<(f64, &'static str)> {
    let name = name.trim().to_lowercase();
    let known = TIMES.iter().find(|(_, _, names)| names.contains(&name.as_str()));
    known.map(|&(factor, unit, _)| (factor, unit))
}

/// The factor of a multiplier: `k` is 1000, `Ki` is 1024.
pub fn multiplier(name: &str) -> Option<f64> {
    let known = MULTIPLIERS.iter().find(|(known, _)| *known == name);
    known.map(|&(_, factor)| factor)
}

/// A number, perhaps with a multiplier behind it: `1e6`, `4k`, `2 M`, `64Ki`.
pub fn multiplied(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return Some(number);
    }
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = multiplier(&text[digits.len()..])?;
    let number: f64 = digits.trim_end().parse().ok()?;
    Some(number * factor)
}

/// A share: `2%` or `0.02`.
pub fn share(text: &str) -> Option<f64> {
    match text.trim().strip_suffix('%') {
        // By a whole number, which is exact: 2 % are 0.02.
        Some(number) => number.trim_end().parse::<f64>().ok().map(|number| number / 100.0),
        None => text.trim().parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_multipliers_are_those_that_people_write() {
        assert_eq!(time_unit(" Microseconds"), Some((1e-6, "µs")));
        assert_eq!(time_unit("minutes"), Some((60.0, "min")));
        assert_eq!(time_unit("max"), None);
        for (text, expected) in [
            ("12", Some(12.0)),
            ("1e6", Some(1e6)),
            ("4k", Some(4e3)),
            ("2 M", Some(2e6)),
            ("1.5G", Some(1.5e9)),
            ("64Ki", Some(65536.0)),
            ("4kk", None),
            ("k", None),
            ("", None),
            ("4m", None),
        ] {
            assert_eq!(multiplied(text), expected, "{text}");
        }
    }

    #[test]
    fn shares_are_parts_or_percent() {
        assert_eq!(share("2%"), Some(0.02));
        assert_eq!(share("2.5 %"), Some(0.025));
        assert_eq!(share("0.02"), Some(0.02));
        assert_eq!(share("%"), None);
        assert_eq!(share("2 s"), None);
    }
}
