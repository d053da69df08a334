//! Warnings about a trace as a whole, after everything was read.

use std::collections::{BTreeMap, BTreeSet};

use crate::meta;
use crate::read::Group;
use crate::trace::{Experiment, Process, Trace};
use crate::warning::{READINGS, Warning};

impl Trace {
    /// Adds the experiments, and the warnings about them and about the processes.
    pub(crate) fn add_summary_notes(&mut self, groups: Vec<Group>) {
        self.warnings.clear();
        for run in &self.runs {
            self.warnings.extend(ended(run.table.number, &run.table));
        }
        for process in &self.processes {
            of_process(process, &mut self.warnings);
        }
        self.warnings.extend(elsewhere(&self.processes));
        self.warnings.extend(groups.iter().flat_map(Group::warnings));
        // Most processes were not interrupted while they measured it.
        let read_ns = self.processes.iter().filter_map(|process| process.observables.as_ref());
        let read_ns = cll_statistics::median(read_ns.map(|table| table.read_ns)).unwrap_or(0.0);
        self.warnings.extend(groups.iter().filter_map(|group| short(&group.experiment, read_ns)));
        self.experiments = groups.into_iter().map(|group| group.experiment).collect();
        self.warnings.extend(clashes(&self.experiments));
        self.warnings.extend(processors(&self.experiments, &self.processes));
        let engines: Vec<String> = self.engines().into_iter().map(str::to_owned).collect();
        if engines.len() > 1 {
            self.warnings.push(Warning::Engines { engines });
        }
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
        // The launcher recorded this before the end of the run.
        (false, None, None) if run.wall_ns == 0 => {
            "was killed together with cll run, so how it ended is unknown".to_owned()
        }
        _ => return None,
    };
    Some(Warning::Run { number, what })
}

/// The warning about runs in which a process did not end normally while others are not in these
/// files: each of them may have left a file on its host. Runs of one program with equal numbers of
/// processors count as one: Hydra gives processes no name that is common to all hosts.
fn elsewhere(processes: &[Process]) -> Vec<Warning> {
    #[derive(Default)]
    struct Job {
        total: u32,
        here: BTreeSet<u32>,
        broke_off: bool,
    }
    /// Most processors named in a message.
    const NAMED: usize = 5;
    let mut jobs: BTreeMap<(&str, u32), Job> = BTreeMap::new();
    for process in processes {
        // Processors of a machine on one host leave their files in one folder.
        let is_of_mpi = |candidate: &&meta::Processor| {
            !candidate.job.is_empty() && matches!(candidate.engine.as_str(), "" | "mpi")
        };
        let Some(processor) = process.processor.as_ref().filter(is_of_mpi) else {
            continue;
        };
        let job = jobs.entry((&process.table.program, processor.count)).or_default();
        job.total = processor.count;
        job.here.insert(processor.number);
        job.broke_off |= process.end.is_none();
    }
    let absent = jobs.into_values().filter(|job| job.broke_off).filter_map(|job| {
        let absent = (0..job.total).filter(|number| !job.here.contains(number));
        let processors: Vec<u32> = absent.clone().take(NAMED).collect();
        let more = absent.count() - processors.len();
        let warning = Warning::Elsewhere { processors, more: more as u64, of: job.total };
        (job.here.len() < job.total as usize).then_some(warning)
    });
    absent.collect()
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
    let named = |id: u32| {
        let place = u16::try_from(id).ok().and_then(|id| process.place(id));
        place.map_or_else(
            || format!("place {id}"),
            |place| format!("{} at {}:{}", place.experiment, place.file, place.line),
        )
    };
    let open = process.end.iter().flat_map(|end| &end.open);
    let places: Vec<String> = open.map(|&id| named(id)).collect();
    if !places.is_empty() {
        warnings.push(Warning::Open { process: process.pid, places });
    }
    let ends = process.end.iter().flat_map(|end| &end.thread_ends);
    let places: Vec<(String, u64)> = ends.map(|ends| (named(ends.place), ends.count)).collect();
    if !places.is_empty() {
        warnings.push(Warning::ThreadEnds { process: process.pid, places });
    }
}

