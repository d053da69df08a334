//! Words and numbers that several sentences share.

/// A region should be longer than this many readings of the counters.
pub(crate) const READINGS: f64 = 20.0;

/// `sample` of one, `samples` of all other numbers.
pub(super) fn samples(count: u64) -> &'static str {
    if count == 1 { "sample" } else { "samples" }
}
