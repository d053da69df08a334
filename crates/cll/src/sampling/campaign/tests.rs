use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use super::*;
use crate::sampling::{Grid, order};

/// Launches nothing and gives what the test wants.
struct Pretended<F>(Vec<Vec<OsString>>, F);

impl<F: FnMut(usize) -> Outcome> Launcher for Pretended<F> {
    fn launch(&mut self, launch: Launch<'_>) -> Result<Outcome, Failure> {
        self.0.push(launch.arguments);
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
        status: ExitStatus::from_raw(status),
        timed_out: false,
        wall: Duration::from_millis(1),
        trace: trace.then(|| PathBuf::from("x.cll.0.dat")),
        lost: None,
        left: Vec::new(),
        interrupted: None,
        seen: None,
    }
}

fn carried_out(rounds: u32, outcome: impl FnMut(usize) -> Outcome) -> (usize, Vec<Vec<OsString>>) {
    let campaign = Campaign {
        program: "x".into(),
        name: "x".into(),
        arguments: Template::parse(&["{N}".into()], &["N"]).unwrap(),
        folder: ".".into(),
        log: tempfile::tempfile().unwrap(),
        timeout: Duration::from_secs(1),
    };
    let grid = Grid { values: vec![vec![1.0, 2.0, 4.0]], processors: Vec::new() };
    let mut launcher = Pretended(Vec::new(), outcome);
    let made = campaign.carry_out(order(&grid, rounds, 7), &mut launcher, &mut Silent).unwrap();
    (made.len(), launcher.0)
}

#[test]
fn every_launch_is_made_with_its_arguments() {
    let (made, arguments) = carried_out(2, |_| outcome(0, true));
    assert_eq!(made, 6);
    let mut first: Vec<_> = arguments[..3].to_vec();
    first.sort();
    assert_eq!(first, [["1"], ["2"], ["4"]]);
}

#[test]
fn a_program_that_always_crashes_is_tried_for_one_round() {
    assert_eq!(carried_out(5, |_| outcome(11, false)).0, 3);
}

#[test]
fn one_that_crashes_sometimes_or_recorded_something_goes_on() {
    assert_eq!(carried_out(2, |k| outcome(if k == 1 { 0 } else { 11 }, k == 1)).0, 6);
    assert_eq!(carried_out(2, |_| outcome(11, true)).0, 6);
}

#[test]
fn a_signal_ends_it_and_what_was_made_is_kept() {
    let interrupted = |k| Outcome { interrupted: (k == 1).then_some(2), ..outcome(0, true) };
    assert_eq!(carried_out(5, interrupted).0, 2);
}
