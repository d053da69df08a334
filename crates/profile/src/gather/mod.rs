//! From superstep logs to a profile.
//!
//! Records are streamed: one block of each processor and one window of supersteps are in memory. The other memory grows
//! with the nodes of the tree, the processors, and the different sets of partners.

mod call_paths;
mod cursor;
mod machines;
mod parts;
mod recorder;
mod reduce;
mod relation;
mod traverse;
mod tree;

use std::collections::BTreeMap;

use cll_supersteps::{CommonClock, Processor, Stored, StoredProcessor};
use cll_trace::Damage;
use cll_trace::meta::Point;
use cll_units::{ProcessorId, Seconds, SuperstepNumber, Ticks};
use rayon::ThreadPoolBuilder;
use thiserror::Error;

use crate::metric::{Costs, Metric};
use crate::note::Note;
use crate::profile::{Frame, Node, Profile, Source};
use crate::supersteps::Supersteps;
use call_paths::Names;
use cursor::Cursor;
use recorder::Recorder;
use traverse::Traversal;
use tree::{NodeId, Tree};

/// Why logs are no profile.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GatherError {
    /// No superstep.
    #[error("there are no supersteps in it")]
    Empty,
    /// No table of the machine of all processors.
    #[error("no table has the machine of all processors: the log is damaged")]
    Whole,
    /// Processors of which there is no log.
    #[error("{} of the {of} processors {}: {}", .missing.len(), if .missing.len() == 1 { "is missing" } else { "are missing" }, listed(.missing))]
    Missing {
        /// Their numbers.
        missing: Vec<ProcessorId>,
        /// How many there are.
        of: u32,
    },
    /// A processor is in two logs.
    #[error("processor {processor} is in two of these logs: they are of different runs")]
    Twice {
        /// The number of the processor.
        processor: ProcessorId,
    },
    /// A processor that the machine does not have.
    #[error(
        "the log has processor {processor}, and {of} processors in all: it is of different runs"
    )]
    TooMany {
        /// The number of the processor.
        processor: ProcessorId,
        /// How many there are.
        of: u32,
    },
    /// Logs of different programs.
    #[error("these logs are of different programs: {first} and {other}")]
    Programs {
        /// One.
        first: String,
        /// Another.
        other: String,
    },
}

fn listed(numbers: &[ProcessorId]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<String> = numbers.iter().take(SHOWN).map(ProcessorId::to_string).collect();
    match numbers.len() {
        count if count > SHOWN => format!("{} and {} more", shown.join(", "), count - SHOWN),
        _ => shown.join(", "),
    }
}

/// The profile of a log, and what was damaged.
#[derive(Debug)]
pub struct Gathered {
    /// The profile.
    pub profile: Profile,
    /// Damage of the blocks, as they were read.
    pub damage: Vec<Damage>,
    /// Each superstep, if [`gather_with_supersteps()`] was asked.
    pub supersteps: Option<Supersteps>,
}

