//! The figures of known logs.

use cll_machine::{ClassicCost, Uncertain};
use cll_profile::critical::{Ranking, critical};
use cll_profile::{Graph, Metric, NodeKind, Profile, price};
use cll_trace::meta::Machine;
use cll_units::ProcessorId;
use proptest::prelude::*;

use crate::profile;
use crate::written::{Reported, Step, log};

fn node<'a>(profile: &'a Profile, path: &str) -> &'a cll_profile::Node {
    let number = (0..profile.nodes.len()).find(|&index| {
        let labels: Vec<String> = profile
            .path(index)
            .iter()
            .map(|&ancestor| profile.nodes[ancestor].kind.label())
            .collect();
        labels[1..].join("/") == path
    });
    match number {
        Some(index) => &profile.nodes[index],
        None => {
            panic!("{path}: {:?}", profile.nodes.iter().map(|n| n.kind.label()).collect::<Vec<_>>())
        }
    }
}

/// 250 broadcasts in one superstep from f1, 250 from f2, and 500 in two from f2: figure 3 at p = 16.
fn broadcasts(n: u64) -> Vec<Reported> {
    const P: u32 = 16;
    let processor = |pid: u32| {
        let mut reported = Reported::new(pid, P);
        let from_foo = reported.point(16, &[10, 1, 0]);
        let from_bar = reported.point(16, &[10, 2, 0]);
        let first = reported.point(34, &[20, 2, 0]);
        let second = reported.point(41, &[20, 2, 0]);
        let end = reported.point(50, &[0]);
        let others = || (0..P).filter(|&other| other != pid);
        let root = |bytes: u64| match pid {
            0 => others().map(|other| (other, bytes, 0)).collect(),
            _ => Vec::new(),
        };
        reported.sets =
            vec![root(n), root(n / 16), others().map(|o| (o, n / 16, 0)).collect(), vec![]];
        let mut number = 0;
        let mut step = |point, set, end| {
            number += 1;
            let computed = 1000 + 100 * u64::from(pid);
            reported.steps.push(Step {
                number,
                point,
                set,
                end,
                computed,
                communicated: 50,
                waited: 1500 - 100 * u64::from(pid),
                ..Step::default()
            });
        };
        (0..250).for_each(|_| step(from_foo, 0, false));
        (0..250).for_each(|_| step(from_bar, 0, false));
        for _ in 0..500 {
            step(first, 1, false);
            step(second, 2, false);
        }
        step(end, 3, true);
        reported
    };
    (0..P).map(processor).collect()
}

#[test]
fn the_broadcasts_of_figure_3() {
    let n = 16_000;
    let profile = profile(&log(&broadcasts(n)), 2);
    let first = node(&profile, "main/f1/f10/a.c:16");
    let h = first.costs.summary(Metric::HRelation);
    assert_eq!((first.costs.supersteps, h.maximum), (250.0, 250.0 * 15.0 * n as f64));
    assert_eq!(h.balance(), "(12% | 7%)");
    let second = node(&profile, "main/f2/f20/a.c:41");
    assert_eq!(second.costs.summary(Metric::HRelation).balance(), "(100% | 100%)");
    assert_eq!(second.costs.summary(Metric::HRelation).maximum, 500.0 * 15.0 * (n / 16) as f64);
    // What is kept apart for two callers is one function in the graph.
    let graph = Graph::new(&profile);
    let one_stage = graph.nodes.iter().position(|node| node.kind.label() == "f10").unwrap();
    assert_eq!(graph.nodes[one_stage].costs.supersteps, 500.0);
    let shares: Vec<f64> = graph
        .edges
        .iter()
        .filter(|edge| edge.to == one_stage)
        .map(|edge| edge.shares[Metric::HRelation.index()])
        .collect();
    assert_eq!(shares, [0.5, 0.5]);
    // Longest computation: always processor 15, which the others wait for.
    let root = profile.root();
    assert_eq!(root.last.iter().filter(|&&last| last > 0).count(), 1);
    assert_eq!(root.last[15], 1501);
    assert!((profile.steadiness(0, Metric::Idle) - 1.0).abs() < 1e-12);
    let idle = root.costs.summary(Metric::Idle);
    assert!((root.costs.idle_at_barrier - idle.average).abs() < 1e-9);
    let path = critical(&profile, Ranking::Imbalance(Metric::HRelation)).path;
    let labels: Vec<String> = path.iter().map(|&index| profile.nodes[index].kind.label()).collect();
    // f2 has the first of the two stages besides.
    assert_eq!(labels, ["program", "main", "f2", "f10", "a.c:16"]);
}

