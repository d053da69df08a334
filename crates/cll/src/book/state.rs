//! What is known of a run.

use cll_campaign::Launching;

/// What has become of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    Planned,
    Submitted,
    Running,
    Done,
    Failed,
    Timeout,
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

    /// As the book has it.
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

    pub(super) fn named(name: &str) -> State {
        State::ALL.into_iter().find(|state| state.name() == name).unwrap_or(State::Planned)
    }
}

/// A run that is to be made.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Its number in the book.
    pub id: i64,
    /// What is launched.
    pub launching: Launching,
    /// Its job, if it was handed in.
    pub job: Option<i64>,
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    /// When it began, Unix time in seconds.
    pub started: f64,
    /// How long it took.
    pub seconds: f64,
    /// Its exit code, if it ended by itself.
    pub exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Its trace in the folder of traces, and the bytes of that.
    pub trace: Option<(String, u64)>,
    /// Where it ran.
    pub host: String,
    /// The processors that it was held on.
    pub binding: String,
    /// Whether it had more processors than there are cores.
    pub oversubscribed: bool,
    /// The load of the computer before it.
    pub load: Option<f64>,
    /// How fast a processor was before it: nanoseconds of a multiply-add.
    pub clock: Option<f64>,
    /// What went wrong.
    pub message: Option<String>,
}

/// A run as it is told.
#[derive(Clone, Debug)]
pub struct Row {
    pub id: i64,
    pub campaign: i64,
    pub round: u32,
    pub processors: u32,
    /// The parameters, as JSON.
    pub parameters: String,
    pub state: State,
    pub attempts: u32,
    pub host: Option<String>,
    pub started: Option<f64>,
    pub seconds: Option<f64>,
    pub exit: Option<i32>,
    pub signal: Option<i32>,
    pub trace: Option<String>,
    pub oversubscribed: bool,
    pub load: Option<f64>,
    pub message: Option<String>,
}

/// How many runs are in each state, and what those that have ended took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    pub planned: u64,
    pub submitted: u64,
    pub running: u64,
    pub done: u64,
    pub failed: u64,
    pub timeout: u64,
    pub skipped: u64,
    /// Seconds of all that have ended.
    pub seconds: f64,
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
