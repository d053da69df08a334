//! Programs of MPI that log their calls: which MPI a program is linked with (`linked`), the wrapper that is loaded
//! before it (`wrapper`), their logs (`summary`) and what these say (`report`), the supersteps in them (`supersteps`).

mod linked;
mod report;
mod run;
mod summary;
mod supersteps;
mod wrapper;

pub use linked::{Family, Linked, loaded};
pub use report::Report;
pub use run::run;
pub use summary::{opener, surveys};
pub use supersteps::superstep_log;
