//! The time of an experiment in whole runs.

use std::collections::BTreeMap;

use cll_trace::{Experiment, Trace};

/// What one run spent in an experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Total {
    /// Number of passages.
    pub passages: u64,
    /// The time from begin to end of each passage, summed, in seconds.
    pub inclusive: f64,
    /// The same without the experiments inside, in seconds.
    pub exclusive: f64,
}

/// The totals of an experiment by run ([`cll_trace::Process::run`]). Sums need every sample: none may have been left
/// out because the program was switched out.
pub fn totals(trace: &Trace, experiment: &Experiment) -> BTreeMap<u32, Total> {
    let mut runs: BTreeMap<u32, Total> = BTreeMap::new();
    for cell in &experiment.cells {
        let times = cell.inclusive.iter().zip(cell.exclusive());
        for ((inclusive, exclusive), origin) in times.zip(cell.origins(experiment)) {
            let process = trace.processes.get(origin.process as usize);
            let total = runs.entry(process.map_or(0, |process| process.run)).or_default();
            total.passages += 1;
            total.inclusive += inclusive;
            total.exclusive += exclusive;
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use cll_trace::{Cell, Origin, Start};

    use super::*;

    #[test]
    fn sums_of_each_run() {
        let mut cell = Cell::new(vec![8.0]);
        cell.push(3.0, 1.0, 0);
        cell.push(5.0, 2.0, 0);
        let origin = Origin {
            process: 0,
            thread: 0,
            place: 0,
            left: false,
            switched: true,
            start: Start::Own,
        };
        let mut other = Cell::new(vec![9.0]);
        other.push(1.0, 1.0, 0);
        let experiment =
            Experiment { cells: vec![cell, other], origins: vec![origin], ..Experiment::default() };
        let found = totals(&Trace::default(), &experiment);
        let expected = Total { passages: 3, inclusive: 9.0, exclusive: 4.0 };
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(0, expected)]);
    }
}
