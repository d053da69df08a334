//! From classes of ranks to a program whose costs are functions of the variables.

use std::collections::BTreeMap;

use cll_calls::{CollectiveKind, Peer};
use cll_model::graph::{Action, CallStep, Collective, Completes, Cost, Needs, Step};
use cll_trace::layout::call::{Class as CallClass, Op};

use super::classes::{Class, Observation, Which};
use super::common::common;
use super::count::Count;
use super::growing::Points;
use super::machine::{PricedCall, Prices};
use super::passages::{Passages, bits};
use super::peers::PeerRule;
use super::run::Passed;
use super::structure::RankStep;
use super::timed::{Estimate, Shape, Timed};

/// The share of a run from which on a time has a formula of its own; below it is a line.
const MATTERS: f64 = 1e-3;
/// Below this share it is a constant.
const TINY: f64 = 1e-5;
/// So many sizes of messages must there be for a line by bytes.
const SIZES: usize = 3;
/// Sources of a node: computation, call with and without a wait.
const SOURCES: usize = 3;
/// A call waits for its receiver if it does so for more than this, in seconds.
const WAITS: f64 = 2e-5;

/// A call of a class of ranks, as a function of the variables.
#[derive(Clone, Debug)]
pub(super) struct NodeModel {
    pub(super) sample: Passed,
    pub(super) computed: Timed,
    pub(super) called: Timed,
    pub(super) bytes: Option<Count>,
    /// The mean of the bytes, if they have no formula.
    mean_bytes: f64,
    pub(super) to: Option<PeerRule>,
    pub(super) from: Option<PeerRule>,
    completes: Completes,
    collective: Option<(CollectiveKind, Option<u32>, Vec<u32>)>,
    /// Largest share of a run's time: computation, call.
    pub(super) share: (f64, f64),
}

/// A class of ranks, as a function of the variables.
#[derive(Clone, Debug)]
pub(super) struct ClassModel {
    pub(super) which: Which,
    pub(super) parts: Vec<RankStep>,
    pub(super) nodes: Vec<Option<NodeModel>>,
    pub(super) loops: Vec<Passages>,
    pub(super) begin: f64,
    /// The number of its first source.
    first: usize,
}

/// The program.
#[derive(Clone, Debug)]
pub(super) struct ProgramModel {
    /// The variables, then the number of processors.
    pub(super) names: Vec<String>,
    pub(super) classes: Vec<ClassModel>,
    pub(super) sources: usize,
    /// Sums of passages that ranks have in common.
    common: Vec<Count>,
    /// From so many bytes on a send waits for its receiver.
    pub(super) rendezvous: Option<f64>,
    pub(super) apart: bool,
}

/// The factors of times, to make parts of the program faster.
#[derive(Clone, Debug, PartialEq)]
pub struct MpiChange {
    /// The factor of calls.
    pub network: f64,
    /// The factor of computation.
    pub computation: f64,
    /// The factors of segments, by the numbers of the segments.
    pub segments: Vec<(u32, f64)>,
}

impl MpiChange {
    /// Whether nothing changes.
    pub fn is_none(&self) -> bool {
        (self.network, self.computation) == (1.0, 1.0) && self.segments.is_empty()
    }
}

/// The program at some sizes.
pub(super) struct Instance {
    pub(super) processes: Vec<Vec<Step>>,
    pub(super) begins: Vec<Cost>,
    /// Passages that ranks have in common.
    pub(super) common: Vec<f64>,
    /// By source.
    pub(super) estimates: Vec<Estimate>,
}

impl ProgramModel {
    /// From the classes. `runs_s` has the longest run's seconds by values.
    pub(super) fn new(
        names: Vec<String>,
        classes: &[Class],
        apart: bool,
        seconds: &BTreeMap<Vec<u64>, f64>,
        shape: &Shape,
    ) -> ProgramModel {
        let mut all = Vec::new();
        let mut sources = 0;
        let passages_of = |class: &Class| -> Vec<Passages> {
            (0..class.structure.loops).map(|number| passages(class, number, &names)).collect()
        };
        let mut loops: Vec<Vec<Passages>> = classes.iter().map(passages_of).collect();
        let common = common(classes, &mut loops, &names);
        for (class, loops) in classes.iter().zip(loops) {
            let node = |node: usize| NodeModel::new(class, node, &names, seconds, shape);
            let nodes: Vec<_> = (0..class.structure.nodes).map(node).collect();
            let begins: Vec<f64> =
                class.observations.iter().map(|observation| observation.begin).collect();
            all.push(ClassModel {
                which: class.which,
                parts: class.structure.parts.clone(),
                loops,
                begin: cll_statistics::median(begins).unwrap_or(0.0),
                first: sources,
                nodes,
            });
            sources += SOURCES * class.structure.nodes + 1;
        }
        let rendezvous = rendezvous(classes);
        ProgramModel { names, classes: all, sources, common, rendezvous, apart }
    }

