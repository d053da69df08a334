//! Combines the costs of all processors in each superstep of a strip to the costs of its cost centres.

use std::ops::Range;

use crate::metric::Costs;

use super::cursor::Rows;
use super::relation::{Key, factors};

/// Number of supersteps whose maxima are computed together, so that they stay in the L1 cache.
pub(super) const STRIP: usize = 128;
/// Number of processors that are processed together, so that maxima are read and written less often.
const ABREAST: usize = 4;

/// The sums that a strip of supersteps adds to its centres. They are reused for the next window.
#[derive(Default)]
pub(super) struct Sums {
    /// Numbers of its centres in the window.
    pub(super) present: Vec<u32>,
    /// By its centres.
    pub(super) costs: Vec<Costs>,
    /// The keys of the relation of each superstep.
    pub(super) keys: Vec<Key>,
    /// By time, then its centres, then processor.
    each: [Vec<f64>; 3],
    /// By its centres, then processor.
    last: Vec<u64>,
    processors: usize,
}

/// A value of each superstep of a strip.
type Line<T> = [T; STRIP];

/// Consecutive supersteps of one centre, with the number of this centre in the strip.
type CentreRun = (Range<usize>, usize);

impl Sums {
    /// Replaces the content by other supersteps, at most a strip. `centres` has the centre of each.
    pub(super) fn take(&mut self, rows: &[Rows], range: Range<usize>, centres: &[u32]) {
        let (runs, present) = runs(centres);
        let room = present.len() * rows.len();
        afresh(&mut self.costs, present.len());
        self.each.iter_mut().for_each(|each| afresh(each, room));
        afresh(&mut self.last, room);
        (self.present, self.processors) = (present, rows.len());
        keys(rows, &range, &mut self.keys);
        let extremes: [Extremes; 3] =
            std::array::from_fn(|time| self.extremes(time, rows, &range, &runs));
        let at_barrier = self.barriers(&extremes[0], rows, &range, &runs);
        let processors = rows.len() as f64;
        for (run, own) in runs {
            let costs = &mut self.costs[own];
            costs.supersteps += run.len() as f64;
            for (summary, extremes) in costs.metrics.iter_mut().zip(&extremes) {
                for position in run.clone() {
                    summary.maximum += extremes.maxima[position];
                    summary.average += extremes.totals[position] / processors;
                    summary.minimum += extremes.minima[position];
                }
            }
            for waited in &at_barrier[run] {
                costs.idle_at_barrier += waited.max(0.0) / processors;
            }
        }
    }

