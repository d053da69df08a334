use std::collections::HashMap;

use crate::read::{Group, key, order};
use crate::runs::number_runs;
use crate::trace::{Experiment, Origin, Trace};

impl Trace {
    /// Merges several traces: experiments of equal name and formula are joined, with their samples
    /// in the order of the traces, and clocks are compared with each other. Processes, runs, damage
    /// and warnings name their trace by its index, `trace`.
    pub fn merge(traces: Vec<Trace>) -> Trace {
        let mut merged = Trace { first_mono_ns: u64::MAX, ..Trace::default() };
        let mut groups: Vec<Group> = Vec::new();
        let mut by_name: HashMap<(String, String), usize> = HashMap::new();
        let mut report_all = traces.is_empty();
        for trace in traces {
            let (first_trace, first_process) = (merged.traces, merged.processes.len() as u32);
            merged.traces += trace.traces;
            merged.samples += trace.samples;
            merged.bytes += trace.bytes;
            merged.unknown_blocks += trace.unknown_blocks;
            merged.first_mono_ns = merged.first_mono_ns.min(trace.first_mono_ns);
            report_all |= trace.report.is_empty();
            for name in trace.report {
                if !merged.report.contains(&name) {
                    merged.report.push(name);
                }
            }
            merged.processes.extend(trace.processes.into_iter().map(|mut process| {
                process.trace += first_trace;
                process
            }));
            merged.runs.extend(trace.runs.into_iter().map(|mut run| {
                run.trace += first_trace;
                run
            }));
            merged.damage.extend(trace.damage.into_iter().map(|mut damage| {
                damage.trace += first_trace;
                damage
            }));
            for experiment in trace.experiments {
                let name = (experiment.name.clone(), experiment.formula.clone());
                let group = *by_name.entry(name).or_insert_with(|| {
                    groups.push(Group::new(&experiment.name, &experiment.formula));
                    groups.len() - 1
                });
                groups[group].join(experiment, first_process);
            }
        }
        if report_all {
            merged.report.clear();
        }
        if merged.first_mono_ns == u64::MAX {
            merged.first_mono_ns = 0;
        }
        number_runs(&mut merged.processes);
        merged.add_summary_notes(groups);
        merged.share_calibrations();
        merged
    }
}

impl Group {
    /// Adds the samples of the same experiment in another trace, whose
    /// processes are numbered from `first_process`.
    fn join(&mut self, from: Experiment, first_process: u32) {
        let before = self.experiment.variables.len();
        let places: Vec<u32> = from
            .places
            .into_iter()
            .map(|place| {
                let samples = place.samples;
                let index =
                    self.place(crate::trace::Place { samples: 0, ..place }, &from.variables);
                self.experiment.places[index as usize].samples += samples;
                index
            })
            .collect();
        if self.experiment.variables.len() > before && before > 0 {
            self.extend_cells();
        }
        let origins: Vec<u32> = from
            .origins
            .iter()
            .map(|&origin| {
                let place = places.get(origin.place as usize).copied().unwrap_or(0);
                let process = origin.process + first_process;
                self.origin(Origin { process, place, ..origin })
            })
            .collect();
        let observables: Vec<usize> =
            from.observables.into_iter().map(|observed| self.observable(observed)).collect();
        let order = order(&self.experiment.variables, &from.variables);
        for mut cell in from.cells {
            cell.first_of.iter_mut().for_each(|process| *process += first_process);
            let key = match &order {
                None => key(&cell.values),
                Some(order) => {
                    let value = |index: &Option<usize>| index.map_or(f64::NAN, |i| cell.values[i]);
                    key(&order.iter().map(value).collect::<Vec<_>>())
                }
            };
            let target = self.cell_of(&key) as usize;
            self.experiment.cells[target].append(cell, &origins, &observables);
        }
        let count = self.experiment.observables.len();
        self.experiment.cells.iter_mut().for_each(|cell| cell.complete(count));
        self.experiment.left += from.left;
        self.experiment.switched += from.switched;
        self.experiment.starts.add(from.starts);
        self.experiment.negative += from.negative;
        self.experiment.exclusive_uncertain += from.exclusive_uncertain;
    }
}
