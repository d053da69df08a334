//! The runs that a model is made of.

use std::collections::BTreeMap;

use super::passages::bits;
use super::point_of;
use super::run::{MeasuredRun, Sites};

/// The share of the runs of a point that is used: those that took least.
const QUICKEST: f64 = 0.2;
/// Nobody shared the core of a rank if the loop that fills its width took no more than so many times the least.
const WHOLE: f64 = 1.05;

/// Runs of a program, with their call paths.
#[derive(Default)]
pub struct MpiRuns {
    /// The call paths that the runs have by number.
    pub sites: Sites,
    /// The runs.
    pub runs: Vec<MeasuredRun>,
}

/// The facts about a run that are known before there is a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MpiRunTime {
    /// From `MPI_Init` to `MPI_Finalize`, in seconds.
    pub seconds: f64,
    /// The least and the most time, in seconds, that the loop that fills the width of a core took on the ranks.
    pub width: Option<(f64, f64)>,
}

/// Whether nobody shared the cores of a run, by what the loop that fills the width of a core took on them and at least on
/// any; also if that is not known.
pub fn had_whole_cores(width: Option<(f64, f64)>, least: f64) -> bool {
    width.is_none_or(|(_, most)| most <= WHOLE * least)
}

/// All runs of each point.
pub(super) struct Made {
    by: BTreeMap<Vec<u64>, OfPoint>,
    least: f64,
}

#[derive(Default)]
struct OfPoint {
    /// The times of all runs, and of those that had whole cores, the quickest first.
    all: Vec<f64>,
    on_whole_cores: Vec<f64>,
}

impl OfPoint {
    /// The times of those runs that can be used: of those with whole cores if there are any.
    fn usable(&self) -> &[f64] {
        if self.on_whole_cores.is_empty() { &self.all } else { &self.on_whole_cores }
    }
}

impl Made {
    pub(super) fn from_runs(runs: &[MeasuredRun]) -> Made {
        let least = runs.iter().filter_map(|run| run.width).map(|width| width.0);
        let least = least.fold(f64::INFINITY, f64::min);
        let mut by: BTreeMap<Vec<u64>, OfPoint> = BTreeMap::new();
        for run in runs {
            let times = by.entry(bits(&point_of(run))).or_default();
            times.all.push(run.seconds);
            if had_whole_cores(run.width, least) {
                times.on_whole_cores.push(run.seconds);
            }
        }
        for times in by.values_mut() {
            times.all.sort_by(f64::total_cmp);
            times.on_whole_cores.sort_by(f64::total_cmp);
        }
        Made { by, least }
    }

    /// Runs of all points.
    pub(super) fn runs(&self) -> usize {
        self.by.values().map(|times| times.all.len()).sum()
    }

    /// Runs of the point that has most.
    pub(super) fn rounds(&self) -> u32 {
        self.by.values().map(|times| times.all.len()).max().unwrap_or(0) as u32
    }

    /// Runs of a point (the values, then the number of processors), how many of them had whole cores, and by how much the
    /// second one of those that can be used took longer than the quickest.
    pub(super) fn summary_at(&self, values: &[f64]) -> (u32, u32, Option<f64>) {
        let Some(times) = self.by.get(&bits(values)) else { return (0, 0, None) };
        let spread = match times.usable() {
            [first, second, ..] if *first > 0.0 => Some((second - first) / first),
            _ => None,
        };
        (times.all.len() as u32, times.on_whole_cores.len() as u32, spread)
    }

    /// The quickest runs of each point, of those with whole cores if there are any: the others were disturbed. Whole runs,
    /// so that the parts of a run add up to it (decision 0134).
    pub(super) fn quickest(&self, runs: Vec<MeasuredRun>) -> Vec<MeasuredRun> {
        let is_quick = |run: &MeasuredRun| {
            let Some(times) = self.by.get(&bits(&point_of(run))) else { return false };
            let usable = times.usable();
            let count = (QUICKEST * usable.len() as f64).ceil() as usize;
            let most = usable.get(count.saturating_sub(1));
            let is_usable =
                times.on_whole_cores.is_empty() || had_whole_cores(run.width, self.least);
            is_usable && most.is_some_and(|most| run.seconds <= *most)
        };
        runs.into_iter().filter(is_quick).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seconds: f64, most: Option<f64>) -> MeasuredRun {
        MeasuredRun {
            values: vec![100.0],
            processors: 2,
            seconds,
            around: None,
            ranks: Vec::new(),
            library: String::new(),
            width: most.map(|most| (1e-5, most)),
            errors: 0,
            unrecorded: Vec::new(),
        }
    }

    fn used(runs: Vec<MeasuredRun>) -> (Vec<f64>, (u32, u32, Option<f64>)) {
        let point_runs = Made::from_runs(&runs);
        let summary = point_runs.summary_at(&[100.0, 2.0]);
        let mut seconds: Vec<f64> =
            point_runs.quickest(runs).into_iter().map(|run| run.seconds).collect();
        seconds.sort_by(f64::total_cmp);
        (seconds, summary)
    }

    #[test]
    fn runs_on_shared_cores_are_not_used_if_there_are_others() {
        let shared = (0..5).map(|k| run(1.0 + f64::from(k), Some(1.5e-5)));
        let unshared = [run(3.0, Some(1.02e-5)), run(3.3, Some(1e-5))];
        let (seconds, (rounds, count, spread)) = used(shared.clone().chain(unshared).collect());
        assert_eq!((seconds, rounds, count), (vec![3.0], 7, 2));
        assert!((spread.unwrap() - 0.1).abs() < 1e-9);
        // All are shared: the quickest.
        let alone = run(9.0, Some(1e-5));
        let other = MeasuredRun { values: vec![200.0], ..alone };
        let (seconds, (rounds, count, _)) = used(shared.chain([other]).collect());
        assert_eq!((seconds, rounds, count), (vec![1.0, 9.0], 5, 0));
    }

    #[test]
    fn runs_without_a_test_of_their_cores_count_as_before() {
        let runs = (0..10).map(|k| run(1.0 + f64::from(k), None)).collect();
        assert_eq!(used(runs), (vec![1.0, 2.0], (10, 10, Some(1.0))));
    }
}