    /// Why a segment that matters has no formula.
    pub(super) fn unknown_segment(&self) -> Option<&str> {
        let nodes = self.classes.iter().flat_map(|class| class.nodes.iter().flatten());
        let mut important = nodes.into_iter().filter(|node| node.share.0 >= MATTERS);
        important.find_map(|node| node.computed.unknown.as_deref())
    }

    /// The class of a rank. Where only two ranks were run, inner ranks are taken to be like the last one.
    fn class(&self, rank: u32, processors: u32) -> Option<&ClassModel> {
        let which = Which::from_rank(rank, processors, self.apart);
        let find_class = |which: Which| self.classes.iter().find(|class| class.which == which);
        find_class(which).or_else(|| find_class(Which::Last).filter(|_| which == Which::Middle))
    }

    /// The program at these values with so many processors.
    ///
    /// # Errors
    /// Why it is not known, in words.
    pub(super) fn instance_at(
        &self,
        values: &[f64],
        prices: Option<&Prices<'_>>,
        change: &MpiChange,
        numbers: &BTreeMap<usize, u32>,
    ) -> Result<Instance, String> {
        let processors = values.last().copied().unwrap_or(1.0) as u32;
        let mut estimates = vec![Estimate::default(); self.sources];
        let mut processes = Vec::new();
        let mut begins = Vec::new();
        for class in &self.classes {
            self.estimate(class, values, prices, change, numbers, &mut estimates);
        }
        for rank in 0..processors {
            let class =
                self.class(rank, processors).ok_or_else(|| self.unknown(rank, processors))?;
            let source = class.first + SOURCES * class.nodes.len();
            estimates[source] = Estimate { seconds: class.begin, ..Estimate::default() };
            begins.push(Cost { source, seconds: class.begin });
            let context =
                At { program: self, class, values, processors, rank, estimates: &estimates };
            processes.push(context.steps(&class.parts)?);
        }
        let common = self.common.iter().map(|count| count.value_at(values)).collect();
        Ok(Instance { processes, begins, common, estimates })
    }

    /// Why a rank is not known, and what to do.
    fn unknown(&self, rank: u32, processors: u32) -> String {
        let seen = match (self.apart, self.classes.len()) {
            (true, 1) => "the runs had 1 process each".to_owned(),
            (true, count) => format!("all runs had {count} processes"),
            (false, _) => "no run had inner ranks".to_owned(),
        };
        format!(
            "{seen}, so the runs do not show what rank {rank} of {processors} does: run several numbers of processes, such as \
             -n 2,3,4 (with --oversubscribe if there are fewer cores), or predict with the number that was run"
        )
    }

    fn estimate(
        &self,
        class: &ClassModel,
        values: &[f64],
        prices: Option<&Prices<'_>>,
        change: &MpiChange,
        numbers: &BTreeMap<usize, u32>,
        into: &mut [Estimate],
    ) {
        let scaled = |base: Estimate, factor: f64| Estimate {
            seconds: base.seconds * factor,
            half: base.half * factor,
            ..base
        };
        for (number, node) in class.nodes.iter().enumerate() {
            let Some(node) = node else { continue };
            let source = class.first + SOURCES * number;
            let own = numbers
                .get(&source)
                .and_then(|number| change.segments.iter().find(|(segment, _)| segment == number));
            let factor = change.computation * own.map_or(1.0, |(_, factor)| *factor);
            into[source] = scaled(node.computed.estimate_at(&self.names, values), factor);
            let bytes = node.bytes(values);
            let processors = values.last().copied().unwrap_or(1.0);
            let (waited, direct) =
                match prices.and_then(|prices| prices.cost(node.priced(), bytes, processors)) {
                    Some(known) => known,
                    None => {
                        let (names, point) = self.with_bytes(values, bytes);
                        let estimate = node.called.estimate_at(&names, &point);
                        (estimate, estimate)
                    }
                };
            into[source + 1] = scaled(waited, change.network);
            into[source + 2] = scaled(direct, change.network);
        }
    }

