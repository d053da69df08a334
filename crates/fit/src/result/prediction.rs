//! A predicted value, and where it lies relative to the data.

use serde::{Deserialize, Serialize};

use crate::{Unit, Warning};

/// A predicted value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// In the fit's unit.
    pub value: f64,
    /// Where a new measurement lies with the fit's confidence; `None` when nothing tells the
    /// spread (no degree of freedom and no repetitions).
    pub band: Option<Band>,
    /// Confidence of the band.
    pub confidence: f64,
    /// Where the values lie beside the data.
    pub domain: Domain,
    /// Whether it follows the data (`Fit::correction`), not the formula alone.
    #[serde(default)]
    pub follows: bool,
    /// Index of the interval whose constants hold there.
    pub interval: usize,
    /// Unit of value and band.
    pub unit: Unit,
    /// What should be known before the value is trusted.
    pub warnings: Vec<Warning>,
}

/// A range for a new measurement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Where a prediction lies beside the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "where")]
pub enum Domain {
    /// Inside an interval's measured values.
    Inside {
        /// Its index.
        interval: usize,
    },
    /// In the gap between two intervals: either side's constants may hold.
    Between {
        /// Index of the interval on the left; the other is the next one.
        left: usize,
        /// Last value of the axis on the left.
        last_left: f64,
        /// First value of the axis on the right.
        first_right: f64,
    },
    /// Outside the measured range of a variable, or of an axis made of several: no method was right
    /// there when a cache or another limit lay between.
    Beyond {
        /// The variable that is farthest out; the axis, such as N/P, where all variables are inside.
        variable: String,
        /// Its value.
        value: f64,
        /// The nearest measured value.
        nearest: f64,
        /// How many times beyond: above 1 (value/nearest, or nearest/value below the range);
        /// `None` where no ratio makes sense (zero, other sign).
        factor: Option<f64>,
    },
    /// Inside the range of each variable, but far from every combination that was measured.
    Apart {
        /// The variables that were not measured together there.
        variables: Vec<String>,
        /// Their values.
        values: Vec<f64>,
        /// Their values at the nearest measured combinations, one or two.
        nearest: Vec<Vec<f64>>,
    },
}

impl Domain {
    /// Whether no measurement is near: [`Domain::Beyond`] or [`Domain::Apart`].
    pub fn is_extrapolation(&self) -> bool {
        matches!(self, Domain::Beyond { .. } | Domain::Apart { .. })
    }
}
