//! Profiles of streams, windows and threads are those of a plain sum over values in memory.

use std::collections::{BTreeMap, BTreeSet};

use cll_profile::{Costs, NodeKind, Profile};
use cll_trace::meta::Machine;
use proptest::prelude::*;

use crate::profile;
use crate::written::{Reported, Step, log};

/// The values of a node: its costs, sums of processors by metric, how often each was last.
#[derive(Clone, Debug, Default)]
struct Sum {
    costs: Costs,
    each: [BTreeMap<u32, f64>; 4],
    last: BTreeMap<u32, u64>,
}

/// By functions from the outermost on and, at the end, the lines of places; the beginnings of a path are the
/// nodes above it.
type Sums = BTreeMap<Vec<String>, Sum>;

/// The costs of nodes with what is below them: of a machine's own supersteps and its parts.
fn costs(reported: &[Reported], key: &str, sums: &mut Sums) -> BTreeMap<Vec<String>, Costs> {
    let machine_of =
        |log: &Reported| log.machines.iter().find(|machine| machine.key == key).cloned();
    let members: Vec<(u32, &Reported, Machine)> = (0u32..)
        .zip(reported)
        .filter_map(|(number, reported)| Some((number, reported, machine_of(reported)?)))
        .collect();
    let mut numbers: BTreeMap<u32, Vec<&Step>> = BTreeMap::new();
    for (_, reported, own) in &members {
        for step in reported.steps.iter().filter(|step| u32::from(step.machine) == own.id) {
            numbers.entry(step.number).or_default().push(step);
        }
    }
    let mut all: BTreeMap<Vec<String>, Costs> = BTreeMap::new();
    // Of supersteps of which not all tell nothing is counted.
    for steps in numbers.into_values().filter(|steps| steps.len() == members.len()) {
        let centre = centre(&members, &steps);
        let sum = sums.entry(centre.clone()).or_default();
        let mut costs = Costs { supersteps: 1.0, ..Costs::default() };
        let h = relation(&members, &steps);
        let values: Vec<[f64; 4]> = steps
            .iter()
            .zip(h)
            .map(|(s, h)| {
                let [a, b, c] = [s.computed, s.communicated, s.waited].map(|ns| ns as f64 * 1e-9);
                [a, b, c, h]
            })
            .collect();
        let count = members.len() as f64;
        for metric in 0..4 {
            let metric_values = || values.iter().map(|value| value[metric]);
            let summary = &mut costs.metrics[metric];
            summary.maximum = metric_values().fold(0.0, f64::max);
            summary.minimum = metric_values().fold(f64::INFINITY, f64::min);
            summary.average = metric_values().sum::<f64>() / count;
            for ((processor, ..), value) in members.iter().zip(metric_values()) {
                *sum.each[metric].entry(*processor).or_default() += value;
            }
        }
        let longest = steps.iter().map(|step| step.computed).max().unwrap();
        let differ = steps.iter().any(|step| step.computed != longest);
        for ((processor, ..), step) in members.iter().zip(&steps) {
            costs.idle_at_barrier += step.waited.min(longest - step.computed) as f64 * 1e-9 / count;
            // Of several that took as long none was the last.
            let alone = || steps.iter().filter(|step| step.computed == longest).count() == 1;
            let is_last = differ && step.computed == longest && alone();
            *sum.last.entry(*processor).or_default() += u64::from(is_last);
        }
        sum.costs += costs;
        (0..=centre.len()).for_each(|above| {
            *all.entry(centre[..above].to_vec()).or_default() += costs;
        });
    }
    let mut parts: BTreeMap<u32, BTreeMap<String, Machine>> = BTreeMap::new();
    for machine in reported.iter().flat_map(|reported| &reported.machines) {
        if machine.parent == key && machine.key != key {
            let within = parts.entry(machine.within as u32).or_default();
            within.insert(machine.key.clone(), machine.clone());
        }
    }
    for beside in parts.into_values() {
        let mut nodes: BTreeMap<Vec<String>, Vec<Costs>> = BTreeMap::new();
        for part in beside.into_values() {
            for (node, costs) in self::costs(reported, &part.key, sums) {
                let each =
                    nodes.entry(node).or_insert_with(|| vec![Costs::default(); reported.len()]);
                let own = part.first as usize..(part.first + part.nprocs) as usize;
                each[own].iter_mut().for_each(|entry| *entry += costs);
            }
        }
        let only = |members: &[(u32, &Reported, Machine)], each: Vec<Costs>| -> Vec<Costs> {
            members.iter().map(|(number, ..)| each[*number as usize]).collect()
        };
        for (node, each) in nodes {
            let each = only(&members, each);
            let most =
                |value_of: &dyn Fn(&Costs) -> f64| each.iter().map(value_of).fold(0.0, f64::max);
            let least = |value_of: &dyn Fn(&Costs) -> f64| {
                each.iter().map(value_of).fold(f64::INFINITY, f64::min)
            };
            let mean = |value_of: &dyn Fn(&Costs) -> f64| {
                each.iter().map(value_of).sum::<f64>() / each.len() as f64
            };
            let mut costs = Costs {
                supersteps: most(&|costs| costs.supersteps),
                idle_at_barrier: mean(&|costs| costs.idle_at_barrier),
                ..Costs::default()
            };
            for (metric, summary) in costs.metrics.iter_mut().enumerate() {
                summary.maximum = most(&|costs| costs.metrics[metric].maximum);
                summary.average = mean(&|costs| costs.metrics[metric].average);
                summary.minimum = least(&|costs| costs.metrics[metric].minimum);
            }
            *all.entry(node).or_default() += costs;
        }
    }
    all
}