#[test]
fn communication_as_on_a_machine_is_g_h_and_l() {
    let profile = profile(&log(&broadcasts(16_000)), 1);
    let exactly = |value| Uncertain { value, low: value, high: value };
    let costs = ClassicCost {
        g: exactly(1e-6),
        calls: None,
        l: exactly(1e-3),
        rate: None,
        substitutions: Vec::new(),
    };
    let priced = price(&profile, &costs);
    let h = profile.root().costs.summary(Metric::HRelation).maximum;
    // The end synchronises nothing.
    assert!((priced.nodes[0].value - (h * 1e-6 + 1500.0 * 1e-3)).abs() < 1e-9);
    let measured = profile.root().costs.summary(Metric::Communication).maximum;
    assert_eq!(priced.measured.get(), measured);
    // In place of what was measured; computation stays.
    let before = profile.root().costs;
    let on = profile.as_on(&costs);
    for (node, predicted) in on.nodes.iter().zip(&priced.nodes) {
        let own = node.costs.summary(Metric::Communication);
        assert!((own.maximum - predicted.value).abs() < 1e-9);
        assert!(own.minimum <= own.average && own.average <= own.maximum);
    }
    assert_eq!(on.root().costs.summary(Metric::Computation), before.summary(Metric::Computation));
    // Processor 0 sends everything.
    let each = &on.root().each[Metric::Communication.index()];
    assert!(each[0] > 5.0 * (each[1] - 1500.0 * 1e-3), "{each:?}");
}

#[test]
fn words_are_four_bytes() {
    let bytes = profile(&log(&broadcasts(16_000)), 1);
    let h = bytes.root().costs.summary(Metric::HRelation).maximum;
    let words = bytes.in_words();
    assert_eq!((words.root().costs.summary(Metric::HRelation).maximum, words.h_unit), (h / 4.0, 4));
}

#[test]
fn supersteps_that_end_at_different_places_are_one_centre() {
    let processor = |pid: u32| {
        let mut reported = Reported::new(pid, 2);
        let own = reported.point(22 + 13 * pid, &[u64::from(pid) + 1, 0]);
        let end = reported.point(40, &[0]);
        reported.sets = vec![vec![]];
        reported.steps = vec![
            Step { number: 1, point: own, computed: 10, ..Step::default() },
            Step { number: 2, point: end, computed: 10, end: true, ..Step::default() },
        ];
        reported
    };
    let profile = profile(&log(&[processor(0), processor(1)]), 1);
    let centre = node(&profile, "main/a.c:22, 35");
    let NodeKind::Centre { ends } = &centre.kind else { panic!("{:?}", centre.kind) };
    assert_eq!(
        (&ends[0].processors[..], &ends[1].processors[..]),
        (&[ProcessorId(0)][..], &[ProcessorId(1)][..])
    );
    assert_eq!((&ends[0].through[..], ends[1].line), (&["f1".to_owned()][..], 35));
    assert_eq!(centre.costs.supersteps, 1.0);
}

/// Two halves that go their own ways within the first superstep of all.
fn divided() -> Vec<Reported> {
    let processor = |pid: u32| {
        let mut reported = Reported::new(pid, 4);
        let half = pid / 2;
        let key = format!("{}", half + 1);
        reported.machines.push(Machine {
            id: 1,
            key,
            parent: "0".into(),
            within: 1,
            first: half * 2,
            nprocs: 2,
            pid: pid % 2,
            ..Machine::default()
        });
        let own = reported.point(10 + half, &[1, 0]);
        let all = reported.point(20, &[0]);
        reported.sets = vec![vec![], vec![(1 - pid % 2, 100, 0)]];
        // The first half has two supersteps, the second one that is long.
        let computed = [1000, 3000, 5000, 5000][pid as usize];
        let of_half = Step { machine: 1, point: own, set: 1, ..Step::default() };
        reported.steps.push(Step { number: 1, computed, waited: 5000 - computed, ..of_half });
        if half == 0 {
            reported.steps.push(Step { number: 2, computed: 2000, ..of_half });
        } else {
            reported.steps.push(Step { number: 2, computed: 500, end: true, ..of_half });
        }
        let within: u64 = reported.steps.iter().map(|step| step.computed + step.waited).sum();
        // The superstep of all has its parts in its computation: 7000 in all.
        reported.steps.push(Step { number: 1, point: all, computed: 7000, ..Step::default() });
        reported.steps.push(Step { number: 2, point: all, end: true, ..Step::default() });
        assert!(within <= 7000);
        reported
    };
    (0..4).map(processor).collect()
}

