//! The processes engine: every processor is a separate process.
//!
//! The program's process is processor 0. It forks a supervisor process, which forks the others. So the
//! supervisor notices at once when one ends, and knows whether it may. The others do not see what a processor
//! writes to its memory, except in registered areas.

mod join;
mod member;
mod signals;
mod supervisor;

pub use crate::start::StartError;
pub(crate) use member::fork_from_host;
pub use member::{Member, Others, fork};
pub(crate) use signals::name as signal_name;
