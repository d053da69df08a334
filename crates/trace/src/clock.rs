//! Converts ticks of a processor's counter to seconds.

use crate::meta::Clock;
use cll_statistics::median_and_deviation;
use cll_units::{Seconds, Ticks};

/// Two clocks are never read closer together than this, nanoseconds.
const READING_NS: f64 = 200.0;
/// With fewer pairs their scatter is unknown; this value is assumed, nanoseconds.
const SCATTER_KNOWN_FROM: usize = 5;
const SCATTER_UNKNOWN_NS: f64 = 1000.0;
/// Number of pairs used for the line; of more pairs an even selection is used.
const PAIRS_USED: usize = 128;
/// The length of a tick of clocks that count nanoseconds.
const NANOSECOND: Seconds = Seconds(1e-9);
/// Relative uncertainty above which there is a warning.
pub const UNCERTAIN_ABOVE: f64 = 1e-3;

/// One moment on two clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockPair {
    /// Ticks of the counter.
    pub ticks: u64,
    /// `CLOCK_MONOTONIC`, nanoseconds.
    pub mono_ns: u64,
}

/// Where a calibration comes from, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalibrationSource {
    /// A tick is a nanosecond by definition.
    Exact,
    /// The pairs of the process itself.
    Measured,
    /// The pairs of all processes on the same machine.
    Machine,
    /// The frequency that the system reports.
    Nominal,
    /// Nothing: ticks are shown as nanoseconds, although they are not.
    Unknown,
}

/// The line that converts ticks to seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The clock whose ticks these are.
    pub clock: Clock,
    /// The length of a tick.
    pub tick: Seconds,
    /// Relative uncertainty of [`Calibration::tick`]; infinite if unknown.
    pub uncertainty: f64,
    /// Nanoseconds from the first pair to the last.
    pub baseline_ns: u64,
    /// Number of pairs.
    pub pairs: usize,
    /// How the length of a tick is known.
    pub source: CalibrationSource,
    /// A moment on both clocks, the origin for [`Calibration::seconds_since`].
    pub origin: ClockPair,
}

impl Default for Calibration {
    /// For a clock about which nothing is known.
    fn default() -> Calibration {
        Calibration::fixed(Clock::Unknown, NANOSECOND, f64::INFINITY, CalibrationSource::Unknown)
    }
}

impl Calibration {
    /// The time of a difference of ticks.
    #[inline]
    pub fn seconds(&self, ticks: i64) -> Seconds {
        ticks as f64 * self.tick
    }

    /// The time from `mono_ns` on `CLOCK_MONOTONIC` to `ticks`.
    pub fn seconds_since(&self, mono_ns: u64, ticks: Ticks) -> Seconds {
        let origin = Seconds(self.origin.mono_ns.wrapping_sub(mono_ns) as i64 as f64 * 1e-9);
        origin + self.seconds(ticks.since(Ticks(self.origin.ticks)))
    }

    /// Whether times may be wrong by more than [`UNCERTAIN_ABOVE`].
    pub fn is_uncertain(&self) -> bool {
        self.uncertainty.is_nan() || self.uncertainty > UNCERTAIN_ABOVE
    }

    /// The calibration of a clock if only the length of a tick is known.
    fn fixed(clock: Clock, tick: Seconds, uncertainty: f64, source: CalibrationSource) -> Self {
        let origin = ClockPair { ticks: 0, mono_ns: 0 };
        Calibration { clock, tick, uncertainty, baseline_ns: 0, pairs: 0, source, origin }
    }

