//! The state of the machine while a program is measured: which processors the program gets, which other programs
//! run, and the speed of the processors.

mod canary;
mod cpus;
mod known;
mod partner;
mod place;
mod process;
mod sentinel;
mod system;
mod undisturbed;
mod watch;

pub use canary::Look;
pub use cpus::Processors;
pub use known::{Known, path as known_path};
pub use place::{Beside, Placement, Scheduler};
pub use undisturbed::Undisturbed;
pub use watch::{Seen, Watch};
