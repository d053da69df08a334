//! Tests the use of the results that an earlier call has left.

use std::fs;

use cll_measure::{Folder, resume};
use cll_sampling::{PLAN, Plan, SavedRounds};
use tempfile::tempdir;

use crate::world::{Bench, Launch, Shown, Told, World, goal};

fn plan(boot: &str) -> Plan {
    Plan { boot: boot.to_owned(), ..Plan::default() }
}

/// A folder in which two rounds of a plan were made, with the seed 7.
fn earlier() -> Bench {
    let bench = Bench::new();
    // As an earlier call has marked it.
    drop(Folder::claim(bench.folder.path().to_path_buf(), "walk").unwrap());
    let mut sampler = bench.sampler(goal(0.05, 0.0, Some(2)), SavedRounds::new(plan("b"), 7), &[]);
    sampler.sample(&mut World::new(|_| Launch::default()), &mut Shown::default()).unwrap();
    bench
}

/// The rounds that are continued from, the seed, and what is said.
fn resumed(
    bench: &Bench,
    plan: Plan,
    seed: Option<u64>,
    is_fresh: bool,
) -> (usize, u64, Vec<String>) {
    let folder = Folder::claim(bench.folder.path().to_path_buf(), "walk").unwrap();
    let notices = Told::default();
    let saved = resume(plan, seed, is_fresh, &folder, &notices).unwrap();
    (saved.rounds.len(), saved.seed, notices.0.into_inner())
}

fn traces(bench: &Bench) -> usize {
    let names = fs::read_dir(bench.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_str().unwrap().ends_with(".dat")).count()
}

#[test]
fn the_same_plan_continues() {
    let bench = earlier();
    fs::write(bench.folder.path().join("walk.cll.99.dat"), "of no round").unwrap();
    for seed in [None, Some(7)] {
        let (rounds, seed, notices) = resumed(&bench, plan("b"), seed, false);
        assert_eq!((rounds, seed), (2, 7));
        assert!(
            notices.len() == 1
                && notices[0].starts_with("continuing from 2 rounds of an earlier call in "),
            "{notices:?}"
        );
    }
    assert_eq!(traces(&bench), 8, "only those of the rounds");
}

#[test]
fn another_plan_or_seed_begins_again_and_says_why() {
    for (plan, seed, part) in [
        (plan("c"), None, "without the 2 rounds of an earlier call in "),
        (plan("b"), Some(8), ": the seed was 7, and is 8"),
        (
            Plan { arguments: vec!["-x".to_owned()], ..plan("b") },
            None,
            ": the program's arguments was [], and is [\"-x\"]",
        ),
    ] {
        let bench = earlier();
        let (rounds, own, notices) = resumed(&bench, plan, seed, false);
        assert_eq!((rounds, traces(&bench)), (0, 0));
        assert!(
            notices[0].starts_with("sampling begins again") && notices[0].contains(part),
            "{notices:?}"
        );
        assert!(seed.is_none_or(|seed| seed == own));
    }
    let bench = earlier();
    assert_eq!(resumed(&bench, plan("b"), Some(7), true), (0, 7, Vec::new()));
    assert_eq!(traces(&bench), 0);
}

#[test]
fn a_plan_that_cannot_be_read_is_told_once() {
    for (damaged, part) in [
        ("{", "EOF while parsing"),
        ("", "EOF while parsing"),
        ("[]", "invalid"),
        ("{\"format\":\"cll-model\",\"version\":2}", "it is not a plan"),
        ("{\"format\":\"cll-plan\",\"version\":1}", "an older cll wrote it"),
        ("{\"format\":\"cll-plan\",\"version\":9}", "it is of version 9, and this cll reads 2"),
    ] {
        let bench = earlier();
        fs::write(bench.folder.path().join(PLAN), damaged).unwrap();
        let (rounds, _, notices) = resumed(&bench, plan("b"), None, false);
        assert_eq!(rounds, 0);
        assert!(
            notices[0].contains("cannot be used (") && notices[0].contains(part),
            "{damaged}: {notices:?}"
        );
        assert!(notices[0].ends_with("): sampling begins again"), "{notices:?}");
    }
    // Without an earlier call there is nothing to say.
    let folder = tempdir().unwrap();
    let claimed = Folder::claim(folder.path().join("x.cll"), "x").unwrap();
    let notices = Told::default();
    assert!(resume(plan("b"), Some(1), false, &claimed, &notices).unwrap().rounds.is_empty());
    assert!(notices.0.borrow().is_empty());
}
