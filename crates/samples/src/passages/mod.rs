//! Reduces the samples that the processors of a parallel program took of the same passage to one.

mod threads;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cll_trace::Warning;
use cll_trace::{Cell, Experiment, Imbalance, Process, Start, Trace};
use cll_units::Seconds;

/// Keeps one sample of each passage, that of the slowest processor (decision 0042), if several processors of one
/// run took part: the k-th sample of a processor at a tuple of values is of the same passage as the
/// k-th of every other. The times of the others are kept as [`Experiment::imbalance`]. If some
/// processors have no sample, there is a [`Warning::Absent`].
///
/// A passage that a processor began late ([`Start::Late`]) is left out if there are others at these
/// values: the other processors may have waited for it. [`cll_trace::Starts::left_out`] counts its
/// samples.
///
/// If several threads of a processor took part, their samples can be paired only after a `sync` of
/// OpenMP, and only if all threads of all processors have the same number of samples: then the
/// slowest of all is kept. Otherwise there is a [`Warning::Unpaired`], and all samples are kept, or
/// the slowest thread of each processor if its threads have equal numbers.
///
/// The samples that the threads of an OpenMP program take after a `sync` are reduced in the same
/// way. If the threads have different numbers of samples, all are kept, and there is a
/// [`Warning::Uneven`].
pub fn keep_slowest(trace: &mut Trace) {
    of_processors(trace);
    let processes = &trace.processes;
    let alone =
        |process: u32| processes.get(process as usize).is_none_or(|process| count(process) < 2);
    let experiments = trace.experiments.iter_mut();
    let uneven = experiments.filter_map(|experiment| threads::keep_slowest(experiment, &alone));
    trace.warnings.extend(uneven);
}

fn of_processors(trace: &mut Trace) {
    if trace.processes.iter().all(|process| count(process) < 2) {
        return;
    }
    let absent =
        trace.experiments.iter().filter_map(|experiment| absent(experiment, &trace.processes));
    let absent: Vec<Warning> = absent.collect();
    trace.warnings.extend(absent);
    for experiment in &mut trace.experiments {
        let mut imbalance = Imbalance::default();
        let (mut left_out, mut unpaired) = (0, None);
        let mut cells = std::mem::take(&mut experiment.cells);
        for cell in &mut cells {
            let left = slowest(cell, experiment, &trace.processes, &mut imbalance);
            left_out += left.out;
            unpaired = unpaired.or(left.unpaired);
        }
        let name = || experiment.name.clone();
        let unpaired = unpaired.map(|threads| Warning::Unpaired { name: name(), threads });
        trace.warnings.extend(unpaired);
        experiment.cells = cells;
        experiment.imbalance = (imbalance.passages > 0).then_some(imbalance);
        experiment.starts.left_out += left_out;
    }
}

fn count(process: &Process) -> u32 {
    process.processor.as_ref().map_or(0, |processor| processor.count)
}

/// The warning that some processors of a run have no sample of an experiment that others have.
fn absent(experiment: &Experiment, processes: &[Process]) -> Option<Warning> {
    /// Most processors named in a message.
    const NAMED: usize = 5;
    let mut met: BTreeMap<u32, (u32, BTreeSet<u32>)> = BTreeMap::new();
    for origin in &experiment.origins {
        let Some(process) = processes.get(origin.process as usize) else { continue };
        let Some(processor) = process.processor.as_ref().filter(|processor| processor.count > 1)
        else {
            continue;
        };
        let run = met.entry(process.run).or_insert((processor.count, BTreeSet::new()));
        run.1.insert(processor.number);
    }
    let mut short = met.values().filter(|(count, there)| there.len() < *count as usize);
    let (expected, there) = short.next()?;
    let processors = (0..*expected).filter(|number| !there.contains(number)).take(NAMED).collect();
    let name = experiment.name.clone();
    Some(Warning::Absent { name, runs: 1 + short.count() as u64, processors, of: *expected })
}

/// The samples of each passage: their indices.
type Passages = Vec<Vec<usize>>;
/// For each process of a run the samples of each of its threads, in their order.
type ThreadSamples = BTreeMap<u32, BTreeMap<u32, Vec<usize>>>;

/// The result for a cell.
#[derive(Debug, Default)]
struct CellResult {
    /// Samples left out because a processor began late.
    out: u64,
    /// Number of threads of the first process whose samples could not be paired.
    unpaired: Option<u32>,
}

/// The samples of each passage of a run; those that cannot be paired, and the number of threads of
/// one process that took them.
///
/// The k-th sample of a process is of the same passage as the k-th of every other, if one thread of
/// it takes part. Samples of several threads can be paired only after a barrier of their team
/// ([`threads`]), and those of several processes only if all threads have the same number.
fn passages(
    samples: ThreadSamples,
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
        if is_even(own.values()) {
            known.extend(in_order(own.values()))
        } else {
            unknown.extend(own.values().flatten())
        }
    }
    (known, unknown, Some(most))
}

/// The k-th samples of all, for each k.
fn in_order<'a>(all: impl Iterator<Item = &'a Vec<usize>> + Clone) -> Passages {
    let most = all.clone().map(Vec::len).max().unwrap_or(0);
    let passage = |k: usize| all.clone().filter_map(|samples| samples.get(k).copied()).collect();
    (0..most).map(passage).collect()
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
) -> CellResult {
    let mut runs: Vec<ThreadSamples> = Vec::new();
    let mut numbers: HashMap<u32, usize> = HashMap::new();
    let mut alone = Vec::new();
    let mut late = vec![false; cell.inclusive.len()];
    let mut in_team = vec![false; cell.inclusive.len()];
    for (sample, origin) in cell.origins(experiment).enumerate() {
        late[sample] = origin.start == Start::Late;
        in_team[sample] = threads::is_in_team(experiment, origin);
        let Some(process) =
            processes.get(origin.process as usize).filter(|process| count(process) > 1)
        else {
            alone.push(sample);
            continue;
        };
        let next = runs.len();
        let run = *numbers.entry(process.run).or_insert(next);
        if run == next {
            runs.push(ThreadSamples::new());
        }
        let own = runs[run].entry(origin.process).or_default();
        own.entry(origin.thread).or_default().push(sample);
    }
    let mut left = CellResult::default();
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
        add(imbalance, samples.iter().map(|&sample| times[sample]));
    }
    kept.sort_unstable();
    cell.keep_samples(&kept);
    left
}

fn add(imbalance: &mut Imbalance, times: impl Iterator<Item = f64> + Clone) {
    let processors = times.clone().count();
    if processors < 2 {
        return;
    }
    imbalance.passages += 1;
    imbalance.processors = imbalance.processors.max(processors as u32);
    imbalance.longest += Seconds(times.clone().fold(0.0, f64::max));
    imbalance.shortest += Seconds(times.clone().fold(f64::INFINITY, f64::min));
    imbalance.mean += Seconds(times.sum::<f64>() / processors as f64);
}

#[cfg(test)]
mod tests;
