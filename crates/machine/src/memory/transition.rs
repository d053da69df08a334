//! Where a level ends: the transition between two plateaus.
//!
//! A working set of W bytes is visited along one cycle. A cache of C bytes that replaces the line that was used least
//! recently has every line up to W = C and none beyond. One that replaces a random line misses a share m of the accesses,
//! of which it replaces m*W/C of its lines in a round: 1 - m = exp(-m*W/C). Real caches are between both: (W/C)^s in place of
//! W/C, where s = 1 is random and a large s is sharp. C and s are fitted; C has the interval in which the fit is not worse by
//! more than the noise.

use std::sync::LazyLock;

use crate::uncertain::Uncertain;

/// The shapes s that are tried.
const SHAPES: [f64; 7] = [1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 100.0];
/// Steps of a size, to an octave.
const STEPS: f64 = 64.0;
/// The noise of a logarithm that is assumed at least.
const NOISE: f64 = 0.02;
/// Quantiles of χ² with one degree of freedom: 68 % and 95 %.
const LIKELY: f64 = 1.0;
const WIDE: f64 = 3.84;

/// The size at which a plateau ends. `points` are those of the transition and some before and after it, by size, with their
/// values; `low` and `high` are the values of the plateaus, and the end is looked for in `within`.
pub(super) fn end(points: &[(f64, f64)], (low, high): (f64, f64), within: (f64, f64)) -> Uncertain {
    let steps = ((within.1 / within.0).log2() * STEPS).ceil().max(1.0) as usize;
    let size = |step: usize| within.0 * (within.1 / within.0).powf(step as f64 / steps as f64);
    let cost = |size: f64| {
        let error_of = |shape: &f64| -> f64 {
            points.iter().map(|point| squared(*point, size, *shape, low, high)).sum()
        };
        SHAPES.iter().map(error_of).fold(f64::INFINITY, f64::min)
    };
    let costs: Vec<f64> = (0..=steps).map(|step| cost(size(step))).collect();
    let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let range = |more: f64| {
        let first = costs.iter().position(|cost| *cost <= best + more).unwrap_or(0);
        let last = costs.iter().rposition(|cost| *cost <= best + more).unwrap_or(steps);
        (size(first), size(last))
    };
    let (likely, wide) = (range(LIKELY), range(WIDE));
    // Sharp ends are equally likely anywhere between two points.
    let value = (likely.0 * likely.1).sqrt();
    Uncertain { value, low: wide.0.min(value), high: wide.1.max(value) }
}

fn squared(point: (f64, f64), size: f64, shape: f64, low: f64, high: f64) -> f64 {
    /// Points that fit badly count as this many deviations.
    const MOST: f64 = 6.0;
    let (bytes, value) = point;
    let expected = low + (high - low) * misses((bytes / size).ln() * shape);
    let off = (value / expected).ln() / NOISE;
    off.powi(2).min(MOST * MOST)
}

/// The share m of misses with x = W/C: 1 - m = exp(-m*x), by ln x.
fn misses(ln_x: f64) -> f64 {
    /// Entries of the table, by ln x from 0 to its end, where m = 1 - e^-x is 1.
    const ENTRIES: usize = 2048;
    const END: f64 = 3.5;
    static TABLE: LazyLock<Vec<f64>> = LazyLock::new(|| {
        let misses_at = |entry: usize| {
            let x = (END * entry as f64 / ENTRIES as f64).exp();
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..50 {
                let m: f64 = 0.5 * (low + high);
                // Below the solution 1 - e^(-m x) is above m.
                if 1.0 - (-m * x).exp() > m { low = m } else { high = m }
            }
            low
        };
        (0..=ENTRIES).map(misses_at).collect()
    });
    match ln_x {
        x if x <= 0.0 => 0.0,
        x if x >= END => 1.0,
        x => TABLE[(x / END * ENTRIES as f64) as usize],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_replacement_misses_as_its_equation_says() {
        for x in [1.1f64, 1.5, 2.0, 5.0] {
            let m = misses(x.ln());
            assert!((1.0 - m - (-m * x).exp()).abs() < 2e-3, "{x} {m}");
        }
        assert_eq!((misses(-0.1), misses(9.0)), (0.0, 1.0));
    }

    #[test]
    fn the_size_of_a_random_cache_is_found_in_its_gradual_transition() {
        let size_at = |k: i32| 1024.0 * 2f64.powf(f64::from(k) / 4.0);
        let points: Vec<(f64, f64)> =
            (0..24).map(|k| (size_at(k), 1.0 + 4.0 * misses((size_at(k) / 5000.0).ln()))).collect();
        let uncertain = end(&points, (1.0, 5.0), (1024.0, size_at(23)));
        assert!((uncertain.value / 5000.0 - 1.0).abs() < 0.03, "{uncertain:?}");
        assert!(uncertain.low <= 5000.0 && 5000.0 <= uncertain.high, "{uncertain:?}");
    }
}
