//! The remaining time, estimated from the completed runs.

use std::cmp::Ordering;

use crate::Launching;

/// The time of runs by combination: those of large values take longer than others, and rounds are not made in
/// order.
#[derive(Clone, Debug, Default)]
pub struct RemainingTime {
    /// In the order of their values.
    combinations: Vec<Combination>,
}

/// Runs with the same values.
#[derive(Clone, Debug)]
struct Combination {
    values: Vec<f64>,
    /// The number of runs to make.
    left: u64,
    /// The number of completed runs, and their seconds.
    completed: u64,
    seconds: f64,
}

impl RemainingTime {
    /// For runs that are to be made; `completed` runs were completed before, with their seconds.
    pub fn new<'a>(
        left: impl Iterator<Item = &'a Launching>,
        completed: impl Iterator<Item = (&'a Launching, f64)>,
    ) -> RemainingTime {
        let combination = |launching: &Launching, left, completed, seconds| {
            let processors = launching.processors.map(f64::from);
            let values = launching.values.iter().copied().chain(processors).collect();
            Combination { values, left, completed, seconds }
        };
        let left = left.map(|launching| combination(launching, 1, 0, 0.0));
        let mut all: Vec<Combination> = left
            .chain(completed.map(|(launching, seconds)| combination(launching, 0, 1, seconds)))
            .collect();
        all.sort_by(|combination, other| order(&combination.values, &other.values));
        all.dedup_by(|same, kept| {
            let is_same = order(&same.values, &kept.values).is_eq();
            if is_same {
                kept.left += same.left;
                kept.completed += same.completed;
                kept.seconds += same.seconds;
            }
            is_same
        });
        RemainingTime { combinations: all }
    }

    /// Adds a run that has ended, with its seconds.
    pub fn add(&mut self, launching: &Launching, seconds: f64) {
        if let Some(combination) = self.index_of(launching) {
            let combination = &mut self.combinations[combination];
            combination.left = combination.left.saturating_sub(1);
            combination.completed += 1;
            combination.seconds += seconds;
        }
    }

    /// Equal runs will not be made.
    pub fn skip(&mut self, launching: &Launching) {
        if let Some(combination) = self.index_of(launching) {
            self.combinations[combination].left = 0;
        }
    }

    /// The seconds of all remaining runs; `None` if none is completed yet.
    pub fn left(&self) -> Option<f64> {
        let mut all = 0.0;
        let mut before = None;
        let mut after = self.next(0);
        if after.is_none() && self.combinations.iter().any(|combination| combination.left > 0) {
            return None;
        }
        for (index, combination) in self.combinations.iter().enumerate() {
            if after == Some(index) {
                (before, after) = (Some(index), self.next(index + 1));
            }
            all += combination.left as f64 * self.between(index, before, after).unwrap_or(0.0);
        }
        Some(all)
    }

    /// The expected seconds of such a run; `None` if none is completed yet.
    pub fn each(&self, launching: &Launching) -> Option<f64> {
        let index = self.index_of(launching)?;
        let before = (0..=index).rev().find(|&kind| self.combinations[kind].completed > 0);
        self.between(index, before, self.next(index + 1))
    }

    /// The next kind with completed runs.
    fn next(&self, from: usize) -> Option<usize> {
        (from..self.combinations.len()).find(|&index| self.combinations[index].completed > 0)
    }

    /// The mean of a kind; for one without completed runs an estimate from the kinds on both sides.
    fn between(&self, index: usize, before: Option<usize>, after: Option<usize>) -> Option<f64> {
        let mean = |kind: usize| {
            self.combinations[kind].seconds / self.combinations[kind].completed as f64
        };
        match (before, after) {
            (Some(before), Some(after)) => {
                let share = (index - before) as f64 / (after - before) as f64;
                Some(mean(before) + share * (mean(after) - mean(before)))
            }
            (lower, other) => lower.or(other).map(mean),
        }
    }

    fn index_of(&self, launching: &Launching) -> Option<usize> {
        let processors = launching.processors.map(f64::from);
        let values: Vec<f64> = launching.values.iter().copied().chain(processors).collect();
        self.combinations.binary_search_by(|combination| order(&combination.values, &values)).ok()
    }
}

fn order(values: &[f64], other: &[f64]) -> Ordering {
    let mut both = values.iter().zip(other);
    let first = both.find_map(|(a, b)| Some(a.total_cmp(b)).filter(|order| order.is_ne()));
    first.unwrap_or_else(|| values.len().cmp(&other.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(n: f64) -> Launching {
        let values = vec![n];
        Launching { round: 0, values, processors: Some(2), group: 0, seed: 0, gate: true }
    }

    /// Three rounds of these.
    fn remaining(all: &[f64]) -> RemainingTime {
        let runs: Vec<Launching> =
            all.iter().cycle().take(3 * all.len()).map(|&n| run(n)).collect();
        RemainingTime::new(runs.iter(), std::iter::empty())
    }

    #[test]
    fn each_combination_has_its_own_time() {
        let mut remaining = remaining(&[1.0, 100.0]);
        assert_eq!((remaining.left(), remaining.each(&run(1.0))), (None, None));
        remaining.add(&run(100.0), 10.0);
        // Nothing else is known yet.
        assert_eq!(remaining.left(), Some(5.0 * 10.0));
        remaining.add(&run(1.0), 1.0);
        assert_eq!(remaining.left(), Some(2.0 * 10.0 + 2.0 * 1.0));
        remaining.add(&run(100.0), 14.0);
        assert_eq!((remaining.left(), remaining.each(&run(100.0))), (Some(12.0 + 2.0), Some(12.0)));
        remaining.add(&run(100.0), 12.0);
        remaining.add(&run(1.0), 1.0);
        remaining.add(&run(1.0), 1.0);
        assert_eq!(remaining.left(), Some(0.0));
    }

    #[test]
    fn what_was_not_made_lies_between_what_was() {
        let mut remaining = remaining(&[4.0, 1.0, 3.0, 2.0]);
        remaining.add(&run(1.0), 1.0);
        remaining.add(&run(4.0), 7.0);
        assert_eq!((remaining.each(&run(2.0)), remaining.each(&run(3.0))), (Some(3.0), Some(5.0)));
        assert_eq!(remaining.left(), Some(2.0 + 9.0 + 15.0 + 14.0));
    }

    #[test]
    fn what_is_given_up_takes_no_time() {
        let mut remaining = remaining(&[1.0, 2.0]);
        remaining.add(&run(1.0), 1.0);
        remaining.add(&run(2.0), 60.0);
        remaining.skip(&run(2.0));
        assert_eq!(remaining.left(), Some(2.0));
    }

    #[test]
    fn what_an_earlier_call_made_counts() {
        let (left, completed) = ([run(1.0), run(2.0)], [run(1.0), run(2.0), run(2.0)]);
        let remaining = RemainingTime::new(left.iter(), completed.iter().zip([1.0, 5.0, 7.0]));
        assert_eq!(remaining.left(), Some(1.0 + 6.0));
        assert_eq!(RemainingTime::new([].iter(), [].iter().zip([])).left(), Some(0.0));
    }
}
