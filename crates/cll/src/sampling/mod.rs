//! Which launches a model needs, and carrying them out.

mod arguments;
mod campaign;
mod goal;
mod kept;
mod round;

pub use arguments::Template;
pub use campaign::{Campaign, Launched, Progress};
pub use cll_campaign::{Grid, Launching, Range, Variation, argument, few, order};
pub use goal::{FEWEST_ROUNDS, Goal, So};
pub use kept::{Closed, FILE_NAME as PLAN, Kept, Plan};
pub use round::Round;
#[cfg(test)]
pub use round::Run;
