//! The contention κ(level, cores).

use cll_statistics::{interval_of_median, sorted};

use super::{BandwidthCurve, Contention, Level};
use crate::uncertain::Uncertain;

/// Working sets nearer to the end of a level than this factor belong to none.
const CLEAR: f64 = 1.25;

/// κ of each level and number of cores: the time of a core among them divided by its time alone, the median over all kinds
/// of access and all working sets that are clearly in the level for one core.
///
/// A cache that the cores share is smaller for each of them: that is in κ.
pub fn contention(levels: &[Level], curves: &[BandwidthCurve]) -> Vec<Contention> {
    let mut numbers: Vec<u32> =
        curves.iter().map(|curve| curve.cores).filter(|core| *core > 1).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut contentions = Vec::new();
    let mut from = 0.0;
    for level in levels {
        let until = level.size.map_or(f64::INFINITY, |size| size.value);
        for cores in &numbers {
            let ratios = sorted(ratios(curves, *cores, from, until));
            let (Some(low), Some(high)) = (ratios.first(), ratios.last()) else { continue };
            let value = cll_statistics::quantile(&ratios, 0.5);
            let (low, high) = interval_of_median(&ratios, 0.95).unwrap_or((*low, *high));
            let factor = Uncertain { value, low: low.min(value), high: high.max(value) };
            contentions.push(Contention { level: level.name.clone(), cores: *cores, factor });
        }
        from = until;
    }
    contentions
}

/// Whether a working set is clearly in a level that holds those of `from` to `until` bytes.
pub(super) fn is_inside(size: f64, from: f64, until: f64) -> bool {
    size > from * CLEAR && size < until / CLEAR
}

fn ratios(curves: &[BandwidthCurve], cores: u32, from: f64, until: f64) -> Vec<f64> {
    let mut values = Vec::new();
    for many in curves.iter().filter(|curve| curve.cores == cores) {
        let is_alone =
            |candidate: &&BandwidthCurve| candidate.access == many.access && candidate.cores == 1;
        let Some(alone) = curves.iter().find(is_alone) else { continue };
        for point in many.points.iter().filter(|point| is_inside(point.size, from, until)) {
            let same =
                alone.points.iter().find(|bandwidth_point| bandwidth_point.size == point.size);
            let Some(same) = same else { continue };
            let ratio = same.rate.value * f64::from(cores) / point.rate.value;
            values.extend(Some(ratio).filter(|value| value.is_finite()));
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::super::{Access, BandwidthPoint};
    use super::*;

    fn curve(cores: u32, rates: &[(f64, f64)]) -> BandwidthCurve {
        let point = |(size, rate): &(f64, f64)| BandwidthPoint {
            size: *size,
            rate: Uncertain::exact(*rate),
        };
        BandwidthCurve { access: Access::Read, cores, points: rates.iter().map(point).collect() }
    }

    #[test]
    fn two_cores_share_the_memory_but_not_their_caches() {
        let level = |name: &str, size: Option<f64>| Level {
            name: name.to_owned(),
            size: size.map(Uncertain::exact),
            latency: Uncertain::exact(1e-9),
        };
        let levels = [level("L1", Some(48e3)), level("memory", None)];
        let alone =
            curve(1, &[(8e3, 100e9), (16e3, 100e9), (40e3, 90e9), (1e6, 10e9), (2e6, 10e9)]);
        let two =
            curve(2, &[(8e3, 200e9), (16e3, 190e9), (40e3, 20e9), (1e6, 12.5e9), (2e6, 12.5e9)]);
        let contentions = contention(&levels, &[alone, two]);
        let seen: Vec<(&str, f64)> = contentions
            .iter()
            .map(|contention| (contention.level.as_str(), contention.factor.value))
            .collect();
        assert_eq!(seen.len(), 2);
        assert!((seen[0].1 - 1.026).abs() < 0.01, "40 KB is too near to the end: {seen:?}");
        assert_eq!(seen[1], ("memory", 1.6));
        assert_eq!(contention(&levels, &[]), []);
    }
}
