//! The variance between runs: a factor that all times of a run share.
//!
//! The logarithm of a time is that of its point, plus that of its run, plus noise (a random effect by run: Searle,
//! Casella and McCulloch, *Variance Components*, 1992). Medians over runs contain the factors of the runs in the same
//! way at all points, so residuals do not show them.
//!
//! Why: decision 0164.

use std::collections::{BTreeMap, BTreeSet};

use cll_statistics::{DEVIATIONS_IN_MAD, median};

use crate::result::BetweenRuns;
use crate::{Aggregate, Point};

/// With fewer runs their variance is not estimated.
const MIN_RUNS: usize = 3;
/// A run that was seen at fewer points is not told from these.
const MIN_POINTS: usize = 2;
/// Rounds of the median polish.
const POLISH: usize = 5;
/// Deviations are cut at this many standard deviations.
const CUT: f64 = 2.5;

/// The times of each run at each point, taken apart.
#[derive(Clone)]
pub(crate) struct Factors {
    /// Logarithm of each run's factor, about their mean.
    factors: Vec<f64>,
    /// Variance of each that noise explains.
    noise: Vec<f64>,
    /// Variance of a single cell's noise: the median of a run at a point.
    cell: f64,
    /// Over the points the mean share of the samples that are of each run.
    shares: Vec<f64>,
    /// Mean number of runs at a point.
    runs_of_point: f64,
}

/// The median of a run at a point.
struct RunMedian {
    point: usize,
    run: usize,
    log: f64,
}

impl Factors {
    /// The factors of the runs of the points; `None` if they do not say of what run they are, or share too few runs.
    pub(crate) fn of_runs(points: &[Point]) -> Option<Factors> {
        let runs: BTreeSet<u32> =
            points.iter().flat_map(|point| point.runs.iter().map(|stretch| stretch.run)).collect();
        if runs.len() < MIN_RUNS {
            return None;
        }
        let times = points.iter().map(|point| {
            let mut by_run: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
            let mut rest = point.observations.as_slice();
            for stretch in &point.runs {
                let (own, after) = rest.split_at((stretch.count as usize).min(rest.len()));
                by_run.entry(stretch.run).or_default().extend_from_slice(own);
                rest = after;
            }
            by_run
        });
        Factors::new(times)
    }

    /// The factors of the k-th repetitions, as if they were of the k-th run; those before `from` are left out.
    pub(crate) fn of_repetitions(points: &[Point], from: usize) -> Option<Factors> {
        let times = points.iter().map(|point| {
            let numbered = point.observations.iter().enumerate().skip(from);
            numbered.map(|(k, time)| (k as u32, vec![*time])).collect()
        });
        Factors::new(times)
    }

    fn new(times: impl Iterator<Item = BTreeMap<u32, Vec<f64>>>) -> Option<Factors> {
        let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
        let mut cells: Vec<RunMedian> = Vec::new();
        let mut shares: Vec<f64> = Vec::new();
        let mut points = 0;
        for by_run in times {
            let all: usize = by_run.values().map(Vec::len).sum();
            if by_run.values().flatten().any(|time| *time <= 0.0 || !time.is_finite()) || all == 0 {
                continue;
            }
            for (run, own) in by_run {
                let next = numbers.len();
                let run = *numbers.entry(run).or_insert(next);
                shares.resize(numbers.len(), 0.0);
                shares[run] += own.len() as f64 / all as f64;
                let log = median(own)?.ln();
                cells.push(RunMedian { point: points, run, log });
            }
            points += 1;
        }
        shares.iter_mut().for_each(|share| *share /= points.max(1) as f64);
        let counts = |cells: &[RunMedian]| {
            let mut counts = (vec![0usize; points], vec![0usize; shares.len()]);
            for cell in cells {
                counts.0[cell.point] += 1;
                counts.1[cell.run] += 1;
            }
            counts
        };
        // Only cells whose point and run have others tell anything.
        loop {
            let (of_point, of_run) = counts(&cells);
            let before = cells.len();
            cells.retain(|cell| of_point[cell.point] >= 2 && of_run[cell.run] >= MIN_POINTS);
            if cells.len() == before {
                break;
            }
        }
        let (of_point, of_run) = counts(&cells);
        let known = of_run.iter().filter(|count| **count > 0).count();
        let compared = of_point.iter().filter(|count| **count > 0).count();
        if known < MIN_RUNS || compared < MIN_POINTS {
            return None;
        }
        let runs_of_point = cells.len() as f64 / compared as f64;
        let (logs, cell) = polished(&cells, points, shares.len());
        let centre = logs.iter().flatten().sum::<f64>() / known as f64;
        let factors: Vec<f64> = logs.iter().flatten().map(|log| log - centre).collect();
        let noise = of_run.iter().filter(|count| **count > 0).map(|count| cell / *count as f64);
        Some(Factors { noise: noise.collect(), factors, cell, shares, runs_of_point })
    }

