//! The only way from a trace to data for a fit.

use std::collections::BTreeMap;
use std::ops::Deref;

use cll_fit::{Data, Point, RunStretch, Unit};
use cll_trace::{Cell, Experiment, Process, Trace};

use crate::passages::keep_slowest;
use crate::switched::leave_out_switched;

/// The samples that are left out, in addition to all but the slowest sample of each passage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// For each process of the trace whether its samples are used. Processes beyond the end of the
    /// list are used.
    pub used: Option<Vec<bool>>,
    /// Whether samples during which the program was switched out are left out, if a cell has enough
    /// others.
    pub without_switched: bool,
}

/// Number of samples that a policy has left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Samples of processes that are not used.
    pub samples: u64,
    /// Samples during which the program was switched out.
    pub switched: u64,
}

/// A trace with only the samples to fit: one of each passage.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    trace: Trace,
}

impl Deref for Prepared {
    type Target = Trace;

    fn deref(&self) -> &Trace {
        &self.trace
    }
}

/// The observed quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quantity<'a> {
    /// The name of an observable; `None`: the time.
    pub observable: Option<&'a str>,
    /// Whether regions inside are subtracted (exclusive).
    pub exclusive: bool,
}

/// Keeps one sample of each passage, the slowest, and applies the policy.
///
/// The trace is consumed, not copied: its samples may fill the memory. Warnings about processors
/// whose samples cannot be paired are in [`Trace::warnings`].
///
/// ```
/// use cll_samples::{Policy, Quantity, prepare};
/// use cll_trace::{Cell, Experiment, Trace};
///
/// let mut cell = Cell::new(vec![64.0]);
/// cell.push(3e-6, 2e-6, 0);
/// let variables = vec!["N".to_owned()];
/// let experiment = Experiment { variables, cells: vec![cell], ..Experiment::default() };
/// let trace = Trace { experiments: vec![experiment], ..Trace::default() };
///
/// let (prepared, left_out) = prepare(trace, &Policy::default());
/// let data = prepared.data(0, Quantity { exclusive: true, ..Quantity::default() });
/// assert_eq!((&data.points[0].observations[..], left_out.samples), (&[2e-6][..], 0));
/// ```
pub fn prepare(mut trace: Trace, policy: &Policy) -> (Prepared, LeftOut) {
    keep_slowest(&mut trace);
    let mut prepared = Prepared { trace };
    let left_out = prepared.leave_out(policy);
    (prepared, left_out)
}

impl Prepared {
    /// Applies another policy, decided by looking at these samples.
    pub fn leave_out(&mut self, policy: &Policy) -> LeftOut {
        let mut left_out = LeftOut::default();
        for experiment in &mut self.trace.experiments {
            if let Some(used) = &policy.used {
                let is_used = |process: u32| used.get(process as usize).copied().unwrap_or(true);
                left_out.samples += experiment.retain(|_, origin| is_used(origin.process));
            }
            if policy.without_switched {
                left_out.switched += leave_out_switched(experiment);
            }
        }
        left_out
    }

    /// The observations of an experiment, by its index: a point for each tuple of values, in
    /// seconds or in the observable's unit. Values that could not be read are omitted; for an
    /// observable so are points without a value.
    ///
    /// # Panics
    /// If there is no experiment with this index.
    pub fn data(&self, experiment: usize, quantity: Quantity<'_>) -> Data {
        let experiment = &self.trace.experiments[experiment];
        let known = &experiment.observables;
        let index =
            quantity.observable.map(|name| known.iter().position(|observed| observed.name == name));
        let processes = &self.trace.processes;
        let point = |cell: &Cell| {
            let observations = observations(cell, index, quantity.exclusive);
            let is_point = index.is_none() || !observations.is_empty();
            // Where values could not be read, which run the others are of is not followed.
            let runs = if observations.len() == cell.inclusive.len() {
                stretches(processes, experiment, cell)
            } else {
                Vec::new()
            };
            is_point.then(|| Point {
                values: cell.values.clone(),
                observations: observations.into(),
                runs,
            })
        };
        let mut data = Data::new(experiment.variables.clone());
        data.points = experiment.cells.iter().filter_map(point).collect();
        match index {
            Some(Some(index)) => data.in_unit(match known[index].unit.as_str() {
                "s" => Unit::Seconds,
                unit => Unit::Other(unit.to_owned()),
            }),
            _ => data,
        }
    }

    /// The same, but times are moved out of the trace, not copied; it keeps no sample of the experiment.
    ///
    /// # Panics
    /// If there is no experiment with this index.
    pub fn take_data(&mut self, experiment: usize, quantity: Quantity<'_>) -> Data {
        if quantity.observable.is_some() {
            return self.data(experiment, quantity);
        }
        let Trace { experiments, processes, .. } = &mut self.trace;
        let experiment = &mut experiments[experiment];
        let of_cell = |cell| stretches(processes, experiment, cell);
        let runs: Vec<Vec<RunStretch>> = experiment.cells.iter().map(of_cell).collect();
        let points = experiment.cells.iter_mut().zip(runs).map(|(cell, runs)| Point {
            values: cell.values.clone(),
            observations: cell.take_times(quantity.exclusive).into(),
            runs,
        });
        let points = points.collect();
        Data { points, ..Data::new(experiment.variables.clone()) }
    }