/// The path of a superstep: functions that all came by, then the lines.
fn centre(members: &[(u32, &Reported, Machine)], steps: &[&Step]) -> Vec<String> {
    let points = members
        .iter()
        .zip(steps)
        .map(|((_, reported, _), s)| &reported.points[usize::from(s.point)]);
    let points: Vec<_> = points.collect();
    let functions = |index: usize| points[index].path.iter().rev().map(|&(_, function)| function);
    // The same way to an end is another one, below the same functions.
    let common = (0..points.len())
        .map(|index| functions(0).zip(functions(index)).take_while(|(a, b)| a == b).count())
        .min()
        .unwrap();
    let mut path: Vec<String> = functions(0)
        .take(common)
        .map(|function| if function == 0 { "main".to_owned() } else { format!("f{function}") })
        .collect();
    let lines: BTreeSet<u32> = points.iter().map(|point| point.line).collect();
    let end = if steps.iter().all(|step| step.end) { "end " } else { "" };
    path.push(format!("{end}{lines:?}"));
    path
}

/// h of each processor, bytes.
fn relation(members: &[(u32, &Reported, Machine)], steps: &[&Step]) -> Vec<f64> {
    let mut both = vec![(0u64, 0u64); members.len()];
    for (own, ((_, reported, _), step)) in members.iter().zip(steps).enumerate() {
        for &(partner, sent, got) in &reported.sets[step.set as usize] {
            let partner = partner as usize;
            if partner != own && partner < members.len() {
                both[own].0 += sent;
                both[own].1 += got;
                both[partner].0 += got;
                both[partner].1 += sent;
            }
        }
    }
    both.into_iter().map(|(sent, received)| sent.max(received) as f64).collect()
}

