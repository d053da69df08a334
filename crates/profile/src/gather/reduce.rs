//! From p costs of each superstep of a window to those of its centres.

use std::ops::Range;

use crate::metric::Costs;

use super::cursor::Rows;
use super::relation::{Key, factors};

/// Supersteps whose maxima are worked out together: they stay in the nearest cache.
const STRIP: usize = 128;

/// What a stretch of supersteps adds to its centres.
pub(super) struct Sums {
    /// By centre of the window; the last one stands for supersteps that are left out.
    pub(super) costs: Vec<Costs>,
    /// By time, then processor, then centre.
    pub(super) each: [Vec<f64>; 3],
    /// By processor, then centre.
    pub(super) last: Vec<u64>,
    /// Of the relation of each superstep.
    pub(super) keys: Vec<Key>,
}

impl Sums {
    /// Of some supersteps, each of the centre that `centres` says, below `count`.
    pub(super) fn of(rows: &[Rows], range: Range<usize>, centres: &[u32], count: usize) -> Sums {
        let processors = rows.len();
        let mut sums = Sums {
            costs: vec![Costs::default(); count],
            each: std::array::from_fn(|_| vec![0.0; processors * count]),
            last: vec![0; processors * count],
            keys: Vec::with_capacity(range.len()),
        };
        let mut at = range.start;
        while at < range.end {
            let end = (at + STRIP).min(range.end);
            sums.strip(rows, at..end, &centres[at..end], count);
            at = end;
        }
        sums
    }

    fn strip(&mut self, rows: &[Rows], range: Range<usize>, centres: &[u32], count: usize) {
        let size = range.len();
        let runs = runs(centres);
        let mut maxima = [[f64::NEG_INFINITY; STRIP]; 3];
        let mut minima = [[f64::INFINITY; STRIP]; 3];
        let mut totals = [[0.0; STRIP]; 3];
        let mut keys = [[0u64; STRIP]; 2];
        for (member, row) in rows.iter().enumerate() {
            for time in 0..3 {
                let values = &row.times[time][range.clone()];
                let (maxima, minima, totals) = (
                    &mut maxima[time][..size],
                    &mut minima[time][..size],
                    &mut totals[time][..size],
                );
                for (at, &value) in values.iter().enumerate() {
                    maxima[at] = if value > maxima[at] { value } else { maxima[at] };
                    minima[at] = if value < minima[at] { value } else { minima[at] };
                    totals[at] += value;
                }
                let each = &mut self.each[time][member * count..][..count];
                for (run, centre) in &runs {
                    each[*centre] += values[run.clone()].iter().sum::<f64>();
                }
            }
            let sets = &row.sets[range.clone()];
            for (keys, factor) in keys.iter_mut().zip(factors(member)) {
                for (key, &set) in keys.iter_mut().zip(sets) {
                    *key = key.wrapping_add(u64::from(set) * u64::from(factor));
                }
            }
        }
        let mut at_barrier = [0.0; STRIP];
        for (member, row) in rows.iter().enumerate() {
            let (computed, waited) = (&row.times[0][range.clone()], &row.times[2][range.clone()]);
            for at in 0..size {
                let behind = maxima[0][at] - computed[at];
                at_barrier[at] += if waited[at] < behind { waited[at] } else { behind };
            }
            let last = &mut self.last[member * count..][..count];
            for (run, centre) in &runs {
                let all = run.clone().zip(&computed[run.clone()]);
                let is_last = |&(at, &own): &(usize, &f64)| {
                    own == maxima[0][at] && maxima[0][at] > minima[0][at]
                };
                last[*centre] += all.filter(is_last).count() as u64;
            }
        }
        let processors = rows.len() as f64;
        for at in 0..size {
            let costs = &mut self.costs[centres[at] as usize];
            costs.supersteps += 1.0;
            for time in 0..3 {
                let summary = &mut costs.metrics[time];
                summary.maximum += maxima[time][at];
                summary.average += totals[time][at] / processors;
                summary.minimum += minima[time][at];
            }
            costs.idle_at_barrier += at_barrier[at].max(0.0) / processors;
        }
        self.keys.extend((0..size).map(|at| (keys[0][at], keys[1][at])));
    }
}

/// Supersteps of a strip that follow each other and are of one centre, with the centre.
fn runs(centres: &[u32]) -> Vec<(Range<usize>, usize)> {
    let mut runs = Vec::new();
    let mut begin = 0;
    for run in centres.chunk_by(|one, next| one == next) {
        runs.push((begin..begin + run.len(), run[0] as usize));
        begin += run.len();
    }
    runs
}
