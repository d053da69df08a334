//! How a constant goes from one level to the next along an axis.

use serde::{Deserialize, Serialize};

/// A change of one constant. What lies before it costs the level before, what lies beyond the level after.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum LevelChange {
    /// From here on every unit costs the next level.
    Jump {
        /// The place, in units of the axis.
        at: f64,
    },
    /// The cost goes from one level to the next, logistic in the logarithm of the axis.
    Rise {
        /// Where half of the way is gone, in units of the axis.
        at: f64,
        /// The factor of the axis over which the share of the next level goes from 10 to 90 %; above 1.
        factor: f64,
    },
    /// Only units beyond this place cost the next level.
    Kink {
        /// The place, in units of the axis.
        at: f64,
    },
}

impl LevelChange {
    /// The place, in units of the axis.
    pub fn position(&self) -> f64 {
        match *self {
            LevelChange::Jump { at: position }
            | LevelChange::Rise { at: position, .. }
            | LevelChange::Kink { at: position } => position,
        }
    }

    /// The same change at another place.
    pub(crate) fn moved(self, position: f64) -> LevelChange {
        match self {
            LevelChange::Jump { .. } => LevelChange::Jump { at: position },
            LevelChange::Rise { factor, .. } => LevelChange::Rise { at: position, factor },
            LevelChange::Kink { .. } => LevelChange::Kink { at: position },
        }
    }

    /// Where the level before ends and the next one begins, in units of the axis: 10 and 90 % of a rise, the place of a
    /// jump or a kink twice.
    pub fn reach(&self) -> (f64, f64) {
        match *self {
            LevelChange::Jump { at: position } | LevelChange::Kink { at: position } => {
                (position, position)
            }
            LevelChange::Rise { at: position, factor } => {
                (position / factor.sqrt(), position * factor.sqrt())
            }
        }
    }

    /// The share of the next level at a value of the axis, between 0 and 1; of a kink that of the units beyond.
    pub fn share(&self, axis: f64) -> f64 {
        match *self {
            LevelChange::Jump { at: position } | LevelChange::Kink { at: position } => {
                f64::from(u8::from(axis > position))
            }
            LevelChange::Rise { at: position, factor } => {
                // 2 ln 9: from 10 to 90 % while the logarithm grows by ln(factor).
                let steepness = 2.0 * 9f64.ln() / factor.ln();
                1.0 / (1.0 + (-steepness * (axis / position).ln()).exp())
            }
        }
    }

    /// Whether it is a kink.
    pub(crate) fn is_kink(&self) -> bool {
        matches!(self, LevelChange::Kink { .. })
    }

    /// The parameters that it has beside the height of its level and its place.
    pub(crate) fn widths(&self) -> usize {
        usize::from(matches!(self, LevelChange::Rise { .. }))
    }
}

/// The parts of a term that each of its levels is multiplied by, at a value of the axis: one more than changes, which
/// are in the order of their places. Their sum is the term. `term` gives the term at another value of the axis.
pub(crate) fn parts(
    changes: &[LevelChange],
    term: &dyn Fn(f64) -> f64,
    axis: f64,
    out: &mut [f64],
) {
    for (level, change) in changes.iter().enumerate() {
        let rest = left(&changes[..level], term, axis);
        let beyond = beyond(&changes[..level], change, term, axis, rest);
        out[level] = rest - beyond;
        out[level + 1] = beyond;
    }
    if changes.is_empty() {
        out[0] = term(axis);
    }
}

/// Returns the part of a term that these changes leave for the levels after them.
fn left(changes: &[LevelChange], term: &dyn Fn(f64) -> f64, axis: f64) -> f64 {
    match changes.split_last() {
        None => term(axis),
        Some((last, before)) => {
            let rest = left(before, term, axis);
            beyond(before, last, term, axis, rest)
        }
    }
}

/// The part of `rest`, which the changes before leave, that is beyond a change.
fn beyond(
    before: &[LevelChange],
    change: &LevelChange,
    term: &dyn Fn(f64) -> f64,
    axis: f64,
    rest: f64,
) -> f64 {
    if !change.is_kink() {
        return rest * change.share(axis);
    }
    if axis > change.position() { rest - left(before, term, change.position()) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_term() {
        let square = |n: f64| n * n;
        let changes = [
            LevelChange::Rise { at: 100.0, factor: 3.0 },
            LevelChange::Kink { at: 400.0 },
            LevelChange::Jump { at: 1000.0 },
        ];
        for n in [10.0, 90.0, 200.0, 400.0, 500.0, 1000.0, 1001.0, 5000.0] {
            let mut out = [0.0; 4];
            parts(&changes, &square, n, &mut out);
            assert!((out.iter().sum::<f64>() - n * n).abs() < 1e-9 * n * n, "{n}: {out:?}");
            assert!(out.iter().all(|part| *part >= -1e-9 * n * n), "{n}: {out:?}");
        }
    }

    #[test]
    fn a_rise_takes_its_factor_from_10_to_90_percent() {
        let rise = LevelChange::Rise { at: 300.0, factor: 4.0 };
        assert_eq!(rise.reach(), (150.0, 600.0));
        assert!((rise.share(150.0) - 0.1).abs() < 1e-12 && (rise.share(600.0) - 0.9).abs() < 1e-12);
        assert!((rise.share(300.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_kink_charges_only_what_is_beyond() {
        // The law of LRU, lo + (hi - lo) (1 - (c/N)²), times N².
        let (low, high, c) = (1.0, 5.0, 50.0);
        for n in [20.0, 50.0, 70.0, 400.0] {
            let mut out = [0.0; 2];
            parts(&[LevelChange::Kink { at: c }], &|n| n * n, n, &mut out);
            let share: f64 = if n > c { 1.0 - (c / n).powi(2) } else { 0.0 };
            let law = (low + (high - low) * share) * n * n;
            assert!((low * out[0] + high * out[1] - law).abs() < 1e-9 * law);
        }
    }
}
