//! The states of a campaign's runs.

use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Not started.
    Planned,
    /// Submitted to a batch system.
    Submitted,
    /// Started, not ended.
    Running,
    /// Ended without an error.
    Done,
    /// Ended with an error.
    Failed,
    /// Ended by the time limit.
    Timeout,
    /// Will not be made.
    Skipped,
}

impl State {
    const ALL: [State; 7] = [
        State::Planned,
        State::Submitted,
        State::Running,
        State::Done,
        State::Failed,
        State::Timeout,
        State::Skipped,
    ];

    /// The name in the database and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            State::Planned => "planned",
            State::Submitted => "submitted",
            State::Running => "running",
            State::Done => "done",
            State::Failed => "failed",
            State::Timeout => "timeout",
            State::Skipped => "skipped",
        }
    }

    /// The state with this name; [`State::Planned`] if unknown.
    pub fn named(name: &str) -> State {
        State::ALL.into_iter().find(|state| state.name() == name).unwrap_or(State::Planned)
    }
}

/// An attempt that failed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Attempt {
    /// The number among the run's attempts, from 1.
    pub attempt: u32,
    /// How it ended: a state of a run.
    pub state: String,
    /// The computer that it ran on.
    pub host: Option<String>,
    /// When it began, Unix time in seconds.
    pub started: Option<f64>,
    /// How long it took.
    #[serde(rename = "time_s")]
    pub time: Option<Seconds>,
    /// The exit code, unless a signal ended the attempt.
    pub exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The file of its trace in the folder of traces.
    pub trace: Option<String>,
    /// The error.
    pub message: Option<String>,
}

/// The number of runs in each state, and the time of those that have ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Not started.
    pub planned: u64,
    /// Submitted to a batch system.
    pub submitted: u64,
    /// Started, not ended.
    pub running: u64,
    /// Ended without an error.
    pub done: u64,
    /// Ended with an error.
    pub failed: u64,
    /// Ended by the time limit.
    pub timeout: u64,
    /// Will not be made.
    pub skipped: u64,
    /// The time of all that have ended.
    pub time: Seconds,
}

impl Counts {
    /// All runs.
    pub fn all(&self) -> u64 {
        self.left() + self.ended() + self.skipped
    }

    /// Those that will be made or are running.
    pub fn left(&self) -> u64 {
        self.planned + self.submitted + self.running
    }

    /// Those that were made.
    pub fn ended(&self) -> u64 {
        self.done + self.failed + self.timeout
    }
}
