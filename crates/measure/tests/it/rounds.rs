//! Rounds until the intervals are narrow, the time is up, or nothing more can be had.

use cll_analysis::{HoldOut, locations};
use cll_fit::rounds::State;
use cll_launch::machine_state::MachineObservation;
use cll_measure::Error;
use cll_result::Stopped;
use cll_sampling::{Plan, SavedRounds};

use crate::world::{Bench, Launch, Shown, World, deviation, goal, parts};

fn quiet(size: f64) -> impl FnMut(usize) -> Launch {
    move |number| Launch { factor: deviation(number, size), ..Launch::default() }
}

#[test]
fn narrow_intervals_end_it_after_the_fewest_rounds() {
    let bench = Bench::new();
    let mut sampler = bench.fresh(goal(0.05, 1e6, None));
    let (mut world, mut shown) = (World::new(quiet(1e-3)), Shown::default());
    let sampled = sampler.sample(&mut world, &mut shown).unwrap();
    assert_eq!((sampled.stopped, sampler.saved.rounds.len()), (Stopped::Precise, 5));
    assert_eq!((world.launches, shown.launches, sampled.made.len()), (20, 20, 20));
    assert_eq!(shown.states, 6, "before each round, and at the end");
    let evaluation = sampled.evaluation.unwrap();
    assert_eq!((evaluation.used(), evaluation.judgement.state), (5, State::Quiet));
    let fit = evaluation.experiments[0].fit.as_ref().unwrap();
    let slope = fit.intervals[0].constants[1].value.unwrap();
    assert!((slope / 3e-9 - 1.0).abs() < 0.01, "{slope}");
    let widest = evaluation.widest.unwrap();
    assert!(widest.quantity.starts_with("walk[") && widest.share <= 0.05, "{widest:?}");
    assert!(bench.notices.0.borrow().is_empty(), "{:?}", bench.notices.0);
}

#[test]
fn a_prediction_is_what_has_to_be_narrow_if_one_is_wanted() {
    let bench = Bench::new();
    let asked = locations("N=6000").unwrap();
    let mut sampler =
        bench.sampler(goal(0.05, 1e6, None), SavedRounds::new(Plan::default(), 7), &asked);
    let sampled = sampler.sample(&mut World::new(quiet(1e-3)), &mut Shown::default()).unwrap();
    assert_eq!(sampled.stopped, Stopped::Precise);
    assert_eq!(sampled.evaluation.unwrap().widest.unwrap().quantity, "walk at N=6000");
}

