//! Random programs, run on an engine and by a sequential model of BSPlib's calls: memory and messages of every
//! processor must be the same after every superstep.
//!
//! `program` has the programs, `model` their meaning, `choices` makes correct programs from arbitrary numbers,
//! `execute` runs them.

mod choices;
mod execute;
mod model;
mod program;

pub use choices::program;
pub use execute::execute;

/// How many are run: more in a full run of the tests.
pub fn cases() -> u32 {
    if test_draw::is_matrix_whole() { 400 } else { 50 }
}
