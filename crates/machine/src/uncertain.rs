//! A number and how far it is known.

use serde::Serialize;

/// A value with the interval it lies in, at 95 %; `low = high = value` where
/// nothing is known of the spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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

    /// A value of whose spread nothing is known.
    pub const fn exact(value: f64) -> Uncertain {
        Uncertain { value, low: value, high: value }
    }

    /// The same in a unit that is `factor` times smaller; `factor` is positive.
    #[must_use]
    pub fn times(self, factor: f64) -> Uncertain {
        Uncertain { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }

    /// Whether the interval is wider than the value alone.
    pub fn has_spread(self) -> bool {
        self.low < self.value || self.high > self.value
    }
}
