//! The processes engine: every processor is a process of its own.
//!
//! The program's process is processor 0. It forks a process that watches, the supervisor, which forks
//! the others: so each that ends is seen at once, by who knows whether it may. What a processor writes to
//! its memory the others never see, but for registered areas.

mod join;
mod member;
mod signals;
mod supervisor;

pub use crate::start::StartError;
pub(crate) use member::fork_from_host;
pub use member::{Member, Others, fork};
pub(crate) use signals::name as signal_name;
