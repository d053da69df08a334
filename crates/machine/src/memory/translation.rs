//! Address translation: what an access in many pages takes more than one of as many lines in few pages.

use super::levels::ends;
use super::steps::plateaus;
use super::{LatencyCurve, Translation};
use crate::uncertain::Uncertain;

/// The steps of translation.
///
/// `sparse` has one line in each page, `dense` neighbouring lines. What both have in common, the misses of their lines in
/// caches, is taken off point by point; the plateaus of the rest, above the latency of the first level, are the levels of
/// translation. `page` is the size of a page in bytes.
pub fn translation(sparse: &LatencyCurve, dense: &LatencyCurve, page: f64) -> Vec<Translation> {
    let Some(first) = dense.points.first().map(|point| point.latency.value) else {
        return Vec::new();
    };
    let mut reaches = Vec::new();
    let mut values = Vec::new();
    for point in &sparse.points {
        let Some(common) = latency_at(dense, point.size) else { continue };
        // A line in each page: as many pages as lines.
        reaches.push(point.size / LINE * page);
        values.push(first + (point.latency.value - common).max(0.0));
    }
    let plateaus = plateaus(&values);
    let ends = ends(&plateaus, &reaches, &values);
    let cost = |k: usize| {
        let plateau = &plateaus[k + 1];
        let inside = &values[plateau.points.clone()];
        let low = inside.iter().copied().fold(f64::INFINITY, f64::min) - first;
        let high = inside.iter().copied().fold(0.0, f64::max) - first;
        Uncertain { value: plateau.value - first, low: low.max(0.0), high }
    };
    let translation = |(k, reach)| Translation { reach, page, cost: cost(k) };
    ends.into_iter().enumerate().map(translation).collect()
}

/// Bytes of a cache line.
const LINE: f64 = 64.0;

/// The latency at a size between two points, linear in the logarithm of the size; `None` outside.
fn latency_at(curve: &LatencyCurve, size: f64) -> Option<f64> {
    let after = curve.points.iter().position(|point| point.size >= size)?;
    let upper = curve.points[after];
    if upper.size == size || after == 0 {
        return (upper.size == size).then_some(upper.latency.value);
    }
    let lower = curve.points[after - 1];
    let part = (size / lower.size).ln() / (upper.size / lower.size).ln();
    Some(lower.latency.value * (1.0 - part) + upper.latency.value * part)
}
