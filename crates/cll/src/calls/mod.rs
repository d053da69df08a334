//! MPI programs that log their calls: the preloaded wrapper (`wrapper`), the logs (`summary`), their statistics
//! (`stats`), and the supersteps in them (`supersteps`).

mod run;
mod stats;
mod summary;
mod supersteps;
mod wrapper;

pub use crate::launch::LinkedMpi;
pub use run::{no_log, report_logs, run};
pub use stats::stats_of;
use summary::place;
pub use summary::{has_ended, opener, parent, surveys};
pub use supersteps::superstep_log;
pub use wrapper::words as words_before;
