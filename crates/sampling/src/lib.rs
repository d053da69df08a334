//! Launches for a model, in rounds: [`Campaign`] makes them one after another, [`Goal`] says when to end, and
//! [`SavedRounds`] keeps them, so that the same command continues from them.

#![forbid(unsafe_code)]

mod campaign;
mod error;
mod goal;
mod logged;
mod round;
mod saved_rounds;
mod selection;

pub use campaign::{Campaign, Launched, Progress};
pub use cll_campaign::{
    Budget, Grid, GridPoint, Launching, Processors, Range, Template, Variation, Varied, argument,
    few, order,
};
pub use error::Error;
pub use goal::{Goal, MIN_ROUNDS, SamplingProgress};
pub use logged::{LoggedRun, logged_rounds};
pub use round::{Round, Run};
pub use saved_rounds::{FILE_NAME as PLAN, Paired, Plan, SavedRounds};
pub use selection::{CPU_TIME, MarkedRounds, SelectionInput, rounds_of_processes, signs};
