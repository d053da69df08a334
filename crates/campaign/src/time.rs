//! Durations, as users write and read them.

use std::time::Duration;

/// Parses `90`, `90s`, `1.5m`, `2h`: a time above zero.
///
/// # Errors
/// If it is not such a time.
pub fn duration(text: &str) -> Result<Duration, String> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = &text[..text.len() - unit.len()];
    let factor = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time; units are ms, s, m, h")),
    };
    let seconds = number.parse::<f64>().map_err(|_| "not a time such as 90, 90s, 10m, 2h")?;
    match Duration::try_from_secs_f64(seconds * factor) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("the time must be above zero".into()),
    }
}

/// Seconds as text: `450 ms`, `12 s`, `7 min`, `40 h`.
pub fn in_words(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 600.0 => format!("{s:.0} s"),
        s if s < 3.0 * 3600.0 => format!("{:.0} min", s / 60.0),
        s if s < 1e6 => format!("{:.0} h", s / 3600.0),
        s => format!("{:.0} days", s / 86400.0),
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
        assert!(duration("2 weeks").unwrap_err().contains("not a unit of time"));
        assert!(duration("0s").is_err() && duration("x").is_err() && duration("").is_err());
    }

    #[test]
    fn times_in_words() {
        let said = [0.45, 1.26, 59.6, 420.0, 7200.0, 144_000.0, 1e7].map(in_words);
        assert_eq!(said, ["450 ms", "1.3 s", "60 s", "420 s", "120 min", "40 h", "116 days"]);
    }
}
