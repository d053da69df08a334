//! Scripts for batch systems: one template, the directives of each.

mod directives;
mod head;
mod script;
mod sweep;

pub use directives::{Directive, WrongDirective, directives};
pub use script::{JOB_FILE, Job, Script, Starter, script};
pub use sweep::{Sweep, sweep};