    /// The inclusive times of a cell, seconds, by the run they belong to
    /// ([`cll_trace::Process::run`]).
    pub fn times_by_run(&self, experiment: &Experiment, cell: &Cell) -> BTreeMap<u32, Vec<f64>> {
        let mut runs: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (time, origin) in cell.inclusive.iter().zip(cell.origins(experiment)) {
            let process = self.trace.processes.get(origin.process as usize);
            runs.entry(process.map_or(0, |process| process.run)).or_default().push(*time);
        }
        runs
    }
}

/// The runs of a cell's samples.
fn stretches(processes: &[Process], experiment: &Experiment, cell: &Cell) -> Vec<RunStretch> {
    let mut stretches: Vec<RunStretch> = Vec::new();
    for stretch in &cell.stretches {
        let origin = experiment.origins.get(stretch.origin as usize);
        let process = origin.and_then(|origin| processes.get(origin.process as usize));
        let Some(&Process { run, .. }) = process else { return Vec::new() };
        match stretches.last_mut() {
            Some(last) if last.run == run && last.count <= u32::MAX - stretch.count => {
                last.count += stretch.count;
            }
            _ => stretches.push(RunStretch { run, count: stretch.count }),
        }
    }
    stretches
}

/// The values of the observable with an index; `Some(None)`: the experiment does not have it.
fn observations(cell: &Cell, index: Option<Option<usize>>, exclusive: bool) -> Vec<f64> {
    let index = match (index, exclusive) {
        (None, false) => return cell.inclusive.clone(),
        (None, true) => return cell.exclusive().to_vec(),
        (Some(None), _) => return Vec::new(),
        (Some(Some(index)), _) => index,
    };
    let series = &cell.observed[index];
    let values = if exclusive { &series.exclusive } else { &series.inclusive };
    values.iter().copied().filter(|value| !value.is_nan()).collect()
}

#[cfg(test)]
mod tests {
    use cll_trace::{Observed, Origin, Start};

    use super::*;

    /// One experiment with a cell of this many samples of each process, the i-th taking i seconds;
    /// those of process 1 were switched out.
    fn trace(counts: &[usize]) -> Trace {
        let origin = |process: u32| Origin {
            process,
            thread: 0,
            place: 0,
            left: false,
            switched: process == 1,
            start: Start::Own,
        };
        let mut cell = Cell::new(vec![8.0]);
        for (process, &count) in counts.iter().enumerate() {
            (0..count).for_each(|index| cell.push(index as f64 + 1.0, 0.5, process as u32));
        }
        let experiment = Experiment {
            variables: vec!["N".to_owned()],
            cells: vec![cell],
            origins: (0..counts.len() as u32).map(origin).collect(),
            ..Experiment::default()
        };
        Trace { experiments: vec![experiment], ..Trace::default() }
    }

    #[test]
    fn a_policy_says_what_is_left_out() {
        let default = Policy::default();
        assert_eq!(prepare(trace(&[3, 2]), &default).1, LeftOut::default());
        let without_switched = Policy { without_switched: true, ..Policy::default() };
        let (prepared, left_out) = prepare(trace(&[3, 2]), &without_switched);
        assert_eq!(left_out, LeftOut { samples: 0, switched: 2 });
        assert_eq!(
            prepared.data(0, Quantity::default()).points[0].observations[..],
            [1.0, 2.0, 3.0]
        );
        // Too few would remain.
        assert_eq!(prepare(trace(&[2, 2]), &without_switched).1, LeftOut::default());
        let first = Policy { used: Some(vec![true, false]), ..Policy::default() };
        let (prepared, left_out) = prepare(trace(&[1, 2, 1]), &first);
        assert_eq!(left_out, LeftOut { samples: 2, switched: 0 });
        assert_eq!(prepared.data(0, Quantity::default()).points[0].observations[..], [1.0, 1.0]);
    }

    #[test]
    fn an_observable_has_the_points_at_which_it_could_be_read() {
        let mut trace = trace(&[2]);
        let experiment = &mut trace.experiments[0];
        let observed = |name: &str, unit: &str| Observed {
            name: name.to_owned(),
            unit: unit.to_owned(),
            additive: true,
        };
        experiment.observables = vec![observed("cpu-time", "s"), observed("page-faults", "faults")];
        let series = |inclusive: [f64; 2], exclusive: [f64; 2]| cll_trace::Series {
            inclusive: inclusive.to_vec(),
            exclusive: exclusive.to_vec(),
        };
        let nan = f64::NAN;
        experiment.cells[0].observed =
            vec![series([3.0, nan], [2.0, nan]), series([nan; 2], [nan; 2])];
        let (prepared, _) = prepare(trace, &Policy::default());
        let data_of =
            |name, exclusive| prepared.data(0, Quantity { observable: Some(name), exclusive });
        let time = data_of("cpu-time", true);
        assert_eq!((&time.points[0].observations[..], &time.unit), (&[2.0][..], &Unit::Seconds));
        let faults = data_of("page-faults", false);
        assert_eq!((faults.points.len(), faults.unit), (0, Unit::Other("faults".to_owned())));
        assert_eq!(data_of("switches", false).points.len(), 0);
        let exclusive = Quantity { exclusive: true, ..Quantity::default() };
        let copied = prepared.data(0, exclusive);
        assert_eq!(copied.points[0].observations[..], [0.5, 0.5]);
        let mut prepared = prepared;
        assert_eq!(prepared.take_data(0, exclusive), copied);
        assert!(prepared.take_data(0, exclusive).points[0].observations.is_empty());
    }
}
