//! Regimes: groups of values among which a machine changes, such as two distances between its processors.

use cll_statistics::quantile;
use schemars::JsonSchema;
use serde::Serialize;

use crate::quantity::QuantityKind;
use crate::uncertain::Uncertain;

/// The observations of a value whose samples fall into groups.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Regimes {
    /// The value, as a comparison of machines names it.
    pub what: String,
    /// `s`, `B`, `B/s`, `x`.
    pub unit: &'static str,
    /// The groups, ascending by value; never empty.
    pub seen: Vec<Regime>,
}

/// One group.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Regime {
    /// The median of its samples.
    pub at: f64,
    /// The share of all samples that are in it.
    pub share: f64,
}

/// With fewer samples no groups are searched.
const MIN_SAMPLES: usize = 10;
/// A group has at least this share of the samples: a few spikes are no regime.
const MIN_SHARE: f64 = 0.2;
/// The median of a group is at least this many times that of the group below.
const MIN_RATIO: f64 = 1.1;
/// The gap between two groups is at least this share of the distance of their medians.
const MIN_GAP: f64 = 0.55;
/// And more with few samples, among which gaps are by chance: by this divided by their number.
const FEW: f64 = 2.0;
/// The gap begins and ends at these quantiles of the groups, since some samples are taken while the regime changes.
const EDGE: f64 = 0.1;
/// Values of two machines that differ by less are of one regime.
pub(crate) const SAME: f64 = 1.05;

/// The message between two processors by which the regimes of two measurements are compared.
pub const NEIGHBOURS: &str = "message between two processors";

impl Regimes {
    /// The groups of these samples; `None` if they are one group, or not all positive.
    pub fn from_samples(
        what: impl Into<String>,
        unit: &'static str,
        samples: &[f64],
    ) -> Option<Regimes> {
        let seen = groups(samples)?;
        (seen.len() > 1).then(|| Regimes { what: what.into(), unit, seen })
    }

    /// The regime of the [messages between two processors](NEIGHBOURS) of a measurement, in seconds: also if there is one
    /// only, or there are few samples. `None` without any.
    pub fn of_neighbours(samples: &[f64]) -> Option<Regimes> {
        let value = cll_statistics::median(samples.iter().copied())?;
        let seen = groups(samples).unwrap_or_else(|| vec![Regime { at: value, share: 1.0 }]);
        Some(Regimes { what: NEIGHBOURS.into(), unit: "s", seen })
    }

    /// The same of another value in this ratio.
    #[must_use]
    pub fn times(&self, what: impl Into<String>, unit: &'static str, factor: f64) -> Regimes {
        let seen = self
            .seen
            .iter()
            .map(|regime| Regime { at: factor * regime.at, share: regime.share })
            .collect();
        Regimes { what: what.into(), unit, seen }
    }

    /// The lowest and the highest value.
    pub fn range(&self) -> (f64, f64) {
        let each = self.seen.iter().map(|regime| regime.at);
        each.fold((f64::INFINITY, 0.0), |(low, high), value| (low.min(value), high.max(value)))
    }

    /// The value with an interval that has all regimes in it.
    #[must_use]
    pub fn covered(&self, value: Uncertain) -> Uncertain {
        let (low, high) = self.range();
        Uncertain { low: value.low.min(low), high: value.high.max(high), ..value }
    }

    /// Whether the value can be one of these regimes, or a mean of them.
    pub fn is_of(&self, value: Uncertain) -> bool {
        let (low, high) = self.range();
        low <= SAME * value.high
            && value.low <= SAME * high
            && value.value <= SAME * high
            && low <= SAME * value.value
    }

    /// Whether a regime of one is a regime of the other.
    pub fn overlap(&self, other: &Regimes) -> bool {
        let same = |a: f64, b: f64| a.max(b) <= SAME * a.min(b);
        self.seen.iter().any(|regime| other.seen.iter().any(|another| same(regime.at, another.at)))
    }

    /// The kind of quantity that the unit is of.
    pub(crate) fn kind(&self) -> QuantityKind {
        kind(self.unit)
    }
}

/// The kinds that can have regimes, and their units.
pub(crate) const KINDS: [(QuantityKind, &str); 5] = [
    (QuantityKind::Time, "s"),
    (QuantityKind::TimePerByte, "s/B"),
    (QuantityKind::Size, "B"),
    (QuantityKind::Bandwidth, "B/s"),
    (QuantityKind::Factor, "x"),
];

fn kind(unit: &str) -> QuantityKind {
    KINDS.into_iter().find(|(_, text)| *text == unit).map_or(QuantityKind::Factor, |(kind, _)| kind)
}

/// The groups of samples; `None` with too few, or some that are not positive.
fn groups(samples: &[f64]) -> Option<Vec<Regime>> {
    let mut logs: Vec<f64> =
        samples.iter().filter(|sample| **sample > 0.0).map(|sample| sample.ln()).collect();
    let is_complete = logs.len() == samples.len() && logs.iter().all(|log| log.is_finite());
    if logs.len() < MIN_SAMPLES || !is_complete {
        return None;
    }
    logs.sort_unstable_by(f64::total_cmp);
    let least = ((MIN_SHARE * logs.len() as f64).ceil() as usize).max(2);
    let mut values = Vec::new();
    divide(&logs, least, &mut values);
    let regime = |group: &[f64]| Regime {
        at: quantile(group, 0.5).exp(),
        share: group.len() as f64 / logs.len() as f64,
    };
    Some(values.into_iter().map(regime).collect())
}