    fn with_bytes(&self, values: &[f64], bytes: f64) -> (Vec<String>, Vec<f64>) {
        let names = self.names.iter().cloned().chain(["bytes".to_owned()]).collect();
        (names, values.iter().copied().chain([bytes]).collect())
    }
}

impl ClassModel {
    /// The source of a node's computation.
    pub(super) fn source(&self, node: usize) -> usize {
        self.first + SOURCES * node
    }

    /// The passages of each node in a run.
    pub(super) fn times(&self, values: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.nodes.len()];
        self.count(&self.parts, 1.0, values, &mut all);
        all
    }

    fn count(&self, parts: &[RankStep], times: f64, values: &[f64], all: &mut [f64]) {
        for part in parts {
            match part {
                RankStep::Call { node, .. } => all[*node] = times,
                RankStep::Loop { number, body } => {
                    self.count(body, times * self.loops[*number].value_at(values), values, all);
                }
            }
        }
    }
}

fn passages(class: &Class, number: usize, names: &[String]) -> Passages {
    let mut by: BTreeMap<Vec<u64>, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for observation in &class.observations {
        let entry = by
            .entry(bits(&observation.values))
            .or_insert_with(|| (observation.values.clone(), Vec::new()));
        entry.1.push(observation.fitted.loops[number]);
    }
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len().max(1) as f64;
    let points: Vec<(Vec<f64>, f64)> =
        by.into_values().map(|(values, all)| (values, mean(&all))).collect();
    Count::new(names, &points).map_or(Passages::Nearest(points), Passages::Counted)
}

/// From so many bytes on sends wait for their receivers, as far as the runs show it.
fn rendezvous(classes: &[Class]) -> Option<f64> {
    let observations = classes.iter().flat_map(|class| &class.observations);
    let passed = observations.flat_map(|observation| observation.fitted.nodes.iter().flatten());
    let sends =
        passed.filter(|passage| passage.op.class() == CallClass::Send && passage.op != Op::Ssend);
    let waiting = sends.filter(|passage| waits_for_receiver(passage));
    waiting.map(Passed::bytes).min_by(f64::total_cmp)
}

impl NodeModel {
    fn new(
        class: &Class,
        node: usize,
        names: &[String],
        seconds: &BTreeMap<Vec<u64>, f64>,
        shape: &Shape,
    ) -> Option<NodeModel> {
        let all: Vec<(&Observation, &Passed)> = class
            .observations
            .iter()
            .filter_map(|observation| Some((observation, observation.node(node)?)))
            .collect();
        let sample = (*all.first()?.1).clone();
        let share = |time_of: fn(&Passed) -> f64| {
            let each = all.iter().map(|(observation, passed)| {
                let run = seconds.get(&bits(&observation.values)).copied().unwrap_or(f64::INFINITY);
                passed.times * time_of(passed) / run
            });
            each.fold(0.0, f64::max)
        };
        let share = (share(|passage| passage.computed), share(|passage| passage.called));
        let computed =
            gathered(&all, |observation, _| observation.values.clone(), |passage| passage.computed);
        let computed = match share.0 {
            tiny if tiny < TINY => Timed::constant(&computed),
            small if small < MATTERS => Timed::new(names, &computed, &Shape::Line),
            _ => Timed::new(names, &computed, shape),
        };
        let points: BTreeMap<Vec<u64>, (Vec<f64>, f64)> = all
            .iter()
            .map(|(observation, passed)| {
                (bits(&observation.values), (observation.values.clone(), passed.bytes()))
            })
            .collect();
        let points: Vec<(Vec<f64>, f64)> = points.into_values().collect();
        let mean_bytes =
            points.iter().map(|point| point.1).sum::<f64>() / points.len().max(1) as f64;
        let called = called(&all, names, share.1);
        let replies = all.iter().all(|(_, passed)| {
            passed.details.replies == passed.details.to.len() as u64 && passed.times > 1.0
        });
        let seen = |peers_of: fn(&Passed) -> &[Peer], replies: bool| -> Option<PeerRule> {
            let seen: Vec<(u32, u32, &[Peer])> = all
                .iter()
                .map(|(observation, passed)| {
                    (observation.processors, observation.rank, peers_of(passed))
                })
                .collect();
            let several =
                seen.iter().any(|entry| entry.2.windows(2).any(|pair| pair[0] != pair[1]));
            (!seen.iter().all(|entry| entry.2.is_empty()))
                .then(|| PeerRule::new(&seen, replies && several))
        };
        let completes = completes(all.iter().map(|(_, passed)| *passed));
        let collective = sample.details.collective.map(|kind| {
            let same = all.iter().all(|(_, passage)| passage.root == sample.root);
            (kind, sample.root.filter(|_| same), sample.details.members.clone())
        });
        Some(NodeModel {
            to: seen(|passage| &passage.details.to, replies),
            from: seen(|passage| &passage.details.from, false),
            bytes: Count::new(names, &points),
            sample,
            computed,
            called,
            mean_bytes,
            completes,
            collective,
            share,
        })
    }

