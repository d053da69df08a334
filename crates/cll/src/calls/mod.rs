//! Programs of MPI that log their calls: the wrapper that is loaded
//! before it (`wrapper`), their logs (`summary`) and what these say (`report`), the supersteps in them (`supersteps`).

mod report;
mod run;
mod summary;
mod supersteps;
mod wrapper;

pub use crate::launch::Linked;
pub use report::Report;
pub use run::{no_log, run, tell};
use summary::place;
pub use summary::{has_ended, opener, parent, surveys};
pub use supersteps::superstep_log;
pub use wrapper::words as words_before;
