//! From rounds of measuring to how far they can be trusted, and to what measuring costs the program.

mod overhead;
pub mod rounds;

pub use overhead::{
    Bounds, Cost, MIN_PAIRS, Overhead, OverheadStart, Pair, Regions, cost, overhead,
};
