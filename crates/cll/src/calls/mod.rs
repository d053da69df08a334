//! Programs of MPI that log their calls: the wrapper that is loaded
//! before it (`wrapper`), their logs (`summary`) and their sums (`stats`), the supersteps in them (`supersteps`).

mod run;
mod stats;
mod summary;
mod supersteps;
mod wrapper;

pub use crate::launch::Linked;
pub use run::{no_log, run, tell};
pub use stats::stats_of;
use summary::place;
pub use summary::{has_ended, opener, parent, surveys};
pub use supersteps::superstep_log;
pub use wrapper::words as words_before;
