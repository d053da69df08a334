//! A launcher that launches nothing, and what a sampler needs besides.

use std::cell::RefCell;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use cll_analysis::{Choices, Location, Time};
use cll_files::Advice;
use cll_files::Notices;
use cll_launch::machine_state::{BestSeen, MachineObservation, Placement};
use cll_launch::{Launcher, Outcome, Run};
use cll_measure::{Evaluation, Fitting, Overhead, Sampler, View};
use cll_sampling::{
    Budget, Campaign, Goal, Grid, Launching, Plan, Progress, SamplingProgress, SavedRounds,
    Template,
};
use tempfile::TempDir;

use crate::trace::trace;

/// The sizes of the program's argument.
pub const SIZES: [f64; 4] = [1000.0, 2000.0, 4000.0, 8000.0];

/// The notice that the user would read.
#[derive(Default)]
pub struct Told(pub RefCell<Vec<String>>);

impl Notices for Told {
    fn note(&self, text: &str) {
        self.0.borrow_mut().push(text.to_owned());
    }

    fn warn(&self, text: &str) {
        self.note(text);
    }
}

/// Counts what it is shown.
#[derive(Default)]
pub struct Shown {
    pub launches: usize,
    pub states: usize,
}

impl Progress for Shown {
    fn begins(&mut self, _: &Launching) {
        self.launches += 1;
    }

    fn ended(&mut self, _: &Outcome) {}
}

impl View for Shown {
    fn state(&mut self, _: &Goal, _: &SamplingProgress, _: Option<&Evaluation>) {
        self.states += 1;
    }
}

/// Each launch takes a second and passes the experiment five times, in 1000 ns + 3 ns N; what else happens in the
/// launch of a number, from 0, is up to the test.
pub struct World<F> {
    pub launches: usize,
    pub happens: F,
}

/// The properties of a launch.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The factor of its times, relative to those of a quiet machine.
    pub factor: f64,
    /// Whether it leaves a trace.
    pub records: bool,
    pub seen: MachineObservation,
    pub raw_status: i32,
    pub interrupted: Option<i32>,
}

impl Default for Launch {
    fn default() -> Launch {
        let seen = MachineObservation {
            launches: 1,
            wall: 1.0,
            cpu: 1.0,
            waiting: Some(0.0),
            threads: 1,
            ..MachineObservation::default()
        };
        Launch { factor: 1.0, records: true, seen, raw_status: 0, interrupted: None }
    }
}

impl<F: FnMut(usize) -> Launch> World<F> {
    pub fn new(happens: F) -> World<F> {
        World { launches: 0, happens }
    }
}

impl<F: FnMut(usize) -> Launch> Launcher for World<F> {
    fn launch(&mut self, run: Run<'_>) -> Result<Outcome, cll_launch::Error> {
        let number = self.launches;
        self.launches += 1;
        let launch = (self.happens)(number);
        let n: f64 = run.launch.command.arguments[0].to_str().unwrap().parse().unwrap();
        let path = free(&run.folder, run.name);
        let time = |k: u64| ((1000.0 + 3.0 * n) * launch.factor) as u64 + k;
        let bytes = trace(1000 + number as u32, n, &[0, 1, 2, 3, 4].map(time));
        let trace = launch.records.then(|| {
            fs::write(&path, bytes).unwrap();
            path
        });
        Ok(Outcome {
            trace,
            interrupted: launch.interrupted,
            seen: Some(launch.seen),
            ..Outcome::ended(
                number as u32,
                ExitStatus::from_raw(launch.raw_status),
                Duration::from_secs(1),
            )
        })
    }
}

fn free(folder: &Path, name: &str) -> PathBuf {
    let mut paths = (0..).map(|number| folder.join(format!("{name}.cll.{number}.dat")));
    paths.find(|path| !path.exists()).unwrap()
}

/// A deviation that is the same in each run of the tests.
pub fn deviation(number: usize, size: f64) -> f64 {
    let mixed = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    1.0 + size * (mixed as f64 / f64::from(1 << 24) * 2.0 - 1.0)
}

/// Budgets are core time, so that no clock of this machine counts.
pub fn goal(precision: f64, seconds: f64, launches: Option<u32>) -> Goal {
    let budget = Budget { seconds, is_core_time: true };
    Goal { precision, budget, strict: false, launches }
}

/// A folder with a sampler's files.
pub struct Bench {
    pub folder: TempDir,
    pub notices: Told,
}

impl Bench {
    pub fn new() -> Bench {
        Bench { folder: tempfile::tempdir().unwrap(), notices: Told::default() }
    }

    pub fn sampler<'a>(
        &'a self,
        goal: Goal,
        saved: SavedRounds,
        asked: &'a [Location],
    ) -> Sampler<'a> {
        let names = ["N"];
        let campaign = Campaign {
            name: "walk".to_owned(),
            watched: true,
            place: Placement { cpus: Some(vec![1]), ..Placement::default() },
            ..Campaign::new(
                "walk".into(),
                Template::parse(&["{N}".to_owned()], &names).unwrap(),
                self.folder.path().to_path_buf(),
                tempfile::tempfile().unwrap(),
                Duration::from_secs(1),
            )
        };
        let fitting = Fitting {
            choices: Choices::default(),
            time: Time::Inclusive,
            asked,
            folder: self.folder.path(),
            exact: false,
            in_turns: false,
        };
        Sampler {
            campaign,
            grid: Grid { values: vec![SIZES.to_vec()], ..Grid::default() },
            goal,
            fitting,
            saved,
            guided: None,
            best_seen: BestSeen::default(),
            overhead: Overhead::default(),
            notices: &self.notices,
        }
    }

    pub fn fresh(&self, goal: Goal) -> Sampler<'_> {
        self.sampler(goal, SavedRounds::new(Plan::default(), 7), &[])
    }
}

/// The error, with its message and its help.
#[track_caller]
pub fn parts<T, E: Advice>(result: Result<T, E>) -> (E, String, Vec<String>) {
    match result {
        Err(error) => {
            let (message, help) = (error.to_string(), error.help());
            (error, message, help)
        }
        Ok(_) => panic!("no failure"),
    }
}
