//! A job, independent of the batch system.

use crate::plan::Batch;

/// A job.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The name, for users.
    pub name: String,
    /// Processes of each task.
    pub processors: u32,
    /// The number of tasks of its array.
    pub tasks: u32,
    /// The time limit of the program in seconds; `None`: only the system's.
    pub seconds: Option<f64>,
    /// The command that starts the program.
    pub starter: Starter,
    /// The user's options for the system.
    pub batch: Batch,
    /// Words between the starter and the program, if any.
    pub wrapper: Vec<String>,
    /// The executable.
    pub program: String,
    /// Folder for all files of the tasks, equal on every host.
    pub folder: String,
    /// The program's working directory.
    pub work: String,
    /// Variables that are set for the program.
    pub environment: Vec<(String, String)>,
}

/// The command that starts the processes of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Starter {
    /// None: the program starts its own processes, or has one.
    Alone,
    /// The system's command: `srun`, if there is one.
    System,
    /// A command, with `{P}` for the number of processes.
    Command(String),
}
