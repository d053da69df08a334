//! The correction of the times of a clock, from bounds that follow from the order of events.

use cll_units::Seconds;

/// Clocks are wrong by less.
const MAX_DRIFT: f64 = 5e-4;

/// Bounds of a correction at a time.
#[derive(Clone, Copy, Debug)]
pub struct CorrectionBounds {
    /// The time.
    pub time: Seconds,
    /// The least that is to be added.
    pub low: Seconds,
    /// The most that is to be added.
    pub high: Seconds,
}

/// A correction that is linear in time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Correction {
    /// Where the bounds begin.
    pub begin: Seconds,
    /// The correction where the bounds begin.
    pub offset: Seconds,
    /// The change of the correction per second.
    pub drift: f64,
    /// The possible error of the correction.
    pub uncertainty: Seconds,
}

impl Correction {
    /// A time, corrected.
    pub fn correct(&self, time: Seconds) -> Seconds {
        time + self.offset + self.drift * (time - self.begin)
    }
}

/// The correction with the greatest distance to the bounds on both sides: without drift, if there is one within the
/// bounds. `None`, if one side has no bound.
pub fn fit_correction(bounds: &[CorrectionBounds]) -> Option<Correction> {
    let begin = bounds.iter().map(|bounds| bounds.time).reduce(Seconds::min)?;
    let with = |drift: f64| {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for bounds in bounds {
            let gained = drift * (bounds.time - begin);
            low = low.max((bounds.low - gained).get());
            high = high.min((bounds.high - gained).get());
        }
        (low, high)
    };
    let (low, high) = with(0.0);
    let room = |drift| {
        let (low, high) = with(drift);
        high - low
    };
    let drift = if low <= high { 0.0 } else { argmax(room, -MAX_DRIFT, MAX_DRIFT) };
    let (low, high) = with(drift);
    if !low.is_finite() || !high.is_finite() {
        return None;
    }
    let offset = Seconds(low + (high - low) / 2.0);
    Some(Correction { begin, offset, drift, uncertainty: Seconds((high - low).abs() / 2.0) })
}

/// Finds the maximum of a concave function.
fn argmax(value_at: impl Fn(f64) -> f64, mut from: f64, mut to: f64) -> f64 {
    while to - from > 1e-11 {
        let (left, right) = (from + (to - from) / 3.0, to - (to - from) / 3.0);
        if value_at(left) < value_at(right) { from = left } else { to = right }
    }
    from + (to - from) / 2.0
}
