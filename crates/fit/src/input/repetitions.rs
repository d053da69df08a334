//! The repetitions of a point: their aggregate, their variation, and which are spikes.

use std::borrow::Cow;

use cll_statistics::{DEVIATIONS_IN_MAD, quantile_by_passes, quantile_in, quantile_of};

use crate::{Aggregate, Spread};

/// The values that the repetitions of all points have in common.
#[derive(Clone, Debug)]
pub(crate) struct Repetitions {
    /// Robust relative standard deviation about the point's median, pooled over all points: 1.4826
    /// times the median absolute deviation. `None` without repetitions.
    pub(crate) spread: Option<f64>,
    /// An observation above this many times its point's median is a spike.
    pub(crate) threshold: Option<f64>,
    /// Number of spikes, and the largest ratio of an observation to its point's median.
    pub(crate) spikes: usize,
    pub(crate) largest: f64,
    pub(crate) observations: usize,
    pub(crate) fewest: usize,
    pub(crate) most: usize,
}

/// The most observations of which a copy is made.
const MANY: usize = 1 << 20;
/// Spikes are one-sided: more than this many robust standard deviations above the median,
const DEVIATIONS: f64 = 6.0;
/// and more than this share of the median above it.
const MIN_EXCESS: f64 = 0.10;

impl Repetitions {
    pub(crate) fn new<'a>(points: impl Iterator<Item = &'a [f64]> + Clone) -> Repetitions {
        let (mut observations, mut fewest, mut most) = (0, usize::MAX, 0);
        let mut medians = Vec::new();
        for point in points.clone() {
            observations += point.len();
            fewest = fewest.min(point.len());
            most = most.max(point.len());
            medians.push(quantile_in(point, 0.5));
        }
        let repeated = || {
            let with_median = points.clone().zip(&medians);
            with_median.filter(|(point, median)| point.len() >= 2 && **median > 0.0)
        };
        let ratios =
            || repeated().flat_map(|(point, median)| point.iter().map(move |y| y / median));
        let deviations = || {
            repeated().flat_map(|(point, median)| {
                // The median's own deviation is zero by construction: it carries no information.
                let mut own = point.len() % 2 == 1;
                point.iter().map(move |y| (y / median - 1.0).abs()).filter(move |deviation| {
                    let is_own = own && *deviation == 0.0;
                    own &= !is_own;
                    !is_own
                })
            })
        };
        let middle = if observations > MANY {
            quantile_by_passes(deviations, 0.5)
        } else {
            quantile_of(&mut deviations().collect::<Vec<f64>>(), 0.5)
        };
        let spread = Some(DEVIATIONS_IN_MAD * middle).filter(|spread| !spread.is_nan());
        let threshold = spread.map(|s| 1.0 + (DEVIATIONS * s).max(MIN_EXCESS));
        let spikes = threshold.map_or(0, |t| ratios().filter(|&r| r > t).count());
        let largest = ratios().fold(1.0, f64::max).min(f64::MAX);
        Repetitions { spread, threshold, spikes, largest, observations, fewest, most }
    }

    /// Whether an observation is a spike above its point's median.
    pub(crate) fn is_spike(&self, observation: f64, median: f64) -> bool {
        self.threshold.is_some_and(|t| median > 0.0 && observation > t * median)
    }

    /// The observations that are not spikes; the median never is one, so some remain.
    pub(crate) fn without_spikes<'a>(
        &self,
        observations: &'a [f64],
        median: f64,
    ) -> Cow<'a, [f64]> {
        let is_spike = |o: &f64| self.is_spike(*o, median);
        if !observations.iter().any(is_spike) {
            return Cow::Borrowed(observations);
        }
        Cow::Owned(observations.iter().copied().filter(|o| !is_spike(o)).collect())
    }
}

/// The aggregate of at least one observation. With [`Aggregate::All`] it is the median.
pub(crate) fn aggregate(observations: &[f64], aggregate: Aggregate) -> f64 {
    match aggregate {
        Aggregate::Minimum => observations.iter().copied().fold(f64::INFINITY, f64::min),
        Aggregate::Mean => {
            // Divided first: the sum of finite numbers may be infinite.
            let n = observations.len() as f64;
            observations.iter().map(|o| o / n).sum()
        }
        Aggregate::Median | Aggregate::All => quantile_in(observations, 0.5),
    }
}

/// Minimum, quartiles and maximum of a point's repetitions, and the number of spikes.
pub(crate) fn spread(observations: &[f64], repetitions: &Repetitions) -> Spread {
    let median = quantile_in(observations, 0.5);
    Spread {
        count: observations.len(),
        spikes: observations.iter().filter(|&&o| repetitions.is_spike(o, median)).count(),
        minimum: observations.iter().copied().fold(f64::INFINITY, f64::min),
        lower_quartile: quantile_in(observations, 0.25),
        median,
        upper_quartile: quantile_in(observations, 0.75),
        maximum: observations.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spike_is_distinguished_from_noise() {
        let points: [&[f64]; 3] =
            [&[1.0, 1.01, 0.99, 1.02, 70.0], &[2.0, 2.03, 1.98, 2.01, 1.97], &[5.0, 5.1, 4.9]];
        let repetitions = Repetitions::new(points.iter().copied());
        assert_eq!(repetitions.spikes, 1);
        assert!(repetitions.largest > 60.0);
        assert_eq!((repetitions.fewest, repetitions.most), (3, 5));
        let spread = spread(points[0], &repetitions);
        assert_eq!((spread.spikes, spread.median, spread.maximum), (1, 1.01, 70.0));
        assert_eq!(repetitions.without_spikes(points[0], 1.01).len(), 4);
    }

    #[test]
    fn aggregates() {
        let y = [4.0, 1.0, 2.0, 9.0];
        for (how, value) in [
            (Aggregate::Median, 3.0),
            (Aggregate::Minimum, 1.0),
            (Aggregate::Mean, 4.0),
            (Aggregate::All, 3.0),
        ] {
            assert_eq!(aggregate(&y, how), value);
        }
        assert!(aggregate(&[f64::MAX, f64::MAX], Aggregate::Mean).is_finite());
    }

    #[test]
    fn without_repetitions_nothing_is_a_spike() {
        let points: [&[f64]; 2] = [&[1.0], &[2.0]];
        let repetitions = Repetitions::new(points.iter().copied());
        assert_eq!(
            (repetitions.spread, repetitions.threshold, repetitions.spikes),
            (None, None, 0)
        );
    }
}
