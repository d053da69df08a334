//! The cost of measuring for the measured program.
//!
//! The program is run in pairs, with markers and without, one directly after the other, so that changes of the
//! machine affect both. The estimate uses the logarithm of each pair's ratio: its distribution is symmetrical about
//! the true value as long as both programs are disturbed equally, even if single runs are disturbed a lot. The time
//! the library takes to start is no cost of regions: it is measured with pairs of runs of an empty program and
//! subtracted.

use cll_statistics::{median, quantile, sorted};

/// The regions of an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regions {
    /// Number of regions in a run.
    pub count: f64,
    /// Time of a typical short region, seconds.
    pub time: f64,
}

/// An interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Two consecutive runs, seconds each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// With markers.
    pub with: f64,
    /// Without.
    pub without: f64,
}

/// The time the library takes to start and to end, once a run, seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverheadStart {
    /// The median of the time.
    pub middle: f64,
    /// The interval of the time.
    pub bounds: Bounds,
}

/// The cost of the markers in a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Number of pairs.
    pub pairs: usize,
    /// Median of the runs with markers, seconds.
    pub with: f64,
    /// Median of those without, seconds.
    pub without: f64,
    /// Part of `with` that the library's start takes, seconds.
    pub start: f64,
    /// Share of the markers in `with - start`; negative if the run with markers is faster.
    pub share: f64,
    /// The confidence interval of the share; `None` with fewer than [`MIN_PAIRS`] pairs.
    pub interval: Option<Bounds>,
}

/// The cost of the markers in an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overhead {
    /// Share of the experiment's markers in the run.
    pub share: f64,
    /// The confidence interval of the share, if that of the run is known.
    pub interval: Option<Bounds>,
    /// Cost of the markers of one region, seconds, with its interval. `None` if the interval
    /// includes zero, or if the run costs more than markers can.
    pub per_region: Option<(f64, Bounds)>,
    /// Whether regions are about as short as their markers.
    pub too_short: bool,
}

/// With fewer pairs not even the smallest and the largest difference enclose the true value often
/// enough.
pub const MIN_PAIRS: usize = 5;

/// Shorter regions, in seconds, are about as short as their markers.
const MIN_REGION_SECONDS: f64 = 100e-9;

/// Markers take at most this, seconds, even with counters that the kernel reads. A larger cost
/// comes from other code, or from the same code at another address.
const MAX_SECONDS_PER_REGION: f64 = 1e-5;

/// The probability that an interval does not contain the true value.
const MISSED: f64 = 0.05;

impl OverheadStart {
    /// If both programs start the library.
    pub const NONE: OverheadStart =
        OverheadStart { middle: 0.0, bounds: Bounds { low: 0.0, high: 0.0 } };

    /// From pairs of runs of a program with only an empty region. With fewer than [`MIN_PAIRS`]
    /// pairs a typical value.
    pub fn from_pairs(pairs: &[Pair]) -> OverheadStart {
        const ELSEWHERE: OverheadStart =
            OverheadStart { middle: 5e-4, bounds: Bounds { low: 0.0, high: 2e-3 } };
        if pairs.len() < MIN_PAIRS {
            return ELSEWHERE;
        }
        let differences: Vec<f64> = pairs.iter().map(|pair| pair.with - pair.without).collect();
        let means = sorted_means(&differences);
        let (low, high) = ends(&means, pairs.len());
        OverheadStart {
            middle: quantile(&means, 0.5).max(0.0),
            bounds: Bounds { low: low.max(0.0), high: high.max(0.0) },
        }
    }
}

/// The cost of the markers in a run, from pairs of runs. `None` without a pair of positive times.
/// The interval also contains the uncertainty of `start`.
///
/// The estimate is that of Hodges and Lehmann, the interval that of Wilcoxon's signed-rank test
/// (Hollander, Wolfe and Chicken, *Nonparametric Statistical Methods*, 2014, chapter 3): it assumes
/// only a symmetrical distribution. Its confidence is 95 %, or the next level that so few pairs
/// allow: 93.75 % for five.
pub fn cost(pairs: &[Pair], start: &OverheadStart) -> Option<Cost> {
    let pairs: Vec<Pair> =
        pairs.iter().filter(|pair| pair.with > 0.0 && pair.without > 0.0).copied().collect();
    let means = |start: f64| {
        // The library's start cannot take the whole run.
        let left = |pair: &Pair| (pair.with - start).max(0.01 * pair.with);
        sorted_means(&pairs.iter().map(|pair| (left(pair) / pair.without).ln()).collect::<Vec<_>>())
    };
    let share = |logarithm: f64| 1.0 - (-logarithm).exp();
    let interval = (pairs.len() >= MIN_PAIRS).then(|| Bounds {
        low: share(ends(&means(start.bounds.high), pairs.len()).0),
        high: share(ends(&means(start.bounds.low), pairs.len()).1),
    });
    let median_of = |time: fn(&Pair) -> f64| median(pairs.iter().map(time)).unwrap_or(0.0);
    (!pairs.is_empty()).then(|| Cost {
        pairs: pairs.len(),
        with: median_of(|pair| pair.with),
        without: median_of(|pair| pair.without),
        start: start.middle,
        share: share(quantile(&means(start.middle), 0.5)),
        interval,
    })
}

