//! The probes of memory and operations: what is launched, in rounds, and what the samples give.

mod evaluate;
mod kernels;
mod output;
mod plan;
mod rounds;

pub use evaluate::{RoundResults, evaluate};
pub use kernels::Kernels;

pub use output::{csv, is_csv};
pub use plan::{Parts, Plan};
pub use rounds::AnalyzerRounds;
