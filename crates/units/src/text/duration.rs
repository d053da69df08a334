//! Lengths of time.

use crate::digits::number;

/// The form of a time as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurationForm {
    /// About as long as something took or will take: `450 ms`, `12 s`, `7 min`, `40 h`, `12 days`.
    About,
    /// A time that is left, known to the second at best: `1 s`, `7 s`, then as [`DurationForm::About`].
    Left,
    /// A clock in whole seconds: `7 s`, `3:07 min`, `2:03:07 h`.
    Clock,
    /// As options take it: `1.5s`, `20m`.
    Argument,
    /// The same, not shorter than it is: `5ms`, `13s`.
    ArgumentUp,
    /// In seconds with a prefix that fits, four digits: `3.55 ms`, `-790 ns`.
    Prefixed,
}

/// A length of time.
pub fn duration(seconds: f64, form: DurationForm) -> String {
    match form {
        DurationForm::About => about(seconds),
        DurationForm::Left if seconds < 10.0 => format!("{:.0} s", seconds.max(1.0)),
        DurationForm::Left => about(seconds),
        DurationForm::Clock => clock(seconds as u64),
        DurationForm::Argument => argument(seconds),
        DurationForm::ArgumentUp if seconds >= 10.0 => format!("{}s", seconds.ceil()),
        DurationForm::ArgumentUp => format!("{}ms", (1e3 * seconds).ceil()),
        DurationForm::Prefixed => prefixed(seconds),
    }
}

fn about(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{} ms", (s * 1e6).ceil() / 1e3),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 600.0 => format!("{s:.0} s"),
        s if s < 3.0 * 3600.0 => format!("{:.0} min", s / 60.0),
        s if s < 1e6 => format!("{:.0} h", s / 3600.0),
        s => format!("{:.0} days", s / 86400.0),
    }
}

fn clock(seconds: u64) -> String {
    let (minutes, rest) = (seconds / 60, seconds % 60);
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{rest} s"),
        (0, minutes) => format!("{minutes}:{rest:02} min"),
        (hours, minutes) => format!("{hours}:{minutes:02}:{rest:02} h"),
    }
}

fn argument(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => format!("{}ms", (1e4 * s).round() / 10.0),
        s if s < 10.0 => format!("{s:.1}s"),
        s if s < 600.0 => format!("{s:.0}s"),
        s => format!("{:.0}m", s / 60.0),
    }
}

fn prefixed(seconds: f64) -> String {
    const PREFIXES: [(f64, &str); 5] =
        [(1.0, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns"), (1e12, "ps")];
    let fits = |(factor, _): &&(f64, &str)| (seconds * factor).abs() >= 1.0;
    let (factor, name) = if seconds == 0.0 || !seconds.is_finite() {
        &PREFIXES[0]
    } else {
        PREFIXES.iter().find(fits).unwrap_or(&PREFIXES[4])
    };
    format!("{} {name}", number(seconds * factor))
}

/// The unit of a time whose leading digit has this exponent of ten: its own exponent, and its name. `None` for times
/// that are too short or too long for any.
pub fn time_prefix(exponent: i32) -> Option<(i32, &'static str)> {
    match exponent {
        0..=4 => Some((0, "s")),
        -3..=-1 => Some((-3, "ms")),
        -6..=-4 => Some((-6, "µs")),
        -9..=-7 => Some((-9, "ns")),
        -12..=-10 => Some((-12, "ps")),
        -15..=-13 => Some((-15, "fs")),
        -18..=-16 => Some((-18, "as")),
        _ => None,
    }
}

/// A long time in larger units for those who read 12346 s: `3 h 26 min`. `None` below two minutes,
/// and if seconds are as short.
pub fn long_time(seconds: f64) -> Option<String> {
    if !(120.0..1e11).contains(&seconds) {
        return None;
    }
    let (large, small, first, second) = match seconds {
        s if s < 3600.0 => (60.0, 1.0, "min", "s"),
        s if s < 86400.0 => (3600.0, 60.0, "h", "min"),
        s if s < 365.0 * 86400.0 => (86400.0, 3600.0, "d", "h"),
        _ => (365.25 * 86400.0, 86400.0, "years", "d"),
    };
    let parts = (seconds / small).round();
    let each = large / small;
    let count = (parts / each).floor();
    let rest = (parts - count * each).round();
    let first = if count == 1.0 && first == "years" { "year" } else { first };
    Some(if rest == 0.0 || count >= 100.0 {
        format!("{count} {first}")
    } else {
        format!("{count} {first} {rest} {second}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_the_form_that_is_chosen() {
        for (seconds, about, left, clock, argument) in [
            (0.0000123, "0.013 ms", "1 s", "0 s", "0ms"),
            (0.45, "450 ms", "1 s", "0 s", "0.5s"),
            (1.26, "1.3 s", "1 s", "1 s", "1.3s"),
            (59.6, "60 s", "60 s", "59 s", "60s"),
            (7.4, "7.4 s", "7 s", "7 s", "7.4s"),
            (187.0, "187 s", "187 s", "3:07 min", "187s"),
            (7387.9, "123 min", "123 min", "2:03:07 h", "123m"),
            (144_000.0, "40 h", "40 h", "40:00:00 h", "2400m"),
            (1e6, "12 days", "12 days", "277:46:40 h", "16667m"),
        ] {
            let text = |form| duration(seconds, form);
            assert_eq!(text(DurationForm::About), about);
            assert_eq!(text(DurationForm::Left), left);
            assert_eq!(text(DurationForm::Clock), clock);
            assert_eq!(text(DurationForm::Argument), argument);
        }
    }

    #[test]
    fn a_prefix_fits_the_time() {
        for (seconds, text) in [
            (0.0, "0 s"),
            (0.00355, "3.55 ms"),
            (-7.9e-7, "-790 ns"),
            (1.5e-6, "1.5 µs"),
            (2e-14, "0.02 ps"),
            (12346.0, "12346 s"),
            (f64::INFINITY, "inf s"),
        ] {
            assert_eq!(duration(seconds, DurationForm::Prefixed), text);
        }
        assert_eq!(duration(12.1, DurationForm::ArgumentUp), "13s");
        assert_eq!(duration(0.0041, DurationForm::ArgumentUp), "5ms");
        assert_eq!([time_prefix(4), time_prefix(-4)], [Some((0, "s")), Some((-6, "µs"))]);
        assert_eq!([time_prefix(5), time_prefix(-19)], [None, None]);
    }

    #[test]
    fn long_times_have_two_units() {
        for (seconds, words) in [
            (90.0, None),
            (125.0, Some("2 min 5 s")),
            (3599.6, Some("60 min")),
            (12346.0, Some("3 h 26 min")),
            (86400.0, Some("1 d")),
            (4e7, Some("1 year 98 d")),
            (f64::NAN, None),
            (1e20, None),
        ] {
            assert_eq!(long_time(seconds).as_deref(), words, "{seconds}");
        }
    }
}
