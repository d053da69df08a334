//! Small traces with known content.

#[path = "../../../trace/tests/support/mod.rs"]
mod traces;

pub use traces::*;