    /// The variance between the runs, and what it leaves in values that are fitted to their aggregates.
    pub(crate) fn between(&self, how: Aggregate) -> BetweenRuns {
        let runs = self.factors.len() as f64;
        let scatter = self.scatter();
        let noise = self.noise.iter().sum::<f64>() / runs;
        let variance = (scatter - noise).max(0.0);
        // The aggregate of factors varies more than their mean, unless noise decides which run it is of.
        let worse = match how {
            Aggregate::Mean | Aggregate::All => 1.0,
            _ if self.runs_of_point <= 2.0 => 1.0,
            Aggregate::Median => MEDIAN,
            Aggregate::Minimum => MINIMUM,
        };
        let decides = if variance > 0.0 { variance / (variance + self.cell) } else { 0.0 };
        let share: f64 = self.shares.iter().map(|share| share * share).sum();
        let left = variance * share * (1.0 + (worse - 1.0) * decides);
        BetweenRuns {
            runs: self.factors.len(),
            deviation: variance.sqrt(),
            dof: runs - 1.0,
            left: left.sqrt(),
        }
    }

    /// F statistic of the runs against their noise, with its degrees of freedom.
    pub(crate) fn test(&self) -> (f64, f64, f64) {
        let runs = self.factors.len() as f64;
        let noise = self.noise.iter().sum::<f64>() / runs;
        let cells = self.noise.iter().map(|noise| self.cell / noise).sum::<f64>();
        let points = cells / self.runs_of_point;
        (self.scatter() / noise, runs - 1.0, (cells - runs - points + 1.0).max(1.0))
    }

    fn scatter(&self) -> f64 {
        self.factors.iter().map(|log| log * log).sum::<f64>() / (self.factors.len() as f64 - 1.0)
    }
}

/// Variance of the median of a few normal numbers divided by that of their mean; of five it is 1.43.
const MEDIAN: f64 = 1.4;
/// The same of the minimum.
const MINIMUM: f64 = 2.2;

/// The logarithms of the runs' factors (`None`: of a run without cells), and the variance of the cells about points and
/// runs. By median polish (Tukey 1977), then by means of deviations that are cut: medians alone waste a third of the
/// cells.
fn polished(cells: &[RunMedian], points: usize, runs: usize) -> (Vec<Option<f64>>, f64) {
    let mut of_point: Vec<f64> = vec![0.0; points];
    let mut of_run: Vec<Option<f64>> = vec![None; runs];
    let grouped = |count: usize, of: &dyn Fn(&RunMedian) -> (usize, f64)| {
        let mut groups: Vec<Vec<f64>> = vec![Vec::new(); count];
        for cell in cells {
            let (group, value) = of(cell);
            groups[group].push(value);
        }
        groups
    };
    for _ in 0..POLISH {
        let off = |cell: &RunMedian| (cell.point, cell.log - of_run[cell.run].unwrap_or(0.0));
        let middles = grouped(points, &off).into_iter().map(|off| median(off).unwrap_or(0.0));
        of_point = middles.collect();
        let off = |cell: &RunMedian| (cell.run, cell.log - of_point[cell.point]);
        of_run = grouped(runs, &off).into_iter().map(median).collect();
    }
    let residual = |cell: &RunMedian, of_point: &[f64], of_run: &[Option<f64>]| {
        cell.log - of_point[cell.point] - of_run[cell.run].unwrap_or(0.0)
    };
    let sizes = cells.iter().map(|cell| residual(cell, &of_point, &of_run).abs());
    let free = free(cells, points, runs);
    let count = cells.len() as f64;
    // Medians make some residuals zero: as many as were fitted.
    let sorted = cll_statistics::sorted(sizes);
    let zeros = ((count - free) as usize).min(sorted.len() - 1);
    let scale = DEVIATIONS_IN_MAD * cll_statistics::quantile(&sorted[zeros..], 0.5);
    let limit = CUT * scale;
    for _ in 0..POLISH {
        let cut = |cell: &RunMedian| residual(cell, &of_point, &of_run).clamp(-limit, limit);
        let mean = |off: Vec<f64>| off.iter().sum::<f64>() / (off.len().max(1) as f64);
        let by_point: Vec<f64> =
            grouped(points, &|cell| (cell.point, cut(cell))).into_iter().map(mean).collect();
        of_point.iter_mut().zip(by_point).for_each(|(effect, by)| *effect += by);
        let cut = |cell: &RunMedian| residual(cell, &of_point, &of_run).clamp(-limit, limit);
        let by_run: Vec<f64> =
            grouped(runs, &|cell| (cell.run, cut(cell))).into_iter().map(mean).collect();
        of_run
            .iter_mut()
            .zip(by_run)
            .for_each(|(effect, by)| *effect = effect.map(|effect| effect + by));
    }
    let squares: f64 = cells
        .iter()
        .map(|cell| residual(cell, &of_point, &of_run).clamp(-limit, limit).powi(2))
        .sum();
    (of_run, squares / free)
}

/// Degrees of freedom of the cells about points and runs.
fn free(cells: &[RunMedian], points: usize, runs: usize) -> f64 {
    let mut seen = (vec![false; points], vec![false; runs]);
    for cell in cells {
        (seen.0[cell.point], seen.1[cell.run]) = (true, true);
    }
    let count = |seen: &[bool]| seen.iter().filter(|is| **is).count() as f64;
    (cells.len() as f64 - count(&seen.0) - count(&seen.1) + 1.0).max(1.0)
}
