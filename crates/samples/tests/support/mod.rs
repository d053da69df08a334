//! Small traces with known content.

#[path = "../../../trace/tests/it/support.rs"]
mod traces;

pub use traces::*;
