//! By how much intervals are wider than the variation of the samples requires.

use serde::{Deserialize, Deserializer, Serialize};

use crate::numerics::two_sided;

/// By how much a fit's intervals are wider than the variation of its samples requires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Degrees of freedom of `common` and `fresh`; 0 if there is none.
    #[serde(default)]
    pub dof: f64,
    /// Relative standard deviation of what the times of a new measurement share: it is of other runs than the fit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fresh: f64,
}

fn is_zero(share: &f64) -> bool {
    *share == 0.0
}

impl Widening {
    /// Whether the intervals stay unchanged.
    pub fn is_none(&self) -> bool {
        self.below == 0.0 && self.above == 0.0 && self.common == 0.0 && self.fresh == 0.0
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
            fresh: share(self.fresh),
        }
    }

    /// Both together: the causes are independent.
    pub(crate) fn and(&self, other: &Widening) -> Widening {
        let (own, others) = (self.common.powi(2), other.common.powi(2));
        let part = |square: f64, dof: f64| if dof > 0.0 { square * square / dof } else { 0.0 };
        // Satterthwaite's degrees of freedom.
        let parts = part(own, self.dof) + part(others, other.dof);
        let dof =
            if parts > 0.0 { (own + others).powi(2) / parts } else { self.dof.max(other.dof) };
        Widening {
            below: self.below + other.below,
            above: self.above + other.above,
            common: self.common.hypot(other.common),
            dof,
            fresh: self.fresh.hypot(other.fresh),
        }
    }

    /// The widening of a new measurement's interval.
    pub(crate) fn of_new(&self) -> Widening {
        Widening { common: self.common.hypot(self.fresh), ..*self }
    }

    /// The widened interval about a value. `common` is independent of the interval's own
    /// uncertainty and is added as a square; `below` and `above` are added linearly.
    pub(crate) fn wider(&self, value: f64, (low, high): (f64, f64), confidence: f64) -> (f64, f64) {
        let common = if self.common > 0.0 {
            self.common * value.abs() * two_sided(confidence, self.dof)
        } else {
            0.0
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
pub(crate) fn read<'de, D: Deserializer<'de>>(source: D) -> Result<Widening, D::Error> {
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
