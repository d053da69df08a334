//! Reuse distances.

mod distances;
mod levels;
mod records;