/// The same of a profile, with paths as above; without what came before the first superstep.
fn shown(profile: &Profile) -> BTreeMap<Vec<String>, Sum> {
    let mut all: BTreeMap<Vec<String>, Sum> = BTreeMap::new();
    for (index, node) in profile.nodes.iter().enumerate() {
        if node.kind == NodeKind::Start {
            continue;
        }
        let label = |ancestor: &usize| match &profile.nodes[*ancestor].kind {
            NodeKind::Centre { ends } => format!("{:?}", lines(ends)),
            NodeKind::End { ends } => format!("end {:?}", lines(ends)),
            other => other.label(),
        };
        let path: Vec<String> = profile.path(index)[1..].iter().map(label).collect();
        let sum = all.entry(path).or_default();
        sum.costs += node.costs;
        for (sums, each) in sum.each.iter_mut().zip(&node.each) {
            for (processor, value) in (0u32..).zip(each) {
                *sums.entry(processor).or_default() += value;
            }
        }
        for (processor, count) in (0u32..).zip(&node.last) {
            *sum.last.entry(processor).or_default() += count;
        }
    }
    all
}

fn lines(ends: &[cll_profile::End]) -> BTreeSet<u32> {
    ends.iter().map(|end| end.line).collect()
}

/// The supersteps of a made-up program.
#[derive(Clone, Debug)]
struct Made {
    processors: u32,
    /// Supersteps: place, place of the last processor, set; each so many times in turns.
    steps: Vec<(u16, u16, u32)>,
    repeat: usize,
    /// In every so manieth superstep the machine is divided there.
    divided: Option<(usize, u32)>,
    /// Supersteps that a processor does not tell at its end.
    early: Option<(u32, usize)>,
    /// Numbers that no superstep has, in front of this one.
    gap: (usize, u32),
    seed: u64,
}

const POINTS: u16 = 4;

impl Made {
    fn value(&self, pid: u32, step: usize, salt: u64) -> u64 {
        let mixed = (u64::from(pid) + 7 * step as u64 + 31 * salt + 1).wrapping_mul(self.seed | 1);
        // Distinct, so that who is last does not hang on rounding.
        (mixed.rotate_left(29) % 5_000) * 16 + u64::from(pid)
    }

    fn processor(&self, pid: u32) -> Reported {
        let count = self.steps.len() * self.repeat;
        let mut reported = Reported::new(pid, self.processors);
        for point in 0..u64::from(POINTS) {
            reported.point(10 + point as u32, &[point + 1, point % 2 + 5, 0]);
        }
        let partner = (pid + 1) % self.processors;
        reported.sets =
            (0..3).map(|set| vec![(partner, 100 * set * (u64::from(pid) + 1), 10 * set)]).collect();
        let mut shift = 0;
        for index in 0..count {
            let (own, of_last, set) = self.steps[index % self.steps.len()];
            let point = if pid + 1 == self.processors { of_last } else { own };
            shift += if index == self.gap.0 { self.gap.1 } else { 0 };
            let number = index as u32 + 1 + shift;
            let around = self.divided(pid, index, number, &mut reported);
            reported.steps.push(Step {
                number,
                point,
                around,
                computed: self.value(pid, index, 0),
                communicated: self.value(pid, index, 1),
                waited: self.value(pid, index, 2),
                set,
                end: index + 1 == count,
                ..Step::default()
            });
        }
        if let Some((processor, lacks)) = self.early
            && processor % self.processors == pid
        {
            // Up to a superstep of the whole machine.
            let keep = reported.steps.iter().filter(|step| step.machine == 0).count();
            let keep = keep.saturating_sub(lacks).max(1);
            let positions =
                (0..reported.steps.len()).filter(|&index| reported.steps[index].machine == 0);
            let behind = positions.clone().nth(keep - 1).unwrap() + 1;
            reported.steps.truncate(behind);
        }
        reported
    }

