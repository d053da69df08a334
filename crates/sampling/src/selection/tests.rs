use cll_fit::rounds::State;
use cll_samples::{Policy, prepare};
use cll_trace::{Observed, Origin, Stretch};

use super::*;

const ROUNDS: usize = 8;

/// A program of eight sizes, sampled three times in each round: wall time, processor time, whether it was switched
/// out, by round and number of the sample.
fn trace(sample_of: impl Fn(usize, usize) -> (f64, f64, bool)) -> Trace {
    let origins = (0..2 * ROUNDS).map(|k| Origin {
        process: (k / 2) as u32,
        thread: 0,
        place: 0,
        left: false,
        switched: k % 2 == 1,
        start: cll_trace::Start::Own,
    });
    let observed = Observed { name: CPU_TIME.into(), unit: "s".into(), additive: true };
    let mut experiment = Experiment {
        name: "f".into(),
        observables: vec![observed],
        origins: origins.collect(),
        ..Experiment::default()
    };
    for size in 1..=8u32 {
        let mut cell = Cell::default();
        cell.values = vec![f64::from(size)];
        cell.observed = vec![cll_trace::Series::default()];
        for round in 0..ROUNDS {
            for sample in 0..3 {
                let (wall, own, switched) = sample_of(round, sample);
                cell.inclusive.push(wall * f64::from(size));
                cell.observed[0].inclusive.push(own * f64::from(size));
                let origin = (2 * round + usize::from(switched)) as u32;
                cell.stretches.push(Stretch { origin, count: 1 });
            }
        }
        experiment.cells.push(cell);
    }
    Trace { experiments: vec![experiment], ..Trace::default() }
}

fn rounds(waiting: f64) -> Vec<Round> {
    let round = |number| {
        let seen = MachineObservation {
            launches: 1,
            wall: 1.0,
            involuntary: 100.0,
            waiting: Some(waiting),
            voluntary: 2.0,
            ..MachineObservation::default()
        };
        Round { number, began: 0.0, seen, runs: Vec::new() }
    };
    (0..ROUNDS as u32).map(round).collect()
}

fn both(trace: &Trace, waiting: f64) -> (MarkedRounds, Option<MarkedRounds>) {
    let rounds = rounds(waiting);
    let of_process: Vec<usize> = (0..ROUNDS).collect();
    let known = BestSeen::default();
    let (trace, _) = prepare(trace.clone(), &Policy::default());
    let judging =
        SelectionInput { trace: &trace, rounds: &rounds, known: &known, of_process: &of_process };
    let wall = judging.judged(None, false);
    let processor = judging.by_processor_time(&wall);
    (wall, processor)
}

/// Half of the samples wait for about the same time again, depending on the round.
fn shared(round: usize, sample: usize, own: f64) -> (f64, f64, bool) {
    let waited = 0.5 + 0.2 * (round % 4) as f64;
    let switched = sample < 2;
    (if switched { 1.0 + waited } else { 1.0 }, own, switched)
}

#[test]
fn processor_time_serves_where_the_program_shared_its_processor() {
    let (wall, processor) = both(&trace(|round, sample| shared(round, sample, 1.0)), 0.6);
    assert_eq!(wall.judgement.state, State::NotMeasurable);
    let judgement = processor.expect("processor time").judgement;
    assert_eq!(judgement.state, State::Disturbed);
    let off = judgement.off.unwrap();
    assert!(off.below < 0.15 && off.above < 0.02, "{off:?}");
}

#[test]
fn what_waits_by_itself_is_no_processor_time() {
    let (wall, processor) = both(&trace(|round, sample| shared(round, sample, 0.5)), 0.6);
    assert_eq!(wall.judgement.state, State::NotMeasurable);
    assert!(processor.is_none(), "wall time is twice the processor time without others");
}

#[test]
fn rounds_that_did_not_record_it_are_not_used() {
    let later = |round: usize, sample| {
        let (wall, own, switched) = shared(round, sample, 1.0);
        (wall, if round < 5 { f64::NAN } else { own }, switched)
    };
    let (_, processor) = both(&trace(later), 0.6);
    let used = processor.expect("processor time").judgement.used;
    assert_eq!(used[..5], [false; 5]);
    assert_eq!(used[5..], [true; 3]);
}

#[test]
fn short_samples_that_were_not_switched_out_need_nothing_else() {
    let seldom = |_: usize, sample: usize| match sample {
        0 => (5.0, 1.0, true),
        _ => (1.0, 1.0, false),
    };
    let (wall, processor) = both(&trace(seldom), 0.02);
    assert_eq!(wall.judgement.state, State::Disturbed);
    assert!(wall.judgement.width() < 0.05, "{:?}", wall.judgement.off);
    assert!(processor.is_none());
}
