//! Scripts for batch systems: one template, with the directives of each system.

mod directives;
mod head;
mod job;
mod script;
mod sweep;

pub use directives::{Directive, WrongDirective, directives};
pub use job::{Job, Starter};
pub use script::{JOB_FILE, Script, script};
pub use sweep::{SWEEP_MARK, Sweep, sweep};