    /// Bytes of a passage.
    pub(super) fn bytes(&self, values: &[f64]) -> f64 {
        self.bytes.as_ref().map_or(self.mean_bytes, |bytes| bytes.value_at(values).max(0.0))
    }

    /// Returns the properties that determine the node's price.
    pub(super) fn priced(&self) -> PricedCall {
        let receives = self.sample.details.received > 0;
        PricedCall { op: self.sample.op, is_begun: self.is_begun(), receives }
    }

    /// Whether it only begins messages.
    pub(super) fn is_begun(&self) -> bool {
        is_begun(self.sample.op)
    }
}

/// Whether a call only begins messages.
pub(super) fn is_begun(op: Op) -> bool {
    match op.class() {
        CallClass::Send | CallClass::Receive => op.has_request(),
        CallClass::Request | CallClass::Wait => true,
        _ => false,
    }
}

/// Which requests a call completes, by what was seen of it.
pub(super) fn completes<'p>(seen: impl Iterator<Item = &'p Passed> + Clone) -> Completes {
    let all_done = seen.clone().all(|passage| passage.details.done_all as f64 >= passage.times);
    let done = seen.map(|passage| passage.details.done as f64 / passage.times);
    let done = done.fold(0.0, f64::max).round() as usize;
    match (done, all_done) {
        (0, _) => Completes::None,
        (_, true) => Completes::All,
        (count, false) => Completes::Oldest(count),
    }
}

/// The collective of these members (empty: all) with this root, a rank among them.
pub(super) fn collective(kind: CollectiveKind, root: Option<u32>, members: &[u32]) -> Collective {
    let members: Vec<usize> = members.iter().map(|&rank| rank as usize).collect();
    let root = root.map(|root| members.get(root as usize).copied().unwrap_or(root as usize));
    let needs = match (kind, root) {
        (CollectiveKind::FromRoot, Some(root)) => Needs::Root(root),
        (CollectiveKind::ToRoot, Some(root)) => Needs::AtRoot(root),
        (CollectiveKind::Prefix, _) => Needs::Before,
        (CollectiveKind::Neighbours, _) => Needs::None,
        _ => Needs::All,
    };
    Collective { members, needs }
}

/// Whether a send waits for its receiver, by what was seen of it.
pub(super) fn waits_for_receiver(passed: &Passed) -> bool {
    passed.waited > WAITS.max(passed.called)
}

/// Points of observations.
fn gathered(
    all: &[(&Observation, &Passed)],
    point_of: impl Fn(&Observation, &Passed) -> Vec<f64>,
    time_of: impl Fn(&Passed) -> f64,
) -> Points {
    let mut by: BTreeMap<Vec<u64>, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for (observation, passed) in all {
        let values = point_of(observation, passed);
        by.entry(bits(&values)).or_insert_with(|| (values, Vec::new())).1.push(time_of(passed));
    }
    by.into_values().collect()
}

