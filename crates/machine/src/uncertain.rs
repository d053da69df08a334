//! A number and its uncertainty.

use schemars::JsonSchema;
use serde::Serialize;

/// A value with its 95 % interval; `low = high = value` if the spread is not known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Uncertain {
    /// The value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Uncertain {
    /// Nothing.
    pub const ZERO: Uncertain = Uncertain::exact(0.0);

    /// A value whose spread is not known.
    pub const fn exact(value: f64) -> Uncertain {
        Uncertain { value, low: value, high: value }
    }

    /// The same in a unit that is `factor` times smaller; `factor` is positive.
    #[must_use]
    pub fn times(self, factor: f64) -> Uncertain {
        Uncertain { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }

    /// Whether the interval contains more than the value.
    pub fn has_spread(self) -> bool {
        self.low < self.value || self.high > self.value
    }
}
