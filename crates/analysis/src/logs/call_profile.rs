//! The calls of a run as a profile, for programs without supersteps: a tree of call paths whose leaves are calls of
//! MPI. The run counts as one superstep, so maximum, average and minimum are those of the processes' sums.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::Error;
use cll_calls::{Ledger, Overview, Slices, Summary};
use cll_profile::{
    Column, Costs, Frame, Metric, Node, NodeKind, Profile, Source, Summary as Spread, Supersteps,
    Traffic,
};
use cll_result::{MpiStats, NodeWaits};
use cll_units::Seconds;

use super::call_details::{CallNames, kind};
use super::calls::statistics;
use super::{opener, unusable};

/// A run as its page shows it.
#[derive(Clone, Debug)]
pub struct CallProfile {
    /// The tree; processors are ranks.
    pub profile: Profile,
    /// Slices of equal length; the node of each is the call that took most of it.
    pub slices: Supersteps,
    /// Their length.
    pub width: Seconds,
    /// Waiting of each node by kind.
    pub waits: Vec<NodeWaits>,
    /// As `cll mpi stats` prints them.
    pub stats: MpiStats,
    /// Notes that readers should know.
    pub notes: Vec<String>,
}

/// The profile of the logs of one run, whose tables were read.
///
/// # Errors
/// If a log cannot be read, or there are no calls in them.
pub fn call_profile(
    paths: &[PathBuf],
    mut surveys: Vec<Overview>,
    damage: Vec<String>,
) -> Result<CallProfile, Error> {
    let mut summary = Summary::with_ledger(&mut surveys, &mut opener(paths))
        .map_err(|error| unusable(&paths[0], &error))?;
    let ledger = summary.account.ledger.take();
    let (Some(ledger), true) = (ledger, summary.calls > 0) else {
        return Err(Error::content(format!("{}: it has no MPI calls", paths[0].display()))
            .advise("cll run --log records the calls of a program"));
    };
    let mut names = CallNames::new(&surveys);
    let mut tree = Tree::new(&surveys, summary.ranks);
    let leaves: Vec<Option<usize>> = (ledger.sites.iter().zip(&summary.account.sites))
        .map(|(site, total)| {
            let is_made = site.calls.iter().any(|&calls| calls > 0);
            let call = format!("MPI_{}", total.site.op.name());
            is_made.then(|| tree.leaf(call, names.frames_of(&total.site)))
        })
        .collect();
    tree.book(&ledger, &leaves);
    let slices = tree.slices(&ledger.slices, &leaves, &summary);
    let width = Seconds(ledger.slices.width_s);
    let silent = names.silent();
    let notes = notes(&summary, &silent);
    let program = surveys.first().map_or("", |overview| overview.process.program.as_str());
    // As the pages of supersteps have it.
    let program = program.rsplit('/').next().unwrap_or(program).to_owned();
    let source = Source::Calls { library: summary.library.clone(), waiting: summary.one_clock };
    let elapsed = summary.account.efficiency.map(|efficiency| efficiency.runtime);
    let elapsed = elapsed.unwrap_or_else(|| {
        summary.by_rank.iter().map(|rank| rank.time).fold(Seconds::ZERO, Seconds::max)
    });
    let stats = statistics(summary, &surveys, &mut names, damage);
    let (profile, waits) = tree.finish(&program, source, elapsed);
    Ok(CallProfile { profile, slices, width, waits, stats, notes })
}

fn notes(summary: &Summary, silent: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    let missing = summary.missing();
    if !missing.is_empty() {
        const SHOWN: usize = 8;
        let ranks: Vec<String> = missing.iter().take(SHOWN).map(u32::to_string).collect();
        let more = if missing.len() > SHOWN { ", …" } else { "" };
        notes.push(format!(
            "there is no log of rank {}{more}: it has no figures, and is in no average and no minimum",
            ranks.join(", ")
        ));
    }
    if !summary.one_clock {
        notes.push("the ranks ran on several hosts: waiting is not known".to_owned());
    }
    if summary.by_rank.iter().any(|rank| rank.threads > 1) {
        notes.push(
            "several threads called MPI: times of a rank are sums over its threads".to_owned(),
        );
    }
    if !silent.is_empty() {
        notes.push(format!("no symbols for {}: addresses stand for functions", silent.join(", ")));
    }
    notes
}