/// The warning that reading the counters is a large part of what was measured.
fn short(experiment: &Experiment, read_ns: f64) -> Option<Warning> {
    let counted = experiment.cells.iter().filter(|_| !experiment.observables.is_empty());
    let times = counted.flat_map(|cell| &cell.inclusive);
    let (mut count, mut total) = (0, 0);
    for &time in times {
        total += 1;
        count += u64::from(time < READINGS * read_ns * 1e-9);
    }
    let counters = || experiment.observables.iter().map(|observable| observable.name.clone());
    (count > 0).then(|| Warning::Short {
        name: experiment.name.clone(),
        count,
        of: total,
        counters: counters().collect(),
        read_ns,
    })
}

/// Warnings about experiments of MPI programs whose P is never the number of processes started.
fn processors(experiments: &[Experiment], processes: &[Process]) -> Vec<Warning> {
    let reported = processes.iter().filter_map(|process| process.processor.as_ref());
    let counts: BTreeSet<u32> = reported
        .filter(|processor| !processor.job.is_empty())
        .map(|processor| processor.count)
        .collect();
    let Some(&launched) = counts.last() else { return Vec::new() };
    let differs = |experiment: &Experiment| {
        let index = experiment.variables.iter().position(|name| name == "P")?;
        if experiment.places.is_empty()
            || experiment.places.iter().any(|place| place.model != "MPI")
        {
            return None;
        }
        let values = || experiment.cells.iter().filter_map(|cell| cell.values.get(index).copied());
        let is_reported =
            values().any(|value| counts.iter().any(|&count| f64::from(count) == value));
        let recorded = values().reduce(f64::max).filter(|_| !is_reported)?;
        Some(Warning::Processors { name: experiment.name.clone(), recorded, launched })
    };
    experiments.iter().filter_map(differs).collect()
}

/// Warnings about experiments of equal name and different formulas.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Cell, Place};

    fn process(number: u32, count: u32, job: &str, ended: bool) -> Process {
        Process {
            trace: 0,
            run: 0,
            pid: number + 1,
            table: meta::Process { program: "p".to_owned(), ..meta::Process::default() },
            processor: Some(meta::Processor {
                number,
                count,
                job: job.to_owned(),
                engine: String::new(),
            }),
            sync: Vec::new(),
            units: Vec::new(),
            observables: None,
            end: ended.then(meta::End::default),
            calibration: crate::clock::Calibration::default(),
            threads: 1,
            samples: 0,
            unsealed: 0,
            waited_ns: 0,
            waits: 0,
        }
    }

    #[test]
    fn a_p_that_is_not_the_number_of_processes_is_reported() {
        let experiment = |values: &[f64], model: &str| Experiment {
            name: "step".to_owned(),
            variables: vec!["n".to_owned(), "P".to_owned()],
            places: vec![Place { model: model.to_owned(), ..Place::default() }],
            cells: values
                .iter()
                .map(|&value| {
                    let mut cell = Cell::default();
                    cell.values = vec![7.0, value];
                    cell
                })
                .collect(),
            ..Experiment::default()
        };
        let processes = [process(0, 4, "job", true), process(1, 4, "job", true)];
        let warnings_of =
            |values: &[f64], model| processors(&[experiment(values, model)], &processes);
        let reported = Warning::Processors { name: "step".to_owned(), recorded: 1.0, launched: 4 };
        assert_eq!(warnings_of(&[1.0], "MPI"), [reported]);
        // Before MPI_Init it is 1.
        assert_eq!(warnings_of(&[1.0, 4.0], "MPI"), []);
        assert_eq!(warnings_of(&[1.0], "OpenMP"), []);
        assert_eq!(warnings_of(&[], "MPI"), []);
        assert_eq!(processors(&[experiment(&[1.0], "MPI")], &[process(0, 4, "", true)]), []);
    }

    #[test]
    fn of_runs_that_broke_off_processors_are_missed() {
        let process_of = |number, ended| process(number, 8, "job", ended);
        let missed = elsewhere(&[process_of(0, true), process_of(3, false)]);
        let expected = Warning::Elsewhere { processors: vec![1, 2, 4, 5, 6], more: 1, of: 8 };
        assert_eq!(missed, [expected]);
        let text = missed[0].to_string();
        assert!(text.contains("processors 1, 2, 4, 5, 6 and 1 others of 8"), "{text}");
        // A complete run, a run in one file, and processes that share a file from the start.
        assert!(elsewhere(&[process_of(0, true), process_of(3, true)]).is_empty());
        let two = |number, job| process(number, 2, job, false);
        assert!(elsewhere(&[two(0, "a"), two(1, "b")]).is_empty());
        assert!(elsewhere(&[two(0, "")]).is_empty());
    }
}
