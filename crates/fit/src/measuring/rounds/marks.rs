//! Which disturbances a round shows, from observations of the machine.

use serde::{Deserialize, Serialize};

use super::clusters::clusters;
use cll_statistics::{median, median_and_deviation};

/// Observations of the machine during a round. Shares are between 0 and 1; ratios are relative to
/// the best value known, 1 at best.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signs {
    /// Share of the time in which the program was ready but did not run.
    pub waiting: Option<f64>,
    /// Share of the time in which the quota of its control group had stopped the program.
    pub stopped: f64,
    /// Involuntary waits of the program for each second of its time.
    pub interruptions: f64,
    /// Share of the time of the program's processors taken by the hypervisor (steal time).
    pub steal: f64,
    /// Share of the time of the program's processors used by other programs.
    pub others: f64,
    /// Share of the time of the other processors used by other programs.
    pub elsewhere: f64,
    /// Whether at every point the samples can be left out during which the program was switched
    /// out. Then waiting does not lengthen the fitted times.
    pub sheltered: bool,
    /// Share of the time in which other programs used the program's caches.
    pub polluted: f64,
    /// Time of a chain of dependent operations, as a ratio: shows the clock rate.
    pub chain: Option<f64>,
    /// Share of the checks in which the core was shared with its other hardware thread.
    pub narrow: Option<f64>,
    /// Mean share by which the core checks took longer because the core was shared.
    pub pressed: Option<f64>,
    /// Time of a message between two of the program's processors, as a ratio.
    pub partner: Option<f64>,
}

/// Why a round differs from one on a quiet machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The quota of a control group stopped the program.
    Throttled,
    /// Other programs used the program's processors.
    Interrupted,
    /// The hypervisor took processor time.
    Stolen,
    /// Other programs were running.
    Loaded,
    /// The other hardware thread of the core was busy, with ours or a neighbour's program.
    Regime,
    /// The clock rate was below its maximum, or below that of the other rounds.
    Clock,
    /// Messages between processors took longer than the best known time.
    Partner,
    /// The program itself was slower than in the other rounds.
    Slow,
}

/// A machine is quiet if less than 1 % is taken away.
const TAKEN: f64 = 0.01;
/// Interruptions for each second of the program's time: a quiet kernel causes fewer.
const INTERRUPTIONS: f64 = 25.0;
/// Other programs' share of the program's processors: the kernel's own work is less.
const OTHERS: f64 = 0.03;
/// Other programs' share of the other processors, which share caches and memory.
const ELSEWHERE: f64 = 0.20;
/// If half of the samples are disturbed, so is the median; this is safely below.
const NARROW: f64 = 0.25;
/// Steps of the clock rate are smaller; a larger one is another state of the machine.
const CLOCK_CHANGED: f64 = 1.05;
/// Above this ratio to the best known value the clock is slow.
const CLOCK_SLOW: f64 = 1.15;
/// The two states known to exist differ by a factor of three.
const PARTNER: f64 = 1.6;
/// A larger slowness of the program is not noise.
const SLOW: f64 = 1.05;

/// The disturbances of each round; `slowness` is that of [`crate::rounds::RoundsTable::slowness`].
pub fn marks(signs: &[Signs], slowness: &[Option<f64>]) -> Vec<Vec<Mark>> {
    let chains: Vec<f64> = signs.iter().filter_map(|signs| signs.chain).collect();
    let chain = median(chains);
    let slow = slow_from(slowness);
    let of_round = |(index, signs): (usize, &Signs)| {
        let own = slowness.get(index).copied().flatten();
        let clock = |ratio: f64| {
            ratio > CLOCK_SLOW || chain.is_some_and(|usual| ratio > CLOCK_CHANGED * usual)
        };
        let interrupted =
            signs.waiting.is_some_and(|share| share > TAKEN) || signs.interruptions > INTERRUPTIONS;
        let wrong = [
            (Mark::Throttled, signs.stopped > TAKEN),
            (Mark::Interrupted, interrupted),
            (Mark::Stolen, signs.steal > TAKEN),
            (Mark::Loaded, signs.others > OTHERS || signs.elsewhere > ELSEWHERE),
            (Mark::Regime, signs.narrow.is_some_and(|share| share > NARROW)),
            (Mark::Clock, signs.chain.is_some_and(clock)),
            (Mark::Partner, signs.partner.is_some_and(|ratio| ratio > PARTNER)),
            (Mark::Slow, own.is_some_and(|ratio| slow.is_some_and(|limit| ratio > limit))),
        ];
        wrong.into_iter().filter(|(_, is)| *is).map(|(mark, _)| mark).collect()
    };
    signs.iter().enumerate().map(of_round).collect()
}

