//! What is to be added to the times of a clock, from bounds that what happened has set.

/// Clocks are wrong by less.
const DRIFT: f64 = 5e-4;

/// Of a correction at a time.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The time, seconds.
    pub at: f64,
    /// Least that is to be added, seconds.
    pub low: f64,
    /// Most that is to be added, seconds.
    pub high: f64,
}

/// A correction that changes with time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Line {
    /// Where the bounds begin, seconds.
    pub begin: f64,
    /// What is to be added there, seconds.
    pub offset: f64,
    /// What is to be added more with each second.
    pub drift: f64,
    /// How far the correction may be off, seconds.
    pub uncertainty: f64,
}

impl Line {
    /// A time, corrected.
    pub fn correct(&self, time: f64) -> f64 {
        time + self.offset + self.drift * (time - self.begin)
    }
}

/// The line that the bounds leave most room to on both sides: level, if they leave any to such a one. None, if one
/// side has no bound.
pub fn line(bounds: &[Bounds]) -> Option<Line> {
    let begin = bounds.iter().map(|one| one.at).reduce(f64::min)?;
    let with = |drift: f64| {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for one in bounds {
            let gained = drift * (one.at - begin);
            (low, high) = (low.max(one.low - gained), high.min(one.high - gained));
        }
        (low, high)
    };
    let (low, high) = with(0.0);
    let room = |drift| {
        let (low, high) = with(drift);
        high - low
    };
    let drift = if low <= high { 0.0 } else { largest(room, -DRIFT, DRIFT) };
    let (low, high) = with(drift);
    if !low.is_finite() || !high.is_finite() {
        return None;
    }
    let offset = low + (high - low) / 2.0;
    Some(Line { begin, offset, drift, uncertainty: (high - low).abs() / 2.0 })
}

/// Where a concave function is largest.
fn largest(of: impl Fn(f64) -> f64, mut from: f64, mut to: f64) -> f64 {
    while to - from > 1e-11 {
        let (left, right) = (from + (to - from) / 3.0, to - (to - from) / 3.0);
        match of(left) < of(right) {
            true => from = left,
            false => to = right,
        }
    }
    from + (to - from) / 2.0
}
