//! The costs of accesses that do not need each other: misses of a core that are under way at the same time.
//! A chase waits for each access, and a stream is fetched ahead: neither says how many these are.

use super::contention::is_inside;
use super::{Access, LatencyPoint, Memory, Pages};
use crate::uncertain::Uncertain;

/// Bytes of a cache line.
const LINE: f64 = 64.0;

impl Memory {
    /// The time of each of many independent accesses in a level: the median over the working sets that are clearly in it,
    /// of lines side by side, in huge pages if there are such. `None` if there are none.
    pub fn each(&self, access: Access, level: usize) -> Option<Uncertain> {
        let curve_of = |pages: Pages| {
            self.independent.iter().find(|curve| {
                curve.access == access && curve.pages == pages && curve.stride <= LINE
            })
        };
        let curve = curve_of(Pages::Large).or(curve_of(Pages::Small))?;
        let from = match level {
            0 => 0.0,
            _ => self.levels.get(level - 1)?.size?.value,
        };
        let until = self.levels.get(level)?.size.map_or(f64::INFINITY, |size| size.value);
        median(curve.points.iter().filter(|point| is_inside(point.size, from, until)))
    }
}

fn median<'a>(points: impl Iterator<Item = &'a LatencyPoint>) -> Option<Uncertain> {
    let points: Vec<Uncertain> = points.map(|point| point.latency).collect();
    let median_of = |part: fn(&Uncertain) -> f64| cll_statistics::median(points.iter().map(part));
    Some(Uncertain {
        value: median_of(|uncertain| uncertain.value)?,
        low: median_of(|uncertain| uncertain.low)?,
        high: median_of(|uncertain| uncertain.high)?,
    })
}