/// The profile of a run, from its log, or from the logs of its processes. `functions` returns the names of the
/// functions in a point's path, innermost first; functions outside `main` are left out. It is called once for equal
/// points of processors with the same modules. `threads` is the number of threads that read; the profile does not
/// depend on it.
///
/// # Errors
/// If the logs are of several runs, or the log of a processor is missing.
pub fn gather(
    logs: &[Stored<'_>],
    threads: usize,
    functions: impl FnMut(&Processor, &Point) -> Vec<Frame>,
) -> Result<Gathered, GatherError> {
    gathered(logs, threads, functions, None)
}

/// As [`gather()`], with what each processor had of each superstep. If there are more than `room` values of a metric,
/// consecutive supersteps are added up.
///
/// # Errors
/// As [`gather()`].
pub fn gather_with_supersteps(
    logs: &[Stored<'_>],
    threads: usize,
    room: usize,
    functions: impl FnMut(&Processor, &Point) -> Vec<Frame>,
) -> Result<Gathered, GatherError> {
    gathered(logs, threads, functions, Some(room))
}

fn gathered(
    logs: &[Stored<'_>],
    threads: usize,
    functions: impl FnMut(&Processor, &Point) -> Vec<Frame>,
    room: Option<usize>,
) -> Result<Gathered, GatherError> {
    let mut processors: Vec<&StoredProcessor<'_>> =
        logs.iter().flat_map(|log| &log.processors).collect();
    processors.sort_by_key(|processor| processor.tables.number);
    let Some(first) = processors.first() else { return Err(GatherError::Empty) };
    one_run(first, &processors)?;
    let (machines, own) = machines::machines(&processors)?;
    let process = &first.tables.process;
    let name = process.program.rsplit('/').next().unwrap_or_default();
    let mut tree = Tree::new(name.to_owned());
    let mut names = Names::new(functions);
    let mut cursors: Vec<Cursor<'_>> = Vec::new();
    for (processor, own) in processors.iter().zip(own) {
        let paths = names.paths_of(&processor.tables, &mut tree);
        cursors.push(Cursor::new(processor, own, paths));
    }
    let count = cursors.len();
    // Without more threads it takes longer, but the result is the same.
    let pool = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build().ok());
    let pool = pool.flatten();
    let mut traversal = Traversal::new(&machines, tree, count, pool.is_some());
    let recorder = room.map(|room| Recorder::new(count, 0, room));
    let traversed = match pool {
        Some(pool) => pool.install(|| traversal.machine(0, &mut cursors, recorder)),
        None => traversal.machine(0, &mut cursors, recorder),
    };
    let supersteps = traversed.recorder.map(Recorder::finish);
    let mut notes = notes(&traversal, &cursors);
    let starts = starts(&processors, &cursors, &mut notes);
    let mut account = traversed.account;
    let started = traversal.tree.start();
    account.own.insert(started, start_costs(&starts));
    let costs = account.inherited(&traversal.tree);
    let spans = starts.iter().zip(&traversed.spans).map(|(start, span)| start + span);
    let elapsed = Seconds(spans.fold(0.0, f64::max));
    let nodes = nodes(traversal, costs, (started, &starts));
    let source = Source::Log {
        engine: logs
            .iter()
            .map(|log| log.engine.clone())
            .find(|e| !e.is_empty())
            .unwrap_or_default(),
        virtually: processors.iter().any(|processor| processor.tables.virtually.is_some()),
        parts: machines.len() > 1,
        arguments: process.args.clone(),
    };
    let damage = cursors.iter().flat_map(|cursor| cursor.records.damage()).cloned().collect();
    let processors = count as u32;
    let profile = Profile { source, processors, elapsed, h_unit: 1, nodes, notes };
    Ok(Gathered { profile, damage, supersteps })
}

/// Whether the logs are of one program with one command line, and each processor has one.
fn one_run(
    first: &StoredProcessor<'_>,
    processors: &[&StoredProcessor<'_>],
) -> Result<(), GatherError> {
    let words = |stored: &StoredProcessor<'_>| {
        let process = &stored.tables.process;
        let name = process.program.rsplit('/').next().unwrap_or_default();
        format!("{name} {}", process.args.join(" ")).trim_end().to_owned()
    };
    let same = |stored: &StoredProcessor<'_>| {
        let (a, b) = (&first.tables.process, &stored.tables.process);
        a.program == b.program && a.args == b.args
    };
    if let Some(other) = processors.iter().find(|processor| !same(processor)) {
        return Err(GatherError::Programs { first: words(first), other: words(other) });
    }
    if let Some(pair) = processors.windows(2).find(|p| p[0].tables.number == p[1].tables.number) {
        return Err(GatherError::Twice { processor: pair[0].tables.number });
    }
    Ok(())
}

/// The nodes of the tree with their costs. `started`: the node of the program's start, with the time of each processor.
fn nodes(
    mut traversal: Traversal<'_>,
    mut costs: BTreeMap<NodeId, Costs>,
    (started, starts): (usize, &Vec<f64>),
) -> Vec<Node> {
    let count = starts.len();
    let mut nodes: Vec<Node> = Vec::new();
    for (index, (kind, parent)) in traversal.tree.nodes.into_iter().enumerate() {
        let zeros = || std::array::from_fn(|_| vec![0.0; count]);
        if let Some(parent) = parent {
            nodes[parent].children.push(index);
        }
        let mut each = traversal.each.get_mut(index).map_or_else(zeros, std::mem::take);
        if index == started {
            each = zeros();
            each[Metric::Computation.index()].clone_from(starts);
        }
        let last = traversal.last.get_mut(index).map_or_else(|| vec![0; count], std::mem::take);
        let costs = costs.remove(&index).unwrap_or_default();
        nodes.push(Node { kind, parent, children: Vec::new(), costs, each, last });
    }
    inherit(&mut nodes);
    nodes
}

/// Sums of processors are inherited as costs are.
pub(crate) fn inherit(nodes: &mut [Node]) {
    for index in (1..nodes.len()).rev() {
        let (above, below) = nodes.split_at_mut(index);
        let Some(parent) = below[0].parent.and_then(|parent| above.get_mut(parent)) else {
            continue;
        };
        for (sums, own) in parent.each.iter_mut().zip(&below[0].each) {
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        parent.last.iter_mut().zip(&below[0].last).for_each(|(sum, own)| *sum += own);
    }
}

/// Seconds from the first moment in the log to each processor's first superstep; with several hosts from
/// the first superstep of all, since nothing before it relates their clocks.
fn starts(
    processors: &[&StoredProcessor<'_>],
    cursors: &[Cursor<'_>],
    notes: &mut Vec<Note>,
) -> Vec<f64> {
    let first_ns = processors.iter().map(|processor| processor.first_ns).min().unwrap_or(0);
    let clock = CommonClock::new(processors, first_ns);
    let begun = |index: usize| {
        let first = cursors[index].first;
        first.map(|first| clock.time(index, processors[index], Ticks(first)).get())
    };
    let all = 0..processors.len();
    if !clock.has_several_hosts() {
        return all.map(|index| begun(index).unwrap_or(0.0).max(0.0)).collect();
    }
    if !clock.is_complete() {
        let mut hosts: Vec<String> = processors
            .iter()
            .map(|processor| processor.tables.process.timed_by().to_owned())
            .collect();
        hosts.sort_unstable();
        hosts.dedup();
        notes.push(Note::Hosts { hosts });
        return vec![0.0; processors.len()];
    }
    let uncertainty =
        clock.clocks.iter().map(|related| related.uncertainty).fold(Seconds::ZERO, Seconds::max);
    notes.push(Note::Clocks { hosts: clock.clocks.len() + 1, uncertainty });
    let begun: Vec<Option<f64>> = all.map(begun).collect();
    let earliest = begun.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    begun.into_iter().map(|begun| begun.map_or(0.0, |begun| begun - earliest)).collect()
}

fn start_costs(starts: &[f64]) -> Costs {
    let mut costs = Costs::default();
    let summary = &mut costs.metrics[Metric::Computation.index()];
    summary.maximum = starts.iter().copied().fold(0.0, f64::max);
    summary.average = starts.iter().sum::<f64>() / starts.len() as f64;
    summary.minimum = starts.iter().copied().fold(f64::INFINITY, f64::min);
    costs
}

/// Returns notes about the irregularities that the traversal met.
fn notes(traversal: &Traversal<'_>, cursors: &[Cursor<'_>]) -> Vec<Note> {
    /// A gap between supersteps is reported if it is at least this long, in seconds, and at least this share of the
    /// processor's time.
    const GAP_S: f64 = 0.1;
    const GAP_SHARE: f64 = 0.1;
    let mut notes = Vec::new();
    let cut: Vec<ProcessorId> =
        cursors.iter().filter(|c| !c.ended).map(|cursor| cursor.number).collect();
    if !cut.is_empty() {
        notes.push(Note::CutOff { processors: cut });
    }
    if let (supersteps @ 1.., first) = traversal.incomplete {
        let first = SuperstepNumber(first);
        notes.push(Note::Incomplete { supersteps, first });
    }
    let unnamed: u64 = cursors.iter().map(|cursor| cursor.unnamed).sum();
    if unnamed > 0 {
        notes.push(Note::Unnamed { supersteps: unnamed });
    }
    for cursor in cursors {
        let processor = cursor.number;
        if let (supersteps @ 1.., least_s) = cursor.negative {
            let least = Seconds(least_s);
            notes.push(Note::Negative { processor, supersteps, least });
        }
        let (seconds, superstep) = cursor.jump();
        if seconds > GAP_S && seconds > GAP_SHARE * cursor.lasted() {
            notes.push(Note::Jump { processor, superstep, gap: Seconds(seconds) });
        }
        if cursor.lacked.1 > 0 {
            notes.push(Note::Partners { processor, supersteps: cursor.lacked.1 });
        }
    }
    notes
}
