//! Finds the entry of a machine that is nearest to a request.

use crate::communication::{Pattern, Segment};

/// The properties that all kinds of entries have.
pub(super) struct Processors {
    pub processors: u32,
    pub oversubscribed: bool,
}

/// The entry that is nearest: first with or without processors that share cores, if that is
/// requested, then by the number of processors (as a ratio; the larger of two
/// equally far), then by `otherwise`; the first of equal ones.
pub(super) fn nearest<'a, T>(
    entries: impl Iterator<Item = &'a T>,
    kind: impl Fn(&T) -> Processors,
    (processors, oversubscribed): (u32, Option<bool>),
    otherwise: impl Fn(&T) -> usize,
) -> Option<&'a T> {
    let far = |entry: &T| {
        let kind = kind(entry);
        let other = oversubscribed.is_some_and(|asked| asked != kind.oversubscribed);
        let (less, more) = (kind.processors.min(processors), kind.processors.max(processors));
        let ratio = f64::from(more.max(1)) / f64::from(less.max(1));
        (other, ratio, kind.processors < processors, otherwise(entry))
    };
    entries.min_by(|a, b| far(a).partial_cmp(&far(b)).unwrap_or(std::cmp::Ordering::Equal))
}

/// How bad another pattern is as a substitute for the requested one; 0 for itself.
/// A random relation has no special structure. So it is the best substitute for patterns in which all processors are
/// busy, and these are the best substitutes for it.
pub(super) fn stranger(asked: Pattern, has: Pattern) -> usize {
    use Pattern::{Broadcast, Gather, Random, Scatter, Shift, TotalExchange};
    let order: [Pattern; 5] = match asked {
        Shift => [TotalExchange, Random, Gather, Scatter, Broadcast],
        TotalExchange => [Random, Shift, Gather, Scatter, Broadcast],
        Random => [TotalExchange, Shift, Gather, Scatter, Broadcast],
        Broadcast => [Scatter, Gather, Random, TotalExchange, Shift],
        Scatter => [Broadcast, Gather, Random, TotalExchange, Shift],
        Gather => [Scatter, Broadcast, Random, TotalExchange, Shift],
    };
    order.iter().position(|pattern| *pattern == has).map_or(0, |place| place + 1)
}

/// The segment that holds `h`, or the nearest by ratio.
pub(super) fn segment(segments: &[Segment], h: f64) -> &Segment {
    let above = segments.partition_point(|segment| segment.to < h);
    let (before, after) = (segments[..above].last(), segments.get(above));
    match (before, after) {
        (None, Some(segment)) | (Some(segment), None) => segment,
        // If `h` is between two segments: the geometric mean decides which one is nearer.
        (Some(lower), Some(upper)) if h < upper.from && h * h < lower.to * upper.from => lower,
        (_, Some(upper)) => upper,
        (None, None) => unreachable!("a line has pieces"),
    }
}
