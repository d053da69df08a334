//! One time of many: samples that the processors of a parallel program took of the same passage.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::threads;
use crate::trace::{Cell, Experiment, Imbalance, Process, Start, Trace};
use crate::warning::Warning;

/// A run of the program: its job, or trace and number of the run in it.
type Run<'a> = (&'a str, u32, u32);

impl Trace {
    /// Leaves one sample of each passage, that of the processor that took longest, where several
    /// processors of one run have passed: the k-th sample of a processor at a tuple of values is of the
    /// same passage as every other one's k-th. What the others took is kept as
    /// [`Experiment::imbalance`]; where some never came, there is a [`Warning::Absent`].
    ///
    /// A passage that a processor began late ([`Start::Late`]) is left out where there are others at these
    /// values: the others may have waited for it inside. [`crate::Starts::left_out`] counts its samples.
    ///
    /// Where several threads of a processor have passed it is known only behind a `sync` of OpenMP which of their
    /// samples are of one passage, and only if all threads of all processors have as many: then the slowest of all
    /// is left. Else there is a [`Warning::Unpaired`], and all samples are left, or of the threads of each processor the
    /// slowest where these have as many.
    ///
    /// Of the threads of an OpenMP program one sample of each passage behind a `sync` is left in the same way. Where
    /// they have different numbers of samples, all are, and there is a [`Warning::Uneven`].
    pub fn keep_slowest(&mut self) {
        self.keep_slowest_processors();
        let processes = &self.processes;
        let alone = |process: u32| processes.get(process as usize).is_none_or(|one| count(one) < 2);
        let experiments = self.experiments.iter_mut();
        let uneven = experiments.filter_map(|one| threads::keep_slowest(one, &alone));
        self.warnings.extend(uneven);
    }

    fn keep_slowest_processors(&mut self) {
        if self.processes.iter().all(|process| count(process) < 2) {
            return;
        }
        let absent = self.experiments.iter().filter_map(|one| absent(one, &self.processes));
        let absent: Vec<Warning> = absent.collect();
        self.warnings.extend(absent);
        for experiment in &mut self.experiments {
            let mut imbalance = Imbalance::default();
            let (mut left_out, mut unpaired) = (0, None);
            let mut cells = std::mem::take(&mut experiment.cells);
            for cell in &mut cells {
                let left = slowest(cell, experiment, &self.processes, &mut imbalance);
                left_out += left.out;
                unpaired = unpaired.or(left.unpaired);
            }
            let name = || experiment.name.clone();
            let unpaired = unpaired.map(|threads| Warning::Unpaired { name: name(), threads });
            self.warnings.extend(unpaired);
            experiment.cells = cells;
            experiment.imbalance = (imbalance.passages > 0).then_some(imbalance);
            experiment.starts.left_out += left_out;
        }
    }
}

fn count(process: &Process) -> u32 {
    process.processor.as_ref().map_or(0, |processor| processor.count)
}

fn run_of(process: &Process) -> Run<'_> {
    match process.processor.as_ref().map_or("", |processor| processor.job.as_str()) {
        "" => ("", process.trace, process.run),
        job => (job, 0, 0),
    }
}

/// Whether some processors of a run have no sample of an experiment that others have.
fn absent(experiment: &Experiment, processes: &[Process]) -> Option<Warning> {
    /// Named in a message.
    const NAMED: usize = 5;
    let mut met: BTreeMap<Run, (u32, BTreeSet<u32>)> = BTreeMap::new();
    for origin in &experiment.origins {
        let Some(process) = processes.get(origin.process as usize) else { continue };
        let Some(processor) = process.processor.as_ref().filter(|one| one.count > 1) else {
            continue;
        };
        let run = met.entry(run_of(process)).or_insert((processor.count, BTreeSet::new()));
        run.1.insert(processor.number);
    }
    let mut short = met.values().filter(|(count, there)| there.len() < *count as usize);
    let (of, there) = short.next()?;
    let processors = (0..*of).filter(|number| !there.contains(number)).take(NAMED).collect();
    let name = experiment.name.clone();
    Some(Warning::Absent { name, runs: 1 + short.count() as u64, processors, of: *of })
}

/// The samples of each passage: their indices.
type Passages = Vec<Vec<usize>>;
/// Of each process of a run the samples of each of its threads, in their order.
type Samples = BTreeMap<u32, BTreeMap<u32, Vec<usize>>>;

/// What became of a cell.
#[derive(Debug, Default)]
struct Left {
    /// Samples that were left out for a processor that began late.
    out: u64,
    /// Threads of the first process whose samples are of passages that are not known.
    unpaired: Option<u32>,
}

