//! The levels of a memory hierarchy, from latencies by working set.

use cll_statistics::{interval_of_median, sorted};

use super::steps::{Plateau, plateaus};
use super::transition::end;
use super::{LatencyPoint, Level};
use crate::uncertain::Uncertain;

/// Points of each plateau that belong to the fit of the transition between them.
const BESIDE: usize = 3;

/// The levels that the points show; they ascend by size. What the system says about its caches is not used.
///
/// The last level is the memory if the sizes go beyond all caches; it has no size. Levels are found at least a factor of
/// 1.5 apart, with at least three points on each.
pub fn levels(points: &[LatencyPoint]) -> Vec<Level> {
    let good: Vec<&LatencyPoint> = points
        .iter()
        .filter(|point| {
            point.latency.value.is_finite() && point.latency.value > 0.0 && point.size > 0.0
        })
        .collect();
    let values: Vec<f64> = good.iter().map(|point| point.latency.value).collect();
    let sizes: Vec<f64> = good.iter().map(|point| point.size).collect();
    let plateaus = plateaus(&values);
    let ends = ends(&plateaus, &sizes, &values);
    let last = plateaus.len().saturating_sub(1);
    let level = |(k, plateau): (usize, &Plateau)| Level {
        name: match k {
            _ if k == last && k > 0 => "memory".to_owned(),
            _ => format!("L{}", k + 1),
        },
        size: ends.get(k).copied(),
        latency: latency(&good[plateau.points.clone()], plateau.value),
    };
    plateaus.iter().enumerate().map(level).collect()
}

/// The sizes at which all plateaus but the last one end.
pub(super) fn ends(plateaus: &[Plateau], sizes: &[f64], values: &[f64]) -> Vec<Uncertain> {
    let end_of = |pair: &[Plateau]| {
        let (lower, upper) = (&pair[0], &pair[1]);
        let from = lower.points.end.saturating_sub(BESIDE).max(lower.points.start);
        let until = (upper.points.start + BESIDE).min(upper.points.end);
        let near: Vec<(f64, f64)> = (from..until).map(|k| (sizes[k], values[k])).collect();
        // In what the plateau's last points show, its own slope is no miss.
        let low = values[from..lower.points.end].iter().copied().fold(0.0, f64::max);
        let low = low.min(1.1 * lower.value).max(lower.value);
        end(&near, (low, upper.value), (sizes[from], sizes[upper.points.start]))
    };
    plateaus.windows(2).map(end_of).collect()
}

/// The median of a plateau with its interval, or the range where there are few points.
fn latency(points: &[&LatencyPoint], value: f64) -> Uncertain {
    let values = sorted(points.iter().map(|point| point.latency.value));
    let range = (values.first().copied(), values.last().copied());
    let (low, high) = interval_of_median(&values, 0.95)
        .unwrap_or((range.0.unwrap_or(value), range.1.unwrap_or(value)));
    Uncertain { value, low: low.min(value), high: high.max(value) }
}