/// A launch takes a second of core time: 40 s are ten rounds.
#[test]
fn time_that_is_up_ends_it() {
    let bench = Bench::new();
    let mut sampler = bench.fresh(goal(1e-6, 40.0, None));
    let sampled = sampler.sample(&mut World::new(quiet(0.02)), &mut Shown::default()).unwrap();
    let rounds = sampler.saved.rounds.len();
    match sampled.stopped {
        Stopped::Budget => assert_eq!(rounds, 10),
        Stopped::Hopeless => assert!((5..10).contains(&rounds), "{rounds}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_number_of_rounds_is_made_and_continued() {
    let bench = Bench::new();
    let mut sampler = bench.fresh(goal(0.05, 0.0, Some(2)));
    let sampled = sampler.sample(&mut World::new(quiet(1e-3)), &mut Shown::default()).unwrap();
    assert_eq!((sampled.stopped, sampled.made.len()), (Stopped::Launches, 8));
    let first: Vec<_> = sampler.saved.rounds.clone();
    // As the next call finds it: it makes what is missing.
    let saved = SavedRounds::read(bench.folder.path()).unwrap().unwrap();
    assert_eq!(saved.rounds, first);
    let mut sampler = bench.sampler(goal(0.05, 0.0, Some(4)), saved, &[]);
    let mut world = World { launches: 8, happens: quiet(1e-3) };
    let sampled = sampler.sample(&mut world, &mut Shown::default()).unwrap();
    assert_eq!((sampled.stopped, sampled.made.len(), world.launches), (Stopped::Launches, 8, 16));
    let numbers: Vec<u32> = sampler.saved.rounds.iter().map(|round| round.number).collect();
    assert_eq!((numbers, &sampler.saved.rounds[..2]), (vec![0, 1, 2, 3], &first[..]));
    assert_eq!(sampled.evaluation.unwrap().experiments[0].samples, 4 * 4 * 5);
    // Nothing is missing: nothing is made, and all is fitted.
    let saved = SavedRounds::read(bench.folder.path()).unwrap().unwrap();
    let mut sampler = bench.sampler(goal(0.05, 0.0, Some(3)), saved, &[]);
    let sampled =
        sampler.sample(&mut World::new(|_| panic!("a launch")), &mut Shown::default()).unwrap();
    assert!(sampled.made.is_empty() && sampled.evaluation.is_some());
}

#[test]
fn a_trace_that_was_changed_costs_its_round() {
    let bench = Bench::new();
    let mut sampler = bench.fresh(goal(0.05, 0.0, Some(3)));
    sampler.sample(&mut World::new(quiet(1e-3)), &mut Shown::default()).unwrap();
    let trace = sampler.saved.rounds[1].runs[2].description.trace.clone();
    let path = bench.folder.path().join(trace);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let saved = SavedRounds::read(bench.folder.path()).unwrap().unwrap();
    let numbers: Vec<u32> = saved.rounds.iter().map(|round| round.number).collect();
    assert_eq!((numbers, saved.next_number()), (vec![0, 2], 3));
}

#[test]
fn a_signal_ends_it_and_what_is_there_is_fitted() {
    let bench = Bench::new();
    let mut sampler = bench.fresh(goal(0.05, 1e6, None));
    let happens =
        |number| Launch { interrupted: (number == 9).then_some(2), ..quiet(1e-3)(number) };
    let mut world = World::new(happens);
    let sampled = sampler.sample(&mut world, &mut Shown::default()).unwrap();
    assert_eq!((sampled.stopped, world.launches), (Stopped::Interrupted, 10));
    assert_eq!(sampled.evaluation.unwrap().experiments[0].samples, 10 * 5);
}

#[test]
fn a_program_that_fails_and_records_nothing_is_not_launched_for_ever() {
    let bench = Bench::new();
    let mut sampler = bench.fresh(goal(0.05, 1e6, None));
    let mut world = World::new(|_| Launch { records: false, raw_status: 11, ..Launch::default() });
    let sampled = sampler.sample(&mut world, &mut Shown::default()).unwrap();
    assert_eq!((sampled.stopped, world.launches), (Stopped::Hopeless, 4));
    assert!(sampled.evaluation.is_none() && sampled.made.iter().all(|launch| launch.is_vain()));
    // It is kept, and not taken for a round by the next call.
    assert!(SavedRounds::read(bench.folder.path()).unwrap().unwrap().rounds.is_empty());
}

#[test]
fn disturbed_rounds_are_marked_and_left_out() {
    let bench = Bench::new();
    let mut sampler = bench.fresh(goal(0.05, 0.0, Some(8)));
    let happens = |number: usize| {
        let is_disturbed = matches!(number / 4, 2 | 5);
        let mut launch = quiet(1e-3)(number);
        if is_disturbed {
            launch.factor *= 1.5;
            launch.seen =
                MachineObservation { involuntary: 200.0, waiting: Some(0.4), ..launch.seen };
        }
        launch
    };
    let sampled = sampler.sample(&mut World::new(happens), &mut Shown::default()).unwrap();
    let evaluation = sampled.evaluation.unwrap();
    let marked: Vec<usize> = (0..8).filter(|&round| !evaluation.marks[round].is_empty()).collect();
    assert_eq!(marked, [2, 5]);
    assert_eq!((evaluation.used(), evaluation.judgement.state), (6, State::Disturbed));
    assert_eq!(evaluation.discarded.samples, 2 * 4 * 5);
    let slope =
        evaluation.experiments[0].fit.as_ref().unwrap().intervals[0].constants[1].value.unwrap();
    assert!((slope / 3e-9 - 1.0).abs() < 0.01, "{slope}");
}

#[test]
fn a_budget_too_small_for_a_round_is_reported_before_it_is_spent() {
    let bench = Bench::new();
    let mut strict = goal(0.05, 2.0, None);
    strict.strict = true;
    let mut world = World::new(quiet(1e-3));
    let (error, message, help) =
        parts(bench.fresh(strict).sample(&mut world, &mut Shown::default()));
    assert!(matches!(error, Error::ShortBudget { .. }), "{error:?}");
    assert_eq!(world.launches, 3);
    assert_eq!(
        message,
        "--budget 2core-s is too small for one round: a round of 4 launches takes about 4core-s"
    );
    assert_eq!(help[0], "5 rounds need --budget 20core-s");
    // Without a limit of the user's it is a note.
    let bench = Bench::new();
    bench
        .fresh(goal(0.05, 2.0, None))
        .sample(&mut World::new(quiet(1e-3)), &mut Shown::default())
        .unwrap();
    let notices = bench.notices.0.borrow();
    assert!(
        notices[0].starts_with("a round of 4 launches takes about 4core-s; 5 rounds are made"),
        "{notices:?}"
    );
    // A single launch is the round: better than nothing.
    let bench = Bench::new();
    strict.budget.seconds = 0.5;
    let mut sampler = bench.fresh(strict);
    sampler.grid.values = vec![vec![4000.0]];
    let sampled = sampler.sample(&mut World::new(quiet(1e-3)), &mut Shown::default()).unwrap();
    assert_eq!((sampled.stopped, sampled.made.len()), (Stopped::Budget, 1));
    let notices = bench.notices.0.borrow();
    assert!(notices[0].contains("more than --budget 1core-s: one round is fitted"), "{notices:?}");
}

#[test]
fn points_to_hold_out_must_be_measured_by_the_first_round() {
    let bench = Bench::new();
    let mut sampler = bench.fresh(goal(0.05, 0.0, Some(9)));
    sampler.fitting.choices.held_out = HoldOut::all(&["N=3000".to_owned()]).unwrap();
    let mut world = World::new(quiet(1e-3));
    let (error, message, _) = parts(sampler.sample(&mut world, &mut Shown::default()));
    assert!(matches!(error, Error::Analysis(_)), "{error:?}");
    assert_eq!(world.launches, 4);
    assert!(
        message.contains(
            "--hold-out N=3000: nothing was measured there; N has the values 1000, 2000, 4000"
        ),
        "{message}"
    );
    // A later call says the same of what is there.
    let saved = SavedRounds::read(bench.folder.path()).unwrap().unwrap();
    assert_eq!(saved.rounds.len(), 1);
    let mut sampler = bench.sampler(goal(0.05, 0.0, Some(9)), saved, &[]);
    sampler.fitting.choices.held_out = HoldOut::all(&["N=3000".to_owned()]).unwrap();
    let again =
        parts(sampler.sample(&mut World::new(|_| panic!("a launch")), &mut Shown::default()));
    assert_eq!(again.1, message);
}

#[test]
fn a_program_with_more_threads_than_processors_is_released() {
    let bench = Bench::new();
    let mut sampler = bench.fresh(goal(0.05, 0.0, Some(2)));
    let happens = |number| {
        let mut launch = quiet(1e-3)(number);
        launch.seen.threads = 3;
        launch
    };
    sampler.sample(&mut World::new(happens), &mut Shown::default()).unwrap();
    assert_eq!(sampler.campaign.place.cpus, None);
    let notices = bench.notices.0.borrow();
    assert!(
        notices.len() == 1
            && notices[0]
                .starts_with("the program runs 3 threads and was bound to 1 of the processors"),
        "{notices:?}"
    );
}
