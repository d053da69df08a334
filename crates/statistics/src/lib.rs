//! Order statistics: medians and quantiles by one definition, and confidence intervals of a median.
//!
//! A quantile is interpolated linearly between two order statistics (definition 7 of Hyndman and
//! Fan, *Sample quantiles in statistical packages*, 1996). The median of an even number of values
//! is therefore the mean of the middle two.

#![forbid(unsafe_code)]

/// Standard deviation of a normal distribution divided by its median absolute deviation.
pub const DEVIATIONS_IN_MAD: f64 = 1.4826;

/// Half the width of a 95 % interval of a normal distribution, in standard deviations.
pub const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The values in ascending order; NaN comes last.
pub fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    values
}

/// The quantile of sorted values for `share`, 0 ≤ `share` ≤ 1; NaN without values.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let rank = share * last as f64;
    let below = (rank.floor() as usize).min(last);
    let above = (below + 1).min(last);
    let part = rank - below as f64;
    let (low, high) = (sorted[below], sorted[above]);
    // The neighbours may be infinite; between equal values there must be no rounding.
    if part == 0.0 || low == high { low } else { low * (1.0 - part) + high * part }
}

/// The quantile of values in any order, which are given another; NaN without values. Only the values about it get
/// their places: O(n), where sorting is O(n log n).
pub fn quantile_of(values: &mut [f64], share: f64) -> f64 {
    let Some(last) = values.len().checked_sub(1) else { return f64::NAN };
    let rank = share * last as f64;
    let below = (rank.floor() as usize).min(last);
    let (_, &mut low, above) = values.select_nth_unstable_by(below, f64::total_cmp);
    let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    quantile(&[low, high], rank - below as f64)
}

/// The most values that are copied to find a quantile; with more it takes several passes.
const MANY: usize = 1 << 22;

/// The quantile of values in any order, which stay as they are; NaN without values. Many values are not copied.
pub fn quantile_in(values: &[f64], share: f64) -> f64 {
    if values.len() > MANY {
        quantile_by_passes(|| values.iter().copied(), share)
    } else {
        quantile_of(&mut values.to_vec(), share)
    }
}

/// The quantile of the values of an iterator that can be made again, which takes nine passes and half a megabyte; NaN
/// without values.
pub fn quantile_by_passes<I: Iterator<Item = f64>>(values: impl Fn() -> I, share: f64) -> f64 {
    let Some(last) = values().count().checked_sub(1) else { return f64::NAN };
    let rank = share * last as f64;
    let below = (rank.floor() as usize).min(last);
    let above = (below + 1).min(last);
    let low = by_rank(&values, below);
    let high = if rank == below as f64 { low } else { by_rank(&values, above) };
    quantile(&[low, high], rank - below as f64)
}

/// The value with this rank, digit by digit of 16 bits.
fn by_rank<I: Iterator<Item = f64>>(values: &impl Fn() -> I, mut rank: usize) -> f64 {
    const DIGIT: u32 = 16;
    const SIGN: u64 = 1 << 63;
    // Integers in the order of `f64::total_cmp`.
    let key = |value: f64| {
        let bits = value.to_bits();
        if bits & SIGN == 0 { bits | SIGN } else { !bits }
    };
    let mut prefix = 0u64;
    for digit in (0..u64::BITS / DIGIT).rev() {
        let shift = digit * DIGIT;
        let above = |key: u64| key.checked_shr(shift + DIGIT).unwrap_or(0);
        let mut counts = vec![0usize; 1 << DIGIT];
        for key in values().map(key).filter(|key| above(*key) == above(prefix)) {
            counts[(key >> shift) as usize & ((1 << DIGIT) - 1)] += 1;
        }
        let mut number = 0;
        for (value, count) in counts.into_iter().enumerate() {
            if rank < count {
                number = value as u64;
                break;
            }
            rank -= count;
        }
        prefix |= number << shift;
    }
    f64::from_bits(if prefix & SIGN == 0 { !prefix } else { prefix & !SIGN })
}

/// The median of values in any order; `None` without values.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    (!values.is_empty()).then(|| quantile_of(&mut values, 0.5))
}

/// The median and 1.4826 times the median absolute deviation, an estimate of the standard deviation
/// that tolerates outliers; `None` without values.
pub fn median_and_deviation(values: &[f64]) -> Option<(f64, f64)> {
    let middle = median(values.iter().copied())?;
    let off = median(values.iter().map(|value| (value - middle).abs()))?;
    Some((middle, DEVIATIONS_IN_MAD * off))
}