/// The values of each rank at a node: by [`Metric`], and waiting by kind.
#[derive(Default)]
struct Own {
    each: [Vec<f64>; 4],
    calls: f64,
    waits: Vec<Vec<f64>>,
}

/// The key that distinguishes a node from its siblings: the function or call, the file, and the line of a call.
type NodeKey = (usize, String, String, Option<u32>);

struct Tree {
    nodes: Vec<(NodeKind, Option<usize>)>,
    children: HashMap<NodeKey, usize>,
    own: Vec<Own>,
    kinds: Vec<&'static str>,
    /// The rank of each process.
    ranks: Vec<usize>,
    processors: usize,
}

impl Tree {
    fn new(surveys: &[Overview], ranks: u32) -> Tree {
        let rank = |survey: &Overview| survey.rank().map_or(0, |(rank, _)| rank as usize);
        let of: Vec<usize> = surveys.iter().map(rank).collect();
        let most = of.iter().max().map_or(0, |&rank| rank + 1);
        Tree {
            nodes: vec![(NodeKind::Program { name: String::new() }, None)],
            children: HashMap::new(),
            own: Vec::new(),
            kinds: Vec::new(),
            processors: most.max(ranks as usize),
            ranks: of,
        }
    }

    /// The node of a call, and those above it; `frames` are the functions that lead to it, the innermost first.
    fn leaf(&mut self, call: String, frames: Vec<Frame>) -> usize {
        let place = frames.first().map(|frame| (frame.file.clone(), frame.line));
        let (file, line) = place.unwrap_or_default();
        let mut node = 0;
        for frame in frames.into_iter().rev() {
            let key = (node, frame.function.clone(), frame.file.clone(), None);
            // Lines are those of the calls in it, which differ from path to path; the leaf has its own.
            node = self.child(key, NodeKind::Function(Frame { line: 0, ..frame }));
        }
        let key = (node, call.clone(), file.clone(), Some(line));
        self.child(key, NodeKind::Call { call, file, line })
    }

    fn child(&mut self, key: NodeKey, kind: NodeKind) -> usize {
        let next = self.nodes.len();
        let parent = key.0;
        let node = *self.children.entry(key).or_insert(next);
        if node == next {
            self.nodes.push((kind, Some(parent)));
        }
        node
    }

