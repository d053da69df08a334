use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use super::*;
use crate::{Grid, order};

/// Launches nothing and returns what the test sets.
struct Pretended<F>(Vec<Vec<OsString>>, F);

impl<F: FnMut(usize) -> Outcome> Launcher for Pretended<F> {
    fn launch(&mut self, run: Run<'_>) -> Result<Outcome, cll_launch::Error> {
        self.0.push(run.launch.command.arguments);
        Ok((self.1)(self.0.len() - 1))
    }
}

struct Silent;

impl Progress for Silent {
    fn begins(&mut self, _: &Launching) {}
    fn ended(&mut self, _: &Outcome) {}
}

fn outcome(status: i32, trace: bool) -> Outcome {
    Outcome {
        trace: trace.then(|| PathBuf::from("x.cll.0.dat")),
        ..Outcome::ended(0, ExitStatus::from_raw(status), Duration::from_millis(1))
    }
}

fn carried_out(rounds: u32, outcome: impl FnMut(usize) -> Outcome) -> (usize, Vec<Vec<OsString>>) {
    let mut campaign = Campaign::new(
        "x".into(),
        Template::parse(&["{N}".into()], &["N"]).unwrap(),
        ".".into(),
        tempfile::tempfile().unwrap(),
        Duration::from_secs(1),
    );
    let grid = Grid { values: vec![vec![1.0, 2.0, 4.0]], ..Grid::default() };
    let mut launcher = Pretended(Vec::new(), outcome);
    let mut launched = 0;
    for round in 0..rounds {
        let launches = order(&grid, round, 7);
        launched += campaign.carry_out(launches, &mut launcher, &mut Silent).unwrap().len();
    }
    (launched, launcher.0)
}

#[test]
fn every_launch_is_made_with_its_arguments() {
    let (launched, arguments) = carried_out(2, |_| outcome(0, true));
    assert_eq!(launched, 6);
    let mut first: Vec<_> = arguments[..3].to_vec();
    first.sort();
    assert_eq!(first, [["1"], ["2"], ["4"]]);
}

#[test]
fn what_takes_too_long_is_not_launched_again() {
    let late = |k| Outcome { timed_out: k == 0, ..outcome(0, true) };
    let (launched, arguments) = carried_out(3, late);
    assert_eq!(launched, 7);
    let again = arguments[1..].iter().filter(|words| **words == arguments[0]).count();
    assert_eq!(again, 0);
}

#[test]
fn vain_is_what_went_wrong_and_left_nothing() {
    let launching = order(&Grid::default(), 0, 1).remove(0);
    let vain = |status, trace| {
        Launched { launching: launching.clone(), outcome: outcome(status, trace) }.is_vain()
    };
    assert!(vain(11, false));
    assert!(!vain(11, true) && !vain(0, false));
}

#[test]
fn a_signal_ends_it_and_what_was_made_is_kept() {
    let interrupted = |k| Outcome { interrupted: (k == 1).then_some(2), ..outcome(0, true) };
    assert_eq!(carried_out(1, interrupted).0, 2);
}

#[test]
fn a_run_without_measuring_says_so_and_prints_nowhere() {
    let mut gates = Vec::new();
    struct Gates<'a>(&'a mut Vec<bool>);
    impl Launcher for Gates<'_> {
        fn launch(&mut self, run: Run<'_>) -> Result<Outcome, cll_launch::Error> {
            self.0.push(run.launch.environment.contains(&("CLL_GATE".into(), "off".into())));
            Ok(outcome(0, false))
        }
    }
    let mut campaign = Campaign {
        name: "x".into(),
        place: Placement { cpus: Some(vec![2, 3]), ..Placement::default() },
        ..Campaign::new(
            "x".into(),
            Template::parse(&[], &[]).unwrap(),
            ".".into(),
            tempfile::tempfile().unwrap(),
            Duration::from_secs(1),
        )
    };
    let mut launches = crate::few(&Grid::default(), 0);
    launches.extend(order(&Grid::default(), 0, 7));
    let launching = Launching { processors: Some(1), ..launches[0].clone() };
    assert_eq!(campaign.placement(&launching).cpus, Some(vec![3]));
    campaign.carry_out(launches, &mut Gates(&mut gates), &mut Silent).unwrap();
    assert_eq!(gates, [true, false]);
    // A program without markers has no gate.
    struct Plain;
    impl Launcher for Plain {
        fn launch(&mut self, run: Run<'_>) -> Result<Outcome, cll_launch::Error> {
            assert_eq!(run.launch.command.program, std::path::Path::new("y"));
            assert!(!run.launch.environment.iter().any(|(name, _)| name == "CLL_GATE"));
            Ok(outcome(0, false))
        }
    }
    campaign.plain = Some("y".into());
    let launches = crate::few(&Grid::default(), 0);
    campaign.carry_out(launches, &mut Plain, &mut Silent).unwrap();
}

#[test]
fn launches_begin_their_stacks_at_different_places() {
    let lengths: std::collections::BTreeSet<usize> = (0..64).map(padding).collect();
    assert!(lengths.len() > 50 && lengths.iter().all(|length| *length < 4096), "{lengths:?}");
    let thirds = |third: usize| lengths.iter().filter(|length| **length / 1366 == third).count();
    assert!((0..3).all(|third| thirds(third) > 8), "all over the page: {lengths:?}");
    assert_eq!(padding(7), padding(7), "the same launch again");
}
