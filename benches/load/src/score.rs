//! How good answers are.

use cll_statistics::{median, quantile, sorted};
use std::collections::BTreeMap;

use serde::Serialize;

use crate::programs::Program;
use crate::record::Record;
use crate::truth::{Truth, Truths};

/// A band is narrow if half its width is less than this share of the value.
const NARROW: f64 = 0.10;
/// A narrow band is wrong if the truth lies farther outside than so many of its half widths.
const FAR: f64 = 2.0;
/// Samples of the resampling.
const RESAMPLED: usize = 4000;
/// Confidence of its interval.
const CONFIDENCE: f64 = 0.90;

/// A prediction beside the truth, seconds.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    pub program: Program,
    pub size: u64,
    pub value: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub truth: Truth,
    /// Whether the band overlaps the truth; `None` without a band.
    pub covered: Option<bool>,
    /// |value - truth|/truth, of the middle of the truth.
    pub error: f64,
    /// Half the band's width by the value.
    pub half_width: Option<f64>,
    /// Whether the band is narrow and far from the truth.
    pub confident_and_wrong: bool,
}

impl Check {
    fn of(program: Program, predicted: &crate::tool::Predicted, truth: Truth) -> Check {
        let value = predicted.value;
        let band = predicted.low.zip(predicted.high);
        let half = band.map(|(low, high)| (high - low) / 2.0);
        let outside = band.map(|(low, high)| (truth.low - high).max(low - truth.high).max(0.0));
        let half_width = half.map(|half| half / value.abs());
        let is_far = outside.zip(half).is_some_and(|(outside, half)| outside > FAR * half);
        Check {
            program,
            size: predicted.size,
            value,
            low: predicted.low,
            high: predicted.high,
            truth,
            covered: outside.map(|outside| outside == 0.0),
            error: (value - truth.middle).abs() / truth.middle,
            half_width,
            confident_and_wrong: is_far && half_width.is_some_and(|half| half < NARROW),
        }
    }
}

/// A model's predictions at sizes whose truth is known and that are wanted.
pub fn checks(record: &Record, truths: &Truths, wanted: impl Fn(u64) -> bool) -> Vec<Check> {
    let program = record.program;
    let known = record.predictions.iter().filter(|prediction| wanted(prediction.size));
    known
        .filter_map(|prediction| {
            Some(Check::of(program, prediction, *truths.get(&(program, prediction.size))?))
        })
        .collect()
}

/// The summary of many trials.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Score {
    pub trials: usize,
    /// Those with exit code 0.
    pub answered: usize,
    /// Those with neither 0 nor 8.
    pub failed: usize,
    /// Predictions that count and whose truth is known.
    pub predictions: usize,
    /// Those of them that have a band.
    pub bands: usize,
    /// Share of the bands that overlap the truth.
    pub coverage: Option<f64>,
    /// The interval of the coverage of 90 %, by resampling whole trials.
    pub coverage_interval: Option<(f64, f64)>,
    pub median_error: Option<f64>,
    pub largest_error: Option<f64>,
    /// Median of half the bands' widths by their values.
    pub median_half_width: Option<f64>,
    pub confident_and_wrong: usize,
    pub seconds_per_trial: Option<f64>,
}

impl Score {
    /// Computes the score of trials, each with the checks of its predictions. Trials that do not count add only to the
    /// number of trials.
    pub fn of<'a>(
        trials: impl IntoIterator<Item = (&'a Record, &'a [Check])>,
        counts: impl Fn(&Record) -> bool,
        seed: u64,
    ) -> Score {
        let mut score = Score::default();
        let mut clusters = Vec::new();
        let (mut errors, mut halves, mut seconds) = (Vec::new(), Vec::new(), 0.0);
        for (record, checks) in trials {
            score.trials += 1;
            seconds += record.seconds;
            score.failed += usize::from(!matches!(record.exit, 0 | 8));
            score.answered += usize::from(record.is_answer());
            if !counts(record) {
                continue;
            }
            score.predictions += checks.len();
            let covered: Vec<bool> = checks.iter().filter_map(|check| check.covered).collect();
            score.bands += covered.len();
            clusters.push((covered.iter().filter(|is| **is).count(), covered.len()));
            errors.extend(checks.iter().map(|check| check.error));
            halves.extend(checks.iter().filter_map(|check| check.half_width));
            score.confident_and_wrong +=
                checks.iter().filter(|check| check.confident_and_wrong).count();
        }
        clusters.retain(|(_, of)| *of > 0);
        score.coverage = share(&clusters);
        score.coverage_interval = resampled(&clusters, seed);
        score.largest_error = errors.iter().copied().reduce(f64::max);
        score.median_error = median(errors);
        score.median_half_width = median(halves);
        score.seconds_per_trial = (score.trials > 0).then(|| seconds / score.trials as f64);
        score
    }
}

