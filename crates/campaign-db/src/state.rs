//! The data of a run.

use cll_campaign::{Launching, State};

/// A run to make.
#[derive(Clone, Debug)]
pub struct PlannedRun {
    /// The number in the database.
    pub id: i64,
    /// The launch.
    pub launching: Launching,
    /// The job, if the run was submitted.
    pub job: Option<i64>,
}

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct RunResult {
    /// When it began, Unix time in seconds.
    pub started: f64,
    /// How long it took.
    pub seconds: f64,
    /// The exit code, unless a signal ended the run.
    pub exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The name of the trace in the folder of traces, and the trace's size in bytes.
    pub trace: Option<(String, u64)>,
    /// Where it ran.
    pub host: String,
    /// The processors to which it was bound.
    pub binding: String,
    /// Whether it had more processors than there are cores.
    pub oversubscribed: bool,
    /// The load of the computer before the run.
    pub load: Option<f64>,
    /// The speed of a processor before the run: nanoseconds of a multiply-add.
    pub clock: Option<f64>,
    /// The error.
    pub message: Option<String>,
}

/// A run with its latest attempt.
#[derive(Clone, Debug)]
pub struct Row {
    /// The number in the database.
    pub id: i64,
    /// Number of its campaign.
    pub campaign: i64,
    /// The round, from 0.
    pub round: u32,
    /// The number of processors; 0 if the plan has none.
    pub processors: u32,
    /// The parameters, as JSON.
    pub parameters: String,
    /// The state.
    pub state: State,
    /// The number of its attempts.
    pub attempts: u32,
    /// The computer that it ran on.
    pub host: Option<String>,
    /// When it began, Unix time in seconds.
    pub started: Option<f64>,
    /// How long it took.
    pub seconds: Option<f64>,
    /// The exit code, unless a signal ended the run.
    pub exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The file of its trace in the folder of traces.
    pub trace: Option<String>,
    /// Whether it had more processors than there are cores.
    pub oversubscribed: bool,
    /// The load of the computer before the run.
    pub load: Option<f64>,
    /// The error.
    pub message: Option<String>,
}
