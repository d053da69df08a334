//! Random programs, run on an engine and by a sequential model of what BSPlib's calls mean: memory and
//! messages of every processor must be the same after every superstep.
//!
//! `program` has the programs, `model` what they do, `choices` makes programs that are not wrong out of
//! arbitrary numbers, `execute` runs them.

mod choices;
mod execute;
mod model;
mod program;

pub use choices::program;
pub use execute::execute;