fn share(clusters: &[(usize, usize)]) -> Option<f64> {
    let all: usize = clusters.iter().map(|(_, of)| of).sum();
    let hits: usize = clusters.iter().map(|(hits, _)| hits).sum();
    (all > 0).then(|| hits as f64 / all as f64)
}

/// Percentile interval of the share, whole clusters drawn with replacement: predictions of one model
/// are right or wrong together.
fn resampled(clusters: &[(usize, usize)], seed: u64) -> Option<(f64, f64)> {
    if clusters.len() < 2 {
        return None;
    }
    let mut random = fastrand::Rng::with_seed(seed);
    let mut shares = Vec::with_capacity(RESAMPLED);
    for _ in 0..RESAMPLED {
        let drawn: Vec<(usize, usize)> =
            clusters.iter().map(|_| clusters[random.usize(..clusters.len())]).collect();
        shares.push(share(&drawn)?);
    }
    let tail = (1.0 - CONFIDENCE) / 2.0;
    let shares = sorted(shares);
    Some((quantile(&shares, tail), quantile(&shares, 1.0 - tail)))
}

/// Groups of trials: their scores, in the order of the keys.
pub fn scores<K: Ord>(
    trials: &[(Record, Vec<Check>)],
    key: impl Fn(&Record) -> K,
    counts: impl Fn(&Record) -> bool,
    seed: u64,
) -> BTreeMap<K, Score> {
    let mut groups: BTreeMap<K, Vec<(&Record, &[Check])>> = BTreeMap::new();
    for (record, checks) in trials {
        groups.entry(key(record)).or_default().push((record, checks.as_slice()));
    }
    groups.into_iter().map(|(key, group)| (key, Score::of(group, &counts, seed))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::Predicted;

    fn check(value: f64, half: f64, low: f64, high: f64) -> Check {
        let truth = Truth { low, middle: (low + high) / 2.0, high, occasions: 3 };
        let band = (Some(value - half), Some(value + half));
        let predicted = Predicted { size: 7, value, low: band.0, high: band.1 };
        Check::of(Program::Sort, &predicted, truth)
    }

    #[test]
    fn a_band_covers_what_it_overlaps() {
        assert_eq!(check(10.0, 0.5, 10.4, 11.0).covered, Some(true));
        assert_eq!(check(10.0, 0.5, 10.6, 11.0).covered, Some(false));
        assert_eq!(check(10.0, 5.0, 9.9, 10.1).covered, Some(true));
    }

    #[test]
    fn wrong_is_what_is_narrow_and_far() {
        // 1.1 beyond the band, whose half is 0.5.
        assert!(check(10.0, 0.5, 11.6, 12.0).confident_and_wrong);
        assert!(check(10.0, 0.5, 8.0, 8.4).confident_and_wrong);
        // Only 0.9.
        assert!(!check(10.0, 0.5, 11.4, 12.0).confident_and_wrong);
        // Far, but the band is wide.
        assert!(!check(10.0, 1.5, 20.0, 21.0).confident_and_wrong);
    }

    #[test]
    fn resampling_keeps_trials_together() {
        // Ten trials of eleven predictions, of which one trial has none right: beside an interval of
        // single predictions (0.85 to 0.95) that of trials is wide.
        let mut clusters = vec![(11, 11); 9];
        clusters.push((0, 11));
        let (low, high) = resampled(&clusters, 1).expect("ten clusters");
        assert!(low <= 0.75 && high == 1.0, "{low} {high}");
        assert_eq!(resampled(&clusters, 1), Some((low, high)));
        assert_eq!(resampled(&[(3, 4)], 1), None);
    }
}