/// The overhead of each experiment. The cost is divided in proportion to the number of regions:
/// every pair of markers costs the same.
pub fn overhead(cost: &Cost, experiments: &[Regions]) -> Vec<Overhead> {
    let all: f64 = experiments.iter().map(|regions| regions.count).sum();
    let part = |experiment: &Regions| if all > 0.0 { experiment.count / all } else { 0.0 };
    // A share of the run with markers, as seconds per region.
    let each = |share: f64| share * (cost.with - cost.start).max(0.0) / all;
    let per_region = cost.interval.filter(|_| all > 0.0).and_then(|interval| {
        let low = each(interval.low);
        (low > 0.0 && low <= MAX_SECONDS_PER_REGION)
            .then(|| (each(cost.share), Bounds { low, high: each(interval.high) }))
    });
    let overhead_of = |experiment: &Regions| Overhead {
        share: cost.share * part(experiment),
        interval: cost.interval.map(|interval| Bounds {
            low: interval.low * part(experiment),
            high: interval.high * part(experiment),
        }),
        per_region: per_region.filter(|_| experiment.count > 0.0),
        too_short: experiment.count > 0.0 && experiment.time < MIN_REGION_SECONDS,
    };
    experiments.iter().map(overhead_of).collect()
}

/// The Walsh averages: the means of all pairs of values, each value also with itself, sorted.
fn sorted_means(values: &[f64]) -> Vec<f64> {
    let from = |(index, value): (usize, &f64)| -> Vec<f64> {
        values[..=index].iter().map(|other| 0.5 * (value + other)).collect()
    };
    sorted(values.iter().enumerate().flat_map(from))
}

/// The ends of the interval for `count` values among their sorted Walsh averages.
fn ends(means: &[f64], count: usize) -> (f64, f64) {
    let index = rank(count);
    (means[index], means[means.len() - 1 - index])
}