/// Divides ascending numbers where the sum of squares around the means becomes least, as long as a gap is there.
fn divide<'a>(logs: &'a [f64], least: usize, values: &mut Vec<&'a [f64]>) {
    let Some(division) = best_division(logs, least) else {
        values.push(logs);
        return;
    };
    let (low, high) = logs.split_at(division);
    let apart = quantile(high, 0.5) - quantile(low, 0.5);
    let gap = quantile(high, EDGE) - quantile(low, 1.0 - EDGE);
    if apart < MIN_RATIO.ln() || gap < (MIN_GAP + FEW / logs.len() as f64) * apart {
        values.push(logs);
        return;
    }
    divide(low, least, values);
    divide(high, least, values);
}

/// How many numbers are in the lower of two groups, each of at least `least`; `None` if there are too few.
fn best_division(logs: &[f64], least: usize) -> Option<usize> {
    let total: f64 = logs.iter().sum();
    let count = logs.len() as f64;
    let mut sum = 0.0;
    let mut best: Option<(usize, f64)> = None;
    for (index, log) in logs.iter().enumerate() {
        let (below, above) = (index as f64, count - index as f64);
        if index >= least && index + least <= logs.len() {
            let distance = sum / below - (total - sum) / above;
            let between = below * above * distance * distance;
            if best.is_none_or(|(_, known)| between > known) {
                best = Some((index, between));
            }
        }
        sum += log;
    }
    best.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Normal numbers around 1 with this relative deviation.
    struct Noise(fastrand::Rng);

    impl Noise {
        fn around(&mut self, spread: f64) -> f64 {
            let sum: f64 = (0..12).map(|_| self.0.f64()).sum();
            (spread * (sum - 6.0)).exp()
        }
    }

    #[test]
    fn two_regimes_are_found_with_their_shares() {
        let mut noise = Noise(fastrand::Rng::with_seed(5));
        let mut other = 0;
        for case in 0..500 {
            let (count, spread) = (10 + case % 60, [0.005, 0.03, 0.12][case % 3]);
            let upper = 3 + count / 5 + case % (count / 3);
            let mut samples: Vec<f64> = (0..count)
                .map(|k| if k < upper { 218e-9 } else { 65e-9 } * noise.around(spread))
                .collect();
            noise.0.shuffle(&mut samples);
            let option = Regimes::from_samples("l", "s", &samples);
            let Some([low, high]) = option.as_ref().map(|regimes| &regimes.seen[..]) else {
                other += 1;
                continue;
            };
            assert!((low.at / 65e-9).ln().abs() < 3.0 * spread, "{option:?}");
            assert!((high.at / 218e-9).ln().abs() < 3.0 * spread, "{option:?}");
            assert!((high.share - upper as f64 / count as f64).abs() < 1e-9, "{option:?}");
            let covered = option.as_ref().unwrap().covered(Uncertain::exact(65e-9));
            assert!(covered.low <= low.at && covered.high >= high.at);
        }
        // With a deviation of 12 % chance makes another gap now and then.
        assert!(other <= 5, "{other} of 500");
    }

    #[test]
    fn one_noisy_regime_is_not_called_two() {
        let mut noise = Noise(fastrand::Rng::with_seed(8));
        let wrong = (0..3000)
            .filter(|k| {
                let spread = [0.01, 0.05, 0.2][k % 3];
                let count = MIN_SAMPLES + k % 60;
                let skewed = |noise: &mut Noise| match k % 2 {
                    0 => noise.around(spread),
                    // Disturbances only lengthen times.
                    _ => 1.0 - spread * (1.0 - noise.0.f64()).ln(),
                };
                let samples: Vec<f64> = (0..count).map(|_| skewed(&mut noise)).collect();
                Regimes::from_samples("l", "s", &samples).is_some()
            })
            .count();
        assert!(wrong <= 30, "{wrong} of 3000");
    }

    #[test]
    fn three_regimes_spikes_and_few_samples() {
        let three: Vec<f64> =
            (0..30).map(|k| [1.0, 2.0, 4.0][k % 3] * (1.0 + 0.001 * k as f64)).collect();
        assert_eq!(Regimes::from_samples("l", "s", &three).map(|found| found.seen.len()), Some(3));
        let mut spikes = vec![1.0; 30];
        (spikes[3], spikes[9]) = (70.0, 50.0);
        assert_eq!(Regimes::from_samples("l", "s", &spikes), None);
        assert_eq!(Regimes::from_samples("l", "s", &[1.0, 3.0, 1.0, 3.0]), None, "too few");
        assert_eq!(Regimes::from_samples("l", "s", &[0.0, 1.0].repeat(12)), None, "not positive");
        let few = Regimes::of_neighbours(&[2e-7, 2.1e-7, 1.9e-7]).unwrap();
        assert_eq!(few.seen, [Regime { at: 2e-7, share: 1.0 }]);
        assert_eq!(Regimes::of_neighbours(&[]), None);
    }

    #[test]
    fn measurements_overlap_in_a_common_regime() {
        let regimes_of = |values: &[f64]| {
            let seen = values.iter().map(|value| Regime { at: *value, share: 0.5 }).collect();
            Regimes { what: "l".into(), unit: "s", seen }
        };
        assert!(regimes_of(&[65.0, 218.0]).overlap(&regimes_of(&[220.0])));
        assert!(!regimes_of(&[65.0, 218.0]).overlap(&regimes_of(&[100.0])));
        assert_eq!(regimes_of(&[2.0, 3.0]).times("g", "x", 2.0).range(), (4.0, 6.0));
    }
}
