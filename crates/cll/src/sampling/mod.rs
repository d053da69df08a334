//! The launches for a model, and how they are made.

mod campaign;
mod goal;
mod kept;
mod round;

pub use campaign::{Campaign, Launched, Progress};
pub use cll_campaign::{
    Grid, Launching, Processors, Range, Template, Variation, argument, few, order,
};
pub use goal::{FEWEST_ROUNDS, Goal, So};
pub use kept::{FILE_NAME as PLAN, Kept, Paired, Plan};
pub use round::{Round, Run};
