//! Whether numbers form two groups, as times of a machine that changes between two states.

use cll_statistics::quantile;

/// Two groups of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clusters {
    /// Numbers up to this one are in the lower group.
    pub limit: f64,
    /// Share of the numbers in the lower group.
    pub share: f64,
    /// Median of the lower group.
    pub low: f64,
    /// Median of the upper group.
    pub high: f64,
}

/// With fewer numbers no groups are searched.
const MIN_SAMPLES: usize = 6;
/// Each group has at least this share of the numbers: a few spikes are not a group.
const MIN_SHARE: f64 = 0.2;
/// The upper group's median is at least this many times the lower one's.
const MIN_RATIO: f64 = 1.05;
/// The gap between the groups is at least this share of the distance of their medians.
const MIN_GAP: f64 = 0.5;

/// Finds two groups of positive numbers, if there are two: the widest gap between logarithms
/// separates them and is wide compared to each group.
pub fn clusters(numbers: &[f64]) -> Option<Clusters> {
    let mut logs: Vec<f64> = numbers.iter().filter(|n| **n > 0.0).map(|n| n.ln()).collect();
    if logs.len() < MIN_SAMPLES || logs.len() < numbers.len() || logs.iter().any(|l| !l.is_finite())
    {
        return None;
    }
    logs.sort_unstable_by(f64::total_cmp);
    let least = ((MIN_SHARE * logs.len() as f64).ceil() as usize).max(2);
    let parts = least..=logs.len() - least;
    let gap = |index: &usize| logs[*index] - logs[*index - 1];
    let index = parts.max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    let (low, high) = (quantile(&logs[..index], 0.5), quantile(&logs[index..], 0.5));
    let apart = high - low;
    (apart >= MIN_RATIO.ln() && gap(&index) >= MIN_GAP * apart).then(|| Clusters {
        limit: ((logs[index - 1] + logs[index]) / 2.0).exp(),
        share: index as f64 / logs.len() as f64,
        low: low.exp(),
        high: high.exp(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measuring::rounds::table::tests::Noise;

    #[test]
    fn two_regimes_are_seen_and_their_medians() {
        let mut noise = Noise::new(3);
        let numbers: Vec<f64> =
            (0..40).map(|k| if k % 3 == 0 { 1.4 } else { 1.0 } * noise.around(0.01)).collect();
        let clusters = clusters(&numbers).unwrap();
        assert!(
            (clusters.low - 1.0).abs() < 0.02 && (clusters.high - 1.4).abs() < 0.02,
            "{clusters:?}"
        );
        assert!((clusters.share - 26.0 / 40.0).abs() < 1e-9);
    }

    #[test]
    fn one_regime_seldom_looks_like_two() {
        let mut noise = Noise::new(11);
        let wrong = (0..1000)
            .filter(|k| {
                let spread = [0.005, 0.02, 0.1][k % 3];
                let numbers: Vec<f64> = (0..6 + k % 30).map(|_| noise.around(spread)).collect();
                clusters(&numbers).is_some()
            })
            .count();
        assert!(wrong <= 50, "{wrong} of 1000");
    }

    #[test]
    fn spikes_are_no_regime() {
        let mut numbers = vec![1.0; 20];
        numbers[3] = 70.0;
        numbers[9] = 50.0;
        assert_eq!(clusters(&numbers), None);
        assert_eq!(clusters(&[1.0, 2.0, 1.0, 2.0]), None, "too few");
        assert_eq!(clusters(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]), None, "not positive");
    }
}
