//! Kinds of values, with how they are written and read.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// A kind of values.
pub trait ValueKind {
    /// A value, which may borrow from the text.
    type Value<'a>;

    /// Whether an empty text counts as not set; otherwise it is decoded as any other. Users clear a variable by
    /// setting it to an empty text. In a variable that only `cll` sets an empty text is an error.
    const EMPTY_IS_NOT_SET: bool = true;

    /// Decodes a text; `None` if it is invalid. Allocates nothing unless the value does.
    fn decode(text: &[u8]) -> Option<Self::Value<'_>>;

    /// The text of a value.
    fn encode(value: Self::Value<'_>) -> OsString;
}

/// A number in a text, with blanks around it removed.
fn trimmed<T: FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.trim().parse().ok()
}

/// A number from 1 to 2³¹ - 1.
#[derive(Debug)]
pub struct Count;

impl ValueKind for Count {
    type Value<'a> = u32;

    fn decode(text: &[u8]) -> Option<u32> {
        trimmed(text).filter(|count| (1..=i32::MAX as u32).contains(count))
    }

    fn encode(count: u32) -> OsString {
        count.to_string().into()
    }
}

/// A [`Count`], or 0 for none.
#[derive(Debug)]
pub struct Phases;

impl ValueKind for Phases {
    type Value<'a> = u32;

    fn decode(text: &[u8]) -> Option<u32> {
        if text == b"0" { Some(0) } else { Count::decode(text) }
    }

    fn encode(count: u32) -> OsString {
        count.to_string().into()
    }
}

/// A number from 0 to 2³² - 1, such as that of a run or a process.
#[derive(Debug)]
pub struct Number;

impl ValueKind for Number {
    type Value<'a> = u32;

    fn decode(text: &[u8]) -> Option<u32> {
        trimmed(text)
    }

    fn encode(number: u32) -> OsString {
        number.to_string().into()
    }
}

/// The number of an open file.
#[derive(Debug)]
pub struct Descriptor;

impl ValueKind for Descriptor {
    type Value<'a> = i32;

    const EMPTY_IS_NOT_SET: bool = false;

    fn decode(text: &[u8]) -> Option<i32> {
        std::str::from_utf8(text).ok()?.parse().ok()
    }

    fn encode(number: i32) -> OsString {
        number.to_string().into()
    }
}

/// A number of bytes.
#[derive(Debug)]
pub struct Bytes;

impl ValueKind for Bytes {
    type Value<'a> = u64;

    fn decode(text: &[u8]) -> Option<u64> {
        trimmed(text)
    }

    fn encode(bytes: u64) -> OsString {
        bytes.to_string().into()
    }
}

/// A finite number above 0.
#[derive(Debug)]
pub struct Factor;

impl ValueKind for Factor {
    type Value<'a> = f64;

    fn decode(text: &[u8]) -> Option<f64> {
        trimmed(text).filter(|factor: &f64| factor.is_finite() && *factor > 0.0)
    }

    fn encode(factor: f64) -> OsString {
        factor.to_string().into()
    }
}

/// Seconds and fractions of seconds; 0 is valid.
#[derive(Debug)]
pub struct Seconds;

impl ValueKind for Seconds {
    type Value<'a> = Duration;

    fn decode(text: &[u8]) -> Option<Duration> {
        Duration::try_from_secs_f64(trimmed(text)?).ok()
    }

    fn encode(time: Duration) -> OsString {
        time.as_secs_f64().to_string().into()
    }
}

/// Whole seconds.
#[derive(Debug)]
pub struct WholeSeconds;

impl ValueKind for WholeSeconds {
    type Value<'a> = Duration;

    fn decode(text: &[u8]) -> Option<Duration> {
        trimmed(text).map(Duration::from_secs)
    }

    fn encode(time: Duration) -> OsString {
        time.as_secs().to_string().into()
    }
}

/// On or off: `0` and `off` are off, anything else is on.
#[derive(Debug)]
pub struct Switch;

impl ValueKind for Switch {
    type Value<'a> = bool;

    fn decode(text: &[u8]) -> Option<bool> {
        Some(!matches!(text, b"0" | b"off"))
    }

    fn encode(on: bool) -> OsString {
        if on { "1" } else { "off" }.into()
    }
}

/// A file or folder.
#[derive(Debug)]
pub struct FileKind;

impl ValueKind for FileKind {
    type Value<'a> = &'a Path;

    fn decode(text: &[u8]) -> Option<&Path> {
        Some(Path::new(OsStr::from_bytes(text)))
    }

    fn encode(path: &Path) -> OsString {
        path.into()
    }
}

/// A text that its reader parses: a command, a time with its unit, a name.
#[derive(Debug)]
pub struct Text;

impl ValueKind for Text {
    type Value<'a> = &'a OsStr;

    fn decode(text: &[u8]) -> Option<&OsStr> {
        Some(OsStr::from_bytes(text))
    }

    fn encode(text: &OsStr) -> OsString {
        text.to_owned()
    }
}

/// Names, separated by commas.
#[derive(Debug)]
pub struct Names;

impl ValueKind for Names {
    type Value<'a> = Vec<String>;

    fn decode(text: &[u8]) -> Option<Vec<String>> {
        let names = String::from_utf8_lossy(text);
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        Some(names.map(str::to_owned).collect())
    }

    fn encode(names: Vec<String>) -> OsString {
        names.join(",").into()
    }
}

/// A number of bytes without meaning.
#[derive(Debug)]
pub struct Padding;

impl ValueKind for Padding {
    type Value<'a> = usize;

    fn decode(text: &[u8]) -> Option<usize> {
        Some(text.len())
    }

    fn encode(bytes: usize) -> OsString {
        "x".repeat(bytes).into()
    }
}
