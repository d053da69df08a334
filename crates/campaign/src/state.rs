//! What has become of the runs of a campaign.

use cll_units::Seconds;
use serde::Serialize;

/// What has become of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Not begun.
    Planned,
    /// With a batch system.
    Submitted,
    /// Begun, not ended.
    Running,
    /// Ended as it should.
    Done,
    /// Ended with an error.
    Failed,
    /// Ended at its limit of time.
    Timeout,
    /// Not to be made.
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

    /// Its name in the database and in JSON.
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

    /// The state of a name; of an unknown one [`State::Planned`].
    pub fn named(name: &str) -> State {
        State::ALL.into_iter().find(|state| state.name() == name).unwrap_or(State::Planned)
    }
}

/// An attempt that failed.
#[derive(Clone, Debug, Serialize)]
pub struct Attempt {
    /// Which of the run's it was, from 1.
    pub attempt: u32,
    /// How it ended: a state of a run.
    pub state: String,
    /// The computer that it ran on.
    pub host: Option<String>,
    /// When it began, Unix time in seconds.
    pub started: Option<f64>,
    /// How long it took.
    #[serde(rename = "seconds")]
    pub time: Option<Seconds>,
    /// Its exit code, if it ended by itself.
    pub exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The file of its trace in the folder of traces.
    pub trace: Option<String>,
    /// What went wrong.
    pub message: Option<String>,
}

/// How many runs are in each state, and what those that have ended took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Not begun.
    pub planned: u64,
    /// With a batch system.
    pub submitted: u64,
    /// Begun, not ended.
    pub running: u64,
    /// Ended as they should.
    pub done: u64,
    /// Ended with an error.
    pub failed: u64,
    /// Ended at their limit of time.
    pub timeout: u64,
    /// Not to be made.
    pub skipped: u64,
    /// The time of all that have ended.
    pub time: Seconds,
}

impl Counts {
    /// All runs.
    pub fn all(&self) -> u64 {
        self.left() + self.ended() + self.skipped
    }

    /// Those that are to be made, or are being made.
    pub fn left(&self) -> u64 {
        self.planned + self.submitted + self.running
    }

    /// Those that were made.
    pub fn ended(&self) -> u64 {
        self.done + self.failed + self.timeout
    }
}
