//! MPI programs that log their calls: the preloaded wrapper (`wrapper`), its entries for calls that are only counted
//! (`entries`), and their runs (`run`).

mod entries;
mod run;
mod wrapper;

pub use crate::launch::LinkedMpi;
pub use run::{folder_of_logs, no_log, report_logs, run};
pub use wrapper::words as words_before;
