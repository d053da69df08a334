//! Where a program's time goes.

mod breakdown;
mod path;
mod spread;

pub use breakdown::{Breakdown, Parts, SuperstepAccount, breakdown};
pub use path::{CriticalPath, PathStep, critical_path};
pub use spread::{Draws, Influence, Interval, influences, interval};