    /// From the pairs of one process (in any order), and the frequency that the system reports.
    ///
    /// The slope is the weighted median of the slopes between all pairs, with their distance as
    /// weight (Theil and Sen): a pair whose two readings were separated by an interrupt has no
    /// influence. The uncertainty is twice the scatter of the pairs around the line, divided by the
    /// baseline.
    pub fn from_pairs(clock: Clock, pairs: &[ClockPair], nominal_hz: Option<f64>) -> Calibration {
        if clock == Clock::Mono {
            let exact = Calibration::fixed(clock, NANOSECOND, 0.0, CalibrationSource::Exact);
            return Calibration { origin: pairs.first().copied().unwrap_or(exact.origin), ..exact };
        }
        let measured = line(clock, pairs, CalibrationSource::Measured);
        match nominal_hz.filter(|hz| hz.is_finite() && *hz > 0.0) {
            // A reported frequency is accurate to 1e-4 (crystals are better, firmware is not).
            Some(hz) if measured.uncertainty.is_nan() || measured.uncertainty > 1e-4 => {
                Calibration {
                    origin: measured.origin,
                    pairs: measured.pairs,
                    baseline_ns: measured.baseline_ns,
                    ..Calibration::fixed(clock, Seconds(1.0 / hz), 1e-4, CalibrationSource::Nominal)
                }
            }
            _ => measured,
        }
    }

    /// The better of this calibration and that from the pairs of all processes on the machine.
    pub fn or_machine(self, pairs: &[ClockPair]) -> Calibration {
        let shared = line(self.clock, pairs, CalibrationSource::Machine);
        if self.source != CalibrationSource::Exact && shared.uncertainty < self.uncertainty {
            shared
        } else {
            self
        }
    }
}

fn line(clock: Clock, pairs: &[ClockPair], source: CalibrationSource) -> Calibration {
    let unknown = Calibration::fixed(clock, NANOSECOND, f64::INFINITY, CalibrationSource::Unknown);
    let pairs = thinned(pairs);
    let (Some(&first), Some(&last)) = (pairs.first(), pairs.last()) else { return unknown };
    let unknown = Calibration { origin: first, pairs: pairs.len(), ..unknown };
    let run = |pair: &ClockPair| pair.ticks.wrapping_sub(first.ticks) as i64 as f64;
    let rise = |pair: &ClockPair| pair.mono_ns.wrapping_sub(first.mono_ns) as i64 as f64;
    let mut slopes = Vec::new();
    for (index, a) in pairs.iter().enumerate() {
        for b in &pairs[index + 1..] {
            let weight = run(b) - run(a);
            if weight > 0.0 {
                slopes.push(((rise(b) - rise(a)) / weight, weight));
            }
        }
    }
    let Some(slope) = weighted_median(&mut slopes).filter(|slope| *slope > 0.0) else {
        return unknown;
    };
    let residuals: Vec<f64> = pairs.iter().map(|pair| rise(pair) - slope * run(pair)).collect();
    let (middle, deviation) = median_and_deviation(&residuals).unwrap_or_default();
    let scatter = if pairs.len() < SCATTER_KNOWN_FROM {
        SCATTER_UNKNOWN_NS
    } else {
        deviation.max(READING_NS)
    };
    let baseline = rise(&last).max(slope * run(&last));
    Calibration {
        tick: Seconds(slope * 1e-9),
        uncertainty: 2.0 * scatter / baseline,
        baseline_ns: baseline as u64,
        source,
        origin: ClockPair {
            mono_ns: first.mono_ns.wrapping_add_signed(middle.round() as i64),
            ..first
        },
        ..unknown
    }
}

/// At most [`PAIRS_USED`] of the pairs in order of time, including the first and the last.
fn thinned(pairs: &[ClockPair]) -> Vec<ClockPair> {
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable_by_key(|pair| (pair.mono_ns, pair.ticks));
    pairs.dedup();
    if pairs.len() <= PAIRS_USED {
        return pairs;
    }
    (0..PAIRS_USED).map(|i| pairs[i * (pairs.len() - 1) / (PAIRS_USED - 1)]).collect()
}

fn weighted_median(slopes: &mut [(f64, f64)]) -> Option<f64> {
    slopes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let half = slopes.iter().map(|slope| slope.1).sum::<f64>() / 2.0;
    let mut reached = 0.0;
    slopes
        .iter()
        .find(|slope| {
            reached += slope.1;
            reached >= half
        })
        .map(|slope| slope.0)
}

/// Collects the pairs of a process: all of the first ones, then fewer and fewer.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    kept: Vec<ClockPair>,
    last: Option<ClockPair>,
    every: u64,
    seen: u64,
}

impl Default for Pairs {
    fn default() -> Self {
        Pairs { kept: Vec::new(), last: None, every: 1, seen: 0 }
    }
}

