//! Which time of a region is meant.

use std::str::FromStr;

/// The time (or observable) of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Time {
    /// With the regions inside it.
    #[default]
    Inclusive,
    /// Without the regions inside it.
    Exclusive,
}

impl Time {
    /// The names, as the user writes them.
    pub const NAMES: [&'static str; 2] = ["inclusive", "exclusive"];

    /// Returns the name of the time.
    pub fn name(self) -> &'static str {
        match self {
            Time::Inclusive => Time::NAMES[0],
            Time::Exclusive => Time::NAMES[1],
        }
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Time, String> {
        match text {
            "inclusive" => Ok(Time::Inclusive),
            "exclusive" => Ok(Time::Exclusive),
            _ => Err(format!("`{text}` is not one of {}", Time::NAMES.join(", "))),
        }
    }
}
