//! MPI programs that log their calls: the preloaded wrapper (`wrapper`), and the logs (`summary`).

mod run;
mod summary;
mod wrapper;

pub use crate::launch::LinkedMpi;
pub use run::{no_log, report_logs, run};
pub use summary::{has_ended, parent};
pub use wrapper::words as words_before;
