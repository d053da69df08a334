//! The probe of MPIs: which there are, what is launched, in rounds, and what the samples give.

mod evaluate;
mod libraries;
mod output;
mod plan;
mod rounds;

pub use evaluate::{MpiFound, evaluate};
pub use libraries::{Libraries, Library};
pub use output::{csv, is_csv};
pub use plan::{MpiPlan, ProcessPair};
pub use rounds::MpiRounds;
