//! Machines, logs and programs as values of a session.

mod logs;
mod machine;
mod on_machine;
mod program;

pub use logs::Logs;
pub use machine::MachineThing;
pub use program::Program;
