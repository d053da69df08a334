//! Whether two samples of times differ, and by what factor.

use cll_statistics::{quantile, sorted};
use statrs::distribution::{ContinuousCDF, Normal};

/// The factor by which times have changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeChange {
    /// The factor: the median of the quotients of all pairs (Hodges and Lehmann 1963, of logarithms).
    pub ratio: f64,
    /// The interval of the factor by the order of the pairs (Moses 1965), for any distribution of the times; `None` if
    /// there are too few for an interval.
    pub interval: Option<(f64, f64)>,
    /// The smallest confidence of the interval.
    pub confidence: f64,
}

impl TimeChange {
    /// Whether the interval excludes 1; `None` without an interval.
    pub fn is_seen(&self) -> Option<bool> {
        self.interval.map(|(low, high)| low > 1.0 || high < 1.0)
    }
}

/// The factor from `before` to `after`, both positive times of independent runs; `None` if one is empty.
pub fn change(before: &[f64], after: &[f64], confidence: f64) -> Option<TimeChange> {
    let mut logs = Vec::with_capacity(before.len() * after.len());
    for a in before.iter().filter(|a| **a > 0.0 && a.is_finite()) {
        for b in after.iter().filter(|b| **b > 0.0 && b.is_finite()) {
            logs.push((b / a).ln());
        }
    }
    if logs.is_empty() {
        return None;
    }
    let logs = sorted(logs);
    let median = quantile(&logs, 0.5);
    let count =
        |times: &[f64]| times.iter().filter(|value| **value > 0.0 && value.is_finite()).count();
    let cut = left_out(count(before), count(after), confidence);
    let interval = cut.map(|cut| (logs[cut].exp(), logs[logs.len() - 1 - cut].exp()));
    Some(TimeChange { ratio: median.exp(), interval, confidence })
}

/// How many of the smallest and of the largest pairs are outside the interval: the largest k such that the
/// statistic of Mann and Whitney is at most k with half of the remaining probability.
fn left_out(m: usize, n: usize, confidence: f64) -> Option<usize> {
    /// For more pairs the normal approximation is accurate to one pair in a thousand.
    const EXACT: usize = 400;
    let tail = (1.0 - confidence) / 2.0;
    if m * n > EXACT {
        let (m, n) = (m as f64, n as f64);
        let spread = (m * n * (m + n + 1.0) / 12.0).sqrt();
        let cut = m * n / 2.0 - Normal::standard().inverse_cdf(1.0 - tail) * spread;
        return (cut >= 1.0).then(|| cut.floor() as usize - 1);
    }
    let all = ways(m, n);
    let total: f64 = all.iter().sum();
    let mut below = 0.0;
    let mut cut = None;
    for (value, ways) in all.iter().enumerate() {
        below += ways / total;
        if below > tail * (1.0 + 1e-12) {
            break;
        }
        cut = Some(value);
    }
    cut
}

/// The number of ways in which the statistic has each of its values, 0 to m n: the coefficients of Gauss's
/// binomial.
fn ways(m: usize, n: usize) -> Vec<f64> {
    let mut ways = vec![0.0; m * n + 1];
    ways[0] = 1.0;
    for k in 1..=m {
        // Times (1 - q^(n+k)), divided by (1 - q^k).
        for value in (n + k..ways.len()).rev() {
            ways[value] -= ways[value - n - k];
        }
        for value in k..ways.len() {
            ways[value] += ways[value - k];
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statistic_s_distribution_is_that_of_the_tables() {
        assert_eq!(ways(2, 2), [1.0, 1.0, 2.0, 1.0, 1.0]);
        assert_eq!(ways(3, 3).iter().sum::<f64>(), 20.0);
        assert_eq!(ways(5, 7).iter().sum::<f64>(), 792.0);
        // Critical values of Mann and Whitney at 5 % (one side), minus one if "less than" is required.
        assert_eq!(left_out(5, 5, 0.90), Some(4));
        assert_eq!(left_out(10, 10, 0.90), Some(27));
        assert_eq!(left_out(3, 3, 0.90), Some(0));
        assert_eq!(left_out(2, 3, 0.90), None);
        // The approximation begins where the exact computation ends.
        let (exact, near) = (left_out(20, 20, 0.90).unwrap(), left_out(20, 21, 0.90).unwrap());
        assert!((138..=140).contains(&exact) && (144..=148).contains(&near), "{exact} {near}");
    }

    #[test]
    fn a_factor_is_found_with_its_interval() {
        let before = [1.00, 1.01, 0.99, 1.02, 0.98];
        let after = before.map(|time| time * 1.5);
        let slowdown = change(&before, &after, 0.90).unwrap();
        assert!((slowdown.ratio - 1.5).abs() < 1e-9, "{slowdown:?}");
        let (low, high) = slowdown.interval.unwrap();
        assert!(low < 1.5 && 1.5 < high && slowdown.is_seen() == Some(true), "{slowdown:?}");
        assert_eq!(change(&before, &before, 0.90).unwrap().is_seen(), Some(false));
        assert_eq!(change(&before[..1], &after, 0.90).unwrap().is_seen(), None);
        assert_eq!(change(&[], &after, 0.90), None);
        assert_eq!(change(&[0.0, f64::NAN], &after, 0.90), None);
    }

    #[test]
    fn intervals_hold_as_often_as_they_say() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut held = 0;
        const TRIALS: usize = 2000;
        for _ in 0..TRIALS {
            // Outliers upwards, as times have them.
            let mut draw = |scale: f64| -> Vec<f64> {
                (0..6).map(|_| scale * (1.0 + 0.2 * random.f64().powi(4))).collect()
            };
            let (before, after) = (draw(1.0), draw(1.3));
            let (low, high) = change(&before, &after, 0.90).unwrap().interval.unwrap();
            held += usize::from(low <= 1.3 && 1.3 <= high);
        }
        let share = held as f64 / TRIALS as f64;
        assert!((0.88..0.96).contains(&share), "{share}");
    }
}
