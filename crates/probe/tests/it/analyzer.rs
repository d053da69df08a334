//! Rounds of the probes of memory and operations, and what they give.

use cll_fit::rounds::State;
use cll_launch::machine_state::{BestSeen, MachineObservation, Scheduler};
use cll_machine::Cache;
use cll_probe::analyzer::{AnalyzerRounds, Kernels, Parts, Plan, csv, evaluate};
use cll_units::Bytes;

use crate::world::{Printed, Silent, World, deviation, told};

const MEMORY: Parts = Parts { supersteps: false, memory: true, operations: false, mpi: false };
const ALL: Parts = Parts { operations: true, ..MEMORY };

fn plan(cores: u32) -> Plan {
    Plan { largest: 1 << 20, per_octave: 4, cores, page: 4096, knows_memory: true }
}

/// A machine with a cache of 32 KiB, in which an access takes 1.25 ns, and memory with 8 ns; a process starts in 50 µs.
fn output(launch: usize, program: &str, words: &[String]) -> String {
    let state = "2e-5 2e-5 0 1.0";
    let mut text = "a word of another\n".to_owned();
    for (index, word) in words.iter().skip(2).enumerate() {
        let off = deviation(launch * 1000 + index, 2e-3);
        let parts: Vec<&str> = word.split(':').collect();
        match (program, &parts[..]) {
            ("memory", [pages @ ("large" | "small"), stride, bytes]) => {
                let time = if bytes.parse::<u64>().unwrap() <= 32 << 10 { 1.25 } else { 8.0 };
                text +=
                    &format!("sample latency {pages} {stride} {bytes} 1 {} {state}\n", time * off);
            }
            ("operations", ["process"]) => {
                text += &format!("sample process start 0 0 1 {} {state}\n", 5e4 * off);
            }
            _ => {}
        }
    }
    text + "end\n"
}

fn rounds(kernels: &Kernels, parts: Parts, quick: bool) -> AnalyzerRounds<'_> {
    AnalyzerRounds {
        kernels,
        scheduler: Scheduler::Ordinary,
        plan: plan(2).launches(parts, quick),
        budget: 1e6,
        quick,
        seed: 7,
        samples: Vec::new(),
        seen: Vec::new(),
        done: 0,
        missing: Vec::new(),
    }
}

fn kernels() -> Kernels {
    Kernels::build(&[], &mut Silent::default()).unwrap()
}

#[test]
fn the_levels_of_a_machine_are_found_in_its_samples() {
    let (kernels, mut silent) = (kernels(), Silent::default());
    let mut rounds = rounds(&kernels, ALL, true);
    let mut world = World::new(|launch, program: &str, words: Vec<String>| {
        Printed::text(output(launch, program, &words))
    });
    rounds.measure(&mut world, &mut silent).unwrap();
    // Memory, bandwidth of one core and of two, operations: three times.
    assert_eq!((rounds.done, world.launches, rounds.seen.len()), (3, 12, 3));
    assert_eq!(
        silent.messages.borrow().iter().filter(|text| text.contains("bandwidth, 2 cores")).count(),
        3
    );
    assert_eq!(csv(&rounds.samples).lines().count(), 1 + rounds.samples.len());
    let caches = [Cache { name: "L1".to_owned(), bytes: Bytes(32 << 10) }];
    let evaluation = evaluate(&rounds, BestSeen::default(), (ALL, plan(2)), &caches, 12.0);
    assert_eq!(evaluation.judgement.state, State::Quiet);
    let levels = &evaluation.analyzed.memory.levels;
    assert_eq!(levels.len(), 2, "{levels:?}");
    assert!((levels[0].latency.value / 1.25e-9 - 1.0).abs() < 0.02, "{levels:?}");
    assert!((levels[1].latency.value / 8e-9 - 1.0).abs() < 0.02, "{levels:?}");
    assert!((evaluation.analyzed.process_start.unwrap().value / 5e-5 - 1.0).abs() < 0.01);
    assert!(evaluation.how.starts_with("memory and operations: 3 rounds (3 used) of 4 launches each in 12 s, seed 7; working sets of 4 KiB to 1 MiB"), "{}", evaluation.how);
}

