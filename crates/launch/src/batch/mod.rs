//! Batch systems: submits jobs, queries them, and reads the files of their tasks.

mod job_output;
mod query;
mod starter;
mod submit;

pub use job_output::{TaskResult, ended, task_result};
pub use query::{JobQuery, JobUpdate, cancel};
pub use starter::starter;
pub use submit::{Task, submit, submitted_number};
