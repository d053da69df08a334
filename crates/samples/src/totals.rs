//! The time of an experiment in whole runs.

use std::collections::BTreeMap;

use cll_trace::{Experiment, Trace};

/// The total of one run in an experiment: seconds, or the observable's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Total {
    /// Number of passages.
    pub passages: u64,
    /// From begin to end of each passage, summed.
    pub inclusive: f64,
    /// The same without the experiments inside.
    pub exclusive: f64,
}

/// The totals of an experiment by run ([`cll_trace::Process::run`]). Sums need every sample: none may have been left
/// out because the program was switched out. `observable`: its name; `None` for the time. A passage in which it could not
/// be read adds nothing.
pub fn totals(
    trace: &Trace,
    experiment: &Experiment,
    observable: Option<&str>,
) -> BTreeMap<u32, Total> {
    let mut runs: BTreeMap<u32, Total> = BTreeMap::new();
    let index = observable
        .map(|name| experiment.observables.iter().position(|observed| observed.name == name));
    for cell in &experiment.cells {
        let (inclusive, exclusive) = match index {
            None => (&cell.inclusive[..], cell.exclusive()),
            Some(None) => continue,
            Some(Some(index)) => {
                (&cell.observed[index].inclusive[..], &cell.observed[index].exclusive[..])
            }
        };
        let times = inclusive.iter().zip(exclusive);
        for ((inclusive, exclusive), origin) in times.zip(cell.origins(experiment)) {
            if inclusive.is_nan() || exclusive.is_nan() {
                continue;
            }
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
    use cll_trace::{Cell, Observed, Origin, Series, Start};

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
        let sums = totals(&Trace::default(), &experiment, None);
        let expected = Total { passages: 3, inclusive: 9.0, exclusive: 4.0 };
        assert_eq!(sums.into_iter().collect::<Vec<_>>(), [(0, expected)]);
        assert!(totals(&Trace::default(), &experiment, Some("sim::Ir")).is_empty());
        let mut counted = experiment;
        counted.observables.push(Observed {
            name: "sim::Ir".to_owned(),
            unit: "instructions".to_owned(),
            additive: true,
        });
        let series = |inclusive: &[f64], exclusive: &[f64]| {
            vec![Series { inclusive: inclusive.to_vec(), exclusive: exclusive.to_vec() }]
        };
        counted.cells[0].observed = series(&[30.0, 50.0], &[10.0, 20.0]);
        counted.cells[1].observed = series(&[f64::NAN], &[f64::NAN]);
        let totals = totals(&Trace::default(), &counted, Some("sim::Ir"));
        let expected = Total { passages: 2, inclusive: 80.0, exclusive: 30.0 };
        assert_eq!(totals.into_iter().collect::<Vec<_>>(), [(0, expected)]);
    }
}
