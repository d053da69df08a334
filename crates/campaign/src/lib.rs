//! Campaigns: the runs, their order, their batch systems, and comparison of two campaigns.
//!
//! A [`Plan`] is written by the user (or made from the command line): a program, the values of its parameters,
//! numbers of processors, rounds. [`order`] shuffles the combinations of each round. [`batch`] writes the scripts
//! of batch systems and checks the directives in such scripts by the vendors' rules. [`RemainingTime`] estimates the
//! remaining time. [`change`] estimates the ratio of two samples of times, with an interval.
//!
//! Nothing is run here: the program `cll` keeps the database and starts the runs.

#![forbid(unsafe_code)]

mod arguments;
pub mod batch;
mod compare;
mod error;
mod factors;
mod location;
mod names;
mod order;
mod plan;
mod range;
mod remaining_time;
mod state;
mod time;

pub use arguments::{Template, TemplateError, placeholders};
pub use compare::{TimeChange, change};
pub use error::Error;
pub use location::{Location, is_same};
pub use order::{Grid, GridPoint, Launching, few, order};
pub use plan::{Batch, KEY, Launcher, Plan, PlannedPoint, ReadPlan, VERSION, read, write};
pub use range::{Processors, Range, Variation, Varied, argument, number, split};
pub use remaining_time::RemainingTime;
pub use state::{Attempt, Counts, State};
pub use time::{Budget, budget, duration};
