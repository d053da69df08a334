//! Plans and databases for the tests.

use std::fs;
use std::path::{Path, PathBuf};

use cll_campaign::{Plan, State};
use cll_campaign_db::{Campaign, CampaignDb, Environment, PlannedRun, RunResult};
use cll_files::Advice;
use tempfile::TempDir;

/// The folder in which all plans search their program.
pub const HOME: &str = "/home/user/work";

/// Two rounds of N = 1, 2, 3, each combination twice: 12 runs.
pub fn plan() -> Plan {
    let mut plan = Plan::new("walk".to_owned(), "./walk".to_owned());
    plan.arguments = vec!["{N}".to_owned()];
    plan.parameters = vec![("N".to_owned(), vec![1.0, 2.0, 3.0])];
    plan.rounds = 2;
    plan.repetitions = 2;
    plan
}

/// A folder with a database of a plan.
pub struct Book {
    pub folder: TempDir,
    pub database: CampaignDb,
    pub campaign: Campaign,
}

impl Book {
    pub fn with(plan: &Plan) -> Book {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("walk.campaign");
        let database = CampaignDb::create(&path, plan, Path::new(HOME), 7).unwrap();
        let campaign = database.campaign().unwrap();
        Book { folder, database, campaign }
    }

    /// Creates a database of the plan above.
    pub fn new() -> Book {
        Book::with(&plan())
    }

    pub fn path(&self) -> PathBuf {
        self.database.folder().to_path_buf()
    }

    pub fn waiting(&self) -> Vec<PlannedRun> {
        self.database.waiting(&self.campaign).unwrap()
    }

    /// Begins the next run and ends it in a state; a trace is written for it.
    pub fn run(&self, state: State) -> i64 {
        let run = self.waiting()[0].id;
        self.run_again(run, state, &host("one"));
        run
    }

    /// Begins a run and ends it, in an environment.
    pub fn run_again(&self, run: i64, state: State, environment: &Environment) {
        let environment = self.database.environment(environment).unwrap();
        self.database.begin(run, environment).unwrap();
        let trace = format!("walk.cll.{run}.dat");
        fs::write(self.database.traces().join(&trace), format!("trace of {run}")).unwrap();
        let bytes = format!("trace of {run}").len() as u64;
        let ended = RunResult { trace: Some((trace, bytes)), ..result() };
        self.database.end(run, state, &ended).unwrap();
    }

    /// Closes the database, which frees its lock; returns its folder.
    pub fn close(self) -> (TempDir, PathBuf) {
        let path = self.path();
        drop(self.database);
        (self.folder, path)
    }
}

/// A result with all columns set, but for the trace.
pub fn result() -> RunResult {
    RunResult {
        started: 1_700_000_000.25,
        seconds: 0.1 + 0.2,
        exit: Some(3),
        signal: Some(11),
        trace: None,
        host: "node7".to_owned(),
        binding: "0-3".to_owned(),
        oversubscribed: false,
        load: Some(0.3),
        clock: Some(1.7),
        message: Some("it said \"no\"; — and ended".to_owned()),
    }
}

/// An environment in which only the host is known.
pub fn host(name: &str) -> Environment {
    Environment { host: name.to_owned(), ..Environment::default() }
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