    /// Books the calls of each path at its leaf, and at all nodes above it.
    fn book(&mut self, ledger: &Ledger, leaves: &[Option<usize>]) {
        let mut kinds: Vec<_> =
            ledger.sites.iter().flat_map(|site| site.waits.iter().map(|wait| wait.0)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        self.kinds = kinds.iter().map(|&option| kind(option)).collect();
        let none = || vec![0.0; self.processors];
        self.own = (self.nodes.iter())
            .map(|_| Own {
                each: std::array::from_fn(|_| none()),
                calls: 0.0,
                waits: kinds.iter().map(|_| none()).collect(),
            })
            .collect();
        for (site, leaf) in ledger.sites.iter().zip(leaves) {
            let Some(leaf) = *leaf else { continue };
            let mut waited = vec![0.0; self.ranks.len()];
            for (_, each) in &site.waits {
                waited.iter_mut().zip(each).for_each(|(sum, own)| *sum += own);
            }
            let mut current = Some(leaf);
            while let Some(node) = current {
                current = self.nodes[node].1;
                let own = &mut self.own[node];
                own.calls += site.calls.iter().sum::<u64>() as f64;
                for (process, &rank) in self.ranks.iter().enumerate() {
                    let bytes = site.sent[process] + site.received[process];
                    let waited = waited[process];
                    own.each[Metric::Computation.index()][rank] += site.computed[process];
                    own.each[Metric::Communication.index()][rank] +=
                        (site.inside[process] - waited).max(0.0);
                    own.each[Metric::Idle.index()][rank] += waited;
                    own.each[Metric::HRelation.index()][rank] += bytes as f64;
                }
                for (kind, each) in &site.waits {
                    let index = kinds.binary_search(kind).unwrap_or(0);
                    for (process, &rank) in self.ranks.iter().enumerate() {
                        own.waits[index][rank] += each[process];
                    }
                }
            }
        }
    }

    /// Over the ranks that have a log.
    fn spread(&self, each: &[f64]) -> Spread {
        let values = || self.ranks.iter().map(|&rank| each[rank]);
        Spread {
            maximum: values().fold(0.0, f64::max),
            average: values().sum::<f64>() / self.ranks.len().max(1) as f64,
            minimum: values().fold(f64::INFINITY, f64::min).min(f64::MAX),
        }
    }

    fn slices(&self, recorded: &Slices, leaves: &[Option<usize>], summary: &Summary) -> Supersteps {
        let processes = self.ranks.len();
        let mut values: [Vec<f32>; 4] =
            std::array::from_fn(|_| vec![f32::NAN; recorded.count * self.processors]);
        let mut columns = Vec::new();
        for slice in 0..recorded.count {
            let own = &recorded.values[slice * processes..][..processes];
            let mut metrics = [Spread::default(); 4];
            for (metric, spread) in metrics.iter_mut().enumerate() {
                let mut each = vec![0.0; self.processors];
                for (own, &rank) in own.iter().zip(&self.ranks) {
                    each[rank] += own[metric];
                    values[metric][slice * self.processors + rank] = each[rank] as f32;
                }
                *spread = self.spread(&each);
            }
            // Of two that took equally long the first one, so that the page is always the same.
            let most = recorded.paths[slice]
                .iter()
                .max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)))
                .and_then(|(site, _)| *leaves.get(site.0 as usize)?);
            columns.push(Column { supersteps: 1, node: most, metrics });
        }
        let mut traffic = Traffic::new(self.processors);
        for transfer in &summary.account.traffic {
            let (from, to) = (transfer.from as usize, transfer.to as usize);
            if from < self.processors && to < self.processors {
                traffic.count(from, to, transfer.bytes.get());
            }
        }
        Supersteps { processors: self.processors, per_column: 1, columns, values, traffic }
    }

    fn finish(self, program: &str, source: Source, elapsed: Seconds) -> (Profile, Vec<NodeWaits>) {
        let waits = (self.kinds.iter().enumerate())
            .map(|(index, &kind)| NodeWaits {
                kind,
                nodes: self.own.iter().map(|own| self.spread(&own.waits[index])).collect(),
            })
            .collect();
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (child, (_, parent)) in self.nodes.iter().enumerate() {
            parent.iter().for_each(|&parent| children[parent].push(child));
        }
        let costs: Vec<Costs> = (self.own.iter())
            .map(|own| Costs {
                supersteps: own.calls,
                metrics: std::array::from_fn(|metric| self.spread(&own.each[metric])),
                idle_at_barrier: 0.0,
            })
            .collect();
        let nodes = (self.nodes.into_iter().zip(self.own).zip(children).zip(costs))
            .map(|((((kind, parent), own), children), costs)| Node {
                kind: match kind {
                    NodeKind::Program { .. } => NodeKind::Program { name: program.to_owned() },
                    kind => kind,
                },
                parent,
                children,
                costs,
                each: own.each,
                last: Vec::new(),
            })
            .collect();
        let processors = self.processors as u32;
        let profile = Profile { source, processors, elapsed, h_unit: 1, nodes, notes: Vec::new() };
        (profile, waits)
    }
}
