//! Campaigns: which runs are to be made, in which order, by which batch system, and whether two of
//! them found the same.
//!
//! A [`Plan`] is what a person writes (or the command line says): a program, the values of its
//! parameters, numbers of processors, rounds. [`order`] shuffles the combinations of each round.
//! [`batch`] writes the scripts by which a batch system makes the runs, and reads the directives of
//! such scripts by the vendors' rules. [`Pace`] tells how long what is left will take. [`change`] tells by how much times differ, with an interval.
//!
//! Nothing here runs anything: the program `cll` keeps the book, and starts what is started.

#![forbid(unsafe_code)]

mod arguments;
pub mod batch;
mod compare;
mod factors;
mod order;
mod pace;
mod plan;
mod range;
mod state;
mod time;

pub use arguments::{Template, TemplateError};
pub use compare::{Change, change};
pub use order::{Grid, Launching, few, order};
pub use pace::Pace;
pub use plan::{Batch, KEY, Launcher, Plan, Read, VERSION, read};
pub use range::{Processors, Range, Variation, argument, number, split};
pub use state::{Attempt, Counts, State};
pub use time::{duration, in_words};
