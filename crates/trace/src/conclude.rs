//! What is to be said of a trace as a whole, when all of it is known.

use crate::meta;
use crate::read::Group;
use crate::trace::{Experiment, Process, Trace};
use crate::warning::Warning;

impl Trace {
    /// Takes the experiments, and says what is to be said of them and of the processes.
    pub(crate) fn conclude(&mut self, groups: Vec<Group>) {
        self.warnings.clear();
        for run in &self.runs {
            self.warnings.extend(ended(run.table.number, &run.table));
        }
        for process in &self.processes {
            of_process(process, &mut self.warnings);
        }
        self.warnings.extend(groups.iter().flat_map(Group::warnings));
        let read_ns = self.processes.iter().filter_map(|process| process.observables.as_ref());
        let read_ns = read_ns.map(|table| table.read_ns).fold(0.0, f64::max);
        self.warnings.extend(groups.iter().filter_map(|group| short(&group.experiment, read_ns)));
        self.experiments = groups.into_iter().map(|group| group.experiment).collect();
        self.warnings.extend(clashes(&self.experiments));
        if self.unknown_blocks > 0 {
            self.warnings.push(Warning::UnknownBlocks { count: self.unknown_blocks });
        }
    }
}

fn ended(number: u32, run: &crate::meta::Run) -> Option<Warning> {
    let what = match (run.timeout, run.signal, run.exit) {
        (true, ..) => format!("was ended after {:.1} s, its time limit", run.wall_ns as f64 * 1e-9),
        (_, Some(signal), _) => format!("was ended by signal {signal}"),
        (_, _, Some(exit)) if exit != 0 => format!("ended with exit status {exit}"),
        _ => return None,
    };
    Some(Warning::Run { number, what })
}

fn of_process(process: &Process, warnings: &mut Vec<Warning>) {
    if process.samples > 0 && process.calibration.is_uncertain() {
        warnings.push(Warning::Calibration {
            process: process.pid,
            uncertainty: process.calibration.uncertainty,
            baseline_ns: process.calibration.baseline_ns,
        });
    }
    if process.waits > 0 {
        warnings.push(Warning::Waited {
            process: process.pid,
            times: process.waits,
            waited_ns: process.waited_ns,
        });
    }
    let observables = process.observables.iter();
    for refused in observables.flat_map(|table| &table.refused) {
        let meta::Refused { name, why } = refused.clone();
        warnings.push(Warning::Refused { process: process.pid, name, why });
    }
    if let Some(scaled) = process.end.as_ref().map(|end| end.scaled).filter(|&count| count > 0) {
        warnings.push(Warning::Scaled { process: process.pid, samples: scaled });
    }
    let open = process.end.iter().flat_map(|end| &end.open);
    let places: Vec<String> = open
        .map(|&id| {
            let place = u16::try_from(id).ok().and_then(|id| process.place(id));
            place.map_or_else(
                || format!("place {id}"),
                |place| format!("{} at {}:{}", place.experiment, place.file, place.line),
            )
        })
        .collect();
    if !places.is_empty() {
        warnings.push(Warning::Open { process: process.pid, places });
    }
}

/// Readings of the counters that a region should be longer than.
pub(crate) const READINGS: f64 = 20.0;

/// Whether the reading of the counters is a large part of what was measured.
fn short(experiment: &Experiment, read_ns: f64) -> Option<Warning> {
    let counted = experiment.cells.iter().filter(|_| !experiment.observables.is_empty());
    let times = counted.flat_map(|cell| &cell.inclusive);
    let (mut count, mut of) = (0, 0);
    for &time in times {
        of += 1;
        count += u64::from(time < READINGS * read_ns * 1e-9);
    }
    (count > 0).then(|| Warning::Short { name: experiment.name.clone(), count, of, read_ns })
}

/// Experiments of one name.
fn clashes(experiments: &[Experiment]) -> Vec<Warning> {
    let first = |experiment: &Experiment| {
        let place = experiment.places.first();
        (experiment.formula.clone(), place.map(ToString::to_string).unwrap_or_default())
    };
    let mut warnings = Vec::new();
    for (index, experiment) in experiments.iter().enumerate() {
        let same = |other: &&Experiment| other.name == experiment.name;
        let formulas: Vec<_> = experiments[index..].iter().filter(same).map(first).collect();
        if formulas.len() > 1 && !experiments[..index].iter().any(|other| same(&other)) {
            warnings.push(Warning::Formulas { name: experiment.name.clone(), formulas });
        }
    }
    warnings
}
