//! MPI programs that log their calls: the preloaded wrapper (`wrapper`), the logs (`summary`), and their statistics
//! (`stats`).

mod run;
mod stats;
mod summary;
mod wrapper;

pub use crate::launch::LinkedMpi;
pub use run::{no_log, report_logs, run};
pub use stats::stats_of;
pub use summary::{has_ended, parent};
pub use wrapper::words as words_before;
