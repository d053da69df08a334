//! Rounds of the probes of supersteps, and their samples.

use cll_contract::Engine;
use cll_launch::machine_state::{MachineObservation, Scheduler};
use cll_machine::{Pattern, Synchronisation};
use cll_probe::messages;
use cll_probe::supersteps::{
    Launches, MIN_ROUNDS, Programs, Rounds, Sizes, csv, launches, measured, seen, table,
};

use crate::world::{Printed, Silent, World, deviation, told};

/// Supersteps of 500 ns + 1 ns a byte, and empty ones of 60 ns.
fn output(launch: usize, words: &[String]) -> String {
    let mut text =
        "rate 2e9\nempty barrier 64 60\nempty barrier 64 61\nempty oblivious 64 40\n".to_owned();
    for (index, word) in words.iter().skip(3).enumerate() {
        let (pattern, bytes) = word.split_once(':').unwrap();
        let h: f64 = bytes.parse().unwrap();
        let time = (500.0 + h) * deviation(launch * 1000 + index, 1e-2);
        text += &format!(
            "sample {pattern} {h} {h} {} 31 {time} {} {} 30 20\n",
            2.0 * h,
            0.9 * time,
            1.1 * time
        );
    }
    text
}

fn rounds(engines: &[Engine]) -> Rounds<'static> {
    // It lives as long as the test.
    let programs: &'static Programs =
        Box::leak(Box::new(Programs::build(&[], &mut Silent::default()).unwrap()));
    Rounds {
        launches: Launches { programs, scheduler: Scheduler::Ordinary },
        plan: launches(engines, 2, 4),
        sizes: Sizes { largest: 4096, per_octave: 2 },
        budget: 1e6,
        most_rounds: MIN_ROUNDS,
        seed: 7,
        must_run: false,
        completed: Vec::new(),
        done: 0,
        missing: Vec::new(),
    }
}

#[test]
fn every_launch_is_made_once_in_each_round() {
    let mut rounds = rounds(&[Engine::Processes, Engine::Threads]);
    let per_round = rounds.plan.len();
    let mut order = Vec::new();
    let mut world = World::new(|launch, program: &str, words: Vec<String>| {
        order.push((program.to_owned(), words.len()));
        Printed::text(output(launch, &words))
    });
    rounds.measure(&mut world, &mut Silent::default()).unwrap();
    assert_eq!(
        (rounds.done, world.launches, rounds.completed.len()),
        (3, 3 * per_round, 3 * per_round)
    );
    let sorted = |round: usize| {
        let mut all = order[round * per_round..(round + 1) * per_round].to_vec();
        all.sort();
        all
    };
    assert_eq!(sorted(0), sorted(1));
    assert_ne!(order[..per_round], order[per_round..2 * per_round], "in another order");
    assert!(order.iter().any(|(program, _)| program == "barrier-threads"));
}

#[test]
fn samples_are_those_of_the_rounds_that_are_used() {
    let mut rounds = rounds(&[Engine::Processes]);
    let mut world =
        World::new(|launch, _: &str, words: Vec<String>| Printed::text(output(launch, &words)));
    rounds.measure(&mut world, &mut Silent::default()).unwrap();
    let all = measured(&rounds.completed, &[], 0.25);
    let used = measured(&rounds.completed, &[true, false, true], 0.0);
    assert!(all.every_pattern && all.disagreement == 0.25);
    assert_eq!(used.samples.len() * 3, all.samples.len() * 2);
    assert!(used.samples.iter().all(|sample| sample.round != 1));
    let shift = all
        .samples
        .iter()
        .find(|sample| sample.pattern == Pattern::Shift && sample.h_max == 4096.0)
        .unwrap();
    assert!((shift.time.get() / 4.596e-6 - 1.0).abs() < 0.02, "{shift:?}");
    assert_eq!((shift.h_sum, shift.calls.get()), (8192.0, 30.0 * 1e-9));
    // Of the batches of empty supersteps the median counts.
    let empty =
        all.empty.iter().find(|sample| sample.synchronisation == Synchronisation::Barrier).unwrap();
    assert!((empty.time.get() - 60.5e-9).abs() < 1e-15 && empty.batches.len() == 2, "{empty:?}");
    assert_eq!(all.rates.len(), rounds.completed.len());
    // A row for each sample and each batch.
    let text = csv(&rounds.completed);
    let lines = text.lines().count();
    let rows: usize =
        rounds.completed.iter().map(|round| round.launched.output.samples.len() + 3).sum();
    assert_eq!(lines, 1 + rows);
    let columns = |line: &str| line.split(',').count();
    let head = columns(text.lines().next().unwrap());
    assert!(text.lines().all(|line| columns(line) == head), "{text}");
    // Rounds are compared by launches with a core for each processor: they are alike.
    let slowness = table(&rounds.completed, 3).slowness();
    assert!(
        slowness.iter().all(|entry| entry.is_some_and(|slow| (slow - 1.0).abs() < 0.02)),
        "{slowness:?}"
    );
}