/// The slowness from which a round counts as slow: above the lower of two groups, or far from the
/// median.
fn slow_from(slowness: &[Option<f64>]) -> Option<f64> {
    /// Among fewer rounds none is called slow.
    const MIN_ROUNDS: usize = 4;
    let known: Vec<f64> = slowness.iter().filter_map(|ratio| *ratio).collect();
    if known.len() < MIN_ROUNDS {
        return None;
    }
    if let Some(two) = clusters(&known) {
        return Some(two.limit);
    }
    let (usual, spread) = median_and_deviation(&known)?;
    Some((SLOW * usual).max(usual + 5.0 * spread))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(signs: Signs) -> Vec<Mark> {
        marks(&[signs], &[None]).remove(0)
    }

    #[test]
    fn each_sign_has_its_mark_and_quiet_has_none() {
        let quiet = Signs {
            waiting: Some(0.001),
            interruptions: 3.0,
            steal: 0.0,
            others: 0.01,
            elsewhere: 0.05,
            chain: Some(1.01),
            narrow: Some(0.05),
            partner: Some(1.2),
            ..Signs::default()
        };
        assert_eq!(marked(quiet.clone()), []);
        assert_eq!(marked(Signs::default()), [], "what is not known is not held against it");
        let with = |change: fn(&mut Signs)| {
            let mut signs = quiet.clone();
            change(&mut signs);
            marked(signs)
        };
        assert_eq!(with(|s| s.stopped = 0.4), [Mark::Throttled]);
        assert_eq!(with(|s| s.waiting = Some(0.3)), [Mark::Interrupted]);
        assert_eq!(with(|s| s.interruptions = 200.0), [Mark::Interrupted]);
        assert_eq!(with(|s| s.steal = 0.05), [Mark::Stolen]);
        assert_eq!(with(|s| s.others = 0.5), [Mark::Loaded]);
        assert_eq!(with(|s| s.elsewhere = 1.0), [Mark::Loaded]);
        assert_eq!(with(|s| s.narrow = Some(0.9)), [Mark::Regime]);
        assert_eq!(with(|s| s.chain = Some(1.3)), [Mark::Clock]);
        assert_eq!(with(|s| s.partner = Some(3.2)), [Mark::Partner]);
    }

    #[test]
    fn a_clock_that_slows_down_within_the_sampling_is_seen() {
        let round = |chain| Signs { chain: Some(chain), ..Signs::default() };
        let rounds: Vec<Signs> = [1.0, 1.0, 1.01, 1.08, 1.0].map(round).into();
        let marks = marks(&rounds, &[None; 5]);
        assert_eq!(marks.iter().map(Vec::len).collect::<Vec<_>>(), [0, 0, 0, 1, 0]);
    }

    #[test]
    fn the_slower_of_two_regimes_is_marked_even_where_it_is_the_usual_one() {
        let slowness = [1.0, 1.31, 1.3, 1.01, 1.29, 1.3, 1.0, 1.32].map(Some);
        let marked = marks(&vec![Signs::default(); 8], &slowness);
        let slow: Vec<bool> = marked.iter().map(|marks| marks == &[Mark::Slow]).collect();
        assert_eq!(slow, [false, true, true, false, true, true, false, true]);
        let alone = [1.0, 1.01, 0.99, 1.2, 1.0].map(Some);
        let marked = marks(&vec![Signs::default(); 5], &alone);
        assert_eq!(marked.iter().map(Vec::len).sum::<usize>(), 1);
        let even = [1.0, 1.02, 0.98, 1.03, 1.0].map(Some);
        assert!(marks(&vec![Signs::default(); 5], &even).iter().all(Vec::is_empty));
    }
}
