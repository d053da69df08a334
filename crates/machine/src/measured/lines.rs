//! Time as a function of size: a line of segments.

use cll_fit::{Data, Fit, Intervals, Options, Point, fit};

use super::{Sample, rounded, uncertain};
use crate::communication::{Combine, Segment, Synchronisation};
use crate::regimes::Regimes;
use crate::uncertain::Uncertain;

/// With more segments than this, nothing could be concluded from them.
const MOST_PIECES: usize = 6;
/// A segment has two constants and two more points than these.
const MIN_SIZES: usize = 4;

/// The segments of a pattern's supersteps; `None` with too few sizes.
pub(super) fn segments(samples: &[&Sample], combine: Combine, wider: f64) -> Option<Vec<Segment>> {
    pieces(samples.iter().map(|sample| (h(sample, combine), sample.time.get())), wider)
}

/// `T = L + g·n` of sizes and seconds; `None` with too few sizes.
pub(crate) fn pieces(rows: impl Iterator<Item = (f64, f64)>, wider: f64) -> Option<Vec<Segment>> {
    let fit = fitted(points(0, rows), MOST_PIECES)?;
    let segments = fit.intervals.iter().map(|interval| {
        let constant = |index: usize| {
            let estimate = &interval.constants[index];
            let value = estimate.value.unwrap_or(interval.solution[index]);
            uncertain(value, estimate.low, estimate.high, wider)
        };
        Segment { from: interval.first, to: interval.last, l: constant(0), g: constant(1) }
    });
    Some(segments.collect())
}

/// Widens the intervals of the segments in which the times of the rows are in several regimes, and gives those of each
/// segment as factors of its line.
pub(crate) fn regimes(
    segments: &mut [Segment],
    rows: impl Iterator<Item = (f64, f64)>,
) -> Vec<Option<Regimes>> {
    let rows: Vec<(f64, f64)> = rows.collect();
    let regimes_of = |segment: &mut Segment| {
        let inside = rows.iter().filter(|(h, _)| segment.from <= *h && *h <= segment.to);
        let line = |h: f64| segment.l.value + segment.g.value * h;
        let factors: Vec<f64> = inside.map(|(h, seconds)| seconds / line(*h)).collect();
        let regimes = Regimes::from_samples("", "x", &factors)?;
        let (low, high) = regimes.range();
        for uncertain in [&mut segment.l, &mut segment.g] {
            uncertain.low = uncertain.low.min(rounded(uncertain.value * low));
            uncertain.high = uncertain.high.max(rounded(uncertain.value * high));
        }
        Some(regimes)
    };
    segments.iter_mut().map(regimes_of).collect()
}

/// Seconds per byte of the requests before the synchronisation; `None` with too few sizes.
pub(super) fn calls(samples: &[&Sample], wider: f64) -> Option<Uncertain> {
    per_byte(samples.iter().map(|sample| (sample.h_max, sample.calls.get())), wider)
}

/// Seconds per byte for the first reading of received data; `None` with too few sizes, or if the library has copied the
/// data, so that reading takes no additional time.
pub(super) fn fetch(samples: &[&Sample], wider: f64) -> Option<Uncertain> {
    let oblivious =
        samples.iter().filter(|sample| sample.synchronisation == Synchronisation::Oblivious);
    per_byte(oblivious.map(|sample| (sample.h_max, sample.fetch.get())), wider)
        .filter(|fetch| fetch.value > 0.0)
}

/// The slope of the largest sizes.
pub(super) fn per_byte(rows: impl Iterator<Item = (f64, f64)>, wider: f64) -> Option<Uncertain> {
    let fit = fitted(points(0, rows), MOST_PIECES)?;
    let last = fit.intervals.last()?;
    let estimate = last.constants.get(1)?;
    let value = estimate.value.unwrap_or(last.solution[1]);
    Some(uncertain(value, estimate.low, estimate.high, wider))
}

pub(super) fn h(sample: &Sample, combine: Combine) -> f64 {
    match combine {
        Combine::Max => sample.h_max,
        Combine::Sum => sample.h_sum,
    }
}

/// Sizes with the observed times. Points of different kinds stay separate, even if h is the same.
pub(super) fn points(kind: usize, rows: impl Iterator<Item = (f64, f64)>) -> Vec<Point> {
    let positive = rows.filter(|(_, seconds)| *seconds > 0.0);
    Data::from_rows(variables(), positive.map(|(h, seconds)| (vec![h, kind as f64], seconds)))
        .points
}

fn variables() -> Vec<String> {
    ["h", "kind"].map(String::from).into()
}

/// Fits `L + g·h` by relative errors, with L and g not negative, in the best division into a limited number of
/// segments.
pub(super) fn fitted(points: Vec<Point>, most: usize) -> Option<Fit> {
    let formula = cll_formula::parse("f", "f[0] + f[1]*h").formula?;
    if points.len() < MIN_SIZES {
        return None;
    }
    let data = Data { points, ..Data::new(variables()) };
    let options = Options {
        intervals: Intervals::Dynamic { max_intervals: most },
        non_negative: true,
        axis: Some("h".into()),
        confidence: 0.95,
        ..Options::default()
    };
    fit(&formula, &data, &options).ok()
}