#[test]
fn what_cannot_be_known_is_told() {
    let kernels = kernels();
    let mut rounds = rounds(&kernels, MEMORY, true);
    let mut world = World::new(|launch, program: &str, words: Vec<String>| {
        Printed::text(output(launch, program, &words) + "missing huge pages: forbidden\n")
    });
    rounds.measure(&mut world, &mut Silent::default()).unwrap();
    assert_eq!(rounds.missing, ["huge pages: forbidden"], "once");
    let caches = [Cache { name: "L3".to_owned(), bytes: Bytes(8 << 20) }];
    let plan = Plan { knows_memory: false, ..plan(1) };
    let missing =
        evaluate(&rounds, BestSeen::default(), (MEMORY, plan), &caches, 1.0).analyzed.missing;
    for part in [
        "huge pages: forbidden",
        "whether the last level is the memory: the largest working set is 1 MiB, and the system names a cache of 8 MiB",
        "how much memory is available: the system does not say it, so working sets are up to 1 MiB",
        "there is one core",
    ] {
        assert!(missing.iter().any(|text| text.contains(part)), "{part}: {missing:?}");
    }
}

/// The fourth and fifth round are disturbed: other programs ran, and all was slower.
#[test]
fn disturbed_rounds_are_not_used() {
    let kernels = kernels();
    let mut rounds = rounds(&kernels, MEMORY, false);
    let per_round = rounds.plan.len();
    let mut world = World::new(|launch, program: &str, words: Vec<String>| {
        let mut printed = Printed::text(output(launch, program, &words));
        if matches!(launch / per_round, 3 | 4) {
            printed.text = printed
                .text
                .replace(" 1 1.2", " 1 1.9")
                .replace(" 1 7.9", " 1 12.9")
                .replace(" 1 8.0", " 1 13.0");
            printed.seen =
                MachineObservation { involuntary: 300.0, waiting: Some(0.5), ..printed.seen };
        }
        printed
    });
    rounds.measure(&mut world, &mut Silent::default()).unwrap();
    assert!((6..=15).contains(&rounds.done), "{} rounds", rounds.done);
    let evaluation = evaluate(&rounds, BestSeen::default(), (MEMORY, plan(2)), &[], 1.0);
    assert_eq!(evaluation.judgement.state, State::Disturbed);
    assert!(
        !evaluation.judgement.used[3]
            && !evaluation.judgement.used[4]
            && evaluation.judgement.used[0],
        "{:?}",
        evaluation.judgement.used
    );
    let first = &evaluation.analyzed.memory.levels[0];
    assert!((first.latency.value / 1.25e-9 - 1.0).abs() < 0.02, "{first:?}");
}

#[test]
fn an_interrupt_keeps_whole_rounds_if_there_are_enough() {
    let kernels = kernels();
    for (interrupted_at, is_enough) in [(7, false), (13, true)] {
        let mut rounds = rounds(&kernels, MEMORY, false);
        let mut world = World::new(|launch, program: &str, words: Vec<String>| {
            // Times that differ, so that the intervals are not narrow.
            let text = output(launch, program, &words)
                .replace(" 1 1.2", &format!(" 1 {}.2", 1 + launch % 5));
            Printed { interrupted: launch == interrupted_at, ..Printed::text(text) }
        });
        let result = rounds.measure(&mut world, &mut Silent::default());
        let per_round = rounds.plan.len();
        let done = interrupted_at / per_round;
        assert_eq!((rounds.done, world.launches), (done, interrupted_at + 1));
        assert!(rounds.samples.iter().all(|sample| sample.round < done));
        if is_enough {
            assert!(result.is_ok())
        } else {
            assert_eq!(
                told(result).0,
                format!("interrupted after {done} of at least 3 rounds: nothing is written")
            )
        }
    }
}

#[test]
fn a_probe_that_fails_is_named_with_its_last_words() {
    let kernels = kernels();
    let mut rounds = rounds(&kernels, MEMORY, true);
    let mut world = World::new(|_, _: &str, _| Printed {
        raw_status: 11,
        ..Printed::text("no memory\nsample latency large 64 4096 1 1.0 0 0 0 1\n".to_owned())
    });
    let (message, help) = told(rounds.measure(&mut world, &mut Silent::default()));
    assert!(
        message.starts_with("the probe of ") && message.contains("signal 11 (SIGSEGV"),
        "{message}"
    );
    assert_eq!(help, ["it printed: no memory"]);
}