/// Which samples of a run are of the same passage; those of which it is not known, and threads of one process that
/// made them.
///
/// The k-th sample of a process is of the same passage as every other one's k-th, where one thread of it passes. Of several
/// threads it is known only behind a barrier of their team ([`threads`]), and of those of several processes only
/// if all have as many samples.
fn passages(
    samples: Samples,
    is_in_team: impl Fn(usize) -> bool,
) -> (Passages, Vec<usize>, Option<u32>) {
    let threads = || samples.values().flat_map(BTreeMap::values);
    let most = samples.values().map(BTreeMap::len).max().unwrap_or(0) as u32;
    if most < 2 {
        return (in_order(threads()), Vec::new(), None);
    }
    if !threads().flatten().all(|&sample| is_in_team(sample)) {
        return (Passages::new(), threads().flatten().copied().collect(), Some(most));
    }
    if is_even(threads()) {
        return (in_order(threads()), Vec::new(), None);
    }
    let (mut known, mut unknown) = (Passages::new(), Vec::new());
    for own in samples.values() {
        match is_even(own.values()) {
            true => known.extend(in_order(own.values())),
            false => unknown.extend(own.values().flatten()),
        }
    }
    (known, unknown, Some(most))
}

/// The k-th samples of all, for each k.
fn in_order<'a>(all: impl Iterator<Item = &'a Vec<usize>> + Clone) -> Passages {
    let most = all.clone().map(Vec::len).max().unwrap_or(0);
    let of = |k: usize| all.clone().filter_map(|samples| samples.get(k).copied()).collect();
    (0..most).map(of).collect()
}

fn is_even<'a>(mut all: impl Iterator<Item = &'a Vec<usize>>) -> bool {
    let first = all.next().map(Vec::len);
    all.all(|samples| Some(samples.len()) == first)
}

fn slowest(
    cell: &mut Cell,
    experiment: &Experiment,
    processes: &[Process],
    imbalance: &mut Imbalance,
) -> Left {
    let mut runs: Vec<Samples> = Vec::new();
    let mut numbers: HashMap<Run, usize> = HashMap::new();
    let mut alone = Vec::new();
    let mut late = vec![false; cell.inclusive.len()];
    let mut in_team = vec![false; cell.inclusive.len()];
    for (sample, origin) in cell.origins(experiment).enumerate() {
        late[sample] = origin.start == Start::Late;
        in_team[sample] = threads::is_in_team(experiment, origin);
        let Some(process) = processes.get(origin.process as usize).filter(|one| count(one) > 1)
        else {
            alone.push(sample);
            continue;
        };
        let next = runs.len();
        let run = *numbers.entry(run_of(process)).or_insert(next);
        if run == next {
            runs.push(Samples::new());
        }
        let own = runs[run].entry(origin.process).or_default();
        own.entry(origin.thread).or_default().push(sample);
    }
    let mut left = Left::default();
    if runs.is_empty() {
        return left;
    }
    let mut all = Passages::new();
    for run in runs {
        let (known, unknown, unpaired) = passages(run, |sample| in_team[sample]);
        all.extend(known);
        alone.extend(unknown);
        left.unpaired = left.unpaired.or(unpaired);
    }
    let is_timely = |samples: &Vec<usize>| !samples.iter().any(|&sample| late[sample]);
    if all.iter().any(is_timely) {
        let before: usize = all.iter().map(Vec::len).sum();
        all.retain(is_timely);
        left.out = (before - all.iter().map(Vec::len).sum::<usize>()) as u64;
    }
    let times = &cell.inclusive;
    let mut kept = alone;
    for samples in &all {
        let longest = samples.iter().copied().max_by(|&a, &b| times[a].total_cmp(&times[b]));
        kept.extend(longest);
        imbalance.add(samples.iter().map(|&sample| times[sample]));
    }
    kept.sort_unstable();
    cell.keep_samples(&kept);
    left
}