    /// Supersteps of the part that a processor is in, within a superstep: what they take.
    fn divided(&self, pid: u32, index: usize, number: u32, reported: &mut Reported) -> u64 {
        let Some((every, cut)) = self.divided else { return 0 };
        let cut = cut % self.processors;
        if index % every != every - 1 || cut == 0 {
            return 0;
        }
        let half = u32::from(pid >= cut);
        let (first, nprocs) = if half == 0 { (0, cut) } else { (cut, self.processors - cut) };
        let id = reported.machines.len() as u32;
        reported.machines.push(Machine {
            id,
            key: format!("{index}.{half}"),
            parent: "0".into(),
            within: number.into(),
            first,
            nprocs,
            pid: pid - first,
            ..Machine::default()
        });
        let mut took = 0;
        for step in 0..=half {
            let computed = self.value(pid, index, 3 + u64::from(step));
            let waited = self.value(pid, index, 5);
            let (machine, point) = (id as u16, half as u16 + 2);
            let set = step + 1;
            reported.steps.push(Step {
                machine,
                number: step + 1,
                point,
                computed,
                waited,
                set,
                ..Step::default()
            });
            took += computed + waited;
        }
        took
    }
}

fn strategy() -> impl Strategy<Value = Made> {
    let step = (0..POINTS, prop::sample::select(vec![None, None, Some(0), Some(3)]), 0u32..3)
        .prop_map(|(own, other, set)| (own, other.unwrap_or(own), set));
    (
        prop_oneof![2 => 1u32..11, 1 => 16u32..22],
        prop::collection::vec(step, 1..9),
        prop::sample::select(vec![1usize, 20, 200, 400]),
        prop::option::of((1usize..200, 0u32..10)),
        prop::option::of((0u32..10, 1usize..1500)),
        (0usize..2000, prop::sample::select(vec![0u32, 3, 5000])),
        any::<u64>(),
    )
        .prop_map(|(processors, steps, repeat, divided, early, gap, seed)| Made {
            processors,
            steps,
            repeat,
            // Tables of parts are long.
            divided: divided.map(|(every, cut)| (every.max(repeat / 8), cut)),
            early,
            gap,
            seed,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the windows, threads, parts and ends: the figures of each node are those of the equations.
    #[test]
    fn every_node_has_what_a_plain_sum_gives(made in strategy()) {
        let reported: Vec<Reported> = (0..made.processors).map(|pid| made.processor(pid)).collect();
        let bytes = log(&reported);
        let one = profile(&bytes, 1);
        for threads in [2, 3, 8] {
            prop_assert!(profile(&bytes, threads) == one, "{} threads", threads);
        }
        let mut own = Sums::new();
        let expected = costs(&reported, "0", &mut own);
        let found = shown(&one);
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 + 1e-9 * a.abs().max(b.abs());
        for (path, costs) in &expected {
            // The root has what came before the first superstep besides.
            if path.is_empty() {
                continue;
            }
            let Some(sum) = found.get(path) else { return Err(TestCaseError::fail(format!("{path:?}"))) };
            prop_assert!(near(sum.costs.supersteps, costs.supersteps), "{:?}: {:?} {:?}", path, sum, costs);
            prop_assert!(near(sum.costs.idle_at_barrier, costs.idle_at_barrier), "{:?}: {:?} {:?}", path, sum, costs);
            for (a, b) in sum.costs.metrics.iter().zip(&costs.metrics) {
                let all = near(a.maximum, b.maximum) && near(a.average, b.average) && near(a.minimum, b.minimum);
                prop_assert!(all, "{:?}: {:?} {:?}", path, sum.costs, costs);
            }
        }
        for (path, sum) in &own {
            let found = &found[path];
            for (processor, last) in &sum.last {
                prop_assert_eq!(found.last[processor], *last, "{:?}", path);
            }
            for (metric, each) in sum.each.iter().enumerate() {
                for (processor, value) in each {
                    prop_assert!(near(found.each[metric][processor], *value), "{:?} {}", path, metric);
                }
            }
        }
        // Nothing that no processor did: nodes beyond those are empty.
        for (path, sum) in &found {
            prop_assert!(path.is_empty() || expected.contains_key(path) || sum.costs == Costs::default(), "{:?}", path);
        }
    }
}
