//! The runs that a model is made of.

use std::collections::BTreeMap;

use cll_files::failure::Failure;

use super::at;
use super::passages::bits;
use super::run::{MeasuredRun, MpiLaunch, Sites, read};

/// The share of the runs of a point that is used: those that took least.
const QUICKEST: f64 = 0.2;

/// Runs whose logs were read.
#[derive(Default)]
pub struct MpiRuns {
    pub(super) sites: Sites,
    pub(super) all: Vec<MeasuredRun>,
}

impl MpiRuns {
    /// Reads the logs of a launch. Gives the time of the run, from `MPI_Init` to `MPI_Finalize`, in seconds.
    ///
    /// # Errors
    /// If a log cannot be read, or the launch cannot be modelled.
    pub fn read(&mut self, launch: &MpiLaunch) -> Result<f64, Failure> {
        let run = read(launch, &mut self.sites)?;
        let seconds = run.seconds;
        self.all.push(run);
        Ok(seconds)
    }
}

/// The times of all runs of each point, the quickest first.
pub(super) struct Made(BTreeMap<Vec<u64>, Vec<f64>>);

impl Made {
    pub(super) fn of(runs: &[MeasuredRun]) -> Made {
        let mut by: BTreeMap<Vec<u64>, Vec<f64>> = BTreeMap::new();
        for run in runs {
            by.entry(bits(&at(run))).or_default().push(run.seconds);
        }
        for all in by.values_mut() {
            all.sort_by(f64::total_cmp);
        }
        Made(by)
    }

    /// Runs of all points.
    pub(super) fn runs(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// Runs of the point that has most.
    pub(super) fn rounds(&self) -> u32 {
        self.0.values().map(Vec::len).max().unwrap_or(0) as u32
    }

    /// Runs of a point (the values, then the number of processors), and by how much its second run took longer than
    /// the quickest.
    pub(super) fn at(&self, values: &[f64]) -> (u32, Option<f64>) {
        let all = self.0.get(&bits(values)).map_or(&[][..], Vec::as_slice);
        let spread = match all {
            [first, second, ..] if *first > 0.0 => Some((second - first) / first),
            _ => None,
        };
        (all.len() as u32, spread)
    }

    /// The quickest runs of each point: the others were disturbed. Whole runs, so that the parts of a run add up to it.
    pub(super) fn quickest(&self, runs: Vec<MeasuredRun>) -> Vec<MeasuredRun> {
        let last = |all: &Vec<f64>| {
            let count = (QUICKEST * all.len() as f64).ceil() as usize;
            all.get(count.saturating_sub(1)).copied()
        };
        let is_quick = |run: &MeasuredRun| {
            self.0.get(&bits(&at(run))).and_then(last).is_some_and(|most| run.seconds <= most)
        };
        runs.into_iter().filter(is_quick).collect()
    }
}