impl Pairs {
    const KEPT: usize = 4096;

    pub fn push(&mut self, ticks: u64, mono_ns: u64) {
        if mono_ns == 0 {
            return;
        }
        let pair = ClockPair { ticks, mono_ns };
        if self.seen.is_multiple_of(self.every) {
            self.kept.push(pair);
        }
        self.seen += 1;
        self.last = Some(pair);
        if self.kept.len() == Self::KEPT {
            let mut index = 0;
            self.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.every *= 2;
        }
    }

    pub fn all(&self) -> Vec<ClockPair> {
        self.kept.iter().copied().chain(self.last).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of a counter of `hz`, one every `step` nanoseconds, read with `noise(i)` ns between.
    fn pairs(hz: f64, step: u64, n: u64, noise: impl Fn(u64) -> u64) -> Vec<ClockPair> {
        (0..n)
            .map(|i| ClockPair {
                ticks: 7_000_000_000_000 + (i as f64 * step as f64 * hz / 1e9) as u64,
                mono_ns: 3_000_000_000 + i * step + noise(i),
            })
            .collect()
    }

    #[test]
    fn the_slope_is_that_of_the_counter_despite_torn_readings() {
        let torn = |i: u64| if i % 4 == 1 { 800_000 } else { i * 37 % 60 };
        let calibration =
            Calibration::from_pairs(Clock::Tsc, &pairs(2.595e9, 1_000_000, 400, torn), None);
        let error = calibration.tick.get() * 2.595e9 - 1.0;
        assert!(error.abs() < 1e-6, "{error}");
        assert!(
            error.abs() < calibration.uncertainty && calibration.uncertainty < 1e-5,
            "{calibration:?}"
        );
        assert!(
            calibration.seconds_since(3_000_000_000, Ticks(7_000_000_000_000)).abs()
                < Seconds(1e-6)
        );
    }

    #[test]
    fn a_short_baseline_is_reported_as_a_number() {
        let short = Calibration::from_pairs(Clock::Tsc, &pairs(1e9, 100_000, 2, |_| 0), None);
        assert!(short.is_uncertain() && (short.uncertainty - 0.02).abs() < 1e-4, "{short:?}");
        let nominal =
            Calibration::from_pairs(Clock::Tsc, &pairs(1e9, 100_000, 2, |_| 0), Some(1.001e9));
        assert_eq!(
            (nominal.source, nominal.tick),
            (CalibrationSource::Nominal, Seconds(1.0 / 1.001e9))
        );
        let long = pairs(1e9, 1_000_000, 100, |_| 0);
        assert_eq!(short.or_machine(&long).source, CalibrationSource::Machine);
        assert_eq!(
            Calibration::from_pairs(Clock::Tsc, &long, None).or_machine(&long).source,
            CalibrationSource::Measured
        );
    }

    #[test]
    fn without_a_baseline_nothing_is_claimed() {
        for pairs in [&[][..], &pairs(1e9, 1, 1, |_| 0), &[ClockPair { ticks: 5, mono_ns: 1 }; 3]] {
            let calibration = Calibration::from_pairs(Clock::Tsc, pairs, None);
            assert_eq!(
                (calibration.source, calibration.uncertainty),
                (CalibrationSource::Unknown, f64::INFINITY)
            );
        }
        let back = [ClockPair { ticks: 9, mono_ns: 1 }, ClockPair { ticks: 5, mono_ns: 8 }];
        assert_eq!(
            Calibration::from_pairs(Clock::Tsc, &back, None).source,
            CalibrationSource::Unknown
        );
        assert_eq!(Calibration::from_pairs(Clock::Mono, &[], None).tick, NANOSECOND);
    }

    #[test]
    fn many_pairs_are_thinned_and_the_last_is_kept() {
        let mut kept = Pairs::default();
        (1..=100_000).for_each(|i| kept.push(i * 10, i));
        let all = kept.all();
        assert!(all.len() <= Pairs::KEPT + 1);
        assert_eq!((all[0].mono_ns, all.last().map(|pair| pair.mono_ns)), (1, Some(100_000)));
    }
}
