//! What a job runs, whatever the batch system.

use crate::plan::Batch;

/// What a job runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Its name, for people.
    pub name: String,
    /// Processes of each of its tasks.
    pub processors: u32,
    /// How many tasks its array has.
    pub tasks: u32,
    /// After how many seconds the program is ended; `None` leaves that to the system.
    pub seconds: Option<f64>,
    /// What starts the program in it.
    pub starter: Starter,
    /// What the user has said of the system.
    pub batch: Batch,
    /// What stands between the starter and the program, if anything.
    pub wrapper: Vec<String>,
    /// The executable.
    pub program: String,
    /// Folder for all that the tasks leave, on every host the same.
    pub folder: String,
    /// Folder that the program runs in.
    pub work: String,
    /// Variables that are set for the program.
    pub environment: Vec<(String, String)>,
}

/// What starts the processes of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Starter {
    /// The program starts its own, or has one.
    Alone,
    /// The system: `srun`, where there is one.
    System,
    /// A command, `{P}` in it for their number.
    Command(String),
}