impl Imbalance {
    pub(crate) fn add(&mut self, times: impl Iterator<Item = f64> + Clone) {
        let processors = times.clone().count();
        if processors < 2 {
            return;
        }
        self.passages += 1;
        self.processors = self.processors.max(processors as u32);
        self.longest_s += times.clone().fold(0.0, f64::max);
        self.shortest_s += times.clone().fold(f64::INFINITY, f64::min);
        self.mean_s += times.sum::<f64>() / processors as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Calibration;
    use crate::meta;
    use crate::trace::Origin;

    fn process(run: u32, processor: Option<(u32, u32)>) -> Process {
        Process {
            trace: 0,
            run,
            pid: 1,
            table: meta::Process::default(),
            processor: processor.map(|(number, count)| meta::Processor {
                number,
                count,
                job: String::new(),
            }),
            sync: Vec::new(),
            units: Vec::new(),
            observables: None,
            end: None,
            calibration: Calibration::of(meta::Clock::Mono, &[], None),
            threads: 1,
            samples: 0,
            unsealed: 0,
            waited_ns: 0,
            waits: 0,
        }
    }

    fn traced(processes: Vec<Process>, samples: &[(f64, u32)]) -> Trace {
        let mut cell = Cell::new(vec![4.0]);
        samples.iter().for_each(|&(time, origin)| cell.push(time, time / 2.0, origin));
        let origin = |process| Origin {
            process,
            thread: 0,
            place: 0,
            left: false,
            switched: false,
            start: Start::Own,
        };
        let origins = (0..processes.len() as u32).map(origin).collect();
        let experiment = Experiment { cells: vec![cell], origins, ..Experiment::default() };
        Trace { processes, experiments: vec![experiment], ..Trace::default() }
    }

    #[test]
    fn the_slowest_of_each_passage_is_left_with_what_belongs_to_it() {
        let two = |run| [process(run, Some((0, 2))), process(run, Some((1, 2)))];
        let processes: Vec<Process> = [two(0), two(1)].concat();
        let samples = [(1.0, 0), (5.0, 0), (3.0, 1), (2.0, 1), (7.0, 1), (8.0, 2), (9.0, 3)];
        let mut trace = traced(processes, &samples);
        trace.keep_slowest();
        let experiment = &trace.experiments[0];
        let cell = &experiment.cells[0];
        assert_eq!(cell.inclusive, [5.0, 3.0, 7.0, 9.0]);
        assert_eq!(cell.exclusive(), [2.5, 1.5, 3.5, 4.5]);
        let from: Vec<u32> = cell.origins(experiment).map(|origin| origin.process).collect();
        assert_eq!(from, [0, 1, 1, 3]);
        let imbalance = experiment.imbalance.unwrap();
        // A passage that one processor alone made is balanced with nobody.
        assert_eq!((imbalance.passages, imbalance.processors), (3, 2));
        assert_eq!(imbalance.longest_s, 3.0 + 5.0 + 9.0);
        assert_eq!(imbalance.shortest_s, 1.0 + 2.0 + 8.0);
        assert_eq!(imbalance.mean_s, 2.0 + 3.5 + 8.5);
    }

    #[test]
    fn passages_that_one_began_late_are_left_out_where_there_are_others() {
        let processes = vec![process(0, Some((0, 2))), process(0, Some((1, 2)))];
        let samples = [(1.0, 0), (5.0, 2), (3.0, 0), (2.0, 1), (7.0, 1), (4.0, 1)];
        let mut trace = traced(processes, &samples);
        let experiment = &mut trace.experiments[0];
        experiment.origins.push(Origin { start: Start::Late, ..experiment.origins[0] });
        let mut late = Cell::new(vec![8.0]);
        [(6.0, 2), (9.0, 1)].iter().for_each(|&(time, origin)| late.push(time, time, origin));
        experiment.cells.push(late);
        trace.keep_slowest();
        let experiment = &trace.experiments[0];
        // The second passage of the first cell goes; the second cell has nothing else.
        assert_eq!(experiment.cells[0].inclusive, [2.0, 4.0]);
        assert_eq!(experiment.cells[1].inclusive, [9.0]);
        assert_eq!(experiment.starts.left_out, 2);
        assert_eq!(experiment.imbalance.unwrap().passages, 3);
    }

    const TEAM: Start = Start::Barrier;

    /// Two processes of a run with samples of `(process, thread, start, time)` at a place of OpenMP.
    fn with_threads(samples: &[(u32, u32, Start, f64)]) -> Trace {
        let processes = vec![process(0, Some((0, 2))), process(0, Some((1, 2)))];
        let mut trace = traced(processes, &[]);
        let experiment = &mut trace.experiments[0];
        let model = "OpenMP".to_owned();
        experiment.places = vec![crate::trace::Place { model, ..Default::default() }];
        experiment.origins.clear();
        for &(process, thread, start, time) in samples {
            let origin = Origin { process, thread, place: 0, left: false, switched: false, start };
            experiment.cells[0].push(time, time, experiment.origins.len() as u32);
            experiment.origins.push(origin);
        }
        trace.keep_slowest();
        trace
    }

    #[test]
    fn threads_of_processors_behind_a_barrier_are_of_one_passage() {
        // Thread by thread, as they lie in files: of two passages the slowest of four samples each.
        let trace = with_threads(&[
            (0, 0, TEAM, 1.0),
            (0, 0, TEAM, 2.0),
            (0, 1, TEAM, 9.0),
            (0, 1, TEAM, 3.0),
            (1, 0, TEAM, 4.0),
            (1, 0, TEAM, 5.0),
            (1, 2, TEAM, 6.0),
            (1, 2, TEAM, 7.0),
        ]);
        assert_eq!(trace.experiments[0].cells[0].inclusive, [9.0, 7.0]);
        let imbalance = trace.experiments[0].imbalance.unwrap();
        assert_eq!((imbalance.passages, imbalance.processors), (2, 4));
        assert_eq!((imbalance.longest_s, imbalance.shortest_s), (9.0 + 7.0, 1.0 + 2.0));
        assert_eq!(trace.warnings, []);
    }

    #[test]
    fn threads_of_processors_that_cannot_be_paired_are_told() {
        let told = |threads| vec![Warning::Unpaired { name: String::new(), threads }];
        // What is shared out: nothing is known of who does which.
        let own = Start::Own;
        let samples = [(0, 0, own, 1.0), (0, 1, own, 2.0), (1, 0, own, 3.0), (1, 1, own, 4.0)];
        let trace = with_threads(&samples);
        assert_eq!(trace.experiments[0].cells[0].inclusive, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!((trace.experiments[0].imbalance, trace.warnings), (None, told(2)));
        // A processor passed more often: of each the slowest thread.
        let more = [(1, 0, TEAM, 3.0), (1, 0, TEAM, 6.0), (1, 1, TEAM, 4.0), (1, 1, TEAM, 5.0)];
        let samples = [&[(0, 0, TEAM, 1.0), (0, 1, TEAM, 2.0)], &more[..]].concat();
        let trace = with_threads(&samples);
        assert_eq!(trace.experiments[0].cells[0].inclusive, [2.0, 6.0, 4.0]);
        assert_eq!(trace.warnings, told(2));
        // A thread of one did.
        let samples = [(0, 0, TEAM, 1.0), (0, 0, TEAM, 2.0), (0, 1, TEAM, 8.0), (1, 0, TEAM, 3.0)];
        let trace = with_threads(&samples);
        assert_eq!(trace.experiments[0].cells[0].inclusive, [1.0, 2.0, 8.0, 3.0]);
        assert_eq!(trace.warnings, told(2));
    }

    #[test]
    fn one_thread_of_each_processor_needs_no_barrier() {
        let own = Start::Own;
        let trace = with_threads(&[(0, 0, own, 1.0), (0, 0, own, 5.0), (1, 3, own, 4.0)]);
        assert_eq!(trace.experiments[0].cells[0].inclusive, [5.0, 4.0]);
        assert_eq!(trace.warnings, []);
    }

    #[test]
    fn files_of_one_job_are_one_run() {
        let of = |trace, number, job: &str| {
            let processor = meta::Processor { number, count: 2, job: job.to_owned() };
            Process { trace, processor: Some(processor), ..process(0, None) }
        };
        let processes = vec![of(0, 0, "a"), of(1, 1, "a"), of(2, 0, "b"), of(3, 1, "")];
        let mut trace = traced(processes, &[(1.0, 0), (2.0, 1), (3.0, 2), (4.0, 3)]);
        trace.keep_slowest();
        assert_eq!(trace.experiments[0].cells[0].inclusive, [2.0, 3.0, 4.0]);
    }

    #[test]
    fn processors_that_never_came_are_told() {
        let three = |run| [0, 1, 2].map(|number| process(run, Some((number, 3))));
        let processes: Vec<Process> = [three(0), three(1)].concat();
        let mut trace = traced(processes.clone(), &[(1.0, 0), (2.0, 1), (3.0, 2), (4.0, 3)]);
        trace.experiments[0].origins.retain(|origin| ![3, 5].contains(&origin.process));
        trace.keep_slowest();
        let told = Warning::Absent { name: String::new(), runs: 1, processors: vec![0, 2], of: 3 };
        assert_eq!(trace.warnings, [told]);
        let mut whole = traced(processes, &[(1.0, 0), (2.0, 1), (3.0, 2)]);
        whole.keep_slowest();
        assert!(whole.warnings.is_empty());
    }

    #[test]
    fn what_is_no_processors_stays() {
        let mut trace =
            traced(vec![process(0, None), process(0, Some((0, 1)))], &[(1.0, 0), (2.0, 1)]);
        let before = trace.clone();
        trace.keep_slowest();
        assert_eq!(trace, before);
    }
}
