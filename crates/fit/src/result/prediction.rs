//! A predicted value and its position relative to the data.

use serde::{Deserialize, Serialize};

use crate::{Unit, Warning};

/// A predicted value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Prediction {
    /// In the fit's unit.
    pub value: f64,
    /// Prediction band of a new measurement with this confidence; `None` if the variance is unknown
    /// (no degrees of freedom and no repetitions).
    pub band: Option<Band>,
    /// Confidence of the bands.
    pub confidence: f64,
    /// The number of runs that value and band stand for: with 5 they are those of the median (or
    /// another aggregate) of 5.
    #[serde(default)]
    pub repetitions: usize,
    /// Prediction band of one run with the same confidence; `None` if the variation between runs is
    /// unknown.
    #[serde(default)]
    pub run: Option<Band>,
    /// The position of the values relative to the data.
    pub domain: Domain,
    /// Whether it follows the data (`Fit::correction`), not only the formula.
    #[serde(default)]
    pub follows: bool,
    /// Index of the interval whose constants hold there.
    pub interval: usize,
    /// Unit of value and band.
    pub unit: Unit,
    /// Warnings that the user should know before using the value.
    pub warnings: Vec<Warning>,
}

/// A prediction band, in the unit of the value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Band {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Band {
    /// The band with a value that it has to contain.
    #[must_use]
    pub(crate) fn around(self, value: f64) -> Band {
        Band { low: self.low.min(value), high: self.high.max(value) }
    }
}

/// The position of a prediction relative to the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "where")]
pub enum Domain {
    /// Inside the measured values of an interval.
    Inside {
        /// The index of the interval.
        interval: usize,
    },
    /// In the gap between two intervals: the constants of either side may hold.
    Between {
        /// Index of the interval on the left; the other is the next one.
        left: usize,
        /// Last value of the axis on the left.
        last_left: f64,
        /// First value of the axis on the right.
        first_right: f64,
        /// Between regions: the axis, and the region on its upper side.
        #[serde(default, flatten, skip_serializing_if = "Option::is_none")]
        split: Option<BetweenRegions>,
    },
    /// Outside the measured range of a variable, or of an axis made of several. In tests no method
    /// predicted correctly across a cache size or another limit.
    Beyond {
        /// The variable that is farthest outside; the axis, such as N/P, if all variables are
        /// inside.
        variable: String,
        /// The value of the variable.
        value: f64,
        /// The nearest measured value.
        nearest: f64,
        /// How far beyond, as a ratio above 1: value/nearest, or nearest/value below the range.
        /// `None` if the ratio is undefined (zero, or different signs).
        factor: Option<f64>,
    },
    /// Inside the range of each variable, but far from every measured combination.
    Apart {
        /// The variables that were not measured together there.
        variables: Vec<String>,
        /// Their values.
        values: Vec<f64>,
        /// Their values at the nearest measured combinations, one or two.
        nearest: Vec<Vec<f64>>,
    },
}

/// The other region of a point between two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BetweenRegions {
    /// The axis along which they lie side by side.
    pub axis: String,
    /// Index of the region on its upper side.
    pub right: usize,
}

impl Domain {
    /// Whether no measurement is near: [`Domain::Beyond`] or [`Domain::Apart`].
    pub fn is_extrapolation(&self) -> bool {
        matches!(self, Domain::Beyond { .. } | Domain::Apart { .. })
    }
}
