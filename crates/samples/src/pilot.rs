//! Which regions are too short or passed too often to be measured, from a run that samples their passages.
//!
//! A pilot run measures the first 256 passages of a place in each thread, then after passage number s the one that
//! follows `1 + s / 256` passages later, and saves the number. So a sample stands for that many passages, and the
//! number of passages is known within 1/256.

use std::collections::BTreeSet;

use cll_statistics::median;
use cll_trace::{Experiment, Trace};

/// The cost of the markers of one passage, seconds, where it cannot be measured: about twice what they take when
/// nothing disturbs.
pub const MARKERS: f64 = 50e-9;
/// A region that takes less than this many times its markers is mostly markers.
pub const MIN_TIMES: f64 = 10.0;
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

    /// The time of its markers in the run, seconds, if those of one passage take `marker`.
    pub fn cost(&self, marker: f64) -> f64 {
        self.passages * marker
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

/// The passages of a pilot run, of the experiments whose last variable is `passage`. Those in which the program was
/// switched out count as long as the mean of the others, unless most are: one of them could stand for many.
pub fn passed(trace: &Trace, passage: &str) -> Vec<Passed> {
    let pilots = trace.experiments.iter().filter_map(|experiment| {
        let last = experiment.variables.len().checked_sub(1)?;
        (experiment.variables[last] == passage).then_some((experiment, last))
    });
    pilots
        .map(|(experiment, last)| {
            let mut passage = Passed { name: experiment.name.clone(), ..Passed::default() };
            let mut calm = Passed::default();
            for cell in &experiment.cells {
                let weight = 1.0 + (cell.values[last] / 256.0).floor();
                for (seconds, origin) in cell.inclusive.iter().zip(cell.origins(experiment)) {
                    passage.passages += weight;
                    passage.seconds += weight * seconds;
                    if !origin.switched {
                        calm.passages += weight;
                        calm.seconds += weight * seconds;
                    }
                }
            }
            if calm.passages >= 0.5 * passage.passages {
                passage.seconds = passage.passages * calm.each();
            }
            passage
        })
        .collect()
}

/// The passages of a run that measured all of them.
pub fn counted(trace: &Trace) -> Vec<Passed> {
    let passed = |experiment: &Experiment| {
        let cells = experiment.cells.iter();
        let (count, seconds) = cells.fold((0, 0.0), |(count, seconds), cell| {
            (count + cell.inclusive.len(), seconds + cell.inclusive.iter().sum::<f64>())
        });
        Passed { name: experiment.name.clone(), passages: count as f64, seconds }
    };
    trace.experiments.iter().map(passed).collect()
}

/// The cost of the markers of one passage, seconds, from a run that passes over the same memory `each` times in every
/// passage of two regions: the first also passes an empty region every time. `None` without enough of both.
pub fn marker(trace: &Trace, [with, without]: [&str; 2], each: f64) -> Option<f64> {
    const MIN_PAIRS: usize = 20;
    let times = |name: &str| -> Vec<f64> {
        let experiments = trace.experiments.iter().filter(|experiment| experiment.name == name);
        experiments
            .flat_map(|experiment| &experiment.cells)
            .flat_map(|cell| cell.inclusive.clone())
            .collect()
    };
    let (with, without) = (times(with), times(without));
    let pairs = with.iter().zip(&without);
    let differences: Vec<f64> = pairs.map(|(with, without)| (with - without) / each).collect();
    let value = (differences.len() >= MIN_PAIRS).then(|| median(differences)).flatten()?;
    (value > 0.0).then_some(value)
}

/// The regions that are not measured, by name with the reason. `runs` are pilot runs with the seconds that each took;
/// the last is the longest. `kept` is never left out: the whole program. `marker`: the seconds of the markers of one
/// passage.
pub fn unfit(runs: &[(Vec<Passed>, f64)], kept: &str, marker: f64) -> Vec<(String, Unfit)> {
    let Some((longest, _)) = runs.last() else { return Vec::new() };
    let mut found: Vec<(String, Unfit)> = Vec::new();
    for passage in longest.iter().filter(|passage| passage.passages > 0.0 && passage.name != kept) {
        if passage.each() < MIN_TIMES * marker {
            found.push((passage.name.clone(), Unfit::Short));
        } else if passage.passages > MAX_PASSAGES {
            found.push((passage.name.clone(), Unfit::Often));
        }
    }
    for (passed, seconds) in runs {
        let mut out: BTreeSet<String> = found.iter().map(|(name, _)| name.clone()).collect();
        loop {
            let rest = || {
                passed.iter().filter(|passage| !out.contains(&passage.name) && passage.name != kept)
            };
            let cost: f64 = rest().map(|passage| passage.cost(marker)).sum();
            if cost <= MAX_SHARE * seconds {
                break;
            }
            let Some(most) = rest().max_by(|a, b| a.passages.total_cmp(&b.passages)) else { break };
            let name = most.name.clone();
            out.insert(name.clone());
            found.push((name, Unfit::Costly));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use cll_trace::{Cell, Origin, Start};

    use super::*;

    fn pass_of(name: &str, passages: f64, each: f64) -> Passed {
        Passed { name: name.to_owned(), passages, seconds: passages * each }
    }

    #[test]
    fn passages_follow_from_the_numbers_of_samples() {
        let origin = |switched: bool| Origin {
            process: 0,
            thread: 0,
            place: 0,
            left: false,
            switched,
            start: Start::Own,
        };
        let mut experiment = Experiment {
            name: "f".to_owned(),
            variables: vec!["n".to_owned(), "passage".to_owned()],
            origins: vec![origin(false), origin(true)],
            ..Experiment::default()
        };
        let (mut next, mut last) = (0.0_f64, 0.0);
        while next < 1e6 {
            let mut cell = Cell::new(vec![4.0, next]);
            // Once something else ran for 10 ms.
            let is_switched = experiment.cells.len() == 2000;
            let seconds = if is_switched { 1e-2 } else { 2e-6 };
            cell.push(seconds, seconds, u32::from(is_switched));
            experiment.cells.push(cell);
            last = next;
            next += 1.0 + (next / 256.0).floor();
        }
        assert!(experiment.cells.len() < 3000, "{}", experiment.cells.len());
        let trace = Trace { experiments: vec![experiment], ..Trace::default() };
        let passages = passed(&trace, "passage");
        assert!((passages[0].passages / 1e6 - 1.0).abs() < 0.01, "{passages:?} {last}");
        assert!((passages[0].each() - 2e-6).abs() < 1e-12);
        assert_eq!(passed(&trace, "other"), []);
    }

    #[test]
    fn what_is_short_or_frequent_or_costly_is_left_out() {
        let run = vec![
            pass_of("main", 1.0, 1.0),
            pass_of("tiny", 1e7, 20e-9),
            pass_of("often", 1e6, 1e-6),
            pass_of("costly", 9e4, 2e-6),
            pass_of("good", 100.0, 1e-3),
            pass_of("never", 0.0, 0.0),
        ];
        let out = unfit(&[(run.clone(), 1.0)], "main", MARKERS);
        let expected = [("tiny", Unfit::Short), ("often", Unfit::Often)];
        let named = |list: &[(&str, Unfit)]| {
            list.iter().map(|(name, why)| ((*name).to_owned(), *why)).collect::<Vec<_>>()
        };
        assert_eq!(out, named(&expected));
        let small = vec![
            pass_of("main", 1.0, 2e-3),
            pass_of("costly", 9e4, 1e-8),
            pass_of("good", 1.0, 1e-3),
        ];
        let out = unfit(&[(small, 2e-3), (run.clone(), 1.0)], "main", MARKERS);
        assert_eq!(out[2..], named(&[("costly", Unfit::Costly)]));
        // A program of nothing but short functions.
        let all =
            vec![pass_of("main", 1.0, 1.0), pass_of("a", 1e7, 20e-9), pass_of("b", 1e7, 30e-9)];
        assert_eq!(unfit(&[(all, 1.0)], "main", MARKERS).len(), 2);
        assert_eq!(unfit(&[], "main", MARKERS), []);
        // Where markers cost less, more can be measured; where they cost more, less.
        assert_eq!(
            unfit(&[(run.clone(), 1.0)], "main", 1e-9),
            named(&[("tiny", Unfit::Often), ("often", Unfit::Often)])
        );
        let out = unfit(&[(run, 1.0)], "main", 1e-6);
        assert_eq!(out[1..], named(&[("often", Unfit::Short), ("costly", Unfit::Short)]));
    }

    #[test]
    fn a_marker_is_what_a_region_takes_more_with_it() {
        let region = |name: &str, times: Vec<f64>| {
            let mut cell = Cell::new(Vec::new());
            times.into_iter().for_each(|time| cell.push(time, time, 0));
            Experiment { name: name.to_owned(), cells: vec![cell], ..Experiment::default() }
        };
        // Half of the passages are disturbed, both regions equally.
        let times =
            |more: f64| (0..100).map(move |k| 64.0 * (2e-7 + more) + f64::from(k % 2) * 1e-4);
        let experiments =
            vec![region("with", times(3e-8).collect()), region("without", times(0.0).collect())];
        let trace = Trace { experiments, ..Trace::default() };
        let value = marker(&trace, ["with", "without"], 64.0).unwrap();
        assert!((value / 3e-8 - 1.0).abs() < 1e-6, "{value}");
        assert_eq!(marker(&trace, ["without", "with"], 64.0), None);
        assert_eq!(marker(&trace, ["with", "other"], 64.0), None);
        let passed = counted(&trace);
        assert_eq!((passed[0].passages, passed.len()), (100.0, 2));
        assert!((passed[1].seconds / (100.0 * 64.0 * 2e-7 + 50.0 * 1e-4) - 1.0).abs() < 1e-9);
    }
}
