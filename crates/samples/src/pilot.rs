//! Which regions are too short or passed too often to be measured, from a run that samples their passages.
//!
//! A pilot run measures the first 256 passages of a place in each thread, then after passage number s the one that
//! follows `1 + s / 256` passages later, and saves the number. So a sample stands for that many passages, and the
//! number of passages is known within 1/256.

use std::collections::BTreeSet;

use cll_trace::Trace;

/// The cost of the markers of one region, seconds: about twice what they take when nothing disturbs.
pub const MARKERS: f64 = 50e-9;
/// A shorter region is mostly markers.
const MIN_SECONDS: f64 = 10.0 * MARKERS;
/// More passages of a region in a run fill memory and disk.
const MAX_PASSAGES: f64 = 100_000.0;
/// The share of a run that all markers together may take.
pub const MAX_SHARE: f64 = 0.05;

/// How often a region was passed in a run, and how long it took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passed {
    /// Name of the experiment.
    pub name: String,
    /// Number of passages.
    pub passages: f64,
    /// Time of all of them, seconds.
    pub seconds: f64,
}

impl Passed {
    /// The time of one passage, seconds.
    pub fn each(&self) -> f64 {
        self.seconds / self.passages.max(1.0)
    }

    /// The time of its markers in the run, seconds.
    pub fn cost(&self) -> f64 {
        self.passages * MARKERS
    }
}

/// Why a region is not measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A passage takes not much longer than its markers.
    Short,
    /// It is passed so often that samples fill memory and disk.
    Often,
    /// It costs most, and all together cost more than [`MAX_SHARE`].
    Costly,
}

/// The passages of a pilot run, of the experiments whose last variable is `passage`.
pub fn passed(trace: &Trace, passage: &str) -> Vec<Passed> {
    let pilots = trace.experiments.iter().filter_map(|experiment| {
        let last = experiment.variables.len().checked_sub(1)?;
        (experiment.variables[last] == passage).then_some((experiment, last))
    });
    pilots
        .map(|(experiment, last)| {
            let mut found = Passed { name: experiment.name.clone(), ..Passed::default() };
            for cell in &experiment.cells {
                let weight = 1.0 + (cell.values[last] / 256.0).floor();
                found.passages += weight * cell.inclusive.len() as f64;
                found.seconds += weight * cell.inclusive.iter().sum::<f64>();
            }
            found
        })
        .collect()
}

/// The regions that are not measured, by name with the reason. `runs` are pilot runs with the seconds that each took;
/// the last is the longest. `kept` is never left out: the whole program.
pub fn unfit(runs: &[(Vec<Passed>, f64)], kept: &str) -> Vec<(String, Unfit)> {
    let Some((longest, _)) = runs.last() else { return Vec::new() };
    let mut found: Vec<(String, Unfit)> = Vec::new();
    for one in longest.iter().filter(|one| one.passages > 0.0 && one.name != kept) {
        if one.each() < MIN_SECONDS {
            found.push((one.name.clone(), Unfit::Short));
        } else if one.passages > MAX_PASSAGES {
            found.push((one.name.clone(), Unfit::Often));
        }
    }
    for (passed, seconds) in runs {
        let mut out: BTreeSet<String> = found.iter().map(|(name, _)| name.clone()).collect();
        loop {
            let rest = || passed.iter().filter(|one| !out.contains(&one.name) && one.name != kept);
            let cost: f64 = rest().map(Passed::cost).sum();
            if cost <= MAX_SHARE * seconds {
                break;
            }
            let Some(most) = rest().max_by(|a, b| a.cost().total_cmp(&b.cost())) else { break };
            let name = most.name.clone();
            out.insert(name.clone());
            found.push((name, Unfit::Costly));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use cll_trace::{Cell, Experiment};

    use super::*;

    fn one(name: &str, passages: f64, each: f64) -> Passed {
        Passed { name: name.to_owned(), passages, seconds: passages * each }
    }

    #[test]
    fn passages_follow_from_the_numbers_of_samples() {
        let mut experiment = Experiment {
            name: "f".to_owned(),
            variables: vec!["n".to_owned(), "passage".to_owned()],
            ..Experiment::default()
        };
        let (mut next, mut last) = (0.0_f64, 0.0);
        while next < 1e6 {
            let mut cell = Cell::new(vec![4.0, next]);
            cell.push(2e-6, 2e-6, 0);
            experiment.cells.push(cell);
            last = next;
            next += 1.0 + (next / 256.0).floor();
        }
        assert!(experiment.cells.len() < 3000, "{}", experiment.cells.len());
        let trace = Trace { experiments: vec![experiment], ..Trace::default() };
        let found = passed(&trace, "passage");
        assert!((found[0].passages / 1e6 - 1.0).abs() < 0.01, "{found:?} {last}");
        assert!((found[0].each() - 2e-6).abs() < 1e-12);
        assert_eq!(passed(&trace, "other"), []);
    }

    #[test]
    fn what_is_short_or_frequent_or_costly_is_left_out() {
        let run = vec![
            one("main", 1.0, 1.0),
            one("tiny", 1e7, 20e-9),
            one("often", 1e6, 1e-6),
            one("costly", 9e4, 2e-6),
            one("good", 100.0, 1e-3),
            one("never", 0.0, 0.0),
        ];
        let out = unfit(&[(run.clone(), 1.0)], "main");
        let expected = [("tiny", Unfit::Short), ("often", Unfit::Often)];
        let named = |list: &[(&str, Unfit)]| {
            list.iter().map(|(name, why)| ((*name).to_owned(), *why)).collect::<Vec<_>>()
        };
        assert_eq!(out, named(&expected));
        let small = vec![one("main", 1.0, 2e-3), one("costly", 9e4, 1e-8), one("good", 1.0, 1e-3)];
        let out = unfit(&[(small, 2e-3), (run, 1.0)], "main");
        assert_eq!(out[2..], named(&[("costly", Unfit::Costly)]));
        // A program of nothing but short functions.
        let all = vec![one("main", 1.0, 1.0), one("a", 1e7, 20e-9), one("b", 1e7, 30e-9)];
        assert_eq!(unfit(&[(all, 1.0)], "main").len(), 2);
        assert_eq!(unfit(&[], "main"), []);
    }
}