/// As a program writes it: the parts lie within the computation of the superstep around them.
fn divided_log() -> Vec<u8> {
    use cll_trace::layout::SuperstepRecord;
    let reported = divided();
    let mut bytes = log(&reported);
    // The record of all begins where the parts began: found by its computation, and set back.
    let mut offset = 0;
    while offset + 40 <= bytes.len() {
        let chunk: [u8; 40] = bytes[offset..offset + 40].try_into().unwrap();
        let record = SuperstepRecord::decode(&chunk);
        if record.machine == 0
            && record.flags == 0
            && record.number == 1
            && record.entered.wrapping_sub(record.start) == 7000
        {
            let moved = SuperstepRecord { start: 1000, entered: 8000, end: 8000, ..record };
            bytes[offset..offset + 40].copy_from_slice(&moved.encode());
            offset += 40;
        } else {
            offset += 8;
        }
    }
    unseal(&mut bytes);
    bytes
}

/// Checksums of blocks that were changed are no more: as if they had never been sealed.
fn unseal(bytes: &mut [u8]) {
    use cll_trace::layout::{BlockHeader, FLAG_SEALED, HEADER_SIZE};
    let mut offset = 0;
    while let Some(header) = BlockHeader::decode(&bytes[offset..]) {
        let flags = header.flags & !FLAG_SEALED;
        let open = BlockHeader { flags, payload_crc: 0, header_crc: 0, ..header };
        bytes[offset..offset + HEADER_SIZE].copy_from_slice(&open.encode());
        offset += header.capacity as usize;
        if offset >= bytes.len() {
            return;
        }
    }
}

#[test]
fn parts_are_combined_by_processor_and_count_once() {
    let profile = profile(&divided_log(), 1);
    let computation = |path: &str| *node(&profile, path).costs.summary(Metric::Computation);
    // Half 0: max(1000, 3000) + 2000 = 5000; half 1: 5000, and its end 500.
    let first = computation("main/f1/a.c:10");
    assert_close(first.maximum, 5000.0);
    assert_close(first.average, (1000.0 + 3000.0 + 2.0 * 2000.0) / 4.0);
    assert_close(first.minimum, 0.0);
    // Side by side: the most of a processor's own part, no sum.
    let both = computation("main/f1");
    assert_close(both.maximum, 5500.0);
    assert_close(both.average, (8000.0 + 2.0 * 5500.0) / 4.0);
    // What the halves took is no computation of the whole: 7000 less 7000, and less 5500.
    let all = computation("main/a.c:20");
    assert_close(all.maximum, 1500.0);
    assert_eq!(node(&profile, "main/f1").costs.supersteps, 2.0);
    // No processor has more than the time that passed.
    for pid in 0..4 {
        let spent: f64 = (0..3).map(|metric| profile.root().each[metric][pid]).sum();
        assert!(spent <= profile.elapsed.get() * (1.0 + 1e-9), "{spent} {:?}", profile.elapsed);
    }
    adds_up(&profile, true);
}

fn assert_close(seconds: f64, nanoseconds: f64) {
    assert!((seconds * 1e9 - nanoseconds).abs() < 1e-3, "{seconds} {nanoseconds}");
}

