//! Where a program's time goes.

mod breakdown;
mod path;
mod sensitivity;
mod what_if;

pub use breakdown::{Breakdown, Parts, SuperstepAccount, breakdown};
pub use path::{CriticalPath, PathStep, critical_path};
pub use sensitivity::{Draws, Influence, Interval, influences, interval};
pub use what_if::{Changed, what_if};