/// The index of the interval's lower end among the sorted Walsh averages of `count` values, from 0.
/// At each end as many averages are left out as keep the probability of a miss below [`MISSED`].
fn rank(count: usize) -> usize {
    let most = count * (count + 1) / 2;
    // The probability of each sum of positive ranks if every sign is random.
    let mut chances = vec![0.0; most + 1];
    chances[0] = 1.0;
    for rank in 1..=count {
        for sum in (0..=most).rev() {
            let before = if sum >= rank { chances[sum - rank] } else { 0.0 };
            chances[sum] = 0.5 * (chances[sum] + before);
        }
    }
    let mut below = 0.0;
    let within = |chance: &&f64| {
        below += **chance;
        2.0 * below <= MISSED
    };
    // The interval leaves out one average less than there are sums that are too rare.
    chances.iter().take_while(within).count().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    const NONE: OverheadStart = OverheadStart::NONE;

    /// Approximately normal.
    fn noise(random: &mut Rng) -> f64 {
        (0..12).map(|_| random.f64()).sum::<f64>() - 6.0
    }

    /// Pairs of runs of about a second on a machine whose speed drifts, with one-sided noise and
    /// occasional large spikes.
    fn pairs(count: usize, share: f64, random: &mut Rng) -> Vec<Pair> {
        let run = |time: f64, random: &mut Rng| {
            let spike = if random.f64() < 0.1 { 0.2 * random.f64() } else { 0.0 };
            time * (1.0 + 0.005 * noise(random).abs() + spike)
        };
        let pair = |index: usize| {
            let time = 1.0 + 0.1 * index as f64;
            Pair { with: run(time / (1.0 - share), random), without: run(time, random) }
        };
        (0..count).map(pair).collect()
    }

    #[test]
    fn the_interval_encloses_the_truth_as_often_as_it_should() {
        let mut random = Rng::with_seed(11);
        for (count, share) in [(5, 0.0), (5, 0.03), (7, 0.01), (12, 0.2), (30, 0.004)] {
            const TRIALS: usize = 1000;
            let holds = |_: &usize| {
                let bounds =
                    cost(&pairs(count, share, &mut random), &NONE).unwrap().interval.unwrap();
                bounds.low <= share && share <= bounds.high
            };
            let held = (0..TRIALS).filter(holds).count() as f64 / TRIALS as f64;
            assert!((0.90..=0.985).contains(&held), "{count} {share}: {held}");
        }
    }

    #[test]
    fn the_estimate_is_near_the_truth_also_beside_spikes() {
        let mut random = Rng::with_seed(3);
        let mut pairs = pairs(21, 0.05, &mut random);
        pairs[4].with *= 3.0;
        pairs[9].without *= 2.0;
        let cost = cost(&pairs, &NONE).unwrap();
        assert!((cost.share - 0.05).abs() < 0.01, "{cost:?}");
        let interval = cost.interval.unwrap();
        assert!(interval.low > 0.0 && interval.high < 0.12, "{cost:?}");
    }

    #[test]
    fn more_pairs_are_narrower_and_few_have_no_interval() {
        let mut random = Rng::with_seed(5);
        let pairs = pairs(40, 0.02, &mut random);
        let width = |count| {
            let interval = cost(&pairs[..count], &NONE).unwrap().interval.unwrap();
            interval.high - interval.low
        };
        assert!(width(40) < 0.6 * width(6));
        assert_eq!(cost(&pairs[..4], &NONE).unwrap().interval, None);
        assert_eq!(cost(&[], &NONE), None);
        assert_eq!(cost(&[Pair { with: 0.0, without: 1.0 }], &NONE), None);
    }

    #[test]
    fn the_start_is_that_of_an_empty_program() {
        let mut random = Rng::with_seed(23);
        let mut pair = |_| {
            let without = 6e-4 + 1e-5 * noise(&mut random).abs();
            Pair { with: 1.5e-3 + 1e-5 * noise(&mut random).abs(), without }
        };
        let pairs: Vec<Pair> = (0..7).map(&mut pair).collect();
        let start = OverheadStart::from_pairs(&pairs);
        assert!((start.middle - 9e-4).abs() < 2e-5, "{start:?}");
        assert!(start.bounds.low < 9e-4 && start.bounds.high > 9e-4 && start.bounds.high < 9.4e-4);
        assert!(OverheadStart::from_pairs(&pairs[..2]).bounds.high > 1e-3, "not known");
    }

    /// From tables of the signed-rank distribution: the largest number of averages that may be left
    /// out at each end for 95 %.
    #[test]
    fn ranks_are_those_of_the_tables() {
        let numbers = [5, 6, 7, 8, 9, 10, 12, 15, 20].map(rank);
        assert_eq!(numbers, [0, 0, 2, 3, 5, 8, 13, 25, 52]);
    }

    #[test]
    fn the_cost_is_shared_out_by_number() {
        let exact = |time: f64| Pair { with: 1.1 * time, without: time };
        let cost = cost(&[0.9, 1.0, 1.1, 1.0, 1.2].map(exact), &NONE).unwrap();
        assert!((cost.share - 0.1 / 1.1).abs() < 1e-12 && (cost.with - 1.1).abs() < 1e-12);
        let long = Regions { count: 1e3, time: 1e-3 };
        let short = Regions { count: 1e6, time: 2e-8 };
        let overheads = overhead(&cost, &[long, short]);
        let (each, interval) = overheads[0].per_region.unwrap();
        assert!((each * 1.001e6 - 0.1).abs() < 1e-12);
        assert!(interval.low > 0.0 && interval.low <= each && each <= interval.high + 1e-20);
        assert!(overheads[0].share < 1e-4 && overheads[1].share > 0.09);
        assert_eq!((overheads[0].too_short, overheads[1].too_short), (false, true));
        assert!((overheads[0].share + overheads[1].share - cost.share).abs() < 1e-12);
    }

    #[test]
    fn neither_noise_nor_the_start_of_the_library_are_a_region_s() {
        let mut random = Rng::with_seed(17);
        let regions = [Regions { count: 10.0, time: 1.0 }];
        let none = cost(&pairs(9, 0.0, &mut random), &NONE).unwrap();
        assert_eq!(overhead(&none, &regions)[0].per_region, None);
        // Half a millisecond in each run of two, known to 20 %.
        let runs = [0.0, 0.1, -0.1, 0.05, -0.05, 0.02]
            .map(|more: f64| Pair { with: 2.5e-3 + 1e-4 * more, without: 2e-3 });
        let start = OverheadStart { middle: 5e-4, bounds: Bounds { low: 4e-4, high: 6e-4 } };
        let taken_off = cost(&runs, &start).unwrap();
        assert_eq!(overhead(&taken_off, &regions)[0].per_region, None);
        let interval = taken_off.interval.unwrap();
        assert!(interval.low < 0.0 && interval.high > 0.0 && interval.high < 0.06, "{taken_off:?}");
        assert!(cost(&runs, &NONE).unwrap().interval.unwrap().low > 0.15);
        // Fifty milliseconds for ten regions is no cost of markers.
        let exact = |time: f64| Pair { with: 1.05 * time, without: time };
        let dear = cost(&[0.9, 1.0, 1.1, 1.0, 1.2].map(exact), &NONE).unwrap();
        assert_eq!(overhead(&dear, &regions)[0].per_region, None);
        let nothing = overhead(&none, &[Regions { count: 0.0, time: 0.0 }]);
        assert_eq!((nothing[0].share, nothing[0].per_region), (0.0, None));
    }
}
