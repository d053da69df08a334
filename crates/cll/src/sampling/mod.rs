//! Which launches a model needs, and carrying them out.

mod arguments;
mod campaign;
mod plan;
mod range;

pub use arguments::Template;
pub use campaign::{Campaign, Launched, Progress};
pub use plan::{Grid, Launching, order};
pub use range::{Range, Variation, argument};
