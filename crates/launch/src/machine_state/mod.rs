//! The state of the machine while a program is measured: which processors the program gets and may use, which other programs
//! run, and the speed of the processors.

mod allowance;
mod best_seen;
mod cpus;
mod launch_baseline;
mod message_latency;
mod observer;
mod placement;
mod process;
mod sampler;
mod speed_test;
mod system;

pub use allowance::Allowance;
pub use best_seen::{BestSeen, path as best_seen_path};
pub use cpus::Processors;
pub use launch_baseline::LaunchBaseline;
pub use observer::{LaunchObserver, MachineObservation};
pub use placement::{ObserverPlacement, Placement, Scheduler};
pub use speed_test::SpeedTest;