/// A confidence interval of the median of the distribution of independent values, without
/// assumptions about it (sign test; Conover, *Practical Nonparametric Statistics*): the order
/// statistics beyond which the binomial distribution has at most half of `1 - confidence` on each
/// side. `None` if even the smallest and the largest value do not reach this confidence.
pub fn interval_of_median(sorted: &[f64], confidence: f64) -> Option<(f64, f64)> {
    let n = sorted.len();
    let tail = 0.5 * (1.0 - confidence);
    // In logarithms: 2^-n underflows for a few thousand values.
    let ln_half = 0.5f64.ln();
    let (mut below, mut rank, mut ln_term) = (0.0, 0, n as f64 * ln_half);
    while rank < n && below + ln_term.exp() <= tail {
        below += ln_term.exp();
        ln_term += ((n - rank) as f64 / (rank + 1) as f64).ln();
        rank += 1;
    }
    let first = rank.checked_sub(1)?;
    Some((sorted[first], sorted[n - 1 - first]))
}

/// A standard normal number from two uniform ones in [0, 1) (Box and Muller, 1958).
pub fn normal(mut uniform: impl FnMut() -> f64) -> f64 {
    let radius = (-2.0 * (1.0 - uniform()).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_r() {
        // quantile(c(1, 2, 4, 8), c(0, .1, .25, .5, .9, 1))
        let values = [1.0, 2.0, 4.0, 8.0];
        let shares = [0.0, 0.1, 0.25, 0.5, 0.9, 1.0];
        let expected = [1.0, 1.3, 1.75, 3.0, 6.8, 8.0];
        for (share, expected) in shares.into_iter().zip(expected) {
            assert!((quantile(&values, share) - expected).abs() < 1e-12, "{share}");
        }
        assert!(quantile(&[], 0.5).is_nan());
        assert_eq!(quantile(&[7.0], 0.3), 7.0);
        assert_eq!(quantile(&[1.0, f64::INFINITY], 0.0), 1.0);
        for value in (1..1000).map(|n| f64::from(n) * 1.1e-5) {
            let bounds = [0.025, 0.05, 0.95, 0.975].map(|share| quantile(&[value; 400], share));
            assert_eq!(bounds, [value; 4]);
        }
    }

    #[test]
    fn selection_gives_what_sorting_gives() {
        let mut state = 7u64;
        let mut uniform = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for count in 1..80 {
            // Some are equal.
            let values: Vec<f64> = (0..count).map(|_| (40.0 * uniform()).floor() / 7.0).collect();
            let in_order = sorted(values.iter().copied());
            for share in [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0] {
                let selected = quantile_of(&mut values.clone(), share);
                assert_eq!(selected, quantile(&in_order, share), "{count} {share}");
            }
        }
        assert!(quantile_of(&mut [], 0.5).is_nan());
    }

    #[test]
    fn a_median_of_an_even_count_lies_between_two() {
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median([]), None);
        let (middle, deviation) = median_and_deviation(&[1.0, 2.0, 3.0, 4.0, 100.0]).unwrap();
        assert_eq!((middle, deviation), (3.0, DEVIATIONS_IN_MAD));
    }

    #[test]
    fn the_interval_of_a_median_is_that_of_the_tables() {
        let values: Vec<f64> = (1..=1000).map(f64::from).collect();
        // Ranks of the 95 % interval, e.g. Conover, Practical nonparametric statistics: n = 6 needs all.
        assert_eq!(interval_of_median(&values[..5], 0.95), None);
        assert_eq!(interval_of_median(&values[..6], 0.95), Some((1.0, 6.0)));
        assert_eq!(interval_of_median(&values[..10], 0.95), Some((2.0, 9.0)));
        assert_eq!(interval_of_median(&values[..20], 0.95), Some((6.0, 15.0)));
        assert_eq!(interval_of_median(&values[..100], 0.95), Some((40.0, 61.0)));
        // Far beyond the range of 2^-n.
        let many: Vec<f64> = (1..=5000).map(f64::from).collect();
        let (low, high) = interval_of_median(&many, 0.95).unwrap();
        assert!((low - (2500.5 - 0.98 * 5000f64.sqrt())).abs() < 2.0 && low + high == 5001.0);
    }

    #[test]
    fn normal_numbers_have_mean_0_and_deviation_1() {
        let mut state = 1u64;
        let mut uniform = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let values: Vec<f64> = (0..20_000).map(|_| normal(&mut uniform)).collect();
        let mean = values.iter().sum::<f64>() / 20_000.0;
        let square = values.iter().map(|value| value * value).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (square - 1.0).abs() < 0.05, "{mean} {square}");
    }

    #[test]
    fn passes_find_the_same_as_sorting() {
        let values: Vec<f64> = (0..1001)
            .map(|k| f64::from(k * 7919 % 1001 - 300) * 1.5e-7)
            .chain([0.0, -0.0, 3e8])
            .collect();
        for share in [0.0, 0.1, 0.25, 0.5, 0.731, 1.0] {
            let expected = quantile_of(&mut values.clone(), share);
            let value = quantile_by_passes(|| values.iter().copied(), share);
            assert_eq!(value.to_bits(), expected.to_bits(), "{share}: {value}, not {expected}");
            assert_eq!(quantile_in(&values, share), expected);
        }
        assert!(quantile_by_passes(std::iter::empty, 0.5).is_nan());
    }
}
