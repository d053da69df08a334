//! By how much intervals are wider than samples ask.

use serde::{Deserialize, Deserializer, Serialize};

use crate::distributions::two_sided;

/// By how much a fit's intervals are wider than the spread of its samples asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Widening {
    /// By so large a share of the value they go further down: what disturbed samples may be too long by.
    #[serde(default)]
    pub below: f64,
    /// And further up.
    #[serde(default)]
    pub above: f64,
    /// Relative standard deviation of what all times share, and another occasion does not.
    #[serde(default)]
    pub common: f64,
    /// Degrees of freedom that it is known with; 0 where there is none.
    #[serde(default)]
    pub dof: f64,
}

impl Widening {
    /// Whether nothing is wider.
    pub fn is_none(&self) -> bool {
        self.below == 0.0 && self.above == 0.0 && self.common == 0.0
    }

    /// The larger of both shares, and the deviation, as one deviation.
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

    /// An interval about a value, wider: the deviation of occasions is independent of what makes it wide and is
    /// added by squares, the shares as they are.
    pub(crate) fn wider(&self, value: f64, (low, high): (f64, f64), confidence: f64) -> (f64, f64) {
        let common = match self.common > 0.0 {
            true => self.common * value.abs() * two_sided(confidence, self.dof),
            false => 0.0,
        };
        // Of an interval that does not hold the value nothing is taken away.
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
