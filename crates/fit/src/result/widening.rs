//! By how much intervals are wider than the variation of the samples requires.

use serde::{Deserialize, Deserializer, Serialize};

use crate::distributions::two_sided;

/// By how much a fit's intervals are wider than the variation of its samples requires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Widening {
    /// Added below, as a share of the value: by how much disturbed samples may be too long.
    #[serde(default)]
    pub below: f64,
    /// Added above, as a share of the value.
    #[serde(default)]
    pub above: f64,
    /// Relative standard deviation between runs at different times that affects all points equally.
    #[serde(default)]
    pub common: f64,
    /// Degrees of freedom of `common`; 0 if there is none.
    #[serde(default)]
    pub dof: f64,
}

impl Widening {
    /// Whether the intervals stay unchanged.
    pub fn is_none(&self) -> bool {
        self.below == 0.0 && self.above == 0.0 && self.common == 0.0
    }

    /// The larger of `below` and `above` combined with `common` (root of the sum of squares).
    pub fn share(&self) -> f64 {
        self.below.max(self.above).hypot(self.common)
    }

    pub(crate) fn checked(self) -> Widening {
        let share = |share: f64| if share.is_finite() { share.max(0.0) } else { 0.0 };
        Widening {
            below: share(self.below),
            above: share(self.above),
            common: share(self.common),
            dof: share(self.dof),
        }
    }

    /// The widened interval about a value. `common` is independent of the interval's own
    /// uncertainty and is added as a square; `below` and `above` are added linearly.
    pub(crate) fn wider(&self, value: f64, (low, high): (f64, f64), confidence: f64) -> (f64, f64) {
        let common = match self.common > 0.0 {
            true => self.common * value.abs() * two_sided(confidence, self.dof),
            false => 0.0,
        };
        // A side that does not contain the value is not made shorter.
        let side = |half: f64| if half > 0.0 { half.hypot(common) } else { half + common };
        let size = value.abs();
        (
            value - side(value - low) - self.below * size,
            value + side(high - value) + self.above * size,
        )
    }
}

/// In files of earlier versions it is one share for both sides.
pub(super) fn read<'de, D: Deserializer<'de>>(source: D) -> Result<Widening, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Share(f64),
        Whole(Widening),
    }
    Ok(match Written::deserialize(source)? {
        Written::Share(share) => Widening { below: share, above: share, ..Widening::default() },
        Written::Whole(widening) => widening,
    })
}