    /// Adds what each processor has of one of the strip's centres to its sums, from processor `first` on.
    pub(super) fn add_each(
        &self,
        own: usize,
        each: &mut [Vec<f64>; 4],
        last: &mut [u64],
        first: usize,
    ) {
        let own = own * self.processors..(own + 1) * self.processors;
        for (sums, values) in each.iter_mut().zip(&self.each) {
            let values = &values[own.clone()];
            sums[first..].iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        last[first..].iter_mut().zip(&self.last[own]).for_each(|(sum, count)| *sum += count);
    }

    /// Maxima, minima and sums over processors of one of the times, and the sums of each over supersteps.
    fn extremes(
        &mut self,
        time: usize,
        rows: &[Rows],
        range: &Range<usize>,
        runs: &[CentreRun],
    ) -> Extremes {
        let mut result = Extremes {
            maxima: [f64::NEG_INFINITY; STRIP],
            minima: [f64::INFINITY; STRIP],
            totals: [0.0; STRIP],
        };
        let processors = self.processors;
        let each = &mut self.each[time];
        let (abreast, rest) = rows.as_chunks::<ABREAST>();
        for (group, rows) in abreast.iter().enumerate() {
            let rows = rows.each_ref().map(|row| &row.times[time][range.clone()]);
            result.take(rows);
            for (run, own) in runs {
                let mut sums = [0.0; ABREAST];
                let parts = rows.map(|row| &row[run.clone()]);
                for position in 0..run.len() {
                    for (sum, part) in sums.iter_mut().zip(parts) {
                        *sum += part[position];
                    }
                }
                let from = own * processors + group * ABREAST;
                let to = &mut each[from..from + ABREAST];
                to.iter_mut().zip(sums).for_each(|(to, sum)| *to += sum);
            }
        }
        for (member, rows) in (abreast.len() * ABREAST..).zip(rest) {
            let row = &rows.times[time][range.clone()];
            result.take([row]);
            for (run, own) in runs {
                each[own * processors + member] += row[run.clone()].iter().sum::<f64>();
            }
        }
        result
    }

    /// For each superstep: the sum of the times that processors waited for its longest computation. For each processor:
    /// how often it alone had the longest computation.
    fn barriers(
        &mut self,
        computed: &Extremes,
        rows: &[Rows],
        range: &Range<usize>,
        runs: &[CentreRun],
    ) -> Line<f64> {
        /// Number of supersteps that are compared together.
        const COMPARED: usize = 16;
        let mut at_barrier = [0.0; STRIP];
        // If all took equally long, none was the last. NaN is equal to nothing.
        let longest: Line<f64> = std::array::from_fn(|position| {
            let (maximum, minimum) = (computed.maxima[position], computed.minima[position]);
            if maximum > minimum { maximum } else { f64::NAN }
        });
        // Who had the longest computation; TIED: more than one.
        let mut holders = [NOBODY; STRIP];
        let size = range.len();
        for (member, row) in rows.iter().enumerate() {
            let (own, waited) = (&row.times[0][range.clone()], &row.times[2][range.clone()]);
            let maxima = &computed.maxima[..size];
            for (((sum, &own), &waited), &maximum) in
                at_barrier[..size].iter_mut().zip(own).zip(waited).zip(maxima)
            {
                let behind = maximum - own;
                *sum += if waited < behind { waited } else { behind };
            }
            let pieces = own.chunks(COMPARED).zip(longest.chunks(COMPARED));
            for ((own, longest), holders) in pieces.zip(holders.chunks_mut(COMPARED)) {
                let pairs = || own.iter().zip(longest);
                if pairs().fold(false, |any, (own, longest)| any | (own == longest)) {
                    for (_, holder) in
                        pairs().zip(holders).filter(|((own, longest), _)| own == longest)
                    {
                        *holder = if *holder == NOBODY { member as u32 } else { TIED };
                    }
                }
            }
        }
        for (run, own) in runs {
            for &holder in holders[run.clone()].iter().filter(|&&holder| holder < TIED) {
                self.last[own * self.processors + holder as usize] += 1;
            }
        }
        at_barrier
    }
}

/// Values in place of a processor: none, or several.
const NOBODY: u32 = u32::MAX;
const TIED: u32 = u32::MAX - 1;

/// The maximum, minimum and total of each superstep over the processors.
struct Extremes {
    maxima: Line<f64>,
    minima: Line<f64>,
    totals: Line<f64>,
}

impl Extremes {
    /// Takes further processors' values in.
    fn take<const N: usize>(&mut self, rows: [&[f64]; N]) {
        let size = rows[0].len();
        let rows = rows.map(|row| &row[..size]);
        let (maxima, minima) = (&mut self.maxima[..size], &mut self.minima[..size]);
        let totals = &mut self.totals[..size];
        for position in 0..size {
            let (mut maximum, mut minimum, mut total) =
                (maxima[position], minima[position], totals[position]);
            for row in rows {
                let value = row[position];
                maximum = if value > maximum { value } else { maximum };
                minimum = if value < minimum { value } else { minimum };
                total += value;
            }
            (maxima[position], minima[position], totals[position]) = (maximum, minimum, total);
        }
    }
}

/// Computes the key of the relation of each superstep.
fn keys(rows: &[Rows], range: &Range<usize>, into: &mut Vec<Key>) {
    let size = range.len();
    let mut keys = [[0u64; STRIP]; 2];
    for (member, row) in rows.iter().enumerate() {
        let sets = &row.sets[range.clone()];
        for (keys, factor) in keys.iter_mut().zip(factors(member)) {
            for (key, &set) in keys.iter_mut().zip(sets) {
                *key = key.wrapping_add(u64::from(set) * u64::from(factor));
            }
        }
    }
    let [first, second] = keys;
    into.clear();
    into.extend(first[..size].iter().copied().zip(second));
}

/// So many values that are nothing yet.
fn afresh<T: Clone + Default>(values: &mut Vec<T>, count: usize) {
    values.clear();
    values.resize(count, T::default());
}

/// The runs of a strip, and its centres in the order in which they are met.
fn runs(centres: &[u32]) -> (Vec<CentreRun>, Vec<u32>) {
    let mut present: Vec<u32> = Vec::new();
    let mut runs = Vec::new();
    let mut begin = 0;
    for run in centres.chunk_by(|centre, next| centre == next) {
        let own = present.iter().position(|known| *known == run[0]).unwrap_or_else(|| {
            present.push(run[0]);
            present.len() - 1
        });
        runs.push((begin..begin + run.len(), own));
        begin += run.len();
    }
    (runs, present)
}