/// The time in a call without waiting: by bytes if there are several sizes.
fn called(all: &[(&Observation, &Passed)], names: &[String], share: f64) -> Timed {
    let by_bytes = gathered(all, |_, passed| vec![passed.bytes()], |passage| passage.called);
    let count = |value_of: fn(&Observation) -> f64| {
        let mut list: Vec<u64> =
            all.iter().map(|(observation, _)| value_of(observation).to_bits()).collect();
        list.sort_unstable();
        list.dedup();
        list.len()
    };
    let processors = count(|observation| f64::from(observation.processors));
    let size = "bytes".to_owned();
    match (by_bytes.len(), processors) {
        _ if share < TINY => Timed::constant(&by_bytes),
        (sizes, 1 | 2) if sizes >= SIZES => Timed::new(&[size], &by_bytes, &Shape::Line),
        (sizes, _) if sizes >= SIZES => {
            let point_of = |sample: &Observation, passed: &Passed| {
                vec![f64::from(sample.processors), passed.bytes()]
            };
            let points = gathered(all, point_of, |passage| passage.called);
            Timed::new(&["P".to_owned(), size], &points, &Shape::Searched)
        }
        _ => {
            let points = gathered(
                all,
                |observation, _| observation.values.clone(),
                |passage| passage.called,
            );
            if share < MATTERS {
                Timed::constant(&points)
            } else {
                Timed::new(names, &points, &Shape::Searched)
            }
        }
    }
}

/// A rank at some sizes.
struct At<'a> {
    program: &'a ProgramModel,
    class: &'a ClassModel,
    values: &'a [f64],
    processors: u32,
    rank: u32,
    estimates: &'a [Estimate],
}

impl At<'_> {
    fn steps(&self, parts: &[RankStep]) -> Result<Vec<Step>, String> {
        let mut steps = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                RankStep::Loop { number, body } => {
                    let passages = self.class.loops[*number].repeated(self.values);
                    steps.push(Step::Repeat { passages, body: self.steps(body)? });
                }
                RankStep::Call { node, .. } => {
                    let Some(model) = &self.class.nodes[*node] else { continue };
                    steps.push(Step::Call(Box::new(self.call(*node, model)?)));
                }
            }
        }
        Ok(steps)
    }

    fn call(&self, node: usize, model: &NodeModel) -> Result<CallStep, String> {
        let first = self.class.source(node);
        let cost = |source: usize| Cost { source, seconds: self.estimates[source].seconds };
        Ok(CallStep {
            node,
            computed: cost(first),
            waited: cost(first + 1),
            direct: cost(first + 2),
            action: self.action(model)?,
            is_beside: false,
        })
    }

    fn action(&self, model: &NodeModel) -> Result<Action, String> {
        let op = model.sample.op;
        let peers = |rule: &Option<PeerRule>| {
            match rule {
            None => Ok(Vec::new()),
            Some(rule) => rule.partners(self.processors, self.rank).ok_or_else(|| {
                format!(
                    "whom rank {} of {} communicates with in MPI_{} does not follow from the runs: runs with more numbers of \
                     processes may show it",
                    self.rank,
                    self.processors,
                    op.name()
                )
            }),
        }
        };
        let bytes = model.bytes(self.values);
        let is_rendezvous = match op.plain() {
            Op::Ssend => true,
            Op::Bsend => false,
            _ => self.program.rendezvous.is_some_and(|limit| bytes >= limit),
        };
        let collective = match &model.collective {
            None => None,
            Some((kind, root, members)) => {
                Some(self.collective(*kind, *root, members, op.name())?)
            }
        };
        Ok(Action {
            to: peers(&model.to)?,
            from: peers(&model.from)?,
            is_begun: model.is_begun(),
            is_rendezvous,
            is_probe: op.class() == CallClass::Probe,
            completes: model.completes,
            collective,
        })
    }

    fn collective(
        &self,
        kind: CollectiveKind,
        root: Option<u32>,
        members: &[u32],
        name: &str,
    ) -> Result<Collective, String> {
        let seen = |which: &Which| matches!(which, Which::Rank(_));
        if !members.is_empty() && !seen(&self.class.which) {
            return Err(format!(
                "MPI_{name} is of some ranks only, which are known for the runs alone"
            ));
        }
        Ok(collective(kind, root, members))
    }
}
