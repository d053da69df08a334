//! A launcher that launches nothing.

use std::cell::RefCell;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use cll_diagnostic::Diagnostic;
use cll_driver::Listener;
use cll_files::{Advice, Notices};
use cll_launch::machine_state::MachineObservation;
use cll_launch::{Launcher, Outcome, Run, Streams};
use cll_probe::{Error, Progress};

/// The output and the end of a launch.
#[derive(Clone, Debug, Default)]
pub struct Printed {
    pub text: String,
    pub raw_status: i32,
    pub interrupted: bool,
    pub seen: MachineObservation,
}

impl Printed {
    pub fn text(text: String) -> Printed {
        let seen = MachineObservation {
            launches: 1,
            wall: 1.0,
            cpu: 1.0,
            waiting: Some(0.0),
            ..Default::default()
        };
        Printed { text, seen, ..Printed::default() }
    }
}

/// Answers launches, by their number from 0, and the program's name and its words.
pub struct World<F> {
    pub launches: usize,
    pub answer: F,
}

impl<F: FnMut(usize, &str, Vec<String>) -> Printed> World<F> {
    pub fn new(answer: F) -> World<F> {
        World { launches: 0, answer }
    }
}

impl<F: FnMut(usize, &str, Vec<String>) -> Printed> Launcher for World<F> {
    fn launch(&mut self, run: Run<'_>) -> Result<Outcome, cll_launch::Error> {
        let number = self.launches;
        self.launches += 1;
        let program = run.launch.command.program.file_name().unwrap().to_str().unwrap().to_owned();
        let words =
            run.launch.command.arguments.iter().map(|word| word.to_str().unwrap().to_owned());
        let printed = (self.answer)(number, &program, words.collect());
        let Streams::Log(mut log) = run.streams else { panic!("the output is kept") };
        log.write_all(printed.text.as_bytes()).unwrap();
        Ok(Outcome {
            interrupted: printed.interrupted.then_some(2),
            seen: Some(printed.seen),
            ..Outcome::ended(0, ExitStatus::from_raw(printed.raw_status), Duration::from_millis(1))
        })
    }
}

/// Hears and shows nothing.
#[derive(Default)]
pub struct Silent {
    pub messages: RefCell<Vec<String>>,
}

impl Notices for Silent {
    fn note(&self, text: &str) {
        self.messages.borrow_mut().push(text.to_owned());
    }

    fn warn(&self, text: &str) {
        self.note(text);
    }
}

impl Listener for Silent {
    fn diagnose(&self, _: &str, _: &[u8], _: &[Diagnostic]) {}

    fn print(&mut self, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

impl Progress for Silent {
    fn say(&mut self, round: usize, _: f64, what: &str) {
        self.messages.get_mut().push(format!("{round} {what}"));
    }
}

/// The message of a failure, and its help.
#[track_caller]
pub fn told<T>(result: Result<T, Error>) -> (String, Vec<String>) {
    match result {
        Err(error) => (error.to_string(), error.help()),
        Ok(_) => panic!("no failure"),
    }
}

/// A deviation that is the same in each run of the tests.
pub fn deviation(number: usize, size: f64) -> f64 {
    let mixed = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    1.0 + size * (mixed as f64 / f64::from(1 << 24) * 2.0 - 1.0)
}
