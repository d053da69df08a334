//! Order statistics: medians and quantiles by one definition, and how sure a median is.
//!
//! A quantile lies between two order statistics, linearly (definition 7 of Hyndman and Fan, *Sample quantiles in
//! statistical packages*, 1996). The median of an even count is therefore the mean of the two in the middle.

#![forbid(unsafe_code)]

/// Standard deviations of normal noise in one median absolute deviation.
pub const DEVIATIONS_IN_MAD: f64 = 1.4826;

/// Half the width of a 95 % interval of a normal distribution, in standard deviations.
pub const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The values in ascending order; NaN comes last.
pub fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    values
}

/// The quantile of sorted values below which `share` of them lies, 0 ≤ `share` ≤ 1; NaN of no values.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = share * last as f64;
    let below = (at.floor() as usize).min(last);
    let above = (below + 1).min(last);
    let part = at - below as f64;
    let (low, high) = (sorted[below], sorted[above]);
    // The values beside it may be infinite, and equal values leave no room for rounding.
    if part == 0.0 || low == high { low } else { low * (1.0 - part) + high * part }
}

/// The median of values in any order; `None` of no values.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let sorted = sorted(values);
    (!sorted.is_empty()).then(|| quantile(&sorted, 0.5))
}

/// The median, and the standard deviation of normal noise that has the same median absolute deviation from it;
/// `None` of no values.
pub fn median_and_deviation(values: &[f64]) -> Option<(f64, f64)> {
    let middle = median(values.iter().copied())?;
    let off = median(values.iter().map(|value| (value - middle).abs()))?;
    Some((middle, DEVIATIONS_IN_MAD * off))
}

/// An interval that holds the median of the distribution of independent values with at least this confidence:
/// the ranks at which the binomial distribution leaves out half of the rest on either side. `None` if even the
/// smallest and the largest value hold it less surely.
pub fn interval_of_median(sorted: &[f64], confidence: f64) -> Option<(f64, f64)> {
    let n = sorted.len();
    let tail = 0.5 * (1.0 - confidence);
    // Logarithms: 2^-n is 0 for some thousand values.
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

/// A standard normal number of two uniform ones in [0, 1) (Box and Muller, 1958).
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
        // Far beyond where 2^-n can be held.
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
}
