//! Units that may follow a number.

use cll_diagnostic::nearest;

/// All of them.
pub const UNITS: [&str; 15] =
    ["s", "ms", "us", "µs", "ns", "min", "h", "B", "kB", "KB", "MB", "GB", "KiB", "MiB", "GiB"];

/// Other spellings, and how it is written here.
const SPELLINGS: [(&str, &[&str]); 11] = [
    ("s", &["sec", "secs", "second", "seconds", "S"]),
    ("ms", &["msec", "msecs", "millisecond", "milliseconds"]),
    ("us", &["usec", "usecs", "microsecond", "microseconds"]),
    ("ns", &["nsec", "nsecs", "nanosecond", "nanoseconds"]),
    ("min", &["m", "mins", "minute", "minutes"]),
    ("h", &["hr", "hrs", "hour", "hours", "H"]),
    ("B", &["b", "byte", "bytes", "Byte", "Bytes"]),
    ("kB", &["k", "kb", "Kb", "K"]),
    ("MB", &["mb", "Mb", "M"]),
    ("GB", &["gb", "Gb", "G"]),
    ("KiB", &["kib", "kiB", "Kib"]),
];

/// The unit that is written so; the two letters µ are one.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    let word = if word == "\u{3bc}s" { "\u{b5}s" } else { word };
    UNITS.into_iter().find(|unit| *unit == word)
}

/// Suggests a unit to write instead of an unknown one after a number.
pub(super) fn advice(word: &str, number: &str) -> String {
    let spelled = SPELLINGS.iter().find(|(_, others)| others.contains(&word));
    let near = || nearest(word, UNITS).filter(|unit| unit.len() > 1 && word.len() > 1);
    match spelled.map(|(unit, _)| *unit).or_else(near) {
        Some(unit) => format!("did you mean `{unit}`?"),
        None => format!("for a product write {number}*{word}; the units are {}", UNITS.join(", ")),
    }
}