#[test]
fn the_state_of_a_round_is_that_of_launches_with_cores_of_their_own() {
    let mut rounds = rounds(&[Engine::Processes]);
    let mut world = World::new(|launch, _: &str, words: Vec<String>| {
        let text = Printed::text(output(launch, &words));
        let seen = MachineObservation { involuntary: 9.0, messages_ns: vec![250.0], ..text.seen };
        Printed { seen, ..text }
    });
    rounds.measure(&mut world, &mut Silent::default()).unwrap();
    let own = rounds
        .completed
        .iter()
        .filter(|round| round.round == 0 && !round.launching.oversubscribed)
        .count();
    let states = seen(&rounds.completed, 3);
    assert_eq!(
        (states.len(), states[0].involuntary, states[0].wall),
        (3, 9.0 * own as f64, own as f64)
    );
    assert_eq!(messages(&states).len(), 3 * own);
    assert!((messages(&states)[0] - 250e-9).abs() < 1e-18);
    // Where all are oversubscribed they make each other wait.
    let mut others = rounds.completed;
    others.retain(|other| other.launching.oversubscribed);
    let states = seen(&others, 3);
    assert_eq!((states[0].involuntary, states[0].waiting), (0.0, None));
    assert!(states[0].wall > 0.0);
}

#[test]
fn an_engine_that_does_not_work_is_left_out_unless_it_is_asked_for() {
    let fails = |_: usize, program: &str, words: Vec<String>| {
        if program.ends_with("-threads") {
            Printed {
                raw_status: 3 << 8,
                ..Printed::text("rate 1\ncannot load: no such file\n".to_owned())
            }
        } else {
            Printed::text(output(0, &words))
        }
    };
    let engines = [Engine::Processes, Engine::Threads];
    let mut rounds = self::rounds(&engines);
    rounds.measure(&mut World::new(fails), &mut Silent::default()).unwrap();
    assert_eq!(rounds.done, 3);
    assert!(
        rounds
            .plan
            .iter()
            .chain(rounds.completed.iter().map(|entry| &entry.launching))
            .all(|entry| entry.engine == Engine::Processes)
    );
    let [missing] = &rounds.missing[..] else { panic!("{:?}", rounds.missing) };
    assert!(missing.starts_with("engine threads: the probe (threads, "), "{missing}");
    assert!(
        missing.contains("ended with exit code 3")
            && missing.ends_with(": cannot load: no such file"),
        "{missing}"
    );
    // The user has named it.
    let mut rounds = self::rounds(&engines);
    rounds.must_run = true;
    let (message, help) = told(rounds.measure(&mut World::new(fails), &mut Silent::default()));
    assert!(message.contains("ended with exit code 3"), "{message}");
    assert_eq!(help, ["it printed:\n  cannot load: no such file"]);
    // Without processes there is nothing to measure.
    let mut rounds = self::rounds(&[Engine::Threads]);
    assert!(
        told(rounds.measure(&mut World::new(fails), &mut Silent::default())).0.contains("threads")
    );
}

#[test]
fn an_interrupt_before_the_third_round_leaves_nothing() {
    for (last_launch, enough) in [(0, false), (8, false), (16, true)] {
        let mut rounds = rounds(&[Engine::Processes]);
        rounds.most_rounds = 9;
        let per_round = rounds.plan.len();
        let mut world = World::new(|launch, _: &str, words: Vec<String>| Printed {
            interrupted: launch == last_launch,
            ..Printed::text(output(launch, &words))
        });
        let result = rounds.measure(&mut world, &mut Silent::default());
        assert_eq!(rounds.done, last_launch / per_round);
        assert_eq!(rounds.completed.len(), rounds.done * per_round, "whole rounds");
        if enough {
            assert!(result.is_ok())
        } else {
            assert_eq!(
                told(result).0,
                format!(
                    "interrupted after {} of at least 3 rounds: nothing is written",
                    rounds.done
                )
            )
        }
    }
}
