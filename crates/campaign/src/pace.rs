//! The remaining time, estimated from the completed runs.

use std::cmp::Ordering;

use crate::Launching;

/// The time of runs by combination: those of large values take longer than others, and rounds are not made in
/// order.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// In the order of their values.
    kinds: Vec<Kind>,
}

/// Runs with the same values.
#[derive(Clone, Debug)]
struct Kind {
    values: Vec<f64>,
    /// The number of runs to make.
    left: u64,
    /// The number of completed runs, and their seconds.
    made: u64,
    seconds: f64,
}

impl Pace {
    /// For runs that are to be made; `made` runs were completed before, with their seconds.
    pub fn of<'a>(
        left: impl Iterator<Item = &'a Launching>,
        made: impl Iterator<Item = (&'a Launching, f64)>,
    ) -> Pace {
        let kind = |of: &Launching, left, made, seconds| {
            let processors = of.processors.map(f64::from);
            let values = of.values.iter().copied().chain(processors).collect();
            Kind { values, left, made, seconds }
        };
        let left = left.map(|of| kind(of, 1, 0, 0.0));
        let mut all: Vec<Kind> =
            left.chain(made.map(|(of, seconds)| kind(of, 0, 1, seconds))).collect();
        all.sort_by(|one, other| order(&one.values, &other.values));
        all.dedup_by(|same, kept| {
            let is_same = order(&same.values, &kept.values).is_eq();
            if is_same {
                kept.left += same.left;
                kept.made += same.made;
                kept.seconds += same.seconds;
            }
            is_same
        });
        Pace { kinds: all }
    }

    /// Adds a run that has ended, with its seconds.
    pub fn took(&mut self, of: &Launching, seconds: f64) {
        if let Some(kind) = self.kind(of) {
            let kind = &mut self.kinds[kind];
            kind.left = kind.left.saturating_sub(1);
            kind.made += 1;
            kind.seconds += seconds;
        }
    }

    /// Equal runs will not be made.
    pub fn gives_up(&mut self, of: &Launching) {
        if let Some(kind) = self.kind(of) {
            self.kinds[kind].left = 0;
        }
    }

    /// The seconds of all remaining runs; `None` if none is completed yet.
    pub fn left(&self) -> Option<f64> {
        let mut all = 0.0;
        let mut before = None;
        let mut after = self.next(0);
        if after.is_none() && self.kinds.iter().any(|kind| kind.left > 0) {
            return None;
        }
        for (at, kind) in self.kinds.iter().enumerate() {
            if after == Some(at) {
                (before, after) = (Some(at), self.next(at + 1));
            }
            all += kind.left as f64 * self.between(at, before, after).unwrap_or(0.0);
        }
        Some(all)
    }

    /// The expected seconds of such a run; `None` if none is completed yet.
    pub fn each(&self, of: &Launching) -> Option<f64> {
        let at = self.kind(of)?;
        let before = (0..=at).rev().find(|&at| self.kinds[at].made > 0);
        self.between(at, before, self.next(at + 1))
    }

    /// The next kind of which some runs are completed.
    fn next(&self, from: usize) -> Option<usize> {
        (from..self.kinds.len()).find(|&at| self.kinds[at].made > 0)
    }

    /// The mean of a kind; for one without completed runs an estimate from the kinds on both sides.
    fn between(&self, at: usize, before: Option<usize>, after: Option<usize>) -> Option<f64> {
        let mean = |at: usize| self.kinds[at].seconds / self.kinds[at].made as f64;
        match (before, after) {
            (Some(before), Some(after)) => {
                let share = (at - before) as f64 / (after - before) as f64;
                Some(mean(before) + share * (mean(after) - mean(before)))
            }
            (one, other) => one.or(other).map(mean),
        }
    }

    fn kind(&self, of: &Launching) -> Option<usize> {
        let processors = of.processors.map(f64::from);
        let values: Vec<f64> = of.values.iter().copied().chain(processors).collect();
        self.kinds.binary_search_by(|kind| order(&kind.values, &values)).ok()
    }
}

fn order(one: &[f64], other: &[f64]) -> Ordering {
    let mut both = one.iter().zip(other);
    let first = both.find_map(|(a, b)| Some(a.total_cmp(b)).filter(|order| order.is_ne()));
    first.unwrap_or_else(|| one.len().cmp(&other.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(n: f64) -> Launching {
        let values = vec![n];
        Launching { round: 0, values, processors: Some(2), group: 0, seed: 0, gate: true }
    }

    /// Three rounds of these.
    fn pace(all: &[f64]) -> Pace {
        let runs: Vec<Launching> =
            all.iter().cycle().take(3 * all.len()).map(|&n| run(n)).collect();
        Pace::of(runs.iter(), std::iter::empty())
    }

    #[test]
    fn each_combination_has_its_own_time() {
        let mut pace = pace(&[1.0, 100.0]);
        assert_eq!((pace.left(), pace.each(&run(1.0))), (None, None));
        pace.took(&run(100.0), 10.0);
        // Nothing else is known yet.
        assert_eq!(pace.left(), Some(5.0 * 10.0));
        pace.took(&run(1.0), 1.0);
        assert_eq!(pace.left(), Some(2.0 * 10.0 + 2.0 * 1.0));
        pace.took(&run(100.0), 14.0);
        assert_eq!((pace.left(), pace.each(&run(100.0))), (Some(12.0 + 2.0), Some(12.0)));
        pace.took(&run(100.0), 12.0);
        pace.took(&run(1.0), 1.0);
        pace.took(&run(1.0), 1.0);
        assert_eq!(pace.left(), Some(0.0));
    }

    #[test]
    fn what_was_not_made_lies_between_what_was() {
        let mut pace = pace(&[4.0, 1.0, 3.0, 2.0]);
        pace.took(&run(1.0), 1.0);
        pace.took(&run(4.0), 7.0);
        assert_eq!((pace.each(&run(2.0)), pace.each(&run(3.0))), (Some(3.0), Some(5.0)));
        assert_eq!(pace.left(), Some(2.0 + 9.0 + 15.0 + 14.0));
    }

    #[test]
    fn what_is_given_up_takes_no_time() {
        let mut pace = pace(&[1.0, 2.0]);
        pace.took(&run(1.0), 1.0);
        pace.took(&run(2.0), 60.0);
        pace.gives_up(&run(2.0));
        assert_eq!(pace.left(), Some(2.0));
    }

    #[test]
    fn what_an_earlier_call_made_counts() {
        let (left, made) = ([run(1.0), run(2.0)], [run(1.0), run(2.0), run(2.0)]);
        let pace = Pace::of(left.iter(), made.iter().zip([1.0, 5.0, 7.0]));
        assert_eq!(pace.left(), Some(1.0 + 6.0));
        assert_eq!(Pace::of([].iter(), [].iter().zip([])).left(), Some(0.0));
    }
}
