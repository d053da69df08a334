//! Tests the reports about a sampling.

use cll_fit::rounds::{Mark, Reason, State};
use cll_launch::machine_state::{MachineObservation, Scheduler};
use cll_measure::{account, advice, in_words, own_doing, unseen};
use cll_result::Stopped;
use cll_sampling::{Range, Round, Variation};
use cll_trace::{Cell, Experiment, Trace};
use cll_units::text::{DurationForm, duration};

use crate::world::{Bench, Launch, Shown, World, deviation, goal};

#[test]
fn the_account_has_every_round_with_its_runs() {
    let bench = Bench::new();
    let mut sampler = bench.fresh(goal(0.02, 99.0, None));
    let happens = |number: usize| {
        let mut launch = Launch { factor: deviation(number, 1e-3), ..Launch::default() };
        if number / 4 == 1 {
            launch.seen.waiting = Some(0.4);
            launch.seen.involuntary = 300.0;
            launch.factor *= 1.4;
        }
        launch
    };
    let sampled = sampler.sample(&mut World::new(happens), &mut Shown::default()).unwrap();
    let evaluation = sampled.evaluation.unwrap();
    let sampling = account(&sampler, &evaluation, sampled.stopped, true, false);
    assert_eq!(
        (sampling.seed, sampling.precision, sampling.stopped),
        (7, Some(0.02), Stopped::Precise)
    );
    assert_eq!(sampling.budget.unwrap().get(), 99.0);
    assert!(sampling.is_core_time && sampling.canary_known && sampling.wanted.is_empty());
    assert_eq!((sampling.pinned, sampling.scheduler.as_str()), (Some(vec![1]), "other"));
    assert!(sampling.reached.unwrap() <= 0.02 && sampling.widest.unwrap().starts_with("walk["));
    let rounds = &sampling.rounds;
    assert_eq!(rounds[1].runs, [4, 5, 6, 7]);
    assert_eq!(
        (rounds[0].started.get(), rounds[0].wall.get(), rounds[0].cpu.get()),
        (0.0, 4.0, 4.0)
    );
    assert_eq!((rounds[1].involuntary, rounds[1].used, rounds[0].used), (1200, false, true));
    assert!(
        rounds[1].marked.contains(&Mark::Interrupted) && rounds[0].marked.is_empty(),
        "{rounds:?}"
    );
    assert_eq!(sampling.verdict.state, State::Disturbed);
    assert!(!sampling.verdict.advice.is_empty() && sampling.verdict.common.is_some());
    assert!(
        sampling.dilation.is_empty()
            && sampling.measuring.is_none()
            && sampling.adaptive.is_empty()
    );
    // With a number of rounds there is neither precision nor budget.
    sampler.goal.launches = Some(5);
    let sampling = account(&sampler, &evaluation, Stopped::Launches, false, false);
    assert_eq!((sampling.precision, sampling.budget, sampling.is_core_time), (None, None, false));
    // Who has accepted a loaded machine is not told to.
    let mut evaluation = evaluation;
    evaluation.judgement.state = State::NotMeasurable;
    let advice = |accepted| {
        let sampling = account(&sampler, &evaluation, Stopped::Launches, false, accepted);
        sampling.verdict.advice.join("; ")
    };
    assert!(advice(false).contains("--loaded accept") && !advice(true).contains("--loaded"));
}

#[test]
fn advice_is_for_what_was_wrong() {
    let bench = Bench::new();
    let mut sampler = bench.fresh(goal(0.05, 0.0, Some(1)));
    let sampled =
        sampler.sample(&mut World::new(|_| Launch::default()), &mut Shown::default()).unwrap();
    let mut judgement = sampled.evaluation.unwrap().judgement;
    judgement.state = State::Quiet;
    assert!(advice(&judgement, Scheduler::Ordinary).is_empty());
    judgement.state = State::Disturbed;
    for (code, part) in [
        ("throttled", "raise the quota of the control group"),
        ("loaded", "end other programs"),
        ("interrupted", "end other programs"),
        ("stolen", "shared with other virtual machines"),
        ("regime", "leave the other half of the core idle"),
        ("clock", "fix the clock's rate"),
    ] {
        judgement.reasons = vec![Reason { code: code.to_owned(), text: String::new() }];
        let texts = advice(&judgement, Scheduler::RealTime);
        assert!(texts.len() == 1 && texts[0].contains(part), "{code}: {texts:?}");
        // Priority would help a program that has none.
        let more = advice(&judgement, Scheduler::Ordinary).len();
        assert_eq!(more, if part == "end other programs" { 2 } else { 1 }, "{code}");
    }
}

#[test]
fn arguments_that_no_formula_sees_are_told() {
    let vary = |name: &str, values: &[f64]| Variation {
        name: name.to_owned(),
        range: Range::from_values(values.to_vec()),
    };
    let cell = |value: f64| {
        let mut cell = Cell::default();
        cell.values = vec![value, 7.0];
        cell
    };
    let experiment = Experiment {
        variables: vec!["N".to_owned(), "K".to_owned()],
        cells: vec![cell(1.0), cell(2.0)],
        ..Experiment::default()
    };
    let trace = Trace { experiments: vec![experiment], ..Trace::default() };
    let both = [1.0, 2.0];
    let notices = unseen(
        &[vary("N", &both), vary("K", &both), vary("M", &both), vary("ONE", &both[..1])],
        &trace,
    );
    let texts: Vec<&str> = notices.iter().map(|notice| notice.text.as_str()).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(
        texts[0].starts_with("--vary K: the program's own K had one value in every sample"),
        "{texts:?}"
    );
    assert!(texts[1].starts_with("--vary M: no formula has a variable M"), "{texts:?}");
    assert!(notices.iter().all(|notice| notice.code == "unseen-variable"));
    assert_eq!(in_words(&[vary("N", &both), vary("K", &both)], &[1024.0, 0.5]), "N=1024 K=0.5");
}

#[test]
fn a_program_that_changes_its_own_place_is_told() {
    let round = |changed: Option<&str>| {
        let seen = MachineObservation {
            changed: changed.map(str::to_owned),
            ..MachineObservation::default()
        };
        Round { number: 0, began: 0.0, seen, runs: Vec::new() }
    };
    assert!(own_doing(&[round(None), round(None)]).is_none());
    let notice =
        own_doing(&[round(Some("its processors")), round(Some("its priority")), round(None)])
            .unwrap();
    assert_eq!(notice.code, "own-place");
    assert!(
        notice
            .text
            .starts_with("the program changes its priority: it does not run as it was started"),
        "{}",
        notice.text
    );
}

#[test]
fn times_are_short_words() {
    for (seconds, words) in [
        (0.0123, "12.3ms"),
        (0.5, "0.5s"),
        (9.96, "10.0s"),
        (59.6, "60s"),
        (599.0, "599s"),
        (1200.0, "20m"),
    ] {
        assert_eq!(duration(seconds, DurationForm::Argument), words);
    }
}