/// Every node is its children: averages and sums of processors always, maxima without parts.
fn adds_up(profile: &Profile, parts: bool) {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (a.abs() + b.abs()) + 1e-15;
    for node in profile.nodes.iter().filter(|node| !node.children.is_empty()) {
        for metric in Metric::ALL {
            let below = |value_of: &dyn Fn(&cll_profile::Node) -> f64| {
                node.children.iter().map(|&child| value_of(&profile.nodes[child])).sum::<f64>()
            };
            let summary = node.costs.summary(metric);
            assert!(
                near(summary.average, below(&|n| n.costs.summary(metric).average)),
                "{metric:?}"
            );
            for pid in 0..profile.processors as usize {
                let index = metric.index();
                assert!(near(node.each[index][pid], below(&|n| n.each[index][pid])));
            }
            if !parts {
                assert!(near(summary.maximum, below(&|n| n.costs.summary(metric).maximum)));
                assert!(near(summary.minimum, below(&|n| n.costs.summary(metric).minimum)));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the log, the streamed profile is that of the equations, with any number of threads.
    #[test]
    fn figures_are_those_of_the_equations(
        processors in 1u32..6,
        steps in prop::collection::vec((0u64..4, 0u64..10_000, 0u32..3), 1..40),
        seed in any::<u64>(),
        repeat in prop::sample::select(vec![1usize, 1, 300]),
    ) {
        let steps: Vec<_> = steps.iter().copied().cycle().take(steps.len() * repeat).collect();
        let value = |pid: u32, k: usize, of: u64| {
            let mixed = (u64::from(pid) + 7 * k as u64 + 31 * of + 1).wrapping_mul(seed | 1);
            mixed.rotate_left(29) % 5_000
        };
        let reported: Vec<Reported> = (0..processors).map(|pid| {
            let mut reported = Reported::new(pid, processors);
            let points: Vec<u16> =
                (0..4).map(|f| reported.point(10 + f as u32, &[f + 1, f % 2 + 5, 0])).collect();
            let partner = (pid + 1) % processors;
            reported.sets = (0..3).map(|set| vec![(partner, 100 * set * (u64::from(pid) + 1), 10 * set)]).collect();
            for (k, &(f, computed, set)) in steps.iter().enumerate() {
                reported.steps.push(Step {
                    number: k as u32 + 1,
                    point: points[f as usize],
                    computed: computed + value(pid, k, 0),
                    communicated: value(pid, k, 1),
                    waited: value(pid, k, 2),
                    set,
                    end: k + 1 == steps.len(),
                    ..Step::default()
                });
            }
            reported
        }).collect();
        let bytes = log(&reported);
        let single = profile(&bytes, 1);
        let triple = profile(&bytes, 3);
        let mut maximum = [0.0f64; 3];
        let mut minimum = [0.0f64; 3];
        for k in 0..steps.len() {
            let all = |metric: usize| reported.iter().map(move |processor| {
                let step = processor.steps[k];
                [step.computed, step.communicated, step.waited][metric] as f64 * 1e-9
            });
            for metric in 0..3 {
                maximum[metric] += all(metric).fold(0.0, f64::max);
                minimum[metric] += all(metric).fold(f64::INFINITY, f64::min);
            }
        }
        for metric in 0..3 {
            let account = single.root().costs.metrics[metric];
            prop_assert!((account.maximum - maximum[metric]).abs() < 1e-9 + 1e-6 * maximum[metric]);
            prop_assert!((account.minimum - minimum[metric]).abs() < 1e-9 + 1e-6 * maximum[metric]);
            let other = triple.root().costs.metrics[metric];
            prop_assert!((account.average - other.average).abs() < 1e-12 + 1e-9 * maximum[metric]);
        }
        let h: f64 = steps.iter().map(|&(_, _, set)| {
            if processors == 1 { return 0.0 }
            (0..u64::from(processors)).map(|pid| {
                let before = (pid + u64::from(processors) - 1) % u64::from(processors);
                let sent = 100 * u64::from(set) * (pid + 1) + 10 * u64::from(set);
                let received = 100 * u64::from(set) * (before + 1) + 10 * u64::from(set);
                sent.max(received)
            }).max().unwrap() as f64
        }).sum();
        prop_assert_eq!(single.root().costs.summary(Metric::HRelation).maximum, h);
        prop_assert_eq!(triple.root().costs.summary(Metric::HRelation).maximum, h);
        adds_up(&single, false);
    }
}
