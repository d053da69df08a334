//! What is known of a run.

use cll_campaign::{Launching, State};

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

/// A run with its newest attempt.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its number in the database.
    pub id: i64,
    /// Number of its campaign.
    pub campaign: i64,
    /// The round it belongs to, from 0.
    pub round: u32,
    /// Its number of processors; 0 if the plan has none.
    pub processors: u32,
    /// The parameters, as JSON.
    pub parameters: String,
    /// What has become of it.
    pub state: State,
    /// How often it was started.
    pub attempts: u32,
    /// The computer that it ran on.
    pub host: Option<String>,
    /// When it began, Unix time in seconds.
    pub started: Option<f64>,
    /// How long it took.
    pub seconds: Option<f64>,
    /// Its exit code, if it ended by itself.
    pub exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The file of its trace in the folder of traces.
    pub trace: Option<String>,
    /// Whether it had more processors than there are cores.
    pub oversubscribed: bool,
    /// The load of the computer before it.
    pub load: Option<f64>,
    /// What went wrong.
    pub message: Option<String>,
}
